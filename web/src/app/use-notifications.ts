/** Shows what is new as a notice, once, and marks it read. A failed reading is only logged. */
import { updateNotification } from '@cambist/contract/notifications.ts';
import type { StreamNotification } from '@cambist/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../lib/api-client.ts';
import { every } from '../lib/away.ts';
import { keepAnswer, keptAnswer } from '../lib/kept-answers.ts';
import type { Moment } from '../lib/moments.ts';
import { readUpTo } from '../lib/queries/held.ts';
import { checkQuery, NOTIFICATION_POLL_MS, NOTIFICATIONS_KEY } from '../lib/queries/notifications.ts';
import { useSession } from '../lib/session-store.ts';
import { useShell } from '../lib/shell-store.ts';
import { privateStream, useStale } from '../lib/streams.ts';
import { closeNotice, NOTICE_MS, noticeSuccess } from '../ui/notices.ts';

/** The notice of an answer of the support: an open chat has the answer itself, and its buttons below the notice. */
const SUPPORT_NOTICE = 'support';

/** Which was shown last is kept: what is unread and older than it is in the list, and no news on the next page. */
const SHOWN = 'notice';

interface Shown {
  readonly token: string | undefined;
  readonly id: number;
}

export function useNotifications(): void {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  const stale = useStale(privateStream);
  const { data } = useQuery({
    ...checkQuery,
    enabled: token !== undefined,
    refetchInterval: stale ? every(NOTIFICATION_POLL_MS) : false,
  });
  const shown = useRef<Shown>({ token: undefined, id: 0 });
  const newest = data?.notification;
  const unread = data?.unread ?? 0;

  useEffect(() => {
    if (!token) return;
    const readFor = (moment: Moment) => void readUpTo(queries, NOTIFICATIONS_KEY, moment);
    const stop = privateStream.subscribe<StreamNotification>(
      { channel: 'notifications' },
      { onPush: ({ moment }) => readFor(moment), onReset: readFor },
    );
    return () => {
      stop();
      useShell.setState({ unread: 0 });
    };
  }, [token, queries]);

  const mayCoverChat = useShell(({ chatOpen, noticed }) => chatOpen && noticed);
  useEffect(() => {
    if (mayCoverChat) void closeNotice(SUPPORT_NOTICE);
  }, [mayCoverChat]);

  useEffect(() => {
    // What is known yet is of who has just left.
    if (!token) return;
    if (shown.current.token !== token) shown.current = { token, id: keptAnswer<number>(SHOWN) ?? 0 };
    if (newest?.status !== 0 || newest.id <= shown.current.id) {
      // Not with the one that is announced: it is read by then.
      useShell.setState({ unread });
      return;
    }
    shown.current = { token, id: newest.id };
    keepAnswer(SHOWN, newest.id);
    const isOfSupport = newest.type === 'support';
    if (!isOfSupport || !useShell.getState().chatOpen)
      noticeSuccess(newest.title, newest.body, NOTICE_MS.success, isOfSupport ? SUPPORT_NOTICE : undefined);
    call(updateNotification, { query: { id: newest.id } })
      .then(() => queries.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }))
      .catch((error: unknown) => console.error('A notification could not be marked read', error));
  }, [newest, unread, queries, token]);
}
