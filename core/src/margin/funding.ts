/**
 * Funding: what longs and shorts pay each other so that a perpetual stays near its index. A market keeps one cumulative index of
 * what a lot has paid; a position remembers where it was and settles when it is touched, so an interval costs the same for one
 * position as for a million.
 */

import type { FundingSpec } from '../money/market.ts';
import { divCeil } from '../money/rounding.ts';
import { BILLION } from './mark-price.ts';
import type { Direction, PerpetualTerms } from './perpetual.ts';

export const clamp = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value;

/**
 * How far what would be traded is from the index, in parts per billion of it, rounded towards zero: of the bid above it, or of
 * the ask below it. Impact prices are the averages at which an order of a set value would be filled; where a side has too little,
 * it has none, and no premium.
 */
export function premium(index: number, impactBid: number | undefined, impactAsk: number | undefined): bigint {
  const above = impactBid === undefined ? 0 : Math.max(0, impactBid - index);
  const below = impactAsk === undefined ? 0 : Math.max(0, index - impactAsk);
  return (BigInt(above - below) * BILLION) / BigInt(index);
}

/**
 * The rate of an interval, in parts per billion: mean premium + clamp(interest − mean premium, ±damp), within the cap
 * (BitMEX's formula, which OKX, Bybit and dYdX share).
 * @param mean of the interval's premiums, 0n where there is none
 */
export function fundingRate(mean: bigint, { interestPpb, dampPpb, capPpb }: FundingSpec): bigint {
  const [damp, cap] = [BigInt(dampPpb), BigInt(capPpb)];
  return clamp(mean + clamp(BigInt(interestPpb) - mean, -damp, damp), -cap, cap);
}

/** The average price of the first levels of a side that an order of a value takes, in ticks, rounded down; undefined where they are not worth it. */
export function impactPrice(
  levels: Iterable<readonly [ticks: number, lots: number]>,
  { unitsPerTickLot }: PerpetualTerms,
  value: bigint,
): number | undefined {
  let [left, taken] = [value, 0n];
  for (const [ticks, lots] of levels) {
    const lot = BigInt(ticks) * unitsPerTickLot;
    const needed = divCeil(left, lot);
    if (needed <= BigInt(lots)) {
      const all = taken + needed;
      return Number((value - left + needed * lot) / (all * unitsPerTickLot));
    }
    left -= lot * BigInt(lots);
    taken += BigInt(lots);
  }
  return undefined;
}

/** The market's index after an interval: billionths of a settlement unit that a long lot has paid since the market began. */
export const nextFundingIndex = (terms: PerpetualTerms, index: bigint, ratePpb: bigint, mark: number): bigint =>
  index + ratePpb * BigInt(mark) * terms.unitsPerTickLot;

/** What a position owes since its own index, to the billionth of a settlement unit; below zero where it receives. */
export const fundingBillionths = (direction: Direction, lots: number, from: bigint, to: bigint): bigint =>
  BigInt(direction) * BigInt(lots) * (to - from);

/**
 * The same in whole units. Who pays pays the unit that is begun, who receives gets the units that are whole: what is between goes
 * to the insurance fund and is never missing.
 */
export function fundingOwed(direction: Direction, lots: number, from: bigint, to: bigint): bigint {
  if (from === to) return 0n;
  // The ceiling of what is owed is the floor of what is received.
  return divCeil(fundingBillionths(direction, lots, from, to), BILLION);
}
