/** What a payout takes from the hot wallet, and whether it is there. */
import {
  type ChainPayment,
  type CoinNetwork,
  contractOf,
  highestCost,
  NATIVE_COINS,
  type Sender,
  type Terms,
} from '../chains/service.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { Payment } from './service.ts';

/** What the signer is asked to pay. */
export function paymentOf({ network, coin, address, units }: KeptPayout, coins: readonly CoinNetwork[]): ChainPayment {
  const figures = coins.find((one) => one.coin === coin && one.network === network);
  // The chain's own coin need not be one that is listed: a top-up pays in it.
  if (figures === undefined && coin === NATIVE_COINS[network].coin) return { network, contract: null, address, units };
  if (figures === undefined) throw new Error(`${coin} has no figures on ${network}`);
  return { network, contract: contractOf(figures), address, units };
}

/** Whether both are paid from the same address, whose nonces and balances they share. */
export const sharesPayer = ({ payer }: Pick<Payment, 'payer'>, { payer: other }: Pick<Payment, 'payer'>): boolean =>
  payer?.address === other?.address;

/** Nothing is fixed for it yet. */
export const isUntaken = ({ state, sender }: KeptPayout): boolean => state === 'PLANNED' && sender === '';

/** Signed, and in no block. */
export const isUnderway = ({ state }: KeptPayout): boolean => state === 'SIGNED' || state === 'BROADCAST';

/**
 * What the payer misses of each contract (null is the chain's own coin) for a payment beside those that are signed and in no
 * block. Fees count as high as they may become.
 */
export async function missing(
  sender: Sender,
  hot: string,
  { contract, units }: ChainPayment,
  terms: Terms | undefined,
  underway: readonly KeptPayout[],
  paymentOf: (payout: KeptPayout) => ChainPayment,
): Promise<ReadonlyMap<string | null, bigint>> {
  const needed = new Map<string | null, bigint>();
  const need = (of: string | null, amount: bigint) => needed.set(of, (needed.get(of) ?? 0n) + amount);
  need(contract, units);
  need(null, terms === undefined ? 0n : highestCost(terms));
  for (const payout of underway) {
    const payment = paymentOf(payout);
    need(payment.contract, payment.units);
    const last = payout.attempts.at(-1);
    if (last !== undefined) need(null, highestCost(last.terms));
  }
  const short = new Map<string | null, bigint>();
  for (const [of, amount] of needed) {
    if (of !== contract && of !== null) continue;
    const left = amount - (await sender.balance(hot, of));
    if (left > 0n) short.set(of, left);
  }
  return short;
}
