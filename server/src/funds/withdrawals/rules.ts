/** What may be withdrawn, and when an operator looks at it first. Pure: integers in, answers out. */
import type { ReviewReason } from '@cambist/contract/admin-withdrawals.ts';

export interface Funds {
  /** Smallest units in the spot wallet. */
  readonly available: bigint;
  /** Of them, at the last prices. */
  readonly availableWorth: bigint;
  /** Of the coin: credited, and not so deep in its chain that it may leave. */
  readonly locked: bigint;
  /** Of all coins in all wallets, without what is leaving. */
  readonly totalWorth: bigint;
  /** Of all coins together. */
  readonly lockedWorth: bigint;
}

/**
 * What may leave of a coin. A deposit that is not yet final may be taken back by its chain, so as much must stay. Two
 * bounds: of the coin itself, what is available less what is locked; and, because a locked deposit may have been traded
 * into another coin meanwhile, no more than leaves the account worth what is locked of all coins, at the last prices.
 * Without locked deposits prices play no part.
 */
export function withdrawableOf({ available, availableWorth, locked, totalWorth, lockedWorth }: Funds): bigint {
  const own = available > locked ? available - locked : 0n;
  if (lockedWorth === 0n) return own;
  const spare = totalWorth - lockedWorth;
  if (spare <= 0n || availableWorth === 0n) return 0n;
  const bounded = spare >= availableWorth ? available : (available * spare) / availableWorth;
  return bounded < own ? bounded : own;
}

/** Amounts in smallest units of the quote asset. */
export interface Reviewed {
  /** Undefined where no market prices it. */
  readonly worth: bigint | undefined;
  /** Of the 24 hours before. */
  readonly used: bigint;
  readonly approval: bigint;
  readonly fourEyes: bigint;
  readonly medianFactor: number;
  /** Worth of the last settled ones. */
  readonly settled: readonly bigint[];
  readonly isNewDevice: boolean;
  readonly isNewAddress: boolean;
  /** A second factor was asked for a new address. */
  readonly hasFactor: boolean;
  /** Within the last hour. */
  readonly recent: number;
  readonly hourlyCount: number;
}

/** How many settled withdrawals say what is usual. */
export const MEDIAN_OF = 10;
const USUAL_FROM = 3;
/** Without a second factor, the share of the approval limit from which a new address is looked at. */
const NEW_ADDRESS_SHARE = 10n;

/** Of at least one; the mean of the two in the middle, rounded down. */
function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const [below, above] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return (below + above) / 2n;
}

/** Why an operator looks at it; none for one that goes out as it comes. What cannot be measured is looked at by two. */
export function reviewReasons(facts: Reviewed): ReviewReason[] {
  const { worth = 0n, used, settled } = facts;
  const day = used + worth;
  const isUnusual = settled.length >= USUAL_FROM && worth > BigInt(facts.medianFactor) * median(settled);
  const isRisky = facts.isNewAddress && !facts.hasFactor && worth * NEW_ADDRESS_SHARE >= facts.approval;
  const reasons: Readonly<Record<ReviewReason, boolean>> = {
    AMOUNT: day >= facts.approval,
    FOUR_EYES: day >= facts.fourEyes || worth === 0n,
    UNUSUAL_AMOUNT: isUnusual,
    NEW_DEVICE: facts.isNewDevice,
    NEW_ADDRESS: isRisky,
    FREQUENT: facts.recent * 2 >= facts.hourlyCount,
  };
  return (Object.keys(reasons) as ReviewReason[]).filter((reason) => reasons[reason]);
}

/** Operators who must approve. */
export function approvalsFor(reasons: readonly ReviewReason[]): 0 | 1 | 2 {
  if (reasons.length === 0) return 0;
  return reasons.includes('FOUR_EYES') ? 2 : 1;
}
