import { setTimeout } from 'node:timers/promises';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiProblem, networkProblem } from '../api-problem.ts';
import { readAgain, readUnansweredAgain } from './account-stream.ts';

const KEY = ['list'] as const;

function observed() {
  const answers: ((list: string) => void)[] = [];
  const queries = new QueryClient();
  // A list that takes part in cancellation, as calls do.
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      answers.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const end = new QueryObserver(queries, { queryKey: KEY, queryFn }).subscribe(() => undefined);
  return { queries, answers, end };
}

test('a list whose first answer is under way when its stream begins is asked for once more', async () => {
  const { queries, answers, end } = observed();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  const again = readAgain(queries, KEY);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.('from before the stream');
  answers[1]?.('from after it');
  await again;
  expect(queries.getQueryData(KEY)).toBe('from after it');
  end();
});

test('a list that is there already is read again', async () => {
  const { queries, answers, end } = observed();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.('old');
  await vi.waitFor(() => expect(queries.getQueryData(KEY)).toBe('old'));
  const again = readAgain(queries, KEY);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('new');
  await again;
  expect(queries.getQueryData(KEY)).toBe('new');
  end();
});

test('a list that fails is not broken off, says so however often it is asked for, and is read again where that is wanted', async () => {
  const queries = new QueryClient();
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
    await readAgain(queries, KEY, 'failed');
    // Where nothing is asked again, no timer would ever have its turn, and the next try waits for one.
    await setTimeout(1);
  }
  expect(asked).toBe(3);
  await readAgain(queries, KEY, 'failed');
  expect(asked).toBe(3);
  await readAgain(queries, KEY);
  expect(asked).toBe(6);
  end();
});

test('a list that has failed and is tried again by its reader is there in the end, whatever is pushed meanwhile', async () => {
  const { queries, answers, end } = observed();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  queries.getQueryCache().find({ queryKey: KEY })?.setState({ status: 'error', fetchStatus: 'idle' });
  void queries.refetchQueries({ queryKey: KEY });
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  const again = readAgain(queries, KEY, 'failed');
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[2]?.('there');
  await again;
  expect(queries.getQueryData(KEY)).toBe('there');
  end();
});

test('what had no answer is read again once the stream is back, and what was refused is not', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const refusal = { status: 403, code: 'FORBIDDEN', detail: 'No.', message: 'No.' };
  const failing = { unanswered: networkProblem(), refused: new ApiProblem(refusal) };
  const asked: string[] = [];
  const ends = Object.entries(failing).map(([name, problem]) => {
    const queryFn = async () => {
      asked.push(name);
      if (asked.length <= 2) throw problem;
      return 'there';
    };
    return new QueryObserver(queries, { queryKey: [name], queryFn }).subscribe(() => undefined);
  });
  await vi.waitFor(() => expect(queries.getQueryState(['refused'])?.status).toBe('error'));
  await readUnansweredAgain(queries);
  expect(queries.getQueryData(['unanswered'])).toBe('there');
  expect(asked).toEqual(['unanswered', 'refused', 'unanswered']);
  for (const end of ends) end();
});
