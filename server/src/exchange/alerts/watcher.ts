/**
 * Follows the trades and fires alerts, exactly once over a restart: what fired is written together with how far the
 * trades were looked at, and what came after that is looked at again on start.
 */
import { DatabaseUnavailable } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import { createAlertIndex, firedBy, isReached } from './alert-index.ts';
import type { AlertRow, AlertStore, Firing, NewAlert, TradeRow } from './store.ts';

/** What the watcher needs of market data. */
export interface TradeFeed {
  subscribe(
    listener: (change: { readonly market: number; readonly trades: readonly Omit<TradeRow, 'market'>[] }) => void,
  ): () => void;
}

export interface WatcherDeps {
  readonly store: Pick<AlertStore, 'active' | 'progress' | 'lastTrade' | 'tradesAfter' | 'write' | 'insert'>;
  readonly feed: TradeFeed;
  readonly logger: Logger;
  /** Called once what fired is written. */
  readonly onTriggered: (firings: readonly Firing[]) => void;
}

const PAGE = 5_000;
const RETRY_MS = 500;
/** Trades without a firing are noted so often, so that a start does not look at many again. */
const NOTE_EVERY_MS = 10_000;

export function createWatcher({ store, feed, logger, onTriggered }: WatcherDeps) {
  const index = createAlertIndex();
  /** Alerts that are being written, with the trades that came meanwhile. */
  const beginning = new Set<{ readonly market: number; readonly after: number; readonly trades: TradeRow[] }>();
  let lastTrade = 0;
  let written = 0;
  let due: Firing[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function observe(trade: TradeRow): void {
    if (trade.id <= lastTrade) return;
    lastTrade = trade.id;
    for (const one of beginning) if (one.market === trade.market) one.trades.push(trade);
    if (index.size() > 0) due.push(...index.observe(trade));
  }

  /** An alert that is not written yet would be missed after a restart if the trades since were noted as seen. */
  const seen = () => Math.min(lastTrade, ...[...beginning].map(({ after }) => after));

  async function writeAll(): Promise<void> {
    // The trades of one batch come market by market; only after all of them is it known how far they were looked at.
    await new Promise((resolve) => setImmediate(resolve));
    while (due.length > 0 || seen() > written) {
      const [firings, upTo] = [due, seen()];
      due = [];
      const kept = await writeAllBut(firings, upTo);
      written = upTo;
      if (kept.length > 0) onTriggered(kept);
    }
  }

  /** All at once; where that fails each for itself, so that one that cannot be written takes no other with it. */
  async function writeAllBut(firings: readonly Firing[], upTo: number): Promise<readonly Firing[]> {
    try {
      await writeOnce(firings, upTo);
      return firings;
    } catch (error) {
      if (firings.length === 0) throw error;
    }
    const kept: Firing[] = [];
    for (const firing of firings) {
      try {
        await writeOnce([firing], written);
        kept.push(firing);
      } catch (error) {
        logger.error({ err: error, alert: firing.alert.id }, 'An alert that fired could not be written');
      }
    }
    await writeOnce([], upTo);
    return kept;
  }

  async function writeOnce(firings: readonly Firing[], upTo: number): Promise<void> {
    for (;;) {
      try {
        await store.write(firings, upTo);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Resolves once everything that has fired so far is written. */
  function flush(): Promise<void> {
    writing ??= writeAll()
      .catch((error: unknown) => logger.error({ err: error }, 'Alerts that fired could not be written'))
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  function onTrades({ market, trades }: Parameters<Parameters<TradeFeed['subscribe']>[0]>[0]): void {
    for (const trade of trades) observe({ ...trade, market });
    if (due.length > 0) void flush();
  }

  return {
    flush,
    countOf: (clientId: number): number => index.countOf(clientId),
    remove: index.remove,

    /** Writes an alert and watches for it from this moment on, as if writing it took no time. */
    async add(alert: Omit<NewAlert, 'after_trade'>): Promise<AlertRow> {
      const one = { market: alert.market, after: lastTrade, trades: [] as TradeRow[] };
      beginning.add(one);
      try {
        const row = await store.insert({ ...alert, after_trade: one.after });
        const trade = one.trades.find(({ price }) => isReached(row, price));
        const fired = trade && firedBy(row, trade);
        if (fired === undefined || !fired.done) index.add(fired ?? row);
        if (trade !== undefined && fired !== undefined) due.push({ alert: fired, trade });
        return row;
      } finally {
        beginning.delete(one);
        if (due.length > 0) void flush();
      }
    },

    /** Looks at the trades since the last one noted, then follows the feed. Call it before anybody trades. */
    async start(): Promise<void> {
      for (const alert of await store.active()) index.add(alert);
      lastTrade = index.size() > 0 ? await store.progress() : await store.lastTrade();
      written = lastTrade;
      for (;;) {
        const trades = await store.tradesAfter(lastTrade, PAGE);
        for (const trade of trades) observe(trade);
        if (trades.length < PAGE) break;
      }
      await flush();
      unsubscribe = feed.subscribe(onTrades);
      timer = setInterval(guarded(logger, 'note seen trades', flush), NOTE_EVERY_MS).unref();
    },

    async close(): Promise<void> {
      unsubscribe?.();
      clearInterval(timer);
      await flush();
    },
  };
}

export type Watcher = ReturnType<typeof createWatcher>;
