/** Price alerts as a slice: triggered by trades. */
import { createConsumerStore } from '../../platform/consumer-store.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { ExchangeView } from '../engine/feed.ts';
import type { MarketData } from '../market-data/service.ts';
import type { MarketLookup } from '../orders/service.ts';
import type { Streams } from '../streams/service.ts';
import { serveAlerts } from './routes.ts';
import { type AlertDeps, type Alerts, createAlertStore, createAlerts } from './service.ts';
import { alertTables } from './store.ts';

const HOUR_MS = 3_600_000;
const COMPARE_MS = 5_000;

export interface AlertParts {
  readonly markets: MarketLookup;
  readonly marketData: MarketData;
  readonly streams: Pick<Streams, 'push'>;
  readonly engine: { readonly exchange: Pick<ExchangeView, 'marketState'> };
  readonly notifications: AlertDeps['notifications'];
}

export interface AlertsSlice extends Slice {
  readonly alerts: Alerts;
}

export function createAlertsSlice(
  { config, database, outbox, clock, logger }: Platform,
  { markets, marketData, streams, engine, notifications }: AlertParts,
): AlertsSlice {
  const consumers = { store: createConsumerStore(database), logger };
  const alerts = createAlerts({
    consumers,
    store: createAlertStore(database),
    feed: marketData,
    markets,
    notify: (clientId, triggered) => streams.push(clientId, 'alerts', triggered),
    outbox,
    siteName: config.SITE_NAME,
    isDelisted: (market) => engine.exchange.marketState(market).delisted,
    notifications,
    clock,
  });
  return {
    alerts,
    routes: (calls) => serveAlerts(calls, alerts),
    jobs: [
      { name: 'forget old alerts', everyMs: HOUR_MS, run: alerts.forgetOld },
      { name: 'compare alerts with their table', everyMs: COMPARE_MS, run: alerts.compare },
      { name: 'end alerts of delisted pairs', everyMs: COMPARE_MS, run: alerts.endDelisted },
    ],
    consumers: [alerts.consumer],
    personalData: personalDataOf(database, alertTables),
  };
}
