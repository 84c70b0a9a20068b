import { setTimeout } from 'node:timers/promises';
import { QueryCache, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { noteMoment } from '../moments.ts';
import { readAgainIfBehind, readAtMoment, readUpTo } from './held.ts';

const KEY = ['list'] as const;

function createQueries(): QueryClient {
  const queryCache = new QueryCache({ onSuccess: (_data, query) => readAgainIfBehind(queries, query) });
  const queries: QueryClient = new QueryClient({
    queryCache,
    defaultOptions: { queries: { persister: readAtMoment } },
  });
  return queries;
}

function observed() {
  const answers: ((list: string, moment?: string) => void)[] = [];
  const queries = createQueries();
  // A list that takes part in cancellation, as calls do.
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      answers.push((list, moment) => {
        noteMoment(signal, new Response(null, { headers: moment === undefined ? {} : { 'stream-moment': moment } }));
        resolve(list);
      });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const end = new QueryObserver(queries, { queryKey: KEY, queryFn }).subscribe(() => undefined);
  const asked = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count));
  const shows = (list: string) => vi.waitFor(() => expect(queries.getQueryData(KEY)).toBe(list));
  return { queries, answers, asked, shows, end };
}

test('a list whose first answer is underway when its channel begins is read once where that answer reaches the beginning', async () => {
  const { queries, answers, asked, shows, end } = observed();
  await asked(1);
  void readUpTo(queries, KEY, 'a-10');
  answers[0]?.('there', 'a-10');
  await shows('there');
  await setTimeout(20);
  expect(answers).toHaveLength(1);
  end();
});

test.each([
  ['is of a moment before it', 'a-9'],
  ['is of another process', 'b-11'],
  ['says no moment', undefined],
])('it is shown, and read once more, where that answer %s', async (_why, moment) => {
  const { queries, answers, asked, shows, end } = observed();
  await asked(1);
  void readUpTo(queries, KEY, 'a-10');
  answers[0]?.('from before', moment);
  await shows('from before');
  await asked(2);
  answers[1]?.('from after', 'a-10');
  await shows('from after');
  await setTimeout(20);
  expect(answers).toHaveLength(2);
  end();
});

test('a list that is there is read again for what is told later, and for a beginning without a moment', async () => {
  const { queries, answers, asked, shows, end } = observed();
  await asked(1);
  answers[0]?.('first', 'a-10');
  await shows('first');
  await readUpTo(queries, KEY, 'a-10');
  expect(answers).toHaveLength(1);
  void readUpTo(queries, KEY, 'a-11');
  await asked(2);
  answers[1]?.('second', 'a-12');
  await shows('second');
  void readUpTo(queries, KEY, undefined);
  await asked(3);
  answers[2]?.('third', 'a-13');
  await shows('third');
  end();
});

test('is not broken off by pushes that come faster than its answers', async () => {
  const { queries, answers, asked, shows, end } = observed();
  await asked(1);
  for (let moment = 1; moment <= 20; moment += 1) {
    void readUpTo(queries, KEY, `a-${moment}`);
    await setTimeout(1);
  }
  expect(answers).toHaveLength(1);
  answers[0]?.('on the way', 'a-5');
  await shows('on the way');
  await asked(2);
  answers[1]?.('whole', 'a-20');
  await shows('whole');
  end();
});

test('pages that are read on reach no further than those before them', async () => {
  const queries = createQueries();
  let moment = 10;
  const readPage = async ({ signal }: { readonly signal: AbortSignal }) => {
    noteMoment(signal, new Response(null, { headers: { 'stream-moment': `a-${moment}` } }));
    return moment;
  };
  const options = { queryKey: KEY, queryFn: readPage, initialPageParam: 0, getNextPageParam: (last: number) => last };
  await queries.fetchInfiniteQuery(options);
  moment = 20;
  await queries
    .getQueryCache()
    .find({ queryKey: KEY })
    ?.fetch(undefined, { meta: { fetchMore: { direction: 'forward' } } });
  expect(queries.getQueryData<{ pages: number[] }>(KEY)?.pages).toEqual([10, 20]);
  const isInvalidated = () => queries.getQueryState(KEY)?.isInvalidated;
  await readUpTo(queries, KEY, 'a-10');
  expect(isInvalidated()).toBe(false);
  await readUpTo(queries, KEY, 'a-15');
  expect(isInvalidated()).toBe(true);
});

test('a list that fails says so however often it is asked for, and is read again where that is wanted', async () => {
  const queries = createQueries();
  let asked = 0;
  const observer = new QueryObserver(queries, {
    queryKey: KEY,
    retry: 2,
    retryDelay: 20,
    queryFn: async () => {
      asked += 1;
      throw new Error('away');
    },
  });
  const end = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(queries.getQueryState(KEY)?.fetchFailureCount).toBeGreaterThan(0));
  while (queries.getQueryState(KEY)?.status !== 'error') {
    await readUpTo(queries, KEY, 'a-1', 'failed');
    // Where nothing is asked again, no timer would ever have its turn, and the next try waits for one.
    await setTimeout(1);
  }
  expect(asked).toBe(3);
  await readUpTo(queries, KEY, 'a-1', 'failed');
  expect(asked).toBe(3);
  await readUpTo(queries, KEY, 'a-1');
  expect(asked).toBe(6);
  end();
});
