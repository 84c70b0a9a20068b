/**
 * The index, from the prices of other markets, and the mark, by which positions are valued: neither can be moved by one trade.
 * All prices are in ticks; every input comes with the command that sets the mark, so that replay reads no clock.
 */
import { divFloor } from '../money/rounding.ts';

/** Rates are in parts per billion: funding rates are shown with eight decimals. */
export const BILLION = 1_000_000_000n;

export interface IndexSource {
  readonly ticks: number;
  /** Ms since 1970. */
  readonly time: number;
}

const ascending = (one: number, other: number) => one - other;

/** Of an even number, the mean of the two in the middle, rounded down. @param values at least one */
function median(values: readonly number[]): number {
  const sorted = values.toSorted(ascending);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.floor((low + high) / 2);
}

/** The median of the sources that are fresh; undefined where none is: old prices liquidate no position. */
export function indexPrice(sources: readonly IndexSource[], now: number, freshMs: number): number | undefined {
  const fresh = sources.filter(({ ticks, time }) => ticks > 0 && now - time <= freshMs);
  return fresh.length === 0 ? undefined : median(fresh.map(({ ticks }) => ticks));
}

/** How far the mark may be from an index, in ticks. */
export const roomOf = (index: number, clampPpm: number): number => Math.floor((index * clampPpm) / 1_000_000);

export interface MarkInputs {
  readonly index: number;
  /** The last trade; the index where there was none. */
  readonly last: number;
  /** The present funding rate, in parts per billion. */
  readonly ratePpb: bigint;
  /** Part of the interval that is left until the next funding, from 0 to 1 as a fraction. */
  readonly left: { readonly ms: number; readonly ofMs: number };
  /** The mean of (middle of the book − index) over the last 30 seconds. */
  readonly meanBasis: number;
  /** How far the mark may be from the index, in parts per million. */
  readonly clampPpm: number;
}

/**
 * The median of the last price, of the index with what is left of the funding, and of the index with the book's mean distance,
 * kept near the index (the construction of Bybit's and Binance's mark prices).
 */
export function markPrice({ index, last, ratePpb, left, meanBasis, clampPpm }: MarkInputs): number {
  const whole = BILLION * BigInt(left.ofMs);
  const byFunding = index + Number(divFloor(BigInt(index) * ratePpb * BigInt(left.ms), whole));
  const room = roomOf(index, clampPpm);
  const middle = median([last, byFunding, index + meanBasis]);
  return Math.max(1, index - room, Math.min(index + room, middle));
}
