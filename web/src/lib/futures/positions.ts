/** The signed-in client's positions: read once, followed by the private stream, and valued by the marks of the public one. */
import { clientMargin, type FuturesPosition, futuresSettings, positions } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { StreamPositions } from '@cambist/contract/stream.ts';
import { type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api-client.ts';
import { every } from '../away.ts';
import { findPair, usePairList } from '../market/pairs.ts';
import { accountKeys } from '../queries/account-keys.ts';
import { readUpTo } from '../queries/held.ts';
import { useSignedIn } from '../session-store.ts';
import { privateStream, publicStream, useStale } from '../streams.ts';
import { type Known, known, type LiveFutures, liveFigures } from './figures.ts';
import { useMarks } from './prices.ts';
import { forgetPositions, receivePositions, unlessPushed } from './pushed-positions.ts';
import { type FuturesSettings, marketTerms } from './terms.ts';

/** As the specification polls margins, while a stream is away. */
const POLL_MS = 1_000;
const QUIET_MS = 60_000;
/** As the rest of the wallet. */
const WALLET_MS = 5_000;
const SETTINGS_MS = 300_000;

export const settingsKey = (symbol: string) => [...accountKeys.futuresSettings, symbol] as const;

export const settingsQuery = (symbol: string) =>
  queryOptions({
    queryKey: settingsKey(symbol),
    queryFn: ({ signal }): Promise<FuturesSettings> => call(futuresSettings, { query: { symbol }, signal }),
    staleTime: SETTINGS_MS,
  });

function followPositions(queries: QueryClient): () => void {
  return privateStream.subscribe<StreamPositions>(
    { channel: 'positions' },
    {
      onPush: (push) => receivePositions(queries, push),
      onReset: (moment) => {
        for (const key of [accountKeys.positions, accountKeys.futuresSettings]) void readUpTo(queries, key, moment);
      },
    },
  );
}

/** Positions with when they were opened, as the wallet shows them. */
export const clientMarginQuery = queryOptions({
  queryKey: accountKeys.clientMargin,
  queryFn: ({ signal }) => call(clientMargin, { signal }),
  refetchInterval: every(WALLET_MS),
});

/** Positions and wallet as the server has said them last. */
export function usePositions() {
  const queries = useQueryClient();
  const signedIn = useSignedIn();
  const privateStale = useStale(privateStream);
  const isAway = useStale(publicStream) || privateStale;
  useEffect(() => (signedIn ? followPositions(queries) : forgetPositions()), [queries, signedIn]);
  return useQuery({
    queryKey: accountKeys.positions,
    queryFn: ({ signal }): Promise<StreamPositions> => unlessPushed(signal, () => call(positions, { signal })),
    refetchInterval: every(isAway ? POLL_MS : QUIET_MS),
    enabled: signedIn,
  });
}

/** Terms of the markets that positions are in, as far as they are here. */
function useTerms(open: readonly FuturesPosition[], pairs: readonly CoinPair[]) {
  const symbols = open.map(({ coin_pair: { pair_name: name } }) => name);
  const settings = useQueries({ queries: symbols.map(settingsQuery) });
  return (index: number) => {
    const pair = findPair(pairs, symbols[index] ?? '');
    const found = settings[index]?.data;
    return pair && found && marketTerms(pair, found);
  };
}

type Futures = ReturnType<typeof usePositions> & {
  readonly live: LiveFutures | undefined;
  /** What the figures are computed from; undefined while something of it is missing. */
  readonly all: readonly Known[] | undefined;
};

/** The same at the marks of now. While the stream is away, or something is not here yet, the server's own figures stand. */
export function useFutures(): Futures {
  const read = usePositions();
  const pairs = usePairList('perpetuals').data;
  const isAway = useStale(publicStream);
  const open = read.data?.positions ?? [];
  const termsAt = useTerms(open, pairs ?? []);
  const marks = useMarks(open.map(({ coin_pair: { pair_name: name } }) => name));
  const found = open.flatMap((shown, index) => {
    const market = termsAt(index);
    return market ? [known(shown, market, marks.get(shown.coin_pair.pair_name) ?? shown.mark_price)] : [];
  });
  const { data } = read;
  const all = !isAway && data && found.length === open.length ? found : undefined;
  return { ...read, all, live: data && (all ? liveFigures(all, data.account) : data) };
}
