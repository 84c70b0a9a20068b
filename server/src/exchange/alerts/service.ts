/** Price alerts of clients: made, listed, deleted, fired by trades, and told on the private stream and by mail. */
import type { PriceAlert } from '@cambist/contract/alerts.ts';
import { ALERTS_PER_CLIENT } from '@cambist/contract/alerts.ts';
import type { StreamAlert } from '@cambist/contract/stream.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { maximumTicks } from '@cambist/core/money/notional.ts';
import { formatTicks, parseTicks } from '@cambist/core/money/price.ts';
import type { ConsumerDeps } from '../../platform/consumers.ts';
import type { Statement } from '../../platform/database.ts';
import type { Outbox } from '../../platform/outbox.ts';
import { isReached } from './alert-index.ts';
import { alertMessage } from './alert-mail.ts';
import type { AlertRow, AlertStore, Firing } from './store.ts';
import { createWatcher, type TradeFeed } from './watcher.ts';

export { createAlertStore } from './store.ts';

export interface AlertDeps {
  readonly store: AlertStore;
  readonly feed: TradeFeed;
  readonly consumers: ConsumerDeps;
  readonly markets: { resolve(name: string): MarketSpec | undefined; byId(id: number): MarketSpec };
  /** Ticks. */
  readonly lastPrice: (market: number) => number;
  /** Tells a client's open pages. */
  readonly notify: (clientId: number, alerts: readonly StreamAlert[]) => void;
  readonly outbox: Pick<Outbox, 'statement' | 'wake'>;
  readonly siteName: string;
  readonly clock: { now(): number };
}

export interface AlertInput {
  readonly symbol: string;
  readonly direction: 'above' | 'below';
  readonly price: string;
  readonly repeat: 'once' | 'repeating';
  readonly pause_minutes: number;
  readonly channels: readonly StreamAlert['channels'][number][];
  readonly note: string;
  readonly locale: string;
}

export type AlertError =
  | { readonly kind: 'unknown-pair'; readonly name: string }
  | { readonly kind: 'invalid-price'; readonly decimals: number }
  | { readonly kind: 'reached'; readonly price: string }
  | { readonly kind: 'too-many' };

const DAY_MS = 86_400_000;
const FIRINGS_KEPT_MS = 90 * DAY_MS;

export function createAlerts(deps: AlertDeps) {
  const { store, markets, clock } = deps;
  const watcher = createWatcher({ store, feed: deps.feed, consumers: deps.consumers, also, onFired });
  /** Alerts on their way to the store count too. */
  const beginning = new Map<number, number>();

  const isMailed = ({ alert }: Firing) => alert.channels.split(',').includes('mail');

  function also(firing: Firing): Statement[] {
    if (!isMailed(firing)) return [];
    return [deps.outbox.statement(alertMessage(firing, markets.byId(firing.alert.market), deps.siteName))];
  }

  function onFired(firing: Firing): void {
    deps.notify(firing.alert.client_id, [describePush(firing)]);
    if (isMailed(firing)) deps.outbox.wake();
  }

  function describePush({ alert, trade }: Firing): StreamAlert {
    const market = markets.byId(alert.market);
    return {
      alertId: String(alert.id),
      instId: market.symbol,
      direction: alert.above ? 'above' : 'below',
      px: formatTicks(alert.price, market),
      firedPx: formatTicks(trade.price, market),
      note: alert.note,
      channels: channelsOf(alert),
      ts: String(trade.time),
    };
  }

  function describe(row: AlertRow): PriceAlert {
    const market = markets.byId(row.market);
    const isPaused = row.paused_until > clock.now();
    return {
      id: String(row.id),
      symbol: market.symbol,
      direction: row.above ? 'above' : 'below',
      price: formatTicks(row.price, market),
      repeat: row.pause_minutes > 0 ? 'repeating' : 'once',
      pause_minutes: row.pause_minutes,
      channels: [...channelsOf(row)],
      note: row.note,
      state: row.done ? 'done' : isPaused ? 'paused' : 'active',
      paused_until: isPaused ? row.paused_until : null,
      times_fired: row.times_fired,
      fired_price: row.times_fired > 0 ? formatTicks(row.fired_price, market) : '',
      fired_at: row.times_fired > 0 ? row.fired_at : null,
      created_at: row.created_at,
    };
  }

  function problemOf(clientId: number, input: AlertInput): AlertError | { market: MarketSpec; price: number } {
    const market = markets.resolve(input.symbol);
    if (market === undefined) return { kind: 'unknown-pair', name: input.symbol };
    const price = parseTicks(input.price, market);
    if (!price.ok || price.value === 0 || price.value > maximumTicks(market)) {
      return { kind: 'invalid-price', decimals: market.tickScale };
    }
    const last = deps.lastPrice(market.id);
    if (last > 0 && isReached({ above: input.direction === 'above', price: price.value }, last)) {
      return { kind: 'reached', price: formatTicks(last, market) };
    }
    const active = watcher.countOf(clientId) + (beginning.get(clientId) ?? 0);
    return active >= ALERTS_PER_CLIENT ? { kind: 'too-many' } : { market, price: price.value };
  }

  async function create(clientId: number, input: AlertInput): Promise<PriceAlert | AlertError> {
    const checked = problemOf(clientId, input);
    if ('kind' in checked) return checked;
    beginning.set(clientId, (beginning.get(clientId) ?? 0) + 1);
    try {
      const row = await watcher.add({
        client_id: clientId,
        market: checked.market.id,
        above: input.direction === 'above',
        price: checked.price,
        pause_minutes: input.repeat === 'repeating' ? input.pause_minutes : 0,
        channels: input.channels.join(','),
        note: input.note,
        locale: input.locale,
        created_at: clock.now(),
      });
      return describe(row);
    } finally {
      const left = (beginning.get(clientId) ?? 1) - 1;
      if (left === 0) beginning.delete(clientId);
      else beginning.set(clientId, left);
    }
  }

  return {
    create,
    async list(clientId: number, filter: { symbol?: string | undefined; before?: string | undefined; limit: number }) {
      await watcher.flush();
      const market = filter.symbol === undefined ? undefined : markets.resolve(filter.symbol);
      if (filter.symbol !== undefined && market === undefined) return [];
      const before = filter.before === undefined ? undefined : Number(filter.before);
      return (await store.list(clientId, market?.id, before, filter.limit)).map(describe);
    },
    /** Answers false when the client has no such alert. */
    async remove(clientId: number, id: string): Promise<boolean> {
      const wasThere = await store.remove(clientId, Number(id));
      if (wasThere) watcher.remove(Number(id));
      return wasThere;
    },
    async firings(clientId: number, filter: { before?: string | undefined; limit: number }) {
      await watcher.flush();
      const before = filter.before === undefined ? undefined : Number(filter.before);
      return (await store.firings(clientId, before, filter.limit)).map((row) => {
        const market = markets.byId(row.market);
        return {
          id: String(row.id),
          alert_id: String(row.alert_id),
          symbol: market.symbol,
          direction: row.above ? ('above' as const) : ('below' as const),
          price: formatTicks(row.price, market),
          fired_price: formatTicks(row.fired_price, market),
          note: row.note,
          fired_at: row.fired_at,
        };
      });
    },
    forgetOld: () => store.forget(clock.now() - FIRINGS_KEPT_MS),
    consumer: watcher.consumer,
  };
}

const channelsOf = ({ channels }: AlertRow) => channels.split(',') as StreamAlert['channels'][number][];

export type Alerts = ReturnType<typeof createAlerts>;
