/**
 * The reference price of a spot market: what its band is measured from. No trade moves it, only the time for which a price has been the
 * last one, so that whoever trades with itself would have to keep its price for minutes.
 *
 * Between two changes of the last price the reference moves as (reference × T + last × elapsed) ÷ (T + elapsed). That is one implicit
 * (backward) Euler step of an exponential moving average with the time constant T, reference′ = (last − reference) ÷ T, for samples at
 * any distance (U. Müller, "Specially Weighted Moving Averages with Repeated Application of the EMA Operator", 1991; A. Eckner,
 * "Algorithms for Unevenly Spaced Time Series: Moving Averages and Other Rolling Operators", 2012). As 1 ÷ (1 + x) ≥ e^−x, it goes no
 * further in a time, however often it is cut, than the exponential: 1 − e^(−elapsed ÷ T) of the way.
 */

/** Parts of a tick that a reference is counted in: a move of milliseconds is less than a tick. Up to 2^51 with prices of 31 bits. */
export const REFERENCE_SCALE = 2 ** 20;
/** The time constant T. */
export const REFERENCE_TIME_MS = 300_000;
/** A price that was told from outside is the reference for so long, whatever is traded meanwhile. */
export const TOLD_FRESH_MS = 30_000;
/** No reference is ahead of the clock by more: a pause is the longest. */
const MOST_AHEAD_MS = 300_000;
/** A last price of longer (18.6 hours) is the reference. Up to it, every product below is exact. */
const LONGEST_MS = 2 ** 26;

/** What is kept of a reference between two moments at which it moves. */
export interface ReferenceState {
  /** In parts of a tick; 0 while there is none: then the last price stands for it. */
  readonly reference: number;
  /** Ms: from when on the last price moves it. Ahead of now, it was told and is fresh. */
  readonly referenceAt: number;
}

/** From when on the last price moves a reference: from now, where that was written by a clock that was ahead and is set right. */
export const movesFrom = (referenceAt: number, time: number): number =>
  referenceAt - time > MOST_AHEAD_MS ? time : referenceAt;

/**
 * Where a reference has moved after `elapsedMs` > 0 of one last price, in parts of a tick. Rounded towards where it was.
 * @param last ticks
 */
export function movedReference(reference: number, last: number, elapsedMs: number): number {
  const target = last * REFERENCE_SCALE;
  if (elapsedMs >= LONGEST_MS) return target;
  const divisor = REFERENCE_TIME_MS + elapsedMs;
  const distance = Math.abs(target - reference);
  // distance × elapsed ÷ divisor, in two parts that are safe integers: (divisor − 1) × elapsed < 2^53.
  const whole = Math.floor(distance / divisor);
  const way = whole * elapsedMs + Math.floor(((distance - whole * divisor) * elapsedMs) / divisor);
  return target > reference ? reference + way : reference - way;
}

/** A reference at a time in whole ticks, rounded down; 0 where there is no price. @param last ticks */
export function referenceTicks({ reference, referenceAt }: ReferenceState, last: number, time: number): number {
  if (reference === 0) return last;
  const elapsed = time - movesFrom(referenceAt, time);
  const now = elapsed > 0 ? movedReference(reference, last, elapsed) : reference;
  return Math.floor(now / REFERENCE_SCALE);
}

/** What a price from outside makes of a reference. */
export const toldReference = (price: number, time: number): ReferenceState => ({
  reference: price * REFERENCE_SCALE,
  referenceAt: time + TOLD_FRESH_MS,
});
