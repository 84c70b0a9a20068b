/**
 * Market data from what was committed: books, last prices, trades, 24-hour figures and candles. Reads never wait: all
 * of it is in memory, and every figure that a reader gets belongs to a committed batch.
 */

import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { Logger } from 'pino';
import { guarded } from '../../platform/guarded.ts';
import type { BatchFeed, CommittedBatch, ExchangeView } from '../engine/feed.ts';
import type { Catalogue, DayFigures } from '../instruments/service.ts';
import type { Bar } from './bar-series.ts';
import { type Book, type BookSnapshot, type BookUpdate, createBook } from './book.ts';
import { changePercent, decimalNumber, decimalText } from './decimal.ts';
import { type BarRange, barsOf, baseOf, type Frame } from './frames.ts';
import { emptyHistory, type MarketBars } from './history.ts';
import { createMarket, type Day, type Market, TRADES_KEPT, type Trade } from './market.ts';
import { createBarWriter, loadHistories, restoreBars } from './persistence.ts';
import type { MarketDataStore } from './store.ts';

export type { Bar } from './bar-series.ts';
export type { BookSnapshot, BookUpdate, Level } from './book.ts';
export { decimalNumber, decimalText } from './decimal.ts';
export { type BarRange, endOf, type Frame, frames, isFrame, startOf } from './frames.ts';
export { barSeriesOf, type MarketBars } from './history.ts';
export type { Day, Trade } from './market.ts';
export { createRandom, mixSeed, type Random } from './random.ts';

/** What one batch did to one market. */
export interface MarketChange {
  readonly market: number;
  readonly bookChanged: boolean;
  readonly trades: readonly Trade[];
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
  /** Candles from elsewhere instead of made ones; a market that is not known there begins without a past. */
  readonly externalHistory?: (market: number) => Promise<MarketBars | undefined>;
}

const FLUSH_EVERY_MS = 5_000;

/** All levels of a side. */
const ALL_LEVELS = 1_000_000;

interface Touched {
  readonly trades: Trade[];
}

export function createMarketData(deps: Deps) {
  const { catalogue, view, feed, store, clock, logger } = deps;
  const listeners = new Set<(change: MarketChange) => void>();
  const books = new Map<number, Book>();
  const writer = createBarWriter({ store, logger, clock });
  const markets = new Map<number, Market>();
  const listedAt = new Map<number, number>();
  let lastTrade = 0;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  const bookOf = (market: number): Book => books.get(market)!;
  const marketOf = (market: number): Market => markets.get(market)!;

  function noteTrade(touched: Touched, events: EventBatch, at: number): void {
    const id = events.tradeId(at);
    if (id <= lastTrade) return;
    lastTrade = id;
    const market = events.market(at);
    const time = events.time(at);
    const trade = {
      id,
      price: events.price(at),
      quantity: events.lots(at),
      takerSide: events.takerSide(at),
      time,
    };
    const state = marketOf(market);
    state.countTrade(trade);
    state.rememberTrade(trade);
    writer.note(market, state.bars, id, time);
    touched.trades.push(trade);
  }

  /** What rested before is gone, what rests now is new; an order that stays at its price changes by the difference. */
  function noteOrder(events: EventBatch, at: number): void {
    const book = bookOf(events.market(at));
    const side = events.side(at);
    const before = events.beforeLots(at);
    const now = events.resting(at);
    const [left, come] = [before > 0 ? 1 : 0, now > 0 ? 1 : 0];
    if (before > 0 && now > 0 && events.beforePrice(at) === events.price(at)) {
      book.change(side, events.price(at), now - before, 0);
      return;
    }
    book.change(side, events.beforePrice(at), -before, -left);
    book.change(side, events.price(at), now, come);
  }

  function onBatch(batch: CommittedBatch): void {
    const touchedMarkets = new Map<number, Touched>();
    const touchedOf = (market: number): Touched => {
      const known = touchedMarkets.get(market) ?? { trades: [] };
      touchedMarkets.set(market, known);
      return known;
    };
    batch.events.read({
      trade: (events, at) => noteTrade(touchedOf(events.market(at)), events, at),
      order: (events, at) => {
        touchedOf(events.market(at));
        noteOrder(events, at);
      },
      object: (event) => {
        if (event.kind === 'market-changed') list(event.market.id, emptyHistory(event.state.lastPrice, clock.now()));
      },
    });
    for (const [market, { trades }] of touchedMarkets) {
      const bookChanged = bookOf(market).step(batch.time);
      for (const listener of listeners) listener({ market, bookChanged, trades });
    }
  }

  /** A market that is not known yet begins with what is known of its past. */
  function list(id: number, bars: MarketBars): void {
    if (markets.has(id)) return;
    markets.set(id, createMarket(bars));
    books.set(id, createBook());
    if (!listedAt.has(id)) listedAt.set(id, clock.now());
  }

  async function listKnown(): Promise<void> {
    const lastPrice = (market: number) => view.marketState(market).lastPrice;
    const past = await loadHistories(store, catalogue.markets, clock.now(), deps.seed, lastPrice);
    const { externalHistory } = deps;
    const external =
      externalHistory && (await Promise.all(catalogue.markets.map(({ spec }) => externalHistory(spec.id))));
    catalogue.markets.forEach((market, index) => {
      const { anchor, bars } = past[index]!;
      listedAt.set(market.spec.id, anchor);
      // Where the other exchange knows nothing, nothing is made up either.
      const unknown = () => emptyHistory(market.referencePrice, clock.now());
      list(market.spec.id, external === undefined ? bars : (external[index] ?? unknown()));
    });
  }

  const dayOf = (market: number): Day => marketOf(market).day(clock.now());

  return {
    /**
     * Reads everything back, then follows the feed. Call it after the exchange was recovered and before it is used:
     * memory holds nothing but committed batches then.
     */
    async start(): Promise<void> {
      await listKnown();
      lastTrade = await restoreBars(store, markets, clock.now());
      writer.startAfter(lastTrade);
      for (const { market, ...trade } of await store.latestTrades(TRADES_KEPT))
        markets.get(market)?.rememberTrade(trade);
      for (const [market, book] of books) {
        for (const side of [BUY, SELL] as const) book.load(side, view.depth(market, side, ALL_LEVELS));
        book.step(clock.now());
      }
      unsubscribe = feed.subscribe(onBatch);
      timer = setInterval(guarded(logger, 'save bars', writer.flush), FLUSH_EVERY_MS);
      timer.unref();
    },

    async close(): Promise<void> {
      unsubscribe?.();
      clearInterval(timer);
      await writer.flush();
    },

    flush: () => writer.flush(),

    /** Called synchronously after each batch, with the data already up to date. */
    subscribe(listener: (change: MarketChange) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** When the pair began to trade here, ms: the end of its made history. */
    listing: (market: number) => ({ listedAt: listedAt.get(market)!, isHalted: view.marketState(market).halted }),
    /** Ticks. */
    lastPrice: (market: number): number => marketOf(market).lastPrice(),
    /** Newest first. */
    trades: (market: number, limit: number): Trade[] => marketOf(market).trades(limit),
    book: (market: number, levels: number): BookSnapshot => bookOf(market).snapshot(levels),
    /** One taker only: the stream hub. */
    takeBookUpdate: (market: number): BookUpdate | undefined => bookOf(market).takeUpdate(),

    /** Oldest first, up to the current one. */
    candles(market: number, frame: Frame, range: BarRange): Bar[] {
      const { bars, extendTo } = marketOf(market);
      extendTo(clock.now());
      return barsOf(bars[baseOf(frame)], frame, range);
    },

    /** The last 24 hours in ticks and lots, with the best prices beside them. */
    ticker(market: number) {
      const book = bookOf(market);
      return { ...dayOf(market), bid: book.best(BUY), ask: book.best(SELL), time: clock.now() };
    },

    day(market: number): DayFigures {
      const { tickScale, lotScale } = catalogue.byId(market)!.spec;
      const { last, open, high, low, volume, turnover } = dayOf(market);
      return {
        last: decimalText(last, tickScale),
        open: decimalText(open, tickScale),
        high: decimalText(high, tickScale),
        low: decimalText(low, tickScale),
        changePercent: changePercent(open, last),
        volume: decimalText(volume, lotScale),
        turnover: decimalText(turnover, tickScale + lotScale),
        turnoverNumber: decimalNumber(turnover, tickScale + lotScale),
      };
    },

    sparkline: (market: number): number[] =>
      marketOf(market)
        .hourlyCloses(clock.now())
        .map((ticks) => decimalNumber(ticks, catalogue.byId(market)!.spec.tickScale)),
  };
}

export type MarketData = ReturnType<typeof createMarketData>;
export type Ticker = ReturnType<MarketData['ticker']>;
