/** Pairs with their figures, favourites and coin profiles. What other slices may use of this one. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { type Consensus, consensusOf } from './consensus.ts';
import { type Catalogue, coinPairName, type MarketInfo } from './load.ts';
import type { PairType } from './pair-type.ts';
import { profiles } from './profiles.ts';
import type { MarketsStore } from './store.ts';

export type { Catalogue, MarketInfo } from './load.ts';
export { catalogueOf, coinPairName, openCatalogue } from './load.ts';
export type { PairType } from './pair-type.ts';

/** The last 24 hours of a market; decimals as text. Prices are null until there is one. */
export interface DayFigures {
  readonly last: string | null;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  /** Signed, four decimals. */
  readonly changePercent: string | null;
  readonly volume: string;
  readonly turnover: string;
  /** The turnover as a number, to sort by. */
  readonly turnoverNumber: number;
}

/** What this slice asks of the market data. */
export interface MarketFigures {
  day(market: number): DayFigures;
  sparkline(market: number): number[];
}

export interface PairFilter {
  readonly types?: readonly PairType[] | undefined;
  readonly consensus?: Consensus;
  readonly clientId?: number | undefined;
  readonly onlyFavorites?: boolean;
  /** Perpetuals instead of spot pairs. */
  readonly onlyPerpetuals?: boolean;
}

interface Deps {
  readonly catalogue: Catalogue;
  readonly figures: MarketFigures;
  readonly store: MarketsStore;
  readonly clock: { now(): number };
}

function plain(value: number | null): string | null {
  return value === null ? null : Math.round(value).toString();
}

function describePair(market: MarketInfo, day: DayFigures, isFavorite: boolean, sparkline: number[]): CoinPair {
  const { spec } = market;
  return {
    coin_id: spec.id,
    coin_pair_name: coinPairName(spec),
    pair_name: spec.symbol,
    coin: market.coin,
    name: market.name,
    image: market.image,
    type: market.type,
    consensus: consensusOf(market.coin),
    close: day.last,
    increase_in_value: day.changePercent,
    high: day.high,
    low: day.low,
    volume: day.volume,
    volume_quote: day.turnover,
    favorite: isFavorite ? '1' : '',
    price_scale: spec.tickScale,
    quantity_scale: spec.lotScale,
    sparkline,
  };
}

/** Value, dominance and rank are computed over this exchange's own coins, at the last price. */
function describeProfile(market: MarketInfo, { catalogue, figures }: Pick<Deps, 'catalogue' | 'figures'>) {
  const capitalization = ({ coin, spec }: MarketInfo): number | null => {
    const circulating = profiles[coin]?.circulating ?? null;
    const { last } = figures.day(spec.id);
    return circulating === null || last === null ? null : circulating * Number(last);
  };
  const known = profiles[market.coin];
  const all = catalogue.markets.map(capitalization).filter((value) => value !== null);
  const own = capitalization(market);
  const total = all.reduce((sum, value) => sum + value, 0);
  return {
    name: market.name,
    ranking: own === null ? null : all.filter((value) => value > own).length + 1,
    market_cap: own === null ? null : own.toFixed(2),
    market_dominance: own === null || total === 0 ? null : ((own / total) * 100).toFixed(4),
    circulating_supply: plain(known?.circulating ?? null),
    total_supply: plain(known?.total ?? null),
    max_supply: plain(known?.maximum ?? null),
    issue_date: known?.issued ?? null,
    all_time_high: known?.allTimeHigh ?? null,
    all_time_low: known?.allTimeLow ?? null,
    intro: known?.intro ?? null,
  };
}

export function createMarketsService({ catalogue, figures, store, clock }: Deps) {
  return {
    /** Largest turnover first. */
    async pairs(filter: PairFilter): Promise<CoinPair[]> {
      const favorites = new Set(filter.clientId === undefined ? [] : await store.favoritesOf(filter.clientId));
      const spot = filter.onlyPerpetuals ? [] : catalogue.markets;
      const perpetuals = filter.onlyPerpetuals || filter.onlyFavorites ? catalogue.perpetuals : [];
      return [...spot, ...perpetuals]
        .filter((market) => filter.types?.includes(market.type) ?? true)
        .filter((market) => !filter.consensus || consensusOf(market.coin) === filter.consensus)
        .filter((market) => !filter.onlyFavorites || favorites.has(market.spec.id))
        .map((market) => ({ market, day: figures.day(market.spec.id) }))
        .sort((a, b) => b.day.turnoverNumber - a.day.turnoverNumber)
        .map(({ market, day }) =>
          describePair(market, day, favorites.has(market.spec.id), figures.sparkline(market.spec.id)),
        );
    },

    /** @returns whether it is a favourite now, or undefined when there is no such market */
    async toggleFavorite(clientId: number, market: number): Promise<boolean | undefined> {
      if (catalogue.byId(market) === undefined) return undefined;
      if (await store.removeFavorite(clientId, market)) return false;
      await store.addFavorite(clientId, market, clock.now());
      return true;
    },

    profile: (market: MarketInfo) => describeProfile(market, { catalogue, figures }),
  };
}

export type MarketsService = ReturnType<typeof createMarketsService>;
