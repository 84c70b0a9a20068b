/** A history of any length, read page by page. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import type { ListState } from '../orders/account-list.tsx';

const PAGE = 100;

interface Page {
  readonly limit: number;
  /** The row before which older ones are read. */
  readonly before?: string;
}

export function useFuturesHistory<Row extends { readonly id: string }>(
  name: string,
  read: (page: Page, signal: AbortSignal) => Promise<readonly Row[]>,
): ListState<Row> {
  const pages = useInfiniteQuery({
    queryKey: [...accountKeys.futuresHistory, name],
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam === undefined ? {} : { before: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    staleTime: 0,
  });
  return {
    rows: pages.data?.pages.flat(),
    error: pages.error,
    retry: () => void pages.refetch(),
    ...(pages.hasNextPage ? { more: () => void pages.fetchNextPage() } : {}),
  };
}
