/**
 * Market data from what was committed: books, last prices, trades, 24-hour figures and candles. Reads never wait: all
 * of it is in memory, and every figure that a reader gets belongs to a committed batch.
 */

import { predictedRate } from '@cambist/core/margin/pricing.ts';
import type { PerpetualSpec } from '@cambist/core/money/market.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { Logger } from 'pino';
import { guarded } from '../../platform/guarded.ts';
import type { BatchFeed, CommittedBatch, ExchangeView } from '../engine/feed.ts';
import type { Catalogue, DayFigures } from '../instruments/service.ts';
import type { Bar } from './bar-series.ts';
import type { BookSnapshot, BookUpdate } from './book.ts';
import { changePercent, decimalNumber, decimalText } from './decimal.ts';
import { type BarRange, barsOf, baseOf, type Frame, MINUTE_MS } from './frames.ts';
import { LiveMarkets } from './live-markets.ts';
import { type LiquidatedLots, type PerpetualFigures, type ToldPrice, TRADES_KEPT, type Trade } from './market.ts';
import { OutsideReader } from './outside-reader.ts';
import { createBarWriter, loadHistories, type PastSource, restoreBars, restorePriceBars } from './persistence.ts';
import type { PriceKind } from './price-series.ts';
import type { MarketDataStore } from './store.ts';

export type { Bar } from './bar-series.ts';
export type { BookSnapshot, BookUpdate, Level } from './book.ts';
export { decimalNumber, decimalText } from './decimal.ts';
export { type BarRange, endOf, type Frame, frames, isFrame, startOf } from './frames.ts';
export { barSeriesOf } from './history.ts';
export type { Day, DayMean, LiquidatedLots, PerpetualFigures, ToldPrice, Trade } from './market.ts';
export type { OutsidePast } from './persistence.ts';
export { type PriceKind, priceKinds } from './price-series.ts';
export { createRandom, mixSeed, type Random } from './random.ts';

export { barTimes } from './store.ts';

/** What one batch did to one market. */
export interface MarketChange {
  readonly market: number;
  readonly bookChanged: boolean;
  readonly trades: readonly Trade[];
  /** Last prices that were told where nothing was traded. */
  readonly told: readonly ToldPrice[];
  /** Of a perpetual. */
  readonly liquidations: readonly LiquidatedLots[];
}

interface Deps {
  readonly catalogue: Catalogue;
  readonly view: ExchangeView;
  readonly feed: BatchFeed;
  readonly store: MarketDataStore;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** Drawn once for a new database; the histories of a database never change afterwards. */
  readonly seed: number;
  readonly past?: PastSource;
}

const FLUSH_EVERY_MS = 5_000;

/** All levels of a side. */
const ALL_LEVELS = 1_000_000;

/** Lists the markets that there are, each with what is known of its past. */
async function listKnown(live: LiveMarkets, { catalogue, view, store, clock, seed, past }: Deps) {
  const lastPrice = (market: number) => view.marketState(market).lastPrice;
  const known = await loadHistories(store, catalogue.listed, clock.now(), seed, lastPrice, past);
  catalogue.listed.forEach(({ spec }, index) => {
    const { beginning, bars } = known[index]!;
    live.list(spec.id, bars, beginning);
  });
}

/** Memory as the last committed batch left it: bars, latest trades and books. */
async function restoreMarkets(live: LiveMarkets, { view, store, clock }: Deps): Promise<void> {
  const saved = await restoreBars(store, live.markets, clock.now());
  live.startAfter(saved);
  // Of a clock that was ahead and was set right; candles of then would hide those of now.
  const latest = clock.now();
  for await (const trade of store.tradesAfter(saved)) live.recount({ ...trade, time: Math.min(trade.time, latest) });
  for (const { id } of view.markets()) live.recall(id, view.marketState(id).lastPrice, clock.now());
  await restorePriceBars(store, live.prices, clock.now());
  for (const { market, ...trade } of await store.latestTrades(TRADES_KEPT))
    live.markets.get(market)?.rememberTrade(trade);
  for (const [market, book] of live.books) {
    for (const side of [BUY, SELL] as const) book.load(side, view.depth(market, side, ALL_LEVELS));
    book.step(clock.now());
  }
  for (const { id, perpetual } of view.markets()) if (perpetual) restorePerpetual(live, view, id, perpetual);
}

function restorePerpetual(live: LiveMarkets, view: ExchangeView, id: number, { funding }: PerpetualSpec): void {
  const state = view.perpetualState(id);
  const { index, indexAt: time, nextFundingAt } = state;
  if (nextFundingAt === 0) return;
  const figures = { mark: view.marketState(id).markPrice, ratePpb: predictedRate(state, funding) };
  live.perpetuals.set(id, { ...figures, index, nextFundingAt, openLots: view.openInterest(id), time });
}

/** Ms; 0 of a market that does not pause. */
function pausedUntil(view: ExchangeView, market: number, now: number): number {
  const { until = 0 } = view.marketState(market).pause ?? {};
  return until > now ? until : 0;
}

function listingOf(live: LiveMarkets, view: ExchangeView, market: number, now: number) {
  const { halted, delisting } = view.marketState(market);
  const times = { listedAt: live.beginning(market).time, endsAt: delisting?.endsAt ?? 0 };
  return { ...times, isHalted: halted, pausedUntil: pausedUntil(view, market, now) };
}

/** What a ticker says beside the day's figures. */
function nowOf(live: LiveMarkets, view: ExchangeView, market: number, time: number) {
  const book = live.book(market);
  const prices = { bid: book.best(BUY), ask: book.best(SELL), reference: view.bandPrice(market) };
  const { delisted, delisting } = view.marketState(market);
  const ends = { isDelisted: delisted, closeOnlyAt: delisting?.closeOnlyAt ?? 0, endsAt: delisting?.endsAt ?? 0 };
  return { ...prices, ...ends, pausedUntil: pausedUntil(view, market, time), time };
}

function priceBefore(live: LiveMarkets, market: number, time: number, now: number): number {
  const known = live.markets.get(market);
  if (known === undefined) return 0;
  known.extendTo(now);
  const before = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  const [bar] = barsOf(known.bars.minutes, '1m', { before, limit: 1 });
  if (bar !== undefined) return bar.close;
  const beginning = live.beginning(market);
  return before <= beginning.time ? beginning.price : 0;
}

/** What may be asked of the markets at any moment. */
function readsOf(live: LiveMarkets, { catalogue, view, clock }: Deps) {
  const dayOf = (market: number) => live.market(market).day(clock.now());
  return {
    /** When the pair began to trade here, ms: the end of what is known from before. */
    listing: (market: number) => listingOf(live, view, market, clock.now()),
    /** Ticks; 0 of a market that had ended before the start. */
    lastPrice: (market: number): number => live.markets.get(market)?.lastPrice() ?? 0,
    /**
     * Ticks: the close of the minute before the one of a time, which nothing that is traded later changes; until there is one, the
     * price at which the market began. 0 where the minutes of the time are no longer kept, and of a market that had ended before
     * the start.
     */
    priceBefore: (market: number, time: number): number => priceBefore(live, market, time, clock.now()),
    /** Undefined of a market that had ended before the start, and before the first price. */
    dayMean: (market: number) => live.markets.get(market)?.dayMean(clock.now()),
    /** Of a perpetual that has had an index. */
    perpetual: (market: number): PerpetualFigures | undefined => live.perpetuals.get(market),
    /** Newest first. */
    trades: (market: number, limit: number): Trade[] => live.market(market).trades(limit),
    book: (market: number, levels: number): BookSnapshot => live.book(market).snapshot(levels),
    /** One taker only: the stream hub. */
    takeBookUpdate: (market: number): BookUpdate | undefined => live.book(market).takeUpdate(),

    /** Oldest first, up to the current one. */
    candles(market: number, frame: Frame, range: BarRange): Bar[] {
      const { bars, extendTo } = live.market(market);
      extendTo(clock.now());
      return barsOf(bars[baseOf(frame)], frame, range);
    },

    /** Of a perpetual's mark or index, oldest first; nothing where there was no index. */
    priceCandles: (market: number, kind: PriceKind, frame: Frame, range: BarRange): Bar[] =>
      barsOf(live.prices.of(market, kind)[baseOf(frame)], frame, range),

    /** The last 24 hours in ticks and lots, with the best prices beside them. */
    ticker: (market: number) => ({ ...dayOf(market), ...nowOf(live, view, market, clock.now()) }),

    day(market: number): DayFigures {
      const { tickScale, lotScale } = catalogue.byId(market)!.spec;
      const { last, open, high, low, volume, turnover } = dayOf(market);
      const price = (ticks: number) => (ticks === 0 ? null : decimalText(ticks, tickScale));
      return {
        last: price(last),
        open: price(open),
        high: price(high),
        low: price(low),
        changePercent: last === 0 ? null : changePercent(open, last),
        volume: decimalText(volume, lotScale),
        turnover: decimalText(turnover, tickScale + lotScale),
        turnoverNumber: decimalNumber(turnover, tickScale + lotScale),
      };
    },

    sparkline: (market: number): number[] =>
      live
        .market(market)
        .hourlyCloses(clock.now())
        .filter((ticks) => ticks > 0)
        .map((ticks) => decimalNumber(ticks, catalogue.byId(market)!.spec.tickScale)),
  };
}

export function createMarketData(deps: Deps) {
  const { feed, store, clock, logger } = deps;
  const listeners = new Set<(change: MarketChange) => void>();
  const writer = createBarWriter({ store, logger, clock });
  const live = new LiveMarkets(writer, clock, (market) => deps.view.openInterest(market));
  const outside =
    typeof deps.past === 'function'
      ? new OutsideReader({ read: deps.past, found: (market, bars) => live.market(market).underlay(bars), logger })
      : undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function onBatch(batch: CommittedBatch): void {
    for (const [market, trades] of live.apply(batch)) {
      const bookChanged = live.book(market).step(batch.time);
      const liquidations = live.liquidations.get(market) ?? [];
      const told = live.told.get(market) ?? [];
      for (const listener of listeners) listener({ market, bookChanged, trades, told, liquidations });
    }
  }

  return {
    /**
     * Reads everything back, then follows the feed. Call it after the exchange was recovered and before it is used:
     * memory holds nothing but committed batches then. What another exchange knows of before comes later, by itself.
     */
    async start(): Promise<void> {
      await listKnown(live, deps);
      await restoreMarkets(live, deps);
      unsubscribe = feed.subscribe(onBatch);
      timer = setInterval(guarded(logger, 'save bars', writer.flush), FLUSH_EVERY_MS);
      timer.unref();
      outside?.start(deps.catalogue.listed.map(({ spec }) => spec.id));
    },

    async close(): Promise<void> {
      unsubscribe?.();
      clearInterval(timer);
      outside?.stop();
      await writer.flush();
    },

    flush: () => writer.flush(),

    /** Called synchronously after each batch, with the data already up to date. */
    subscribe(listener: (change: MarketChange) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    ...readsOf(live, deps),
  };
}

export type MarketData = ReturnType<typeof createMarketData>;
export type Ticker = ReturnType<MarketData['ticker']>;
