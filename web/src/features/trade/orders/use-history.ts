/** A history of any length: the newest rows as the stream keeps them, and older pages when they are asked for. */

import { orderHistories, tradeHistories } from '@cambist/contract/histories.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { isBackwards } from '../../../lib/date-span.ts';
import { orderHistoryQuery, tradeHistoryQuery } from '../../../lib/queries/account.ts';
import { accountKeys, LIST_LIMIT } from '../../../lib/queries/account-keys.ts';
import { useTerminal } from '../terminal.ts';
import type { ListState } from './account-list.tsx';
import { filterCount, type HistoryFilter, ordersQuery, tradesQuery, wantsFill, wantsOrder } from './history-filter.ts';
import { type Kept, NOTHING_KEPT, newestFirst, withNewest } from './history-rows.ts';

interface Source<Row> {
  readonly live: {
    readonly rows: readonly Row[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly wants: (filter: HistoryFilter, row: Row) => boolean;
  readonly key: readonly string[];
  readonly read: (filter: HistoryFilter, before: string | undefined, signal: AbortSignal) => Promise<readonly Row[]>;
}

const before = (id: string | undefined) => ({ limit: LIST_LIMIT, ...(id === undefined ? {} : { before: id }) });

function useHistory<Row extends { readonly id: string }>(filter: HistoryFilter, source: Source<Row>): ListState<Row> {
  const { live, wants, key, read } = source;
  const [kept, setKept] = useState<Kept<Row>>(NOTHING_KEPT);
  useEffect(() => {
    if (live.rows) setKept((now) => withNewest(now, live.rows ?? [], LIST_LIMIT));
  }, [live.rows]);
  const isFiltered = filterCount(filter) > 0;
  // Without a filter the newest are here already, and older ones are read from there on.
  const from = isFiltered ? undefined : kept.olderFrom;
  const pages = useInfiniteQuery({
    queryKey: [...key, 'pages', filter, from],
    queryFn: ({ pageParam, signal }) => read(filter, pageParam, signal),
    initialPageParam: from,
    getNextPageParam: (page) => (page.length < LIST_LIMIT ? undefined : page.at(-1)?.id),
    enabled: (isFiltered && !isBackwards(filter)) || from !== undefined,
  });
  const fetched = pages.data?.pages.flat() ?? [];
  const isPending = isFiltered ? pages.isPending && pages.fetchStatus !== 'idle' : live.rows === undefined;
  const isReadingOn = pages.isFetchingNextPage || (from !== undefined && pages.isPending);
  const hasMore = isFiltered || from !== undefined ? pages.hasNextPage : kept.rows.length >= LIST_LIMIT;
  const readOn = () => {
    if (isReadingOn) return;
    if (isFiltered || from !== undefined) void pages.fetchNextPage();
    else setKept((now) => ({ ...now, olderFrom: now.rows.at(-1)?.id }));
  };
  return {
    rows: isPending
      ? undefined
      : newestFirst([...fetched, ...kept.rows, ...(live.rows ?? [])].filter((row) => wants(filter, row))),
    error: pages.error ?? live.error,
    retry: () => {
      void live.refetch();
      if (pages.isError) void pages.refetch();
    },
    ...(hasMore || isReadingOn ? { more: readOn } : {}),
  };
}

export function useOrderHistory(filter: HistoryFilter): ListState<Order> {
  const { market } = useTerminal();
  const { data, error, refetch } = useQuery(orderHistoryQuery(market));
  return useHistory<Order>(filter, {
    live: { rows: data?.orders, error, refetch },
    wants: wantsOrder,
    key: [...accountKeys.orderHistory, market],
    read: async (wanted, id, signal) =>
      (await call(orderHistories, { query: { market, ...ordersQuery(wanted), ...before(id) }, signal })).orders,
  });
}

export function useTradeHistory(filter: HistoryFilter): ListState<Fill> {
  const { market } = useTerminal();
  const { data, error, refetch } = useQuery(tradeHistoryQuery(market));
  return useHistory<Fill>(filter, {
    live: { rows: data?.trades, error, refetch },
    wants: wantsFill,
    key: [...accountKeys.tradeHistory, market],
    read: async (wanted, id, signal) =>
      (await call(tradeHistories, { query: { market, ...tradesQuery(wanted), ...before(id) }, signal })).trades,
  });
}
