/** The live book of one pair, published a few times a second to everything on the screen that asks for it. */
import { type CoinPair, recentTrades } from '@cambist/contract/markets.ts';
import { useCallback, useSyncExternalStore } from 'react';
import { call } from '../api-client.ts';
import { startPolling } from '../polling.ts';
import { POLLING_MS } from '../polling-intervals.ts';
import { cancelPublish, publishSoon } from '../publish-clock.ts';
import { publicStream } from '../streams.ts';
import { type BookPush, type BookView, LiveBook, type Scales } from './book-state.ts';

const POLLED_LEVELS = 50;

/** The answer of the documented call, as a push of the stream would say it. */
async function fetchBook(name: string, signal: AbortSignal): Promise<BookPush> {
  const { orders } = await call(recentTrades, { query: { name, limit: POLLED_LEVELS }, signal });
  const side = (levels: typeof orders.asks) =>
    levels.map((level) => [level.unit_price, level.number_of_order] as const);
  return { asks: side(orders.asks), bids: side(orders.bids) };
}

/** Who is told in the same frame: each side of the book, and everything else. */
const TURNS = ['asks', 'bids', 'rest'] as const;
export type BookTurn = (typeof TURNS)[number];

class BookFeed {
  view: BookView | undefined;
  readonly #listeners = { asks: new Set<() => void>(), bids: new Set<() => void>(), rest: new Set<() => void>() };
  readonly #name: string;
  readonly #scales: Scales;
  #end: (() => void) | undefined;

  constructor(name: string, scales: Scales) {
    this.#name = name;
    this.#scales = scales;
  }

  subscribe(turn: BookTurn, listener: () => void): () => void {
    this.#listeners[turn].add(listener);
    this.#end ??= this.#start();
    return () => {
      this.#listeners[turn].delete(listener);
      // A panel that is drawn anew comes back in the same moment.
      queueMicrotask(() => {
        if (TURNS.some((each) => this.#listeners[each].size > 0)) return;
        this.#end?.();
        this.#end = undefined;
        this.view = undefined;
        feeds.delete(this.#name);
      });
    };
  }

  #start(): () => void {
    const instId = this.#name;
    const book = new LiveBook(this.#scales);
    let endPolling: (() => void) | undefined;
    const publishers = TURNS.map((turn, place) => () => {
      if (place === 0) this.view = book.view();
      for (const listener of this.#listeners[turn]) listener();
    });
    const apply = (push: BookPush, snapshot: boolean) => {
      book.apply(push, snapshot);
      publishers.forEach(publishSoon);
    };
    const followStale = () => {
      endPolling?.();
      endPolling = publicStream.isStale()
        ? startPolling(POLLING_MS.orderBook, async (signal) => apply(await fetchBook(instId, signal), true))
        : undefined;
    };
    const leave = publicStream.subscribe<BookPush>(
      { channel: 'books', instId },
      {
        onPush: (push) => {
          for (const change of push.data) apply(change, push.action !== 'update');
        },
      },
    );
    const endWatch = publicStream.watchStale(followStale);
    followStale();
    return () => {
      publishers.forEach(cancelPublish);
      endPolling?.();
      endWatch();
      leave();
    };
  }
}

const feeds = new Map<string, BookFeed>();

function feedOf(name: string, scales: Scales): BookFeed {
  const feed = feeds.get(name) ?? new BookFeed(name, scales);
  feeds.set(name, feed);
  return feed;
}

type BookPair = Pick<CoinPair, 'pair_name' | 'price_scale' | 'quantity_scale'>;

/** Undefined until the first snapshot. */
export function useBook(pair: BookPair, turn: BookTurn = 'rest'): BookView | undefined {
  const { pair_name: name, price_scale: price, quantity_scale: quantity } = pair;
  const subscribe = useCallback(
    (listener: () => void) => feedOf(name, { price, quantity }).subscribe(turn, listener),
    [name, price, quantity, turn],
  );
  return useSyncExternalStore(subscribe, () => feeds.get(name)?.view);
}

/** The book of now, without following it. */
export function currentBook(pair: CoinPair): BookView | undefined {
  return feeds.get(pair.pair_name)?.view;
}
