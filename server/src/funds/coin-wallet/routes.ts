import { coinSpotPnl, walletSingleCoin, walletSingleCoinPnl } from '@cambist/contract/coin-wallet.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { CoinWalletService } from './service.ts';

const unknown = (name: string) => new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name }));

export function serveCoinWallet(calls: CallServer, service: CoinWalletService): void {
  calls.serve(coinSpotPnl, ({ identity }) => service.profit(identity.clientId));
  calls.serve(walletSingleCoin, async ({ identity, query, locale }) => {
    const found = await service.coin(identity.clientId, query.name, locale);
    return found === 'unknown-coin' ? unknown(query.name) : found;
  });
  calls.serve(walletSingleCoinPnl, async ({ identity, query }) => {
    const found = await service.coinProfit(identity.clientId, query.name);
    return found === 'unknown-coin' ? unknown(query.name) : found;
  });
}
