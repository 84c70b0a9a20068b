/** What can be withdrawn and where to, what may leave, and the withdrawals so far. */
import type { StreamWithdrawal } from '@cambist/contract/stream.ts';
import {
  checkWithdrawal,
  readWithdrawal,
  withdrawAddresses,
  withdrawalLimits,
  withdrawHistory,
  withdrawNetworks,
} from '@cambist/contract/withdrawals.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { usePagedRows } from '../history/paged-rows.ts';
import { hasEnded } from './withdrawal-states.ts';

const NETWORKS_MS = 30_000;
const LIMITS_MS = 15_000;
const CHECK_MS = 20_000;

/** A network's trouble begins and ends while the screen is open. */
export const networksQuery = queryOptions({
  queryKey: ['withdraw-networks'],
  queryFn: ({ signal }) => call(withdrawNetworks, { signal }),
  refetchInterval: every(NETWORKS_MS),
});

export const limitsQuery = queryOptions({
  queryKey: ['account', 'withdrawal-limits'],
  queryFn: ({ signal }) => call(withdrawalLimits, { signal }),
  refetchInterval: every(LIMITS_MS),
});

export function addressesQuery(coin: string) {
  return queryOptions({
    queryKey: ['account', 'withdraw-addresses', coin],
    queryFn: async ({ signal }) => (await call(withdrawAddresses, { query: { coin }, signal })).addresses,
  });
}

export interface Wish {
  readonly coin: string;
  readonly bchain_name: string;
  readonly withdraw_address: string;
  readonly withdraw_amount: string;
}

/** What it would cost and ask for; a refusal is an answer too, and is not asked for again. */
export function checkQuery(wish: Wish) {
  return queryOptions({
    queryKey: ['account', 'withdrawal-check', wish],
    queryFn: ({ signal }) => call(checkWithdrawal, { body: wish, signal }),
    staleTime: CHECK_MS,
    retry: false,
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: ['account', 'withdrawal', id],
    queryFn: ({ signal }) => call(readWithdrawal, { params: { id }, signal }),
  });
}

export const WITHDRAWALS_KEY = ['account', 'withdrawals'] as const;

/** All that the page shows, after a withdrawal has begun or was taken back. */
export function readWithdrawalsAgain(queries: QueryClient): void {
  readWalletsAgain(queries);
  const keys = [
    WITHDRAWALS_KEY,
    limitsQuery.queryKey,
    networksQuery.queryKey,
    ['account', 'withdraw-addresses'],
    ['account', 'withdrawal'],
  ];
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
}

const withdrawals: Parameters<typeof usePagedRows<StreamWithdrawal, StreamWithdrawal>>[0] = {
  key: WITHDRAWALS_KEY,
  keepAs: 'withdraw-history',
  read: async (query, signal) => (await call(withdrawHistory, { query, signal })).withdraw,
  channel: { channel: 'withdrawals' },
  rowsOf: (pushed) => pushed,
  onRows: (rows, queries) => {
    for (const { id } of rows) void readUpTo(queries, withdrawalQuery(id).queryKey, undefined);
    if (!rows.some(hasEnded)) return;
    readWalletsAgain(queries);
    void readUpTo(queries, limitsQuery.queryKey, undefined);
  },
};

export const useWithdrawals = () => usePagedRows(withdrawals);
