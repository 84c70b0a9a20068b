/**
 * Up to which moment of the private stream each reading reaches. A list is read again where its channel told of something
 * that is not in it, and only there: whether the answer or the channel came first makes no difference.
 */
import type { Query, QueryClient, QueryPersister } from '@tanstack/react-query';
import { earlier, type Moment, momentOf, reaches } from '../moments.ts';

/** By queries, whatever they read. */
const held = new WeakMap<object, Moment>();
/** What a reading that is underway has to reach; decided when it ends, as breaking it off would cost more. */
const wanted = new WeakMap<object, Moment>();

/** Around each reading of the cache. */
export const readAtMoment: QueryPersister = async (read, context, query) => {
  const data = await read(context);
  const moment = momentOf(context.signal);
  // A further page leaves those before it as they are.
  const isFurther = query.state.fetchMeta?.fetchMore !== undefined;
  held.set(query, isFurther ? earlier(held.get(query), moment) : moment);
  return data;
};

/** After each reading of the cache. */
export function readAgainIfBehind(queries: QueryClient, query: object): void {
  if (!wanted.has(query)) return;
  const moment = wanted.get(query);
  wanted.delete(query);
  if (!reaches(held.get(query), moment)) {
    void queries.invalidateQueries({ predicate: (one) => one === query });
  }
}

/** Whether a list has all that was told up to a moment. */
export function isHeld(queries: QueryClient, queryKey: readonly string[], moment: Moment): boolean {
  const query = queries.getQueryCache().find({ queryKey });
  return query?.state.data !== undefined && reaches(held.get(query), moment);
}

/** A push that was written into the cache is all of what it says there. */
export function holdPushed(queries: QueryClient, queryKey: readonly string[], moment: Moment): void {
  const query = queries.getQueryCache().find({ queryKey });
  if (query) held.set(query, moment);
}

const latest = (one: Moment, other: Moment): Moment => (reaches(one, other) ? one : other);

/**
 * Has lists reach a moment, as their channel begins there or has told of something then. One that does is left alone. One
 * that is underway is shown when it comes, and then read once more if it has to be: broken off for each of many pushes it
 * would never come.
 * @param moment undefined where it is not known: then they are read again
 * @param except lists that have failed for good, which say so and offer to try again
 */
export async function readUpTo(
  queries: QueryClient,
  queryKey: readonly string[],
  moment: Moment,
  except: 'none' | 'failed' = 'none',
): Promise<void> {
  const behind = new Set<Query>();
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const { fetchStatus, status, isInvalidated, data } = query.state;
    if (fetchStatus !== 'idle') wanted.set(query, wanted.has(query) ? latest(wanted.get(query), moment) : moment);
    else if (except === 'failed' && status === 'error') continue;
    else if (status !== 'success' || data === undefined || isInvalidated || !reaches(held.get(query), moment))
      behind.add(query);
  }
  await queries.invalidateQueries({ predicate: (query) => behind.has(query) });
}
