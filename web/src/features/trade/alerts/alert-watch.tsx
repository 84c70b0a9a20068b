/** Tells of alerts that trigger and orders that fill, on whatever screen the person is. Mounted once, by the layout. */
import type { PriceAlert } from '@cambist/contract/alerts.ts';
import type { StreamAlert } from '@cambist/contract/stream.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { localizeNumber } from '../../../lib/format.ts';
import { Heard } from '../../../lib/heard.ts';
import { loadTexts, t } from '../../../lib/i18n.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { useSession } from '../../../lib/session-store.ts';
import { privateStream } from '../../../lib/streams.ts';
import { noticeSuccess } from '../notices.ts';
import { FillWatch } from '../orders/fill-watch.tsx';
import { alertsQuery } from './alerts-query.ts';

type Triggered = Pick<StreamAlert, 'alertId' | 'instId' | 'triggeredPx' | 'note' | 'channels' | 'ts'>;

/** What the stream would have said of an alert that triggered after a moment (ms). */
const triggeredSince = ({ id, symbol, triggered_at: at, ...alert }: PriceAlert, since: number): Triggered[] =>
  at === null || at <= since
    ? []
    : [{ ...alert, alertId: id, instId: symbol, triggeredPx: alert.triggered_price, ts: String(at) }];

function tell(alert: Triggered): void {
  const values = { pair: alert.instId, price: localizeNumber(alert.triggeredPx) };
  const title = t('{{pair}} is at {{price}}', values);
  const text = alert.note || t('Price alert');
  if (alert.channels.includes('page')) noticeSuccess(title, text);
  const mayNotify = 'Notification' in globalThis && Notification.permission === 'granted';
  if (alert.channels.includes('browser') && mayNotify) new Notification(title, { body: text, tag: alert.alertId });
}

export default function AlertWatch() {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  useEffect(() => {
    if (!token) return;
    /** Alerts with the time at which they triggered: each is told once. */
    const told = new Set<string>();
    const heard = new Heard();
    const tellNew = (triggered: readonly Triggered[]) => {
      const news = triggered.filter(({ alertId, ts }) => !told.has(`${alertId} ${ts}`));
      for (const { alertId, ts } of news) told.add(`${alertId} ${ts}`);
      if (news.length > 0) void loadTexts('trade').then(() => news.forEach(tell));
    };
    return privateStream.subscribe<StreamAlert>(
      { channel: 'alerts' },
      {
        onPush: ({ data, moment }) => {
          heard.push();
          tellNew(data);
          void readUpTo(queries, alertsQuery.queryKey, moment);
        },
        // What triggered before the page was opened is no news; what did while the stream was lost is.
        onReset: (moment) => {
          const since = heard.begin();
          if (since === undefined) return;
          readUpTo(queries, alertsQuery.queryKey, moment)
            .then(() => queries.fetchQuery(alertsQuery))
            .then(({ alerts }) => tellNew(alerts.flatMap((alert) => triggeredSince(alert, since))))
            .catch((error: unknown) => console.error('What triggered meanwhile could not be read', error));
        },
      },
    );
  }, [token, queries]);
  return <FillWatch />;
}
