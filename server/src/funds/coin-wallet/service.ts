/** One coin of a client, and the profit of all. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { coinSpotPnl, walletSingleCoin, walletSingleCoinPnl } from '@cambist/contract/coin-wallet.ts';
import type { Deposit } from '@cambist/contract/deposits.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { Withdrawal } from '@cambist/contract/withdrawals.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { CostBasisService } from '../cost-basis/service.ts';
import type { WalletService } from '../overview/service.ts';
import { basisPointsOf, type Gain, gainOf } from './profit.ts';

interface NewestOf {
  readonly owner: number;
  readonly coin: string;
  readonly limit: number;
  readonly before: undefined;
}

export interface CoinWalletDeps {
  readonly wallets: WalletService;
  readonly costs: CostBasisService;
  /** Newest first. */
  readonly deposits: { list(filter: NewestOf): Promise<readonly Deposit[]> };
  /** Newest first. */
  readonly withdrawals: { list(filter: NewestOf, locale: Locale): Promise<readonly Withdrawal[]> };
}

/** As many as the screen shows on a page. */
const NEWEST = 20;

const percentOf = (gain: Gain): string | null => {
  const points = basisPointsOf(gain);
  return points === undefined ? null : formatAmount(points, 2);
};

export function createCoinWalletService({ wallets, costs, deposits, withdrawals }: CoinWalletDeps) {
  return {
    async profit(owner: number): Promise<AnswerOf<typeof coinSpotPnl>> {
      const { complete, positions } = await costs.positionsOf(owner);
      if (!complete) return { spotProfit: null, spotPercentage: null, left_out: [] };
      const infos = new Map((await wallets.holdings(owner)).map(({ info }) => [info.asset.id, info]));
      let sum: Gain = { gain: 0n, cost: 0n };
      const leftOut: string[] = [];
      for (const position of positions.filter(({ quantity }) => quantity > 0n)) {
        const found = gainOf(position, (units) => wallets.worthOf(position.asset, units));
        if (found !== undefined) sum = { gain: sum.gain + found.gain, cost: sum.cost + found.cost };
        else leftOut.push(infos.get(position.asset)?.asset.code ?? String(position.asset));
      }
      return { spotProfit: wallets.money(sum.gain), spotPercentage: percentOf(sum), left_out: leftOut };
    },

    async coin(
      owner: number,
      name: string,
      locale: Locale,
    ): Promise<AnswerOf<typeof walletSingleCoin> | 'unknown-coin'> {
      const info = wallets.assetByCode(name);
      const balance = info && (await wallets.balances(owner)).find((row) => row.info.asset.id === info.asset.id);
      if (info === undefined || balance === undefined) return 'unknown-coin';
      const newest = { owner, coin: info.asset.code, limit: NEWEST, before: undefined };
      const amount = (units: bigint) => formatAmount(units, info.asset.scale);
      return {
        coin: { name: info.asset.code, full_name: info.name, image: info.image },
        balance: amount(balance.available + balance.held),
        available_balance: amount(balance.available),
        unavailable_balance: amount(balance.held),
        usdt_value: wallets.money(balance.worth),
        price: { close: wallets.priceOf(info) },
        deposit: [...(await deposits.list(newest))],
        withdraw: [...(await withdrawals.list(newest, locale))],
      };
    },

    async coinProfit(owner: number, name: string): Promise<AnswerOf<typeof walletSingleCoinPnl> | 'unknown-coin'> {
      const info = wallets.assetByCode(name);
      if (info === undefined) return 'unknown-coin';
      const [{ complete, positions }, { coins }] = await Promise.all([costs.positionsOf(owner), costs.of(owner)]);
      const position = positions.find(({ asset }) => asset === info.asset.id);
      const cost = coins.find((coin) => coin.name === info.asset.code);
      if (position === undefined || cost === undefined) return { complete, pnl: null };
      const gain = gainOf(position, (units) => wallets.worthOf(info.asset.id, units));
      const unrealized = gain === undefined ? null : wallets.money(gain.gain);
      return {
        complete,
        pnl: { ...cost, unrealized, unrealized_percentage: gain === undefined ? null : percentOf(gain) },
      };
    },
  };
}

export type CoinWalletService = ReturnType<typeof createCoinWalletService>;
