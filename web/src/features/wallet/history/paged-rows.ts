/** A history of any length, newest first: read a page at a time, and kept in step with what the private stream says. */
import type { ChannelArgument } from '@cambist/contract/stream.ts';
import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { every } from '../../../lib/away.ts';
import { keepAnswer, keptAnswer } from '../../../lib/kept-answers.ts';
import { type Moment, momentOf, reaches } from '../../../lib/moments.ts';
import { readUpTo } from '../../../lib/queries/held.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';

/** As the wallets, while the stream is silent. */
const STALE_POLL_MS = 5_000;
const FALLBACK_MS = 30_000;
const READ_AT_ONCE = 50;
/** Of what is heard between two readings. */
const HEARD_LIMIT = 200;

interface HasId {
  /** Grows from row to row. */
  readonly id: string;
}

export interface RowPage<Row> {
  /** Before the server was asked, by the page's own clock. */
  readonly askedAt: number;
  /** That the answer reaches. */
  readonly moment?: Moment;
  readonly rows: readonly Row[];
}

export interface HeardRow<Row> {
  readonly heardAt: number;
  readonly moment?: Moment;
  readonly row: Row;
}

/** With the newest state of each row in place of what was heard of it before; undefined when that is too much to keep. */
export function withHeard<Row extends HasId>(
  heard: readonly HeardRow<Row>[],
  pushed: readonly Row[],
  heardAt: number,
  moment?: Moment,
): HeardRow<Row>[] | undefined {
  const byId = new Map(heard.map((known) => [known.row.id, known]));
  for (const row of pushed) byId.set(row.id, { heardAt, moment, row });
  return byId.size > HEARD_LIMIT ? undefined : [...byId.values()];
}

/**
 * Each row once, newest first. What was heard after the list was asked for, and is of no moment that the list reaches, is
 * newer than the list, whatever either says: a deposit's confirmations may fall, and it may be taken back. A row that is older than all that was read comes with its
 * own page.
 * @param hasMore there are older ones that were not read
 */
export function mergeRows<Row extends HasId>(
  pages: readonly RowPage<Row>[],
  heard: readonly HeardRow<Row>[],
  hasMore: boolean,
): Row[] {
  const known = new Map(
    pages.flatMap(({ askedAt, moment, rows }) => rows.map((row) => [row.id, { row, since: askedAt, moment }] as const)),
  );
  const oldest = Math.min(...[...known.keys()].map(Number));
  for (const { heardAt, moment, row } of heard) {
    const read = known.get(row.id);
    const isNewer = heardAt > (read?.since ?? 0) && !reaches(read?.moment, moment);
    const isWanted = read ? isNewer : !hasMore || Number(row.id) > oldest;
    if (isWanted) known.set(row.id, { row, since: heardAt, moment });
  }
  return [...known.values()].map(({ row }) => row).sort((left, right) => Number(right.id) - Number(left.id));
}

export interface PagedRows<Row> {
  /** Undefined until they are here. */
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  /** There are older ones that were not read yet. */
  readonly hasMore: boolean;
  readonly readOn: () => void;
  readonly retry: () => void;
}

interface Source<Row, Push> {
  /** Of the list in the cache; the same array each time. */
  readonly key: readonly string[];
  readonly read: (query: { limit: number; before?: string }, signal: AbortSignal) => Promise<readonly Row[]>;
  readonly channel: ChannelArgument;
  /** The rows of this list in a push. */
  readonly rowsOf: (pushed: readonly Push[]) => readonly Row[];
  /** What else changes with them. */
  readonly onRows?: (rows: readonly Row[], queries: QueryClient) => void;
  /** The name under which the newest are kept on the device for the next visit. */
  readonly keepAs?: string;
}

function useHeard<Row extends HasId, Push>(source: Source<Row, Push>): readonly HeardRow<Row>[] {
  const queries = useQueryClient();
  const [heard, setHeard] = useState<readonly HeardRow<Row>[]>([]);
  const latest = useRef(heard);
  useEffect(() => {
    const set = (next: readonly HeardRow<Row>[]) => {
      latest.current = next;
      setHeard(next);
    };
    const { key, channel, rowsOf, onRows } = source;
    return privateStream.subscribe<Push>(channel, {
      onPush: ({ data, moment }) => {
        const rows = rowsOf(data);
        if (rows.length === 0) return;
        const next = withHeard(latest.current, rows, performance.now(), moment);
        set(next ?? []);
        if (!next) void readUpTo(queries, key, moment, 'failed');
        onRows?.(rows, queries);
      },
      onReset: (moment) => void readUpTo(queries, key, moment),
    });
  }, [source, queries]);
  return heard;
}

function keptPages<Row>(keepAs: string | undefined) {
  const rows = keepAs === undefined ? undefined : keptAnswer<readonly Row[]>(keepAs);
  return rows && { pages: [{ askedAt: 0, rows }], pageParams: [undefined] };
}

/** @param source the same object each time */
export function usePagedRows<Row extends HasId, Push>(source: Source<Row, Push>): PagedRows<Row> {
  const { key, read, keepAs } = source;
  const isStale = useStale(privateStream);
  const heard = useHeard(source);
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }): Promise<RowPage<Row>> => {
      const askedAt = performance.now();
      const rows = await read(
        { limit: READ_AT_ONCE, ...(pageParam === undefined ? {} : { before: pageParam }) },
        signal,
      );
      if (keepAs !== undefined && pageParam === undefined) keepAnswer(keepAs, rows);
      return { askedAt, moment: momentOf(signal), rows };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ rows }) => (rows.length < READ_AT_ONCE ? undefined : rows.at(-1)?.id),
    initialData: () => keptPages<Row>(keepAs),
    initialDataUpdatedAt: 0,
    refetchInterval: every(isStale ? STALE_POLL_MS : FALLBACK_MS),
  });
  return {
    rows: list.data && mergeRows(list.data.pages, heard, list.hasNextPage),
    error: list.error,
    hasMore: list.hasNextPage,
    readOn: () => void (list.isFetchingNextPage || list.fetchNextPage()),
    retry: () => void list.refetch(),
  };
}
