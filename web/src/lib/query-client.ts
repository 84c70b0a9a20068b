/** One cache for every call. Streams keep it fresh, so it refetches by itself only after a long absence. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-problem.ts';
import { isAway, whenBack } from './away.ts';
import { readAgainIfBehind, readAtMoment } from './queries/held.ts';

const RETRIES = 2;
/** Whoever waits before an empty panel hears after a second and a half that it cannot be read, in place of three. */
const retryDelayMs = (failures: number) => 400 * 3 ** failures;

/** A first loss may be one of a moment. */
const mostRetries = () => (isAway() ? 1 : RETRIES);

export const queryClient: QueryClient = new QueryClient({
  // What a screen does with a failed reading is its own matter: most keep what they show, and say nothing.
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => console.error(`${queryKey.join(' ')} could not be loaded`, error),
    onSuccess: (_data, query) => readAgainIfBehind(queryClient, query),
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // A refusal stays a refusal; only a lost connection or a failing server is worth another try.
      retry: (count, error) => count < mostRetries() && error instanceof ApiProblem && error.undecided,
      retryDelay: retryDelayMs,
      persister: readAtMoment,
      // As without a persister.
      networkMode: 'online',
    },
    // What is asked for without a connection fails at once: sent later by itself, an order would meet another price.
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What has failed meanwhile is read at once.
whenBack(() => {
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.errorUpdatedAt > state.dataUpdatedAt });
});
