/** The client's transfers, and whether the futures wallet may be drawn from. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { drawOutStatus, type Transfer, transfers } from '@cambist/contract/transfers.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';

const FALLBACK_MS = 30_000;
export const TRANSFERS_SHOWN = 20;

type Transfers = AnswerOf<typeof transfers>;

export const transfersQuery = queryOptions({
  queryKey: ['account', 'transfers'],
  queryFn: ({ signal }) => call(transfers, { query: { limit: TRANSFERS_SHOWN }, signal }),
  refetchInterval: every(FALLBACK_MS),
});

export const drawOutQuery = queryOptions({
  queryKey: ['account', 'draw-out'],
  queryFn: ({ signal }) => call(drawOutStatus, { signal }),
});

/** The list with the newest state of one transfer in it; a push that is older than what is known changes nothing. */
export function mergeTransfer(list: readonly Transfer[], changed: Transfer): Transfer[] {
  const known = list.find(({ id }) => id === changed.id);
  if (!known) return [changed, ...list].slice(0, TRANSFERS_SHOWN);
  if (known.updated_at > changed.updated_at || known.confirmations > changed.confirmations) return [...list];
  return list.map((entry) => (entry.id === changed.id ? changed : entry));
}

/** What is on screen follows a transfer: its row, and the balances that it moves. */
export function receiveTransfer(queries: QueryClient, changed: Transfer): void {
  queries.setQueryData<Transfers>(
    transfersQuery.queryKey,
    (old) => old && { transfers: mergeTransfer(old.transfers, changed) },
  );
  if (changed.state !== 'PENDING' || changed.confirmations === 0) readWalletsAgain(queries);
}
