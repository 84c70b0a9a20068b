/** What the index of a perpetual is made from: what each source pays for its coin, and which sources an operator should look at. */
import { indexPrice } from '@cambist/core/margin/mark-price.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { PriceSource } from '../liquidity/service.ts';

/** A price that a source holds is no older than its own rule allows; here it is of this moment. */
const FRESH_MS = 10_000;
/** So far from the index, or from the only other source, a source strays. */
const STRAY_PPM = 10_000;

export interface SourceParts {
  readonly catalogue: Pick<Catalogue, 'perpetuals' | 'markets'>;
  /** None without a market outside. */
  readonly indexSources: readonly PriceSource[];
}

/** In ticks of the perpetual, at least 1. */
export interface SourceQuote {
  readonly source: PriceSource;
  /** Undefined where and while the source is not believed. */
  readonly ticks: number | undefined;
  /** What it said last, believed or not. */
  readonly last: { readonly ticks: number; readonly at: number } | undefined;
}

/** Each source once; the spot markets of a perpetual are those of its coin against the same coin. */
export function quotesOf({ catalogue, indexSources }: SourceParts, perpetual: MarketSpec): readonly SourceQuote[] {
  const { base, quote, tickScale } = perpetual;
  const spots = catalogue.markets.flatMap(({ spec }) =>
    spec.base.id === base.id && spec.quote.id === quote.id ? [spec] : [],
  );
  return indexSources.flatMap((source) =>
    spots.map((spot) => {
      const inTicks = (price: number) => Math.max(1, Math.round(price * 10 ** (tickScale - spot.tickScale)));
      const price = source.price(spot.id);
      const last = source.last(spot.id);
      return {
        source,
        ticks: price === undefined ? undefined : inTicks(price),
        last: last && { ticks: inTicks(last.ticks), at: last.at },
      };
    }),
  );
}

const isApart = (ticks: number, from: number): boolean => Math.abs(ticks - from) * 1_000_000 > from * STRAY_PPM;

/**
 * The median of the quotes that are believed. Of two that contradict each other nothing says which is right: then no index is
 * known, as where there is none. From three on, one that strays is never the median, and of four never one of the middle two.
 */
export function indexOf(quotes: readonly SourceQuote[], now: number): number | undefined {
  const fresh = quotes.flatMap(({ ticks }) => (ticks === undefined ? [] : [{ ticks, time: now }]));
  if (fresh.length === 2) {
    const ticks = fresh.map((one) => one.ticks);
    if (isApart(Math.max(...ticks), Math.min(...ticks))) return undefined;
  }
  return indexPrice(fresh, now, FRESH_MS);
}

/** Whether a source says something else than the others; of two that contradict each other, both do. */
export const strays = ({ ticks }: SourceQuote, index: number | undefined): boolean =>
  ticks !== undefined && (index === undefined || isApart(ticks, index));
