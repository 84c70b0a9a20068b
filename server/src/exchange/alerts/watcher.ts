/**
 * Follows the trades and triggers alerts, as a durable consumer: each once, over a restart too. Prices that are told where nothing is
 * traded trigger them as well. They are in no table: after a restart the last price alone is looked at again.
 */
import { type ConsumerDeps, createConsumer, type Effect } from '../../platform/consumers.ts';
import type { Statement } from '../../platform/database.ts';
import { AlertIndex, isReached, triggeredBy } from './alert-index.ts';
import {
  type AlertRow,
  type AlertStore,
  type NewAlert,
  type TradeRow,
  type Triggering,
  triggeringStatements,
} from './store.ts';

interface Change {
  readonly market: number;
  readonly trades: readonly Omit<TradeRow, 'market'>[];
  readonly told: readonly Omit<TradeRow, 'market' | 'id'>[];
}

/** What the watcher needs of market data. */
export interface TradeFeed {
  subscribe(listener: (change: Change) => void): () => void;
  /** Ticks; 0 before the first, and of a market that has ended. */
  lastPrice(market: number): number;
}

export interface WatcherDeps {
  readonly store: Pick<AlertStore, 'active' | 'lastTrade' | 'tradesAfter' | 'insert'>;
  readonly feed: TradeFeed;
  readonly consumers: ConsumerDeps;
  readonly clock: { now(): number };
  /** What is written in the same transaction as a triggering. */
  readonly also: (triggering: Triggering) => readonly Statement[];
  /** Called once a triggering is written. */
  readonly onTriggered: (triggering: Triggering) => void;
}

/** The trades of a batch come market by market: gathered until all of them are there, and then heard by their ids. */
function hear(
  { subscribe }: TradeFeed,
  onTrades: (trades: readonly TradeRow[]) => void,
  onTold: (market: number, told: Change['told']) => void,
): () => void {
  let gathered: TradeRow[] = [];
  return subscribe(({ market, trades, told }) => {
    if (told.length > 0) onTold(market, told);
    if (trades.length === 0) return;
    if (gathered.length === 0) {
      queueMicrotask(() => {
        const batch = gathered.sort((left, right) => left.id - right.id);
        gathered = [];
        onTrades(batch);
      });
    }
    for (const trade of trades) gathered.push({ ...trade, market });
  });
}

/** What was told last, or traded; nothing before there was a price. */
function lastIn(feed: TradeFeed, market: number, time: number): Change['told'] {
  const price = feed.lastPrice(market);
  return price === 0 ? [] : [{ price, time }];
}

/** Keeps the index as the table is where the database changes it without an answer. */
function createComparison(index: AlertIndex, store: Pick<AlertStore, 'active' | 'insert'>) {
  let ended = 0;
  let isDue = false;
  const version = () => ended + index.changes;
  const mayDiffer = () => {
    isDue = true;
    ended += 1;
  };
  return {
    mayDiffer,
    async insert(alert: NewAlert): Promise<AlertRow> {
      try {
        return await store.insert(alert);
      } catch (error) {
        mayDiffer();
        throw error;
      } finally {
        ended += 1;
      }
    },
    /** The price may have reached an alert before it is found: the next one that does triggers it. */
    async compare(flush: () => Promise<void>, isInserting: () => boolean): Promise<void> {
      if (!isDue) return;
      const before = version();
      await flush();
      const rows = await store.active();
      // What was read may be outdated: the next time, then.
      if (version() !== before || isInserting()) return;
      isDue = false;
      index.become(rows);
    },
  };
}

/** Without an alert no trade matters but the last. */
function createCatchUp(index: AlertIndex, store: Pick<AlertStore, 'tradesAfter' | 'lastTrade'>) {
  return async (after: number, limit: number): Promise<readonly TradeRow[]> => {
    if (index.size > 0) return store.tradesAfter(after, limit);
    const last = await store.lastTrade();
    return last > after ? [{ id: last, market: 0, price: 0, time: 0 }] : [];
  };
}

export function createWatcher({ store, feed, consumers, clock, also, onTriggered }: WatcherDeps) {
  const index = new AlertIndex();
  const { insert, compare, mayDiffer } = createComparison(index, store);
  /** Alerts that are being written, with the trades that came meanwhile. */
  const beginning = new Set<{ readonly market: number; readonly after: number; readonly trades: TradeRow[] }>();

  const effectOf = (triggering: Triggering): Effect => ({
    statements: [...triggeringStatements(triggering), ...also(triggering)],
    committed: () => onTriggered(triggering),
  });

  function observe(trade: TradeRow): Effect[] {
    for (const one of beginning) if (one.market === trade.market) one.trades.push(trade);
    return index.size > 0 ? index.observe(trade).map(effectOf) : [];
  }

  function tell(market: number, told: Change['told']): void {
    consumer.add(told.flatMap(({ price, time }) => observe({ id: -time, market, price, time })));
  }

  const consumer = createConsumer<TradeRow>(
    {
      name: 'alerts',
      positionOf: ({ id }) => id,
      from: store.lastTrade,
      async load() {
        for (const alert of await store.active()) index.add(alert);
      },
      catchUp: createCatchUp(index, store),
      subscribe(listener) {
        for (const market of index.markets()) tell(market, lastIn(feed, market, clock.now()));
        return hear(feed, listener, tell);
      },
      handle: observe,
      // An alert that is not written yet would be missed after a restart if the trades since were noted as seen.
      limit: (handled) => Math.min(handled, ...[...beginning].map(({ after }) => after)),
    },
    consumers,
  );

  return {
    consumer,
    flush: consumer.flush,
    countOf: (clientId: number): number => index.countOf(clientId),
    markets: (): readonly number[] => [...index.markets()],
    remove: (id: number): void => index.remove(id),
    mayDiffer,
    /** A job. */
    compare: (): Promise<void> => compare(consumer.flush, () => beginning.size > 0),

    /** Writes an alert and watches for it from this moment on, as if writing it took no time. */
    async add(alert: Omit<NewAlert, 'after_trade'>): Promise<AlertRow> {
      const one = { market: alert.market, after: consumer.handled(), trades: [] as TradeRow[] };
      beginning.add(one);
      let triggered: AlertRow | undefined;
      try {
        const row = await insert({ ...alert, after_trade: one.after });
        const trade = one.trades.find(({ price }) => isReached(row, price));
        triggered = trade && triggeredBy(row, trade);
        if (triggered === undefined || !triggered.done) index.add(triggered ?? row);
        if (trade !== undefined && triggered !== undefined) consumer.add([effectOf({ alert: triggered, trade })]);
        return row;
      } finally {
        beginning.delete(one);
      }
    },
  };
}

export type Watcher = ReturnType<typeof createWatcher>;
