/**
 * Since when the last price of a market has been beyond triggers that nothing confirms yet. One trade is no price: a trigger by the last
 * price needs the reference (a fresh price from outside, or the mark of a perpetual) to have passed it too, or the last price to stay
 * beyond it for `HOLD_MS` without coming back.
 */
import { type Direction, FALLING, isReached, RISING } from './untriggered.ts';

export const HOLD_MS = 10_000;
/** Prices passed within the same second count from the last of them, so that there are never more than a dozen. */
const SLOT_MS = 1_000;

export interface PassedPrice {
  /** Ticks. */
  readonly price: number;
  /** Ms: the last price has been there or beyond since. */
  readonly since: number;
}

/** Each ascending by time, and each price beyond the one before. */
export type PassedPrices = readonly [falling: readonly PassedPrice[], rising: readonly PassedPrice[]];

export const NONE_PASSED: PassedPrices = [[], []];

export const hasPassed = (passed: PassedPrices): boolean => passed[FALLING].length > 0 || passed[RISING].length > 0;

/** When the first of them has been held for long enough, ms; undefined where there is none. */
export function heldAt(passed: PassedPrices): number | undefined {
  const times = passed.flatMap(([first]) => (first === undefined ? [] : [first.since + HOLD_MS]));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The furthest price that was held for long enough; undefined where none was. */
export function heldPrice(passed: readonly PassedPrice[], time: number): number | undefined {
  return passed.findLast(({ since }) => since + HOLD_MS <= time)?.price;
}

/** What is passed after a new last price beyond some trigger. What was held for long enough has done its work. */
export function passedAfter(
  passed: readonly PassedPrice[],
  direction: Direction,
  last: number,
  time: number,
): readonly PassedPrice[] {
  // What is of the future was written by a clock that was ahead.
  const fresh = passed.filter(({ since }) => since + HOLD_MS > time && since <= time);
  const kept = fresh.filter(({ price }) => isReached(direction, price, last));
  // The last price has come back from the others, and has been no nearer than now since the first of them.
  const since = fresh[kept.length]?.since;
  const newest = kept.at(-1);
  if (newest?.price === last) return kept;
  if (since !== undefined) return [...kept, { price: last, since }];
  const isSameSlot = newest !== undefined && Math.floor(newest.since / SLOT_MS) === Math.floor(time / SLOT_MS);
  return [...(isSameSlot ? kept.slice(0, -1) : kept), { price: last, since: time }];
}

export function isSamePassed(left: PassedPrices, right: PassedPrices): boolean {
  return left.every((one, direction) => {
    const other = right[direction]!;
    const isSame = ({ price, since }: PassedPrice, at: number) =>
      other[at]!.price === price && other[at]!.since === since;
    return one.length === other.length && one.every(isSame);
  });
}
