/**
 * Funding: what longs and shorts pay each other so that a perpetual stays near its index. A market keeps one cumulative index of
 * what a lot has paid; a position remembers where it was and settles when it is touched, so an interval costs the same for one
 * position as for a million.
 */
import { divCeil } from '../money/rounding.ts';
import { BILLION } from './mark-price.ts';
import type { Direction, PerpetualTerms } from './perpetual.ts';

export interface FundingTerms {
  /** Of an interval, in parts per billion. */
  readonly interestPpb: bigint;
  /** How far interest may pull the rate from the premium. */
  readonly dampPpb: bigint;
  /** The highest rate in either direction. */
  readonly capPpb: bigint;
}

const clamp = (value: bigint, low: bigint, high: bigint): bigint => (value < low ? low : value > high ? high : value);

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
 * @param premiums samples of the interval; none is no premium
 */
export function fundingRate(premiums: readonly bigint[], { interestPpb, dampPpb, capPpb }: FundingTerms): bigint {
  const sum = premiums.reduce((total, one) => total + one, 0n);
  const mean = premiums.length === 0 ? 0n : sum / BigInt(premiums.length);
  return clamp(mean + clamp(interestPpb - mean, -dampPpb, dampPpb), -capPpb, capPpb);
}

/** The market's index after an interval: billionths of a settlement unit that a long lot has paid since the market began. */
export const nextFundingIndex = (terms: PerpetualTerms, index: bigint, ratePpb: bigint, mark: number): bigint =>
  index + ratePpb * BigInt(mark) * terms.unitsPerTickLot;

/**
 * What a position owes since its own index, in settlement units; below zero where it receives. Who pays pays the unit that is
 * begun, who receives gets the units that are whole: what is between goes to the insurance fund and is never missing.
 */
export function fundingOwed(direction: Direction, lots: number, from: bigint, to: bigint): bigint {
  const billionths = BigInt(direction) * BigInt(lots) * (to - from);
  // The ceiling of what is owed is the floor of what is received.
  return divCeil(billionths, BILLION);
}
