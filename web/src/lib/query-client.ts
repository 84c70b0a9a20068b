/** One cache for every call. Streams keep it fresh, so it refetches by itself only after a long absence. */
import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-problem.ts';

const RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // A refusal stays a refusal; only a lost connection or a failing server is worth another try.
      retry: (count, error) => count < RETRIES && error instanceof ApiProblem && error.undecided,
    },
    mutations: { retry: false },
  },
});
