/**
 * The book, bars and latest trades of every market, kept from the records of committed batches. A market that is listed
 * begins here with what is known of its past.
 */
import type { ReferencePriceSet } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { PerpetualPriced, PositionLiquidated } from '@cambist/core/margin/event.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import { Book } from './book.ts';
import { emptyHistory, type MarketBars } from './history.ts';
import {
  createMarket,
  type LiquidatedLots,
  type Market,
  type PerpetualFigures,
  type ToldPrice,
  type Trade,
} from './market.ts';
import type { Beginning, createBarWriter } from './persistence.ts';
import { PriceBars } from './price-series.ts';
import type { StoredTrade } from './store.ts';

export class LiveMarkets {
  readonly #writer: ReturnType<typeof createBarWriter>;
  readonly #clock: { now(): number };
  readonly #openInterest: (market: number) => number;
  readonly #beginnings = new Map<number, Beginning>();
  /** Trades of the batch in hand, for each market that it touches. */
  #touched = new Map<number, Trade[]>();
  #lastTrade = 0;
  /** Of perpetuals, once they have an index. */
  readonly perpetuals = new Map<number, PerpetualFigures>();
  readonly prices = new PriceBars();
  /** Prices that the batch in hand told, by market. */
  readonly told = new Map<number, ToldPrice[]>();
  /** Of the batch in hand, by market. */
  readonly liquidations = new Map<number, LiquidatedLots[]>();
  readonly books = new Map<number, Book>();
  readonly markets = new Map<number, Market>();

  /** @param openInterest lots of a perpetual; memory's, as each index comes about once a second */
  constructor(
    writer: ReturnType<typeof createBarWriter>,
    clock: { now(): number },
    openInterest: (market: number) => number,
  ) {
    this.#openInterest = openInterest;
    this.#writer = writer;
    this.#clock = clock;
  }

  book(market: number): Book {
    return this.books.get(market)!;
  }

  market(id: number): Market {
    return this.markets.get(id)!;
  }

  /** Where the pair began to trade here. */
  beginning(market: number): Beginning {
    return this.#beginnings.get(market)!;
  }

  /** Nothing for a market that is known. */
  list(id: number, bars: MarketBars, beginning: Beginning): void {
    if (this.markets.has(id)) return;
    this.markets.set(id, createMarket(bars));
    this.books.set(id, new Book(this.#clock.now()));
    this.#beginnings.set(id, beginning);
  }

  /** Trades up to this one are in the stored bars. */
  startAfter(lastTrade: number): void {
    this.#lastTrade = lastTrade;
    this.#writer.startAfter(lastTrade);
  }

  /** Counts a trade of before the start. Its bars are written with the next ones, whose checkpoint is beyond it. */
  recount({ market, ...trade }: StoredTrade): void {
    this.#lastTrade = trade.id;
    const state = this.markets.get(market);
    state?.count(trade);
    if (state !== undefined) this.#writer.note(market, state.bars, trade.id, trade.time);
  }

  /** What was told since the bars were last written is in the state of the exchange alone. */
  recall(id: number, price: number, time: number): void {
    const state = this.markets.get(id);
    if (state === undefined || price === 0 || price === state.lastPrice()) return;
    state.count({ time, price, quantity: 0 });
    this.#writer.note(id, state.bars, this.#lastTrade, time);
  }

  /** @returns the trades of each market that the batch touches; their books still stand at the step before */
  apply(batch: CommittedBatch): ReadonlyMap<number, readonly Trade[]> {
    this.#touched = new Map();
    this.liquidations.clear();
    this.told.clear();
    batch.events.read({
      trade: (events, at) => this.#countTrade(this.#tradesOf(events.market(at)), events, at),
      order: (events, at) => {
        this.#tradesOf(events.market(at));
        this.#moveOrder(events, at);
      },
      object: (event) => {
        if (event.kind === 'market-changed') this.#change(event.market.id, event.state.lastPrice, event.time);
        if (event.kind === 'reference-price-set') this.#tell(event);
        // Tickers say them.
        if (event.kind === 'market-paused' || event.kind === 'market-resumed' || event.kind === 'reference-told')
          this.#tradesOf(event.market);
        if (event.kind === 'perpetual-priced') this.#price(event);
        if (event.kind === 'position-liquidated') this.#liquidate(event);
      },
    });
    return this.#touched;
  }

  /** Its first price is told by what it is changed to. */
  #change(market: number, price: number, time: number): void {
    this.#begin(market, price);
    // Tickers say when it ends.
    this.#tradesOf(market);
    if (price > 0 && price !== this.market(market).lastPrice()) this.#tell({ market, price, time });
  }

  /** A market that is listed begins without a past, and begins again when it is given its first price. */
  #begin(id: number, price: number): void {
    const known = this.markets.get(id);
    if (known !== undefined && (known.lastPrice() > 0 || price === 0)) return;
    const beginning = { time: this.#clock.now(), price };
    const bars = emptyHistory(price, beginning.time);
    if (known === undefined) this.list(id, bars, beginning);
    else {
      this.markets.set(id, createMarket(bars));
      this.#beginnings.set(id, beginning);
    }
  }

  #tell({ market, price, time }: Omit<ReferencePriceSet, 'kind'>): void {
    this.#tradesOf(market);
    const state = this.market(market);
    state.count({ time, price, quantity: 0 });
    this.#writer.note(market, state.bars, this.#lastTrade, time);
    this.told.set(market, [...(this.told.get(market) ?? []), { price, time }]);
  }

  #price({ market, mark, ratePpb, time, state: { index, nextFundingAt } }: PerpetualPriced): void {
    this.#tradesOf(market);
    const openLots = this.#openInterest(market);
    this.perpetuals.set(market, { mark, index, ratePpb, nextFundingAt, openLots, time });
    // Without an index the mark stands still: neither has a bar then.
    if (index === 0) return;
    this.prices.observe(market, 'mark', time, mark);
    this.prices.observe(market, 'index', time, index);
  }

  #liquidate(event: PositionLiquidated): void {
    this.#tradesOf(event.market);
    this.liquidations.set(event.market, [...(this.liquidations.get(event.market) ?? []), event]);
  }

  #tradesOf(market: number): Trade[] {
    const known = this.#touched.get(market) ?? [];
    this.#touched.set(market, known);
    return known;
  }

  #countTrade(trades: Trade[], events: EventBatch, at: number): void {
    const id = events.tradeId(at);
    if (id <= this.#lastTrade) return;
    this.#lastTrade = id;
    const market = events.market(at);
    const time = events.time(at);
    const trade = { id, price: events.price(at), quantity: events.lots(at), takerSide: events.takerSide(at), time };
    const state = this.market(market);
    state.count(trade);
    state.rememberTrade(trade);
    this.#writer.note(market, state.bars, id, time);
    trades.push(trade);
  }

  /** What rested before is gone, what rests now is new; an order that stays at its price changes by the difference. */
  #moveOrder(events: EventBatch, at: number): void {
    const book = this.book(events.market(at));
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
}
