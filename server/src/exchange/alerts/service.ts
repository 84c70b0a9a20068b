/** Price alerts of clients: made, listed, deleted, triggered by trades, and told on the private stream and by mail. */
import type { PriceAlert } from '@cambist/contract/alerts.ts';
import { ALERTS_PER_CLIENT } from '@cambist/contract/alerts.ts';
import type { StreamAlert } from '@cambist/contract/stream.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { maximumTicks } from '@cambist/core/money/notional.ts';
import { formatTicks, parseTicks } from '@cambist/core/money/price.ts';
import type { ConsumerDeps } from '../../platform/consumers.ts';
import type { Statement } from '../../platform/database.ts';
import type { Outbox } from '../../platform/outbox.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import { isReached } from './alert-index.ts';
import { alertMessage } from './alert-mail.ts';
import { channelsOf, describeAlert, describePush, describeTriggering } from './describe.ts';
import { type AlertStore, type Triggering, whileThere } from './store.ts';
import { createWatcher, type TradeFeed, type Watcher } from './watcher.ts';

export { alertTimes, createAlertStore } from './store.ts';

interface Notice {
  readonly clientId: number;
  readonly type: 'orders';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
}

export interface AlertDeps {
  readonly store: AlertStore;
  readonly feed: TradeFeed;
  readonly consumers: ConsumerDeps;
  readonly markets: { resolve(name: string): MarketSpec | undefined; byId(id: number): MarketSpec };
  /** Tells a client's open pages. */
  readonly notify: (clientId: number, alerts: readonly StreamAlert[]) => void;
  readonly outbox: Pick<Outbox, 'statementGiven' | 'wake'>;
  readonly siteName: string;
  readonly isDelisted: (market: number) => boolean;
  readonly notifications: {
    /** For the transaction that the notices are about. */
    readonly noticeStatement: (notices: readonly Notice[]) => Statement;
    /** Tells the open pages of clients of the newest notice of each. */
    readonly announce: (clientIds: readonly number[]) => Promise<void>;
  };
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
const TRIGGERINGS_KEPT_MS = 90 * DAY_MS;

/** Checks a new alert against its market, the last price and how many its client has. */
function checked(
  { markets, feed }: AlertDeps,
  input: AlertInput,
  active: number,
): AlertError | { readonly market: MarketSpec; readonly price: number } {
  const market = markets.resolve(input.symbol);
  if (market === undefined) return { kind: 'unknown-pair', name: input.symbol };
  const price = parseTicks(input.price, market);
  if (!price.ok || price.value === 0 || price.value > maximumTicks(market)) {
    return { kind: 'invalid-price', decimals: market.tickScale };
  }
  const last = feed.lastPrice(market.id);
  if (last > 0 && isReached({ above: input.direction === 'above', price: price.value }, last)) {
    return { kind: 'reached', price: formatTicks(last, market) };
  }
  return active >= ALERTS_PER_CLIENT ? { kind: 'too-many' } : { market, price: price.value };
}

const isMailed = ({ alert }: Triggering) => channelsOf(alert).includes('mail');

/** Makes alerts, each counted for its client from the moment when it is on its way to the store. */
function createMaking(deps: AlertDeps, watcher: Watcher) {
  const beginning = new Map<number, number>();

  return async (clientId: number, input: AlertInput): Promise<PriceAlert | AlertError> => {
    const made = checked(deps, input, watcher.countOf(clientId) + (beginning.get(clientId) ?? 0));
    if ('kind' in made) return made;
    beginning.set(clientId, (beginning.get(clientId) ?? 0) + 1);
    try {
      const row = await watcher.add({
        client_id: clientId,
        market: made.market.id,
        above: input.direction === 'above',
        price: made.price,
        pause_minutes: input.repeat === 'repeating' ? input.pause_minutes : 0,
        channels: input.channels.join(','),
        note: input.note,
        locale: input.locale,
        created_at: deps.clock.now(),
      });
      return describeAlert(row, made.market, deps.clock.now());
    } finally {
      const left = (beginning.get(clientId) ?? 1) - 1;
      if (left === 0) beginning.delete(clientId);
      else beginning.set(clientId, left);
    }
  };
}

/** Ends the alerts of markets that are delisted; each client gets one notice for each market. */
async function endDelisted({ store, markets, isDelisted, notifications }: AlertDeps, watcher: Watcher): Promise<void> {
  for (const market of watcher.markets()) {
    if (!isDelisted(market)) continue;
    const clients = await store.clientsIn(market);
    const pair = { pair: markets.byId(market).symbol };
    const title = say('Price alerts ended');
    const body = say('{{pair}} was delisted. Your price alerts for it have ended.', pair);
    const notices = clients.map((clientId) => ({ clientId, type: 'orders' as const, title, body }));
    for (const id of await store.endIn(market, notifications.noticeStatement(notices))) watcher.remove(id);
    await notifications.announce(clients);
  }
}

export function createAlerts(deps: AlertDeps) {
  const { store, markets, clock, outbox } = deps;
  const watcher = createWatcher({
    store,
    feed: deps.feed,
    consumers: deps.consumers,
    clock,
    also(triggering) {
      if (!isMailed(triggering)) return [];
      const { id, market } = triggering.alert;
      return [outbox.statementGiven(whileThere(id), alertMessage(triggering, markets.byId(market), deps.siteName))];
    },
    onTriggered(triggering) {
      deps.notify(triggering.alert.client_id, [describePush(triggering, markets.byId(triggering.alert.market))]);
      if (isMailed(triggering)) outbox.wake();
    },
  });

  return {
    create: createMaking(deps, watcher),

    async list(clientId: number, filter: { symbol?: string | undefined; before?: string | undefined; limit: number }) {
      await watcher.flush();
      const market = filter.symbol === undefined ? undefined : markets.resolve(filter.symbol);
      if (filter.symbol !== undefined && market === undefined) return [];
      const before = filter.before === undefined ? undefined : Number(filter.before);
      const rows = await store.list(clientId, market?.id, before, filter.limit);
      return rows.map((row) => describeAlert(row, markets.byId(row.market), clock.now()));
    },

    /** Answers false when the client has no such alert. */
    async remove(clientId: number, id: string): Promise<boolean> {
      const wasThere = await store.remove(clientId, Number(id)).catch((error: unknown) => {
        watcher.mayDiffer();
        throw error;
      });
      if (wasThere) watcher.remove(Number(id));
      return wasThere;
    },

    async triggerings(clientId: number, filter: { before?: string | undefined; limit: number }) {
      await watcher.flush();
      const before = filter.before === undefined ? undefined : Number(filter.before);
      const rows = await store.triggerings(clientId, before, filter.limit);
      return rows.map((row) => describeTriggering(row, markets.byId(row.market)));
    },

    compare: watcher.compare,
    endDelisted: () => endDelisted(deps, watcher),
    forgetOld: () => store.forget(clock.now() - TRIGGERINGS_KEPT_MS),
    consumer: watcher.consumer,
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
