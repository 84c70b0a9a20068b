/** Tables `assets`, `markets` and `favorites`. */
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import type { Database } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';

interface AssetRow extends Record<string, unknown> {
  id: number;
  code: string;
  scale: number;
}

interface MarketRow extends Record<string, unknown> {
  id: number;
  symbol: string;
  base: number;
  quote: number;
  tick_scale: number;
  lot_scale: number;
  minimum_lots: number;
  maximum_lots: number;
  minimum_notional: bigint;
  price_band_ppm: number;
}

export interface NewMarket {
  readonly symbol: string;
  readonly base: number;
  readonly quote: number;
  readonly tickScale: number;
  readonly lotScale: number;
  readonly minimumLots: number;
  readonly maximumLots: number;
  readonly minimumNotional: bigint;
  readonly priceBandPpm: number;
}

const INSERT_ASSETS = `
  INSERT INTO assets (id, code, scale)
  SELECT id, code, scale FROM unnest($1::smallint[], $2::text[], $3::smallint[]) AS new (id, code, scale)`;

/** Scales are written once; what may change from start to start are the limits. */
const UPSERT_MARKETS = `
  INSERT INTO markets (id, symbol, base, quote, tick_scale, lot_scale, minimum_lots, maximum_lots, minimum_notional,
    price_band_ppm)
  SELECT * FROM unnest($1::smallint[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[],
    $7::bigint[], $8::bigint[], $9::numeric[], $10::integer[])
  ON CONFLICT (id) DO UPDATE SET minimum_lots = excluded.minimum_lots, maximum_lots = excluded.maximum_lots,
    minimum_notional = excluded.minimum_notional, price_band_ppm = excluded.price_band_ppm`;

export function createMarketsStore(database: Database) {
  return {
    assets: (): Promise<Asset[]> => database.query<AssetRow>('SELECT id, code, scale FROM assets ORDER BY id'),

    async addAssets(assets: readonly Asset[]): Promise<void> {
      await database.query(INSERT_ASSETS, [
        assets.map((asset) => asset.id),
        assets.map((asset) => asset.code),
        assets.map((asset) => asset.scale),
      ]);
    },

    async upsertMarkets(markets: readonly (NewMarket & { readonly id: number })[]): Promise<void> {
      await database.query(UPSERT_MARKETS, [
        markets.map((market) => market.id),
        markets.map((market) => market.symbol),
        markets.map((market) => market.base),
        markets.map((market) => market.quote),
        markets.map((market) => market.tickScale),
        markets.map((market) => market.lotScale),
        markets.map((market) => market.minimumLots),
        markets.map((market) => market.maximumLots),
        markets.map((market) => market.minimumNotional),
        markets.map((market) => market.priceBandPpm),
      ]);
    },

    async markets(assets: ReadonlyMap<number, Asset>): Promise<MarketSpec[]> {
      const rows = await database.query<MarketRow>('SELECT * FROM markets ORDER BY id');
      return rows.map((row) => ({
        id: row.id,
        symbol: row.symbol,
        base: assets.get(row.base)!,
        quote: assets.get(row.quote)!,
        tickScale: row.tick_scale,
        lotScale: row.lot_scale,
        minimumLots: row.minimum_lots,
        maximumLots: row.maximum_lots,
        minimumNotional: row.minimum_notional,
        priceBandPpm: row.price_band_ppm,
      }));
    },

    async favoritesOf(clientId: number): Promise<number[]> {
      const rows = await database.query<{ market: number }>(
        'SELECT market FROM favorites WHERE client_id = $1 ORDER BY added_at, market',
        [clientId],
      );
      return rows.map((row) => row.market);
    },

    /** @returns whether there was one to remove */
    async removeFavorite(clientId: number, market: number): Promise<boolean> {
      const rows = await database.query('DELETE FROM favorites WHERE client_id = $1 AND market = $2 RETURNING market', [
        clientId,
        market,
      ]);
      return rows.length > 0;
    },

    async addFavorite(clientId: number, market: number, now: number): Promise<void> {
      await database.query(
        'INSERT INTO favorites (client_id, market, added_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [clientId, market, now],
      );
    },
  };
}

export type MarketsStore = ReturnType<typeof createMarketsStore>;

export const favoriteTables: PersonalTables = {
  exported: { favorites: 'SELECT market FROM favorites WHERE client_id = $1' },
  erased: ['DELETE FROM favorites WHERE client_id = $1'],
};
