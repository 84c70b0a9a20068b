/**
 * What an asset is worth in the quote asset, where a wrong price would cost the exchange. Up to four prices are known:
 * the last trade here, the mean of the last 24 hours here, the price on other markets, and the index and mark of the
 * asset's perpetual. Two accounts of one person can set the last trade at will, so no decision rests on it alone.
 *
 * | method    | price                | for                                                                           |
 * |-----------|----------------------|-------------------------------------------------------------------------------|
 * | `highest` | the highest, up      | what leaves, against limits, review and four eyes; what a locked deposit is   |
 * | `lowest`  | the lowest, down     | what backs a locked deposit: a price that was pumped up frees nothing         |
 * | `middle`  | the middle one       | thresholds and results that free nothing: sweeps, what a payout has brought   |
 *
 * A price is trusted if another market or the index confirms it, or if it is the mean of a whole day in most hours of
 * which there was a trade here. What is shown to a client (balances, profit) stays at the last price.
 */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { DayMean, PerpetualFigures } from '../market-data/service.ts';

/** An index comes once a second; an older one is of a feed that was lost. */
const INDEX_MS = 60_000;
const DAY_MINUTES = 1440;
const TRADED_HOURS = 12;

export interface WorthDeps {
  readonly catalogue: Pick<Catalogue, 'assetByCode' | 'assetById' | 'resolvePair' | 'perpetuals'>;
  /** Ticks; 0 without a price. */
  readonly lastPrice: (market: number) => number;
  /** Ticks with a fraction; undefined while no other market is known or believed. */
  readonly referenceOf: (market: number) => number | undefined;
  readonly dayMean: (market: number) => DayMean | undefined;
  readonly perpetual: (market: number) => Pick<PerpetualFigures, 'mark' | 'index' | 'time'> | undefined;
  readonly clock: { now(): number };
}

/** Smallest units of the quote asset; undefined where the asset has no price at all. */
type WorthOf = (asset: number, units: bigint) => bigint | undefined;

export interface Worth {
  readonly highest: WorthOf;
  readonly lowest: WorthOf;
  readonly middle: WorthOf;
  readonly isTrusted: (asset: number) => boolean;
}

/** Units of a base asset at a price in ticks, as quote units, rounded down. */
export function worthAt(market: MarketSpec, units: bigint, ticks: number): bigint {
  return (units * BigInt(ticks) * quoteUnitsPerTickLot(market)) / baseUnitsPerLot(market);
}

function worthAtLeast(market: MarketSpec, units: bigint, ticks: number): bigint {
  const perLot = baseUnitsPerLot(market);
  return (units * BigInt(ticks) * quoteUnitsPerTickLot(market) + perLot - 1n) / perLot;
}

/** In ticks with a fraction, lowest first. */
interface Known {
  readonly market: MarketSpec;
  readonly prices: readonly number[];
  readonly isTrusted: boolean;
}

function createPrices({ catalogue, lastPrice, referenceOf, dayMean, perpetual, clock }: WorthDeps, quote: string) {
  /** Of the perpetuals on the same two coins, in ticks of the spot market. */
  function indexPrices({ base, quote, tickScale }: MarketSpec): number[] {
    return catalogue.perpetuals.flatMap(({ spec }) => {
      if (spec.base.id !== base.id || spec.quote.id !== quote.id) return [];
      const figures = perpetual(spec.id);
      if (figures === undefined || figures.index === 0 || clock.now() - figures.time > INDEX_MS) return [];
      const scale = 10 ** (tickScale - spec.tickScale);
      return [figures.index * scale, figures.mark * scale].filter((price) => price > 0);
    });
  }

  return (asset: number): Known | undefined => {
    const code = catalogue.assetById(asset)?.code;
    const market = code === undefined ? undefined : catalogue.resolvePair(code + quote)?.spec;
    if (market === undefined) return undefined;
    const [last, mean] = [lastPrice(market.id), dayMean(market.id)];
    const outside = [referenceOf(market.id) ?? 0, ...indexPrices(market)].filter((price) => price > 0);
    const own = [last, mean?.price ?? 0].filter((price) => price > 0);
    const isWholeDay = mean !== undefined && mean.minutes >= DAY_MINUTES && mean.tradedHours >= TRADED_HOURS;
    const prices = [...outside, ...own].sort((one, other) => one - other);
    if (prices.length === 0) return undefined;
    return { market, prices, isTrusted: outside.length > 0 || isWholeDay };
  };
}

const roundedUp = (price: number) => Math.max(1, Math.ceil(price));
const roundedDown = (price: number) => Math.max(1, Math.floor(price));

export function createWorth(deps: WorthDeps): Worth {
  const quote = deps.catalogue.assetByCode('USDT');
  if (quote === undefined) throw new Error('The catalogue has no USDT');
  const pricesOf = createPrices(deps, quote.code);

  const valued =
    (value: (known: Known, units: bigint) => bigint): WorthOf =>
    (asset, units) => {
      if (asset === quote.id) return units;
      const known = pricesOf(asset);
      return known && value(known, units);
    };

  return {
    highest: valued(({ market, prices }, units) => worthAtLeast(market, units, roundedUp(prices.at(-1)!))),
    lowest: valued(({ market, prices }, units) => worthAt(market, units, roundedDown(prices[0]!))),
    middle: valued(({ market, prices }, units) =>
      worthAt(market, units, roundedDown(prices[(prices.length - 1) >> 1]!)),
    ),
    isTrusted: (asset) => asset === quote.id || pricesOf(asset)?.isTrusted === true,
  };
}
