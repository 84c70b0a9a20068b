/**
 * Linear perpetual markets: quantities of a coin, priced, margined and settled in one asset. Prices are in ticks, quantities
 * in lots, money in smallest units of the settlement asset; price × quantity is always a whole number of them.
 */
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec, PerpetualSpec, RiskTier } from '../money/market.ts';
import { quoteUnitsPerTickLot } from '../money/notional.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { divCeil } from '../money/rounding.ts';

export const LONG = 1;
export const SHORT = -1;
export type Direction = typeof LONG | typeof SHORT;

/** What margin is computed from. */
export interface PerpetualTerms {
  /** Settlement units in one tick × one lot. */
  readonly unitsPerTickLot: bigint;
  /** Ascending by value. */
  readonly tiers: readonly RiskTier[];
  /** What closing by a market order costs, in parts per million of its value. */
  readonly takerPpm: number;
}

/** Of a market that is one. */
export function perpetualTerms(market: MarketSpec, { tiers, takerPpm }: PerpetualSpec): PerpetualTerms {
  return { unitsPerTickLot: quoteUnitsPerTickLot(market), tiers, takerPpm };
}

const MILLION = 1_000_000n;
export const MAXIMUM_LEVERAGE = 200;

/** What lots are worth at a price, in settlement units; of two numbers of 31 bits the product is a machine word. */
export function notionalOf({ unitsPerTickLot }: PerpetualTerms, ticks: number, lots: number): bigint {
  if ((ticks | 0) === ticks && (lots | 0) === lots)
    return BigInt.asIntN(64, BigInt(ticks | 0) * BigInt(lots | 0)) * unitsPerTickLot;
  return BigInt(ticks) * BigInt(lots) * unitsPerTickLot;
}

/** The first tier that has room for a value; undefined above the last one. */
export const tierOf = ({ tiers }: PerpetualTerms, notional: bigint): RiskTier | undefined =>
  tiers.find(({ maximumNotional }) => notional <= maximumNotional);

/** What opening a position of a value takes at a leverage, a whole number above zero, rounded up. */
export function initialMargin(notional: bigint, leverage: number): bigint {
  const times = BigInt(leverage | 0);
  return (notional + times - 1n) / times;
}

/** In millionths of a settlement unit. */
function maintenanceMillionths({ tiers }: PerpetualTerms, notional: bigint): bigint {
  let [below, millionths] = [0n, 0n];
  for (const [index, { maximumNotional, maintenancePpm }] of tiers.entries()) {
    const isLast = index === tiers.length - 1;
    const upTo = isLast || notional < maximumNotional ? notional : maximumNotional;
    millionths += (upTo - below) * BigInt(maintenancePpm);
    if (upTo === notional) break;
    below = upTo;
  }
  return millionths;
}

/**
 * What a position of a value must keep, rounded up: each part of the value at the rate of the tier that it lies in. Exchanges
 * publish the same as `value × rate − maintenance amount`; as a sum it is continuous at the edges by itself. What is above the
 * last tier, where a price has risen, counts at the last tier's rate.
 */
export const maintenanceMargin = (terms: PerpetualTerms, notional: bigint): bigint =>
  divCeil(maintenanceMillionths(terms, notional), MILLION);

/** What closing a value by a market order costs, rounded up. */
export const closingFee = ({ takerPpm }: PerpetualTerms, notional: bigint): bigint =>
  divCeil(notional * BigInt(takerPpm), MILLION);

/**
 * What a position of a value must have so that it is not liquidated: its maintenance and the fee of closing it. Rounded up once:
 * with two roundings it could grow faster than the value by a unit, and a price would have no one side.
 */
export const requirement = (terms: PerpetualTerms, notional: bigint): bigint =>
  divCeil(maintenanceMillionths(terms, notional) + notional * BigInt(terms.takerPpm), MILLION);

/** The highest price, in ticks, at which lots are worth an amount that the ledger can hold. */
export function highestTicks({ unitsPerTickLot }: PerpetualTerms, lots: number): number {
  const affordable = MAXIMUM_AMOUNT / (BigInt(lots) * unitsPerTickLot);
  return affordable < BigInt(MAXIMUM_INT32) ? Number(affordable) : MAXIMUM_INT32;
}

const isIntegerWithin = (value: number, low: number, high: number) =>
  Number.isInteger(value) && value >= low && value <= high;

function tierProblems(tier: RiskTier, before: RiskTier | undefined, takerPpm: number): string[] {
  const problems: string[] = [];
  const { maximumNotional, maximumLeverage, maintenancePpm } = tier;
  if (maximumNotional <= (before?.maximumNotional ?? 0n) || maximumNotional > MAXIMUM_AMOUNT)
    problems.push('maximumNotional does not ascend within int64');
  if (!isIntegerWithin(maximumLeverage, 1, before?.maximumLeverage ?? MAXIMUM_LEVERAGE))
    problems.push('maximumLeverage is not whole, or rises');
  if (!isIntegerWithin(maintenancePpm, Math.max(1, before?.maintenancePpm ?? 0), 1_000_000))
    problems.push('maintenancePpm is not whole, or falls');
  // Otherwise a position would be liquidated as it is opened.
  else if ((maintenancePpm + takerPpm) * maximumLeverage >= 1_000_000)
    problems.push('maintenance and closing fee are not below the initial margin');
  return problems;
}

/**
 * Says what is wrong with terms, in words. With valid terms, what a position has beyond its maintenance and closing fee only
 * falls as the price moves against it.
 */
export function perpetualProblems({ unitsPerTickLot, tiers, takerPpm }: PerpetualTerms): string[] {
  const problems = tiers.flatMap((tier, index) =>
    tierProblems(tier, tiers[index - 1], takerPpm).map((problem) => `tier ${index + 1}: ${problem}`),
  );
  if (unitsPerTickLot < 1n) problems.push('unitsPerTickLot is below 1');
  if (tiers.length === 0) problems.push('there is no tier');
  if (!isIntegerWithin(takerPpm, 0, 1_000_000)) problems.push('takerPpm is not 0 to 1000000');
  return problems;
}

/** What a new position at the highest leverage of its tier has beyond its maintenance and closing fee, in parts per million of its value. */
function leastCushionPpm({ tiers, takerPpm }: Pick<PerpetualTerms, 'tiers' | 'takerPpm'>): number {
  const cushions = tiers.map(
    ({ maximumLeverage, maintenancePpm }) => Math.floor(1_000_000 / maximumLeverage) - maintenancePpm - takerPpm,
  );
  return Math.max(0, Math.min(...cushions));
}

/**
 * How far the mark should be from its index at most, in parts per million. What a book does moves it by twice that, from one end to the
 * other, which a new position at any leverage bears: half of what the thinnest one has.
 */
export const widestClampPpm = (terms: Pick<PerpetualTerms, 'tiers' | 'takerPpm'>): number =>
  Math.floor(leastCushionPpm(terms) / 2);

/** The largest value that a position may have, by leverage; 0n where none is allowed. */
export function largestByLeverage({ tiers }: PerpetualTerms): BigInt64Array {
  const largestAt = (leverage: number) =>
    tiers.findLast(({ maximumLeverage }) => maximumLeverage >= leverage)?.maximumNotional ?? 0n;
  return BigInt64Array.from({ length: MAXIMUM_LEVERAGE + 1 }, (_, leverage) => largestAt(leverage));
}
