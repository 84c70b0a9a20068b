/** Tables `history_seeds`, `bars`, `bar_checkpoint` and `price_bars`, and the newest rows of `trades`. */
import type { Database, Parameter, Statement } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';
import type { Bar } from './bar-series.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './frames.ts';
import type { PriceBar } from './price-series.ts';

export interface SeedRow {
  readonly market: number;
  readonly seed: number;
  readonly anchor: number;
  readonly price: number;
}

export interface StoredBar extends Bar {
  readonly market: number;
  readonly frameMs: number;
}

export interface StoredPriceBar extends PriceBar {
  readonly market: number;
  /** Index in `priceKinds`. */
  readonly kind: number;
}

export interface StoredTrade {
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerSide: number;
  readonly time: number;
}

const TRADE_COLUMNS = 'id, market, price, quantity, taker_side AS "takerSide", time';

const UPSERT_BARS = `
  INSERT INTO bars (market, frame, time, open, high, low, close, volume, turnover)
  SELECT * FROM unnest($1::smallint[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
    $7::bigint[], $8::float8[], $9::float8[])
  ON CONFLICT (market, frame, time) DO UPDATE SET open = excluded.open, high = excluded.high, low = excluded.low,
    close = excluded.close, volume = excluded.volume, turnover = excluded.turnover`;

/** Minutes come with the run that priced them, and count in the hours and days that they lie in. */
const UPSERT_PRICE_BARS = `
  INSERT INTO price_bars AS known (market, kind, frame, time, open, high, low, close)
  SELECT market, kind, frame, time - time % frame, (array_agg(open ORDER BY time))[1], max(high), min(low),
         (array_agg(close ORDER BY time DESC))[1]
  FROM unnest($1::smallint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
         AS minutes (market, kind, time, open, high, low, close)
  CROSS JOIN (VALUES (${MINUTE_MS}), (${HOUR_MS}), (${DAY_MS})) AS frames (frame)
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (market, kind, frame, time) DO UPDATE SET high = greatest(known.high, excluded.high),
    low = least(known.low, excluded.low), close = excluded.close`;

/** @param columns market, kind, time, open, high, low and close of minutes */
export const upsertPriceBars = (columns: readonly Parameter[]): Statement => ({
  sql: UPSERT_PRICE_BARS,
  parameters: columns,
});

const LATEST_TRADES = `
  SELECT recent.* FROM markets, LATERAL (
    SELECT ${TRADE_COLUMNS} FROM trades WHERE trades.market = markets.id ORDER BY trades.id DESC LIMIT $1
  ) AS recent ORDER BY recent.id`;

const PAGE = 20_000;

type Rows<T> = (T & Record<string, unknown>)[];

/** From where each market's history of before its first trade is made. */
const seedStore = (database: Database) => ({
  seeds: () => database.query('SELECT market, seed, anchor, price FROM history_seeds') as Promise<Rows<SeedRow>>,

  async addSeeds(seeds: readonly SeedRow[]): Promise<void> {
    await database.query(
      `INSERT INTO history_seeds (market, seed, anchor, price)
       SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::bigint[]) ON CONFLICT DO NOTHING`,
      [
        seeds.map((seed) => seed.market),
        seeds.map((seed) => seed.seed),
        seeds.map((seed) => seed.anchor),
        seeds.map((seed) => seed.price),
      ],
    );
  },
});

/** Stored bars, and the trade up to which they count. */
const barStore = (database: Database) => ({
  bars: (frameMs: number, since: number) =>
    database.query(
      `SELECT market, frame AS "frameMs", time, open, high, low, close, volume, turnover FROM bars
       WHERE frame = $1 AND time >= $2 ORDER BY time`,
      [frameMs, since],
    ) as Promise<Rows<StoredBar>>,

  async checkpoint(): Promise<number> {
    const [row] = await database.query<{ last_trade: number }>('SELECT last_trade FROM bar_checkpoint');
    return row?.last_trade ?? 0;
  },

  /** Bars and the trade up to which they count, or neither. */
  async saveBars(bars: readonly StoredBar[], lastTrade: number): Promise<void> {
    await database.transaction([
      {
        sql: UPSERT_BARS,
        parameters: [
          bars.map((bar) => bar.market),
          bars.map((bar) => bar.frameMs),
          bars.map((bar) => bar.time),
          bars.map((bar) => bar.open),
          bars.map((bar) => bar.high),
          bars.map((bar) => bar.low),
          bars.map((bar) => bar.close),
          bars.map((bar) => bar.volume),
          bars.map((bar) => bar.turnover),
        ],
      },
      { sql: 'UPDATE bar_checkpoint SET last_trade = $1', parameters: [lastTrade] },
    ]);
  },

  async forgetBars(frameMs: number, before: number): Promise<void> {
    await database.query('DELETE FROM bars WHERE frame = $1 AND time < $2', [frameMs, before]);
  },
});

/** Bars of marks and indexes, which the projection writes. */
const priceBarStore = (database: Database) => ({
  /** Oldest first. */
  priceBars: (frameMs: number, since: number) =>
    database.query(
      `SELECT market, kind, time, open, high, low, close FROM price_bars WHERE frame = $1 AND time >= $2 ORDER BY time`,
      [frameMs, since],
    ) as Promise<Rows<StoredPriceBar>>,

  async forgetPriceBars(frameMs: number, before: number): Promise<void> {
    await database.query('DELETE FROM price_bars WHERE frame = $1 AND time < $2', [frameMs, before]);
  },
});

const tradeStore = (database: Database) => ({
  /** Pages through the trades that the stored bars don't count yet, oldest first. */
  async *tradesAfter(lastTrade: number): AsyncGenerator<StoredTrade> {
    let after = lastTrade;
    for (;;) {
      const page = (await database.query(`SELECT ${TRADE_COLUMNS} FROM trades WHERE id > $1 ORDER BY id LIMIT $2`, [
        after,
        PAGE,
      ])) as Rows<StoredTrade>;
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.id;
    }
  },

  /** The newest trades of every market, oldest first. */
  latestTrades: (perMarket: number) => database.query(LATEST_TRADES, [perMarket]) as Promise<Rows<StoredTrade>>,

  /** Of one market, newest first; both ids left out. */
  tradesBetween: (market: number, after: number, before: number, limit: number) =>
    database.query(
      `SELECT ${TRADE_COLUMNS} FROM trades WHERE market = $1 AND id > $2 AND id < $3 ORDER BY market DESC, id DESC LIMIT $4`,
      [market, after, before, limit],
    ) as Promise<Rows<StoredTrade>>,

  async firstTrade(market: number): Promise<{ readonly price: number; readonly time: number } | undefined> {
    const [row] = await database.query<{ price: number; time: number }>(
      'SELECT price, time FROM trades WHERE market = $1 ORDER BY id LIMIT 1',
      [market],
    );
    return row;
  },
});

export const createMarketDataStore = (database: Database) => ({
  ...seedStore(database),
  ...barStore(database),
  ...priceBarStore(database),
  ...tradeStore(database),
});

export type MarketDataStore = ReturnType<typeof createMarketDataStore>;

export const barTimes: readonly TimesAhead[] = [
  { name: 'candles', table: 'bars', where: 'time > $1' },
  { name: 'candles of marks and indexes', table: 'price_bars', where: 'time > $1' },
];
