/** Price alerts as a slice: triggered by trades. */
import type { Mailer } from '../../people/mail/service.ts';
import { createConsumerStore } from '../../platform/consumer-store.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { MarketData } from '../market-data/service.ts';
import type { MarketLookup } from '../orders/service.ts';
import type { Streams } from '../streams/service.ts';
import { serveAlerts } from './routes.ts';
import { type Alerts, createAlertStore, createAlerts } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface AlertParts {
  readonly markets: MarketLookup;
  readonly marketData: MarketData;
  readonly mailer: Mailer;
  readonly streams: Pick<Streams, 'push'>;
}

export interface AlertsSlice extends Slice {
  readonly alerts: Alerts;
}

export function createAlertsSlice(
  { config, database, clock, logger }: Platform,
  { markets, marketData, mailer, streams }: AlertParts,
): AlertsSlice {
  const consumers = { store: createConsumerStore(database), logger };
  const alerts = createAlerts({
    consumers,
    store: createAlertStore(database),
    feed: marketData,
    markets,
    lastPrice: marketData.lastPrice,
    notify: (clientId, triggered) => streams.push(clientId, 'alerts', triggered),
    mailer,
    siteName: config.SITE_NAME,
    clock,
    logger,
  });
  return {
    alerts,
    routes: (calls) => serveAlerts(calls, alerts),
    jobs: [
      { name: 'mail alerts', everyMs: MINUTE_MS, run: alerts.sendMails },
      { name: 'forget old alerts', everyMs: HOUR_MS, run: alerts.forgetOld },
    ],
    consumers: [alerts.consumer],
    close: () => alerts.close(),
  };
}
