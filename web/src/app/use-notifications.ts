/** Shows what is new as a notice, once, and marks it read. A failed reading is only logged. */
import { updateNotification } from '@cambist/contract/notifications.ts';
import type { StreamNotification } from '@cambist/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../lib/api-client.ts';
import { checkQuery, NOTIFICATION_POLL_MS, NOTIFICATIONS_KEY } from '../lib/queries/notifications.ts';
import { useSession } from '../lib/session-store.ts';
import { privateStream, useStale } from '../lib/streams.ts';
import { noticeSuccess } from '../ui/notices.ts';

export function useNotifications(): void {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  const stale = useStale(privateStream);
  const { data } = useQuery({
    ...checkQuery,
    enabled: token !== undefined,
    refetchInterval: stale ? NOTIFICATION_POLL_MS : false,
  });
  const shown = useRef(0);
  const newest = data?.notification;

  useEffect(() => {
    if (!token) return;
    const readAgain = () => void queries.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
    return privateStream.subscribe<StreamNotification>(
      { channel: 'notifications' },
      { onPush: readAgain, onReset: readAgain },
    );
  }, [token, queries]);

  useEffect(() => {
    if (newest?.status !== 0 || newest.id <= shown.current) return;
    shown.current = newest.id;
    noticeSuccess(newest.title, newest.body);
    call(updateNotification, { query: { id: newest.id } })
      .then(() => queries.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }))
      .catch((error: unknown) => console.error('A notification could not be marked read', error));
  }, [newest, queries]);
}
