/**
 * Bars that survive a kill. A flush writes the bars as they stand together with the id of the last trade that they
 * count; a start reads them and counts the trades after that id. No trade is ever missing or counted twice.
 */
import type { Logger } from 'pino';
import type { MarketInfo } from '../instruments/service.ts';
import type { BarSeries } from './bar-series.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './frames.ts';
import { capacities, emptyHistory, type HistorySeed, type MarketBars, makeHistory } from './history.ts';
import type { Market } from './market.ts';
import { type PriceBars, priceKinds } from './price-series.ts';
import { mixSeed } from './random.ts';
import type { MarketDataStore, SeedRow, StoredBar } from './store.ts';

const KEEP_MINUTES_MS = (capacities.minutes / 2) * MINUTE_MS;
const KEEP_HOURS_MS = (capacities.hours / 2) * HOUR_MS;

/** Turnover of the catalogue in USDT as ticks × lots. */
export function historySeedOf(market: MarketInfo, row: SeedRow): HistorySeed {
  return {
    seed: row.seed,
    anchor: row.anchor,
    price: row.price,
    dailyVolatility: market.dailyVolatility / 100,
    dailyTurnover: market.dailyTurnover * 10 ** (market.spec.tickScale + market.spec.lotScale),
  };
}

/** Where trading here began: the end of what is known from before. */
export interface Beginning {
  /** Ms. */
  readonly time: number;
  /** Ticks. */
  readonly price: number;
}

/** What a market has when the server starts, before its stored bars. */
export interface KnownPast {
  readonly beginning: Beginning;
  readonly bars: MarketBars;
}

/** Another exchange, which knows the candles of a market or does not; it may be away. */
export type OutsidePast = (market: number) => Promise<MarketBars | undefined>;

/**
 * Where candles of before a market's own trades come from: they are made up, or another exchange knows them; undefined where there
 * are none.
 */
export type PastSource = 'simulated' | OutsidePast | undefined;

/** Where a market began: at the first trade where no catalogue knows its price. */
async function beginningOfOwn(store: MarketDataStore, market: number, price: number, now: number): Promise<Beginning> {
  const first = await store.firstTrade(market);
  return { time: first?.time ?? now, price: first?.price ?? price };
}

/** A perpetual has moved like the spot market of its coin, and begins where that one is. */
function beginningOf(
  market: MarketInfo,
  markets: readonly MarketInfo[],
  serverSeed: number,
  lastPrice: (market: number) => number,
): { readonly seed: number; readonly price: number } {
  const { coin, spec, referencePrice } = market;
  const spot = spec.perpetual && markets.find((other) => other.coin === coin && other.spec.perpetual === undefined);
  const seed = mixSeed(serverSeed, (spot ?? market).spec.id);
  const price = spot?.spec.tickScale === spec.tickScale ? lastPrice(spot.spec.id) : 0;
  return { seed, price: price || referencePrice };
}

/**
 * The past of every market before its first trade, in their order; beginnings are kept, with seeds that are drawn once.
 * @param lastPrice of a market as it stands, ticks; 0 before its first
 */
export async function loadHistories(
  store: MarketDataStore,
  markets: readonly MarketInfo[],
  now: number,
  serverSeed: number,
  lastPrice: (market: number) => number,
  source: PastSource,
): Promise<KnownPast[]> {
  const known = new Map((await store.seeds()).map((row) => [row.market, row]));
  const added = markets
    .filter(({ spec, referencePrice }) => !known.has(spec.id) && referencePrice > 0)
    .map((market) => ({
      market: market.spec.id,
      anchor: Math.floor(now / MINUTE_MS) * MINUTE_MS,
      ...beginningOf(market, markets, serverSeed, lastPrice),
    }));
  if (added.length > 0) await store.addSeeds(added);
  for (const row of added) known.set(row.market, row);
  return Promise.all(
    markets.map(async (market): Promise<KnownPast> => {
      const { id } = market.spec;
      const row = known.get(id);
      const isListed = row !== undefined && row.price > 0;
      const beginning = isListed
        ? { time: row.anchor, price: row.price }
        : await beginningOfOwn(store, id, lastPrice(id), now);
      if (source === 'simulated' && isListed) return { beginning, bars: makeHistory(historySeedOf(market, row)) };
      return { beginning, bars: emptyHistory(beginning.price, beginning.time) };
    }),
  );
}

/** Puts the stored bars into the series. @returns the last trade that they count: those after it are to be counted again */
export async function restoreBars(
  store: MarketDataStore,
  markets: ReadonlyMap<number, Market>,
  now: number,
): Promise<number> {
  const frames: [number, number, keyof MarketBars][] = [
    [DAY_MS, 0, 'days'],
    [HOUR_MS, now - KEEP_HOURS_MS, 'hours'],
    [MINUTE_MS, now - KEEP_MINUTES_MS, 'minutes'],
  ];
  for (const [frameMs, since, name] of frames) {
    for (const bar of await store.bars(frameMs, since)) markets.get(bar.market)?.bars[name].put(bar);
  }
  return store.checkpoint();
}

/** Puts the stored bars of marks and indexes into their series; the table is as new as memory. */
export async function restorePriceBars(store: MarketDataStore, prices: PriceBars, now: number): Promise<void> {
  const frames: [number, number, keyof MarketBars][] = [
    [DAY_MS, 0, 'days'],
    [HOUR_MS, now - KEEP_HOURS_MS, 'hours'],
    [MINUTE_MS, now - KEEP_MINUTES_MS, 'minutes'],
  ];
  for (const [frameMs, since, name] of frames) {
    for (const bar of await store.priceBars(frameMs, since)) {
      const series = prices.of(bar.market, priceKinds[bar.kind]!)[name];
      // Where a time has bars before it that are not read, a longer candle that begins there would be a part of itself.
      if (series.length === 0 && bar.time < since + frameMs) series.startAt(bar.time);
      series.put(bar);
    }
  }
}

interface Deps {
  readonly store: MarketDataStore;
  readonly logger: Logger;
  readonly clock: { now(): number };
}

const PRUNE_EVERY_MS = HOUR_MS;
/** More minutes than will ever have passed since 1970. */
const BARS_PER_SERIES = 1_000_000_000;

interface ChangedBar {
  readonly market: number;
  readonly series: BarSeries;
  /** Its start, ms. */
  readonly time: number;
}

/** As it stands; none where the series has it no longer, as when the clock has leapt over all that a series keeps. */
function storedOf({ market, series, time }: ChangedBar): StoredBar[] {
  const index = series.indexOf(time);
  if (index < 0 || index >= series.length) return [];
  return [{ ...series.at(index), market, frameMs: series.frameMs }];
}

/** Collects which bars changed and writes them, one flush at a time; a failed flush is tried again with the next. */
export function createBarWriter({ store, logger, clock }: Deps) {
  const dirty = new Map<number, ChangedBar>();
  let lastTrade = 0;
  let prunedAt = 0;
  let running: Promise<void> | undefined;

  async function write(): Promise<void> {
    const entries = [...dirty];
    const upTo = lastTrade;
    const bars = entries.flatMap(([, changed]) => storedOf(changed));
    dirty.clear();
    try {
      await store.saveBars(bars, upTo);
    } catch (error) {
      for (const [key, entry] of entries) dirty.set(key, entry);
      logger.warn({ err: error }, 'bars could not be saved; they are tried again');
    }
  }

  async function prune(): Promise<void> {
    if (clock.now() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = clock.now();
    await store.forgetBars(MINUTE_MS, prunedAt - 2 * KEEP_MINUTES_MS);
    await store.forgetBars(HOUR_MS, prunedAt - 2 * KEEP_HOURS_MS);
    await store.forgetPriceBars(MINUTE_MS, prunedAt - 2 * KEEP_MINUTES_MS);
    await store.forgetPriceBars(HOUR_MS, prunedAt - 2 * KEEP_HOURS_MS);
  }

  return {
    startAfter(trade: number): void {
      lastTrade = trade;
    },

    note(market: number, bars: MarketBars, trade: number, time: number): void {
      lastTrade = trade;
      for (const [place, series] of [bars.minutes, bars.hours, bars.days].entries()) {
        const index = Math.floor(time / series.frameMs);
        const key = (market * 3 + place) * BARS_PER_SERIES + index;
        if (!dirty.has(key)) dirty.set(key, { market, series, time: index * series.frameMs });
      }
    },

    /** Resolves when everything noted before the call is written, or was tried. */
    async flush(): Promise<void> {
      await running;
      if (dirty.size > 0) {
        running = write();
        await running;
        running = undefined;
      }
      await prune().catch((error: unknown) => logger.warn({ err: error }, 'old bars could not be removed'));
    },
  };
}
