/** Notifications as a slice. */
import type { Streams } from '../../exchange/streams/service.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { serveNotifications } from './routes.ts';
import { createNotificationStore, createNotifications, type Notifications } from './service.ts';
import { notificationTables } from './store.ts';

const DAY_MS = 86_400_000;

export interface NotificationsSlice extends Slice {
  readonly notifications: Notifications;
}

export function createNotificationsSlice(
  { database, clock }: Platform,
  { streams }: { readonly streams: Pick<Streams, 'push' | 'note'> },
): NotificationsSlice {
  const notifications = createNotifications({
    store: createNotificationStore(database),
    push: (clientId, news) => streams.push(clientId, 'notifications', [news]),
    noteChange: (clientId) => void streams.note(clientId, 'notifications'),
    clock,
  });
  return {
    notifications,
    personalData: personalDataOf(database, notificationTables),
    routes: (calls) => serveNotifications(calls, notifications),
    jobs: [{ name: 'forget old notifications', everyMs: DAY_MS, run: notifications.forgetOld }],
  };
}
