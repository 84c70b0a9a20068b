/** What the exchange has told the client. The private stream says when there is more; while it is down, we ask. */
import { checkNotification, notificationChoices, notifications } from '@cambist/contract/notifications.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api-client.ts';

export const NOTIFICATIONS_KEY = ['account', 'notifications'] as const;
export const NOTIFICATION_POLL_MS = 60_000;

export const checkQuery = queryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'check'],
  queryFn: ({ signal }) => call(checkNotification, { signal }),
});

export const listQuery = queryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'list'],
  queryFn: ({ signal }) => call(notifications, { query: { limit: 100 }, signal }),
});

export const choicesQuery = queryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'choices'],
  queryFn: ({ signal }) => call(notificationChoices, { signal }),
});
