import {
  fundingWallet,
  funds,
  futureWallet,
  futureWalletV2,
  futureWalletV3,
  overview,
  spotWallet,
  walletBalance,
  walletCoins,
} from '@cambist/contract/wallets.ts';
import { Wallet } from '@cambist/core/ledger/account.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { Balance, WalletService } from './service.ts';

const TOP_ASSETS = 5;

function figures({ info, available, held }: Balance) {
  const { scale } = info.asset;
  return { available: formatAmount(available, scale), held: formatAmount(held, scale) };
}

/** Largest value first, then what is held at all, then by name. */
function byWorth(left: Balance, right: Balance): number {
  if (left.worth !== right.worth) return left.worth > right.worth ? -1 : 1;
  const amounts = right.available + right.held - (left.available + left.held);
  if (amounts !== 0n) return amounts > 0n ? 1 : -1;
  return left.info.asset.code.localeCompare(right.info.asset.code);
}

const coinOf = ({ info }: Balance) => ({ name: info.asset.code, full_name: info.name, image: info.image });

/** Every coin of one wallet, in the shapes that older clients know. */
function serveCoins(calls: CallServer, wallets: WalletService): void {
  const balancesOf = async (identity: Identity, wallet: Wallet) =>
    (await wallets.balances(identity.clientId, wallet)).sort(byWorth);

  const rowOf = (balance: Balance) => ({
    ...coinOf(balance),
    coin_value: figures(balance).available,
    freeze_value: figures(balance).held,
    usdt_value: wallets.money(balance.worth),
    price: wallets.priceOf(balance.info),
  });
  const coins = async (identity: Identity, wallet: Wallet) => ({
    wallet: (await balancesOf(identity, wallet)).map(rowOf),
  });
  calls.serve(spotWallet, ({ identity }) => coins(identity, Wallet.SPOT));
  calls.serve(fundingWallet, ({ identity }) => coins(identity, Wallet.FUNDING));
  calls.serve(walletCoins, ({ identity, query }) => coins(identity, Wallet[query.wallet]));

  for (const call of [futureWallet, futureWalletV2, futureWalletV3]) {
    calls.serve(call, async ({ identity }) => {
      const rows = await balancesOf(identity, Wallet.FUTURE);
      return {
        walletTotal: wallets.money(rows.reduce((sum, { worth }) => sum + worth, 0n)),
        wallet: rows.map((balance) => {
          const { available, held, free, profit, info } = balance;
          const text = (units: bigint) => formatAmount(units, info.asset.scale);
          const usable = text(free > 0n ? free : 0n);
          const margin = { margin_balance: text(available + held + profit), upnl: text(profit), available: usable };
          const worth = { usdt_value: wallets.money(balance.worth), price: wallets.priceOf(info) };
          return { ...coinOf(balance), ...worth, ...margin };
        }),
      };
    });
  }
}

export function serveWallets(calls: CallServer, wallets: WalletService): void {
  serveCoins(calls, wallets);
  const balancesOf = async (identity: Identity) => (await wallets.balances(identity.clientId)).sort(byWorth);

  calls.serve(funds, async ({ identity }) => {
    const rows = await balancesOf(identity);
    return {
      funds: rows.map((balance) => ({
        coin: coinOf(balance),
        wallet_balance: figures(balance).available,
        freeze_balance: figures(balance).held,
        usdt_value: wallets.money(balance.worth),
        price: wallets.priceOf(balance.info),
      })),
    };
  });

  calls.serve(walletBalance, async ({ identity, query }) => {
    // A pair name means its base coin.
    const code = query.name.toUpperCase().split(/[-/]/)[0] ?? '';
    const info = wallets.assetByCode(code) ?? wallets.assetByCode(code.replace(/USDT$/, ''));
    if (info === undefined)
      return new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: query.name }));
    const balance = (await wallets.balances(identity.clientId)).find((row) => row.info === info);
    if (balance === undefined)
      return new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: query.name }));
    const { available, held } = figures(balance);
    return { wallet: { wallet_balance: available, freeze_balance: held } };
  });

  calls.serve(overview, async ({ identity }) => {
    const { total, totals, profit, spot } = await wallets.overview(identity);
    const of = (name: WalletName) => totals.find(({ wallet }) => wallet === name)!.total;
    const documented = {
      ...{ spotTotal: of('SPOT'), earnTotal: of('EARN'), futureTotal: of('FUTURE'), fundingTotal: of('FUNDING') },
    };
    const { value, percentage, spot: spotProfit, future, futurePercentage } = profit;
    const byWallet = { pnl: spotProfit, futurePnl: future, futurePnlPercentage: futurePercentage };
    const pnl = { value, percentage, ...byWallet, totalPnl: value, totalPercentage: percentage };
    const worthMost = [...spot]
      .sort(byWorth)
      .filter(({ worth }) => worth > 0n)
      .slice(0, TOP_ASSETS);
    const topAssets = worthMost.map((balance) => ({ ...coinOf(balance), usdt_value: wallets.money(balance.worth) }));
    return { overviewTotal: total, ...documented, wallets: totals, pnl, topAssets };
  });
}
