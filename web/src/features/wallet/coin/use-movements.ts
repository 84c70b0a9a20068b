/** The lists of a coin, each read a page at a time as the person turns pages. */
import { depositHistory } from '@cambist/contract/deposits.ts';
import { tradeHistories } from '@cambist/contract/histories.ts';
import { transfers } from '@cambist/contract/transfers.ts';
import { withdrawHistory } from '@cambist/contract/withdrawals.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import type { Moment } from '../../../lib/moments.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { privateStream } from '../../../lib/streams.ts';
import { type Movement, merged, ofDeposit, ofFill, ofTransfer, ofWithdrawal, part } from './movements.ts';

const PAGE = 100;
/** The private stream says when there is something new; this is for when it is silent. */
const FALLBACK_MS = 10_000;

const FILLS = ['account', 'coin-fills'];
const TRANSFERS = ['account', 'coin-transfers'];
const DEPOSITS = ['account', 'coin-deposits'];
const WITHDRAWALS = ['account', 'coin-withdrawals'];

type Before = string | undefined;

interface Listed {
  readonly id: string;
}

function useList<Row extends Listed>(
  key: readonly string[],
  read: (query: { readonly limit: number; readonly before?: string }, signal: AbortSignal) => Promise<readonly Row[]>,
  enabled: boolean,
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam === undefined ? {} : { before: pageParam }) }, signal),
    initialPageParam: undefined as Before,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    refetchInterval: every(FALLBACK_MS),
    enabled,
  });
}

type List<Row> = ReturnType<typeof useList<Row & Listed>>;

const sourceOf = <Row extends Listed>({ data, hasNextPage }: List<Row>) => ({
  rows: data?.pages.flat() ?? [],
  hasMore: hasNextPage,
});

export interface Movements {
  /** Undefined while they are being read. */
  readonly rows: readonly Movement[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly readOn: () => void;
  readonly retry: () => void;
}

/** Each list is read again when the stream has told of something in it. */
function useStreamedLists(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const follow = (channel: string, queryKey: readonly string[]) => {
      const readFor = (moment: Moment) => void readUpTo(queries, queryKey, moment);
      return privateStream.subscribe({ channel }, { onPush: ({ moment }) => readFor(moment), onReset: readFor });
    };
    const leave = [
      follow('fills', FILLS),
      follow('transfers', TRANSFERS),
      follow('deposits', DEPOSITS),
      follow('withdrawals', WITHDRAWALS),
    ];
    return () => {
      for (const end of leave) end();
    };
  }, [queries]);
}

/** The lists that are read, as far as they were; those that are not shown stay at rest. */
function useLists(coin: string, only: 'deposits' | 'withdrawals' | 'all') {
  const isAll = only === 'all';
  // Money is a part of every trade, any other coin of those of its name.
  const symbol = coin === 'USDT' ? {} : { symbol: coin };
  const fills = useList(
    [...FILLS, coin],
    async (query, signal) => (await call(tradeHistories, { query: { ...query, ...symbol }, signal })).trades,
    isAll,
  );
  const moved = useList(
    TRANSFERS,
    async (query, signal) => (await call(transfers, { query, signal })).transfers,
    isAll,
  );
  const deposits = useList(
    [...DEPOSITS, coin],
    async (query, signal) => (await call(depositHistory, { query: { ...query, coin }, signal })).deposit,
    only !== 'withdrawals',
  );
  const withdrawals = useList(
    [...WITHDRAWALS, coin],
    async (query, signal) => (await call(withdrawHistory, { query: { ...query, coin }, signal })).withdraw,
    only !== 'deposits',
  );
  return { fills, moved, deposits, withdrawals };
}

/** @param only deposits or withdrawals, where nothing else is wanted */
export function useMovements(coin: string, only: 'deposits' | 'withdrawals' | 'all'): Movements {
  useStreamedLists();
  const { fills, moved, deposits, withdrawals } = useLists(coin, only);
  const ofFills = () =>
    part(
      sourceOf(fills),
      ({ created_at }) => created_at,
      (row) => ofFill(coin, row),
    );
  const ofMoved = () =>
    part(
      sourceOf(moved),
      ({ created_at }) => created_at,
      (row) => ofTransfer(coin, row),
    );
  const ofDeposits = () =>
    part(
      sourceOf(deposits),
      ({ date }) => date,
      (row) => ofDeposit(coin, row),
    );
  const ofWithdrawals = () =>
    part(
      sourceOf(withdrawals),
      ({ date }) => date,
      (row) => ofWithdrawal(coin, row),
    );
  const shown = {
    all: { lists: [fills, moved, deposits, withdrawals], parts: [ofFills, ofMoved, ofDeposits, ofWithdrawals] },
    deposits: { lists: [deposits], parts: [ofDeposits] },
    withdrawals: { lists: [withdrawals], parts: [ofWithdrawals] },
  }[only];
  return {
    rows: shown.lists.some(({ isPending }) => isPending) ? undefined : merged(shown.parts.map((read) => read())),
    error: shown.lists.find(({ error }) => error)?.error ?? null,
    hasMore: shown.lists.some(({ hasNextPage }) => hasNextPage),
    readOn: () => {
      for (const list of shown.lists) if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    retry: () => {
      for (const list of shown.lists) if (list.isError) void list.refetch();
    },
  };
}
