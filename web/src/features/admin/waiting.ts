/** What waits for an operator, by room of the console: read while any of them is open. */
import { adminWithdrawals } from '@cambist/contract/admin-withdrawals.ts';
import { alarms } from '@cambist/contract/operations.ts';
import { pendingChanges } from '@cambist/contract/pending-changes.ts';
import { supportInbox } from '@cambist/contract/support.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { every } from '../../lib/away.ts';
import { ADMIN_KEY } from './use-act.ts';

const POLL_MS = 15_000;

export const alarmsQuery = queryOptions({
  queryKey: [...ADMIN_KEY, 'alarms'],
  queryFn: ({ signal }) => call(alarms, { signal }),
  refetchInterval: every(POLL_MS),
});

export const pendingChangesQuery = queryOptions({
  queryKey: [...ADMIN_KEY, 'pending-changes'],
  queryFn: ({ signal }) => call(pendingChanges, { query: { limit: 50 }, signal }),
  refetchInterval: every(POLL_MS),
});

/** Conversations, and how many of them are open or unread. */
export const INBOX_KEY = [...ADMIN_KEY, 'inbox'] as const;

const inboxQuery = queryOptions({
  queryKey: [...INBOX_KEY, 'counts'],
  queryFn: async ({ signal }) => (await call(supportInbox, { query: { limit: 1 }, signal })).counts,
  refetchInterval: every(POLL_MS),
});

const approvalsQuery = queryOptions({
  queryKey: [...ADMIN_KEY, 'withdrawals', 'waiting'],
  queryFn: async ({ signal }) => {
    const { waiting } = await call(adminWithdrawals, { query: { stage: 'APPROVAL', limit: 1 }, signal });
    return waiting;
  },
  refetchInterval: every(POLL_MS),
});

/** @returns unread conversations, withdrawals to approve, open alarms with pending changes, by the address of their room; 0 while not known */
export function useWaiting(): Readonly<Record<string, number>> {
  const open = useQuery(alarmsQuery).data?.alarms.filter((alarm) => alarm.acknowledged_at === null) ?? [];
  const unread = useQuery(inboxQuery).data?.unread ?? 0;
  const approvals = useQuery(approvalsQuery).data ?? 0;
  const changes = useQuery(pendingChangesQuery).data?.waiting ?? 0;
  return { '/admin/support': unread, '/admin/treasury': approvals, '/admin/operations': open.length + changes };
}
