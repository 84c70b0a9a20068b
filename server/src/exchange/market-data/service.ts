/**
 * Market data from what was committed: books, last prices, trades, 24-hour figures and candles. Reads never wait: all
 * of it is in memory, and every figure that a reader gets belongs to a committed batch.
 */
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';
import type { OrderChanged, TradeExecuted } from '@cambist/core/events/event.ts';
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

interface Touched {
  readonly levels: Map<number, readonly [Side, number]>;
  readonly trades: Trade[];
  needsReload: boolean;
}

export function createMarketData(deps: Deps) {
  const { catalogue, view, feed, store, clock, logger } = deps;
  const listeners = new Set<(change: MarketChange) => void>();
  const books: Book[] = catalogue.specs.map((spec) => createBook(spec.id, view));
  const orderPrices = new Map<number, number>();
  const writer = createBarWriter({ store, logger, clock });
  let markets: Market[] = [];
  let listedAt: number[] = [];
  let lastTrade = 0;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  const touch = (touched: Touched, side: Side, price: number) => {
    touched.levels.set(price * 2 + side, [side, price]);
  };

  /** An amended order leaves a level that no event names, so each open order's price is remembered. */
  function noteOrder(touched: Touched, event: OrderChanged): void {
    const before = orderPrices.get(event.orderId);
    // An order from before this process began; where it stood is not known.
    if (before === undefined) touched.needsReload = true;
    else if (before > 0 && before !== event.price) touch(touched, event.side, before);
    if (event.price > 0) touch(touched, event.side, event.price);
    if (event.status === 'open') orderPrices.set(event.orderId, event.price);
    else orderPrices.delete(event.orderId);
  }

  function noteTrade(touched: Touched, event: TradeExecuted): void {
    touch(touched, event.takerSide === BUY ? SELL : BUY, event.price);
    if (event.tradeId <= lastTrade) return;
    lastTrade = event.tradeId;
    const { tradeId, market, price, quantity, takerSide, time } = event;
    const trade = { id: tradeId, price, quantity, takerSide, time };
    const state = markets[market]!;
    state.countTrade(trade);
    state.rememberTrade(trade);
    writer.note(market, state.bars, tradeId, time);
    touched.trades.push(trade);
  }

  function onBatch(batch: CommittedBatch): void {
    const touchedMarkets = new Map<number, Touched>();
    for (const event of batch.events) {
      if (event.kind === 'order-accepted') orderPrices.set(event.orderId, event.price);
      if (event.kind !== 'trade' && event.kind !== 'order-changed') continue;
      let touched = touchedMarkets.get(event.market);
      if (touched === undefined) {
        touched = { levels: new Map(), trades: [], needsReload: false };
        touchedMarkets.set(event.market, touched);
      }
      if (event.kind === 'trade') noteTrade(touched, event);
      else noteOrder(touched, event);
    }
    for (const [market, { levels, trades, needsReload }] of touchedMarkets) {
      const book = books[market]!;
      const bookChanged = needsReload ? book.reload(batch.time) : book.refresh(levels.values(), batch.time);
      for (const listener of listeners) listener({ market, bookChanged, trades });
    }
  }

  async function histories(): Promise<MarketBars[]> {
    const { made, anchors } = await loadHistories(store, catalogue.markets, clock.now(), deps.seed);
    listedAt = anchors;
    if (deps.externalHistory === undefined) return made;
    const external = await Promise.all(catalogue.specs.map((spec) => deps.externalHistory!(spec.id)));
    // Where the other exchange tells nothing, nothing is made up either.
    return external.map((bars, market) => bars ?? emptyHistory(catalogue.markets[market]!.referencePrice, clock.now()));
  }

  const dayOf = (market: number): Day => markets[market]!.day(clock.now());

  return {
    /** Reads everything back, then follows the feed. Call it after the exchange was recovered and before it is used. */
    async start(): Promise<void> {
      markets = (await histories()).map(createMarket);
      lastTrade = await restoreBars(store, markets, clock.now());
      writer.startAfter(lastTrade);
      for (const { market, ...trade } of await store.latestTrades(TRADES_KEPT)) markets[market]?.rememberTrade(trade);
      for (const book of books) book.reload(clock.now());
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
    listing: (market: number) => ({ listedAt: listedAt[market]!, isHalted: view.marketState(market).halted }),
    /** Ticks. */
    lastPrice: (market: number): number => markets[market]!.lastPrice(),
    /** Newest first. */
    trades: (market: number, limit: number): Trade[] => markets[market]!.trades(limit),
    book: (market: number, levels: number): BookSnapshot => books[market]!.snapshot(levels),
    /** One taker only: the stream hub. */
    takeBookUpdate: (market: number): BookUpdate | undefined => books[market]!.takeUpdate(),

    /** Oldest first, up to the current one. */
    candles(market: number, frame: Frame, range: BarRange): Bar[] {
      const { bars, extendTo } = markets[market]!;
      extendTo(clock.now());
      return barsOf(bars[baseOf(frame)], frame, range);
    },

    /** The last 24 hours in ticks and lots, with the best prices beside them. */
    ticker(market: number) {
      const book = books[market]!;
      return { ...dayOf(market), bid: book.best(BUY), ask: book.best(SELL), time: clock.now() };
    },

    day(market: number): DayFigures {
      const { tickScale, lotScale } = catalogue.specs[market]!;
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
      markets[market]!.hourlyCloses(clock.now()).map((ticks) =>
        decimalNumber(ticks, catalogue.specs[market]!.tickScale),
      ),
  };
}

export type MarketData = ReturnType<typeof createMarketData>;
export type Ticker = ReturnType<MarketData['ticker']>;
