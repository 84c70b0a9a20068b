/**
 * Follows transfers that are underway, on whatever screen the person is: the notice of one that was begun here grows
 * with its confirmations, and a reversal is told wherever it was begun. Mounted once, by the layout.
 */
import type { StreamTransfer } from '@cambist/contract/stream.ts';
import { type Transfer, transfers } from '@cambist/contract/transfers.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { call } from '../../../lib/api-client.ts';
import { loadTexts, t } from '../../../lib/i18n.ts';
import { usePolling } from '../../../lib/polling.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { useSession } from '../../../lib/session-store.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { closeNotice, noticeError, noticeProgress } from '../../../ui/notices.ts';
import { walletLabel } from '../wallets.ts';
import { receiveTransfer, TRANSFERS_SHOWN, transfersQuery } from './transfer-queries.ts';
import { amountOf, TransferProgress } from './witnesses.tsx';

const STALE_POLL_MS = 2_000;
/** A push that overtook the answer to the call is found by reading again. */
const POLL_MS = 10_000;

/** The transfers whose notices are on this tab. */
const useFollowed = create<{ readonly ids: readonly string[] }>()(() => ({ ids: [] }));

const noticeId = ({ id }: Transfer) => `transfer-${id}`;
const isFollowed = ({ id }: Transfer) => useFollowed.getState().ids.includes(id);

function showProgress(transfer: Transfer, isNew: boolean): void {
  const isDone = transfer.state === 'COMPLETED';
  const title = isDone ? t('Transfer complete') : t('Transfer in progress');
  void noticeProgress({ id: noticeId(transfer), title, body: <TransferProgress transfer={transfer} />, isDone }, isNew);
}

function tellReversal(transfer: Transfer): void {
  void closeNotice(noticeId(transfer));
  const why =
    transfer.reason === 'NOT_CONFIRMED'
      ? t('It was not confirmed in time.')
      : t('A ledger check did not match the transfer.');
  const text = t('Returned to {{wallet}}: {{amount}}.', {
    wallet: walletLabel(transfer.from),
    amount: amountOf(transfer),
  });
  noticeError(t('Transfer reversed'), `${why} ${text}`);
}

/** Puts up the notice of a transfer that the person has just begun. */
export function followTransfer(transfer: Transfer): void {
  useFollowed.setState(({ ids }) => ({ ids: [...ids, transfer.id] }));
  showProgress(transfer, true);
}

function unfollow({ id }: Transfer): void {
  useFollowed.setState(({ ids }) => ({ ids: ids.filter((followed) => followed !== id) }));
}

function receive(queries: QueryClient, transfer: Transfer): void {
  receiveTransfer(queries, transfer);
  if (transfer.state === 'REVERSED') tellReversal(transfer);
  else if (isFollowed(transfer)) showProgress(transfer, false);
  if (transfer.state !== 'PENDING') unfollow(transfer);
}

export default function TransferWatch() {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  const isStale = useStale(privateStream);
  const isFollowing = useFollowed(({ ids }) => ids.length > 0);

  const readFollowed = async (signal: AbortSignal) => {
    const answer = await call(transfers, { query: { limit: TRANSFERS_SHOWN }, signal });
    for (const transfer of answer.transfers.filter(isFollowed)) receive(queries, transfer);
  };
  usePolling(isFollowing, isStale ? STALE_POLL_MS : POLL_MS, readFollowed);

  useEffect(() => {
    if (!token) return;
    return privateStream.subscribe<StreamTransfer>(
      { channel: 'transfers' },
      {
        onPush: ({ data }) =>
          void loadTexts('wallet').then(() => {
            for (const transfer of data) receive(queries, transfer);
          }),
        onReset: (moment) => void readUpTo(queries, transfersQuery.queryKey, moment),
      },
    );
  }, [token, queries]);
  return null;
}
