/** Counts what has not been seen, for the badge in the corner. Fetched only for those who have conversations. */
import { useEffect } from 'react';
import { useShell } from '../../lib/shell-store.ts';
import { useConversations, useSupportStream } from './support-queries.ts';

export default function ChatWatch() {
  useSupportStream();
  const unread = useConversations(false).data?.unread ?? 0;
  const setChatUnread = useShell((shell) => shell.setChatUnread);
  useEffect(() => setChatUnread(unread), [unread, setChatUnread]);
  return null;
}
