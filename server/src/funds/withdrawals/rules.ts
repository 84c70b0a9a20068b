/** What may be withdrawn, and when an operator looks at it first. Pure: integers in, answers out. */
import type { ReviewReason } from '@cambist/contract/admin-withdrawals.ts';

export interface Funds {
  /** Smallest units in the spot wallet. */
  readonly available: bigint;
  /** Of the coin in all wallets, without what is leaving. */
  readonly held: bigint;
  /** Of the coin: credited, and not so deep in its chain that it may leave. */
  readonly locked: bigint;
  /** Quote units, at the highest price, of coins of which more is locked than held; undefined where one has no price. */
  readonly missingWorth: bigint | undefined;
  /** Quote units, at the lowest price: what is held beyond what is locked, of all coins but this one. */
  readonly otherSpareWorth: bigint;
  /** Quote units, at the lowest price: of `held` less `locked` of this coin; 0 without a price. */
  readonly spareWorth: bigint;
}

/**
 * What may leave of a coin. A deposit that is not yet final may be taken back by its chain, so as much must stay. Two
 * bounds: of the coin itself, what is available less what is locked; and, because a locked deposit may have been traded
 * into another coin meanwhile, as much must stay as covers the locked coins that are missing. What is missing counts at
 * its highest price and what covers it at its lowest, so a price that was moved frees nothing. While every locked
 * coin is still there, prices play no part.
 */
export function withdrawableOf(funds: Funds): bigint {
  const { available, held, locked, missingWorth, otherSpareWorth, spareWorth } = funds;
  const own = available > locked ? available - locked : 0n;
  if (missingWorth === undefined) return 0n;
  const needed = missingWorth - otherSpareWorth;
  if (needed <= 0n) return own;
  if (spareWorth <= needed) return 0n;
  const bounded = ((held - locked) * (spareWorth - needed)) / spareWorth;
  return bounded < own ? bounded : own;
}

/** Amounts in smallest units of the quote asset. */
export interface Reviewed {
  /** At the highest price; undefined where no market prices it. */
  readonly worth: bigint | undefined;
  /** Whether more than its own last trades price it. */
  readonly isPriceTrusted: boolean;
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
    UNTRUSTED_PRICE: !facts.isPriceTrusted && worth > 0n,
    FREQUENT: facts.recent * 2 >= facts.hourlyCount,
  };
  return (Object.keys(reasons) as ReviewReason[]).filter((reason) => reasons[reason]);
}

/** Operators who must approve. */
export function approvalsFor(reasons: readonly ReviewReason[]): 0 | 1 | 2 {
  if (reasons.length === 0) return 0;
  return reasons.includes('FOUR_EYES') ? 2 : 1;
}
