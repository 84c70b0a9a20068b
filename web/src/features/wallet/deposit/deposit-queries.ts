/** What can be deposited, the client's address on a network, and the deposits so far. */
import { depositHistory, depositNetworks, fetchAddress, type NetworkName } from '@cambist/contract/deposits.ts';
import type { StreamDeposit } from '@cambist/contract/stream.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';
import { usePagedRows } from '../history/paged-rows.ts';

const NETWORKS_MS = 30_000;

/** A network's trouble begins and ends while the screen is open. */
export const networksQuery = queryOptions({
  queryKey: ['deposit-networks'],
  queryFn: ({ signal }) => call(depositNetworks, { signal }),
  refetchInterval: every(NETWORKS_MS),
});

export const ADDRESSES_KEY = ['account', 'deposit-address'] as const;

/** Null where none was made yet. */
export function addressQuery(network: NetworkName) {
  return queryOptions({
    queryKey: [...ADDRESSES_KEY, network],
    queryFn: async ({ signal }) =>
      (await call(fetchAddress, { query: { wallet_type: network }, signal })).wallet.wallet_address,
  });
}

const deposits: Parameters<typeof usePagedRows<StreamDeposit, StreamDeposit>>[0] = {
  key: ['account', 'deposits'],
  read: async (query, signal) => (await call(depositHistory, { query, signal })).deposit,
  channel: { channel: 'deposits' },
  rowsOf: (pushed) => pushed,
  onRows: (rows, queries) => {
    if (rows.some(({ state }) => state !== 'SEEN')) readWalletsAgain(queries);
  },
};

export const useDeposits = () => usePagedRows(deposits);
