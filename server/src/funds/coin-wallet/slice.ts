import type { Slice } from '../../platform/slice.ts';
import { serveCoinWallet } from './routes.ts';
import { type CoinWalletDeps, createCoinWalletService } from './service.ts';

/** One coin of a client as a slice: it keeps nothing of its own. */
export function createCoinWalletSlice(parts: CoinWalletDeps): Slice {
  const service = createCoinWalletService(parts);
  return { routes: (calls) => serveCoinWallet(calls, service) };
}
