import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiProblem, networkProblem } from '../api-problem.ts';
import { readUnansweredAgain } from './account-stream.ts';

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
