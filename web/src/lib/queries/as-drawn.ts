/** Answers on a page that was drawn beforehand. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** What there is to show of a query: `data`, or the `error` in its place, or neither yet. */
export type Drawn<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;

/**
 * A query without its answer while its piece of the page comes alive, since the page was drawn without it: a piece that
 * is late would else differ from what stands there, and React would throw that away and draw it anew.
 */
export function useAsDrawn<Data>({ data, error, refetch }: UseQueryResult<Data>): Drawn<Data> {
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return isAlive ? { data, error, refetch } : { data: undefined, error: null, refetch };
}
