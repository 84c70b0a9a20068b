/** A statement as far as it was read: page after page by the server's own places, and again when something has moved. */
import { type StatementEntry, statement } from '@cambist/contract/statements.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { type DateSpan, isBackwards, spanQuery } from '../../../lib/date-span.ts';
import type { Moment } from '../../../lib/moments.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';

const READ_AT_ONCE = 100;
/** While the stream is silent, and for what it does not tell of. */
const STALE_POLL_MS = 5_000;
const FALLBACK_MS = 30_000;
/** Fills come many at a time; all that was read is read again once for them. */
const GATHER_MS = 1_000;

const STATEMENT = ['account', 'statement'];
/** Each movement of a wallet is told by one of these. */
const CHANNELS = ['account', 'fills', 'transfers', 'deposits', 'withdrawals'];

export interface WhichStatement {
  readonly coin: string;
  readonly wallet: WalletName;
  readonly span: DateSpan;
}

function useStreamedStatement(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let newest: Moment;
    const onPush = ({ moment }: { readonly moment?: string }) => {
      newest = moment;
      timer ??= setTimeout(() => {
        timer = undefined;
        void readUpTo(queries, STATEMENT, newest, 'failed');
      }, GATHER_MS);
    };
    const onReset = (moment: Moment) => void readUpTo(queries, STATEMENT, moment);
    const leave = CHANNELS.map((channel) => privateStream.subscribe({ channel }, { onPush, onReset }));
    return () => {
      clearTimeout(timer);
      for (const end of leave) end();
    };
  }, [queries]);
}

export interface Statement {
  /** Of now; undefined until it is here. */
  readonly balance: string | undefined;
  /** Undefined until they are here. */
  readonly entries: readonly StatementEntry[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  readonly readOn: () => void;
  readonly retry: () => void;
}

/** @param which with days in their order; otherwise nothing is read */
export function useStatement({ coin, wallet, span }: WhichStatement): Statement {
  useStreamedStatement();
  const isStale = useStale(privateStream);
  const list = useInfiniteQuery({
    queryKey: [...STATEMENT, coin, wallet, span.from, span.to],
    queryFn: ({ pageParam, signal }) => {
      const place = pageParam === undefined ? {} : { before: pageParam };
      return call(statement, { query: { coin, wallet, limit: READ_AT_ONCE, ...spanQuery(span), ...place }, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: !isBackwards(span),
    refetchInterval: every(isStale ? STALE_POLL_MS : FALLBACK_MS),
  });
  const { data, error, hasNextPage, isFetchingNextPage, isFetching } = list;
  return {
    balance: data?.pages[0]?.balance ?? undefined,
    entries: data?.pages.flatMap(({ entries }) => entries),
    error,
    hasMore: hasNextPage,
    isReading: isFetching,
    // One under way is not broken off: it may be the page that is being read already.
    readOn: () => void (isFetchingNextPage || isFetching || list.fetchNextPage()),
    retry: () => void list.refetch(),
  };
}
