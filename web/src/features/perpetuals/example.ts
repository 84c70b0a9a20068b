/** One position through all rules of perpetuals, by the functions that the engine decides with. */
import { deleveragingRank } from '@cambist/core/margin/deleveraging.ts';
import { fundingOwed, fundingRate, nextFundingIndex } from '@cambist/core/margin/funding.ts';
import {
  closingFee,
  type Direction,
  initialMargin,
  LONG,
  maintenanceMargin,
  notionalOf,
  SHORT,
  tierOf,
} from '@cambist/core/margin/perpetual.ts';
import { increase } from '@cambist/core/margin/position.ts';
import { isLiquidated } from '@cambist/core/margin/thresholds.ts';
import { positionView } from '@cambist/core/margin/view.ts';
import type { FundingSpec } from '@cambist/core/money/market.ts';
import { NET } from '@cambist/core/terms/order-terms.ts';
import { decimal, rescale } from '../../lib/decimal.ts';
import { type MarketTerms, unitsOf } from '../../lib/futures/terms.ts';
import type { Perpetual } from './frame.tsx';

/** What a reader may change; prices in ticks, money in units. */
export interface Example {
  readonly isLong: boolean;
  readonly leverage: number;
  readonly entry: number;
  readonly lots: number;
  /** Added to the margin beyond what the leverage asks for. */
  readonly added: bigint;
  readonly mark: number;
  /** Of an interval, in parts per billion. */
  readonly ratePpb: bigint;
}

/** Part of a position's value that lies in a tier. */
export interface TierPart {
  readonly from: bigint;
  /** Undefined in the last tier, which goes on. */
  readonly to: bigint | undefined;
  readonly part: bigint;
  readonly maintenancePpm: number;
  readonly maximumLeverage: number;
}

const RATE_SCALE = 7;
const HOUR_MS = 3_600_000;
const ppb = (percent: string) => Number(rescale(decimal(percent), RATE_SCALE, 'nearest').units);

export const fundingOf = ({ funding }: Perpetual): FundingSpec => ({
  intervalMs: funding.interval_hours * HOUR_MS,
  interestPpb: ppb(funding.interest_percent),
  dampPpb: ppb(funding.damp_percent),
  capPpb: ppb(funding.cap_percent),
  impactValue: unitsOf(funding.impact_value),
});

/** The rate of an interval whose mean premium is so many parts per billion. */
export const rateOf = (perpetual: Perpetual, premiumPpb: bigint): bigint =>
  fundingRate(premiumPpb, fundingOf(perpetual));

function tierParts({ terms }: MarketTerms, value: bigint): TierPart[] {
  return terms.tiers.map(({ maximumNotional, maintenancePpm, maximumLeverage }, index) => {
    const from = terms.tiers[index - 1]?.maximumNotional ?? 0n;
    const isLast = index === terms.tiers.length - 1;
    const upTo = isLast || value < maximumNotional ? value : maximumNotional;
    const part = upTo > from ? upTo - from : 0n;
    return { from, to: isLast ? undefined : maximumNotional, part, maintenancePpm, maximumLeverage };
  });
}

/** The largest value that the market takes, whatever the leverage. */
export const largestOf = ({ terms }: MarketTerms): bigint => terms.tiers.at(-1)?.maximumNotional ?? 0n;

/** Undefined where there is no such position: nothing is bought, or more than the largest tier has room for. */
export function workedExample(market: MarketTerms, example: Example) {
  const { terms } = market;
  const { isLong, leverage, entry, lots, added, mark, ratePpb } = example;
  if (entry < 1 || lots < 1 || mark < 1 || leverage < 1) return undefined;
  const tier = tierOf(terms, notionalOf(terms, entry, lots));
  if (tier === undefined) return undefined;
  const direction: Direction = isLong ? LONG : SHORT;
  const position = increase(terms, undefined, direction, entry, lots);
  const margin = initialMargin(position.cost, leverage) + added;
  const index = nextFundingIndex(terms, 0n, ratePpb, mark);
  const of = { owner: 0, market: 0, leg: NET, isHedged: false } as const;
  const record = { ...of, leverage, isIsolated: true, position, margin, fundingIndex: 0n, term: undefined };
  const view = positionView({ record, terms, mark, owed: 0n }, margin);
  return {
    ...view,
    tier,
    cost: position.cost,
    margin,
    parts: tierParts(market, view.value),
    maintenance: maintenanceMargin(terms, view.value),
    closingFee: closingFee(terms, view.value),
    isLiquidated: isLiquidated(terms, position, margin, mark),
    /** Of one interval at the mark; below zero is received. */
    payment: fundingOwed(direction, lots, 0n, index),
    /** In parts per billion. */
    rank: deleveragingRank(terms, position, margin, mark),
  };
}

export type Worked = NonNullable<ReturnType<typeof workedExample>>;
