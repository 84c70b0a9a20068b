/** Tells of alerts that trigger and orders that fill, on whatever screen the person is. Mounted once, by the layout. */
import type { StreamAlert } from '@cambist/contract/stream.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { localizeNumber } from '../../../lib/format.ts';
import { loadTexts, t } from '../../../lib/i18n.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { useSession } from '../../../lib/session-store.ts';
import { privateStream } from '../../../lib/streams.ts';
import { noticeSuccess } from '../notices.ts';
import { FillWatch } from '../orders/fill-watch.tsx';
import { alertsQuery } from './alerts-query.ts';

function tell(alert: StreamAlert): void {
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
    return privateStream.subscribe<StreamAlert>(
      { channel: 'alerts' },
      {
        onPush: ({ data, moment }) => {
          void loadTexts('trade').then(() => data.forEach(tell));
          void readUpTo(queries, alertsQuery.queryKey, moment);
        },
      },
    );
  }, [token, queries]);
  return <FillWatch />;
}
