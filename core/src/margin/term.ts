/**
 * Terms of positions. What opens a position may bind it: until the term ends its owner's orders cannot reduce it, unless its income
 * is at or above a target or its total assets are at or below a floor. What is left open at the end has earned a discount on the fees
 * of closing: what a maker's fee would have been less than the taker's fee that opened it. At its end nothing happens but that the
 * position is an ordinary one; liquidation, deleveraging and the covering of losses never ask for a term.
 */
export const TERM_DAYS = [7, 14, 30, 60, 90] as const;
export type TermDays = (typeof TERM_DAYS)[number];

export const isTermDays = (days: number): days is TermDays => TERM_DAYS.some((one) => one === days);

/** Of the initial margin that a position is opened with: at least so much target, at most so much floor. */
export const MINIMUM_TARGET_PERCENT = 5n;
export const MAXIMUM_FLOOR_PERCENT = 80n;

const DAY_MS = 86_400_000;

/** As an order asks for it; settlement units. */
export interface TermChoice {
  readonly days: TermDays;
  readonly target: bigint;
  /** 0n or more. */
  readonly floor: bigint;
}

/** As a position has it, also after its end; ms since 1970 and settlement units. */
export interface PositionTerm {
  readonly startedAt: number;
  readonly endsAt: number;
  readonly target: bigint;
  readonly floor: bigint;
  /** What comes off the fees of closing after the end; absent without one. */
  readonly discount?: bigint | undefined;
}

/** What a position has brought at its mark, less the funding that it owes, and that with its margin; settlement units. */
export interface TermFigures {
  readonly income: bigint;
  /** Margin: an isolated position's own, else what its leverage asks for. */
  readonly total: bigint;
}

export const termFrom = ({ days, target, floor }: TermChoice, time: number): PositionTerm => ({
  startedAt: time,
  endsAt: time + days * DAY_MS,
  target,
  floor,
});

export const daysOf = ({ startedAt, endsAt }: Pick<PositionTerm, 'startedAt' | 'endsAt'>): number =>
  Math.round((endsAt - startedAt) / DAY_MS);

/** Begun days count; 0 after the end. */
export const daysLeft = ({ endsAt }: Pick<PositionTerm, 'endsAt'>, time: number): number =>
  Math.max(0, Math.ceil((endsAt - time) / DAY_MS));

/** The same term with another discount. */
export function withDiscount({ startedAt, endsAt, target, floor }: PositionTerm, discount: bigint): PositionTerm {
  const term = { startedAt, endsAt, target, floor };
  return discount === 0n ? term : { ...term, discount };
}

/** What is left of a discount when lots are closed before the end: the share of the lots that stay open, rounded down. */
export const keptDiscount = (discount: bigint, closing: number, all: number): bigint =>
  (discount * BigInt(all - closing)) / BigInt(all);

/** Whether target and floor mean something for a position that is opened with such a margin, and neither is reached by what it costs to open it. */
export function isWithinBounds({ target, floor }: TermChoice, initial: bigint, income: bigint): boolean {
  const isTarget = target > income && target * 100n >= initial * MINIMUM_TARGET_PERCENT;
  return isTarget && floor >= 0n && floor < initial + income && floor * 100n <= initial * MAXIMUM_FLOOR_PERCENT;
}

/** Whether a term keeps its owner from reducing the position. One that a clock ahead has begun in the future does not. */
export const isBinding = (term: PositionTerm | undefined, { income, total }: TermFigures, time: number): boolean =>
  term !== undefined && time >= term.startedAt && time < term.endsAt && income < term.target && total > term.floor;
