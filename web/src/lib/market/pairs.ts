/** Every pair with its day's figures, and what the stream has made of them since. */
import type { AnswerOf, Call } from '@cambist/contract/call.ts';
import {
  allPairs,
  type CoinPair,
  favorites,
  homeCoins,
  innoCoins,
  perpetualPairs,
  posCoins,
  powCoins,
} from '@cambist/contract/markets.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api-client.ts';
import { every } from '../away.ts';
import { changePercent, decimal, toText } from '../decimal.ts';
import { useSession, useSignedIn } from '../session-store.ts';
import { publicStream, useStale } from '../streams.ts';
import { type Ticker, useTicker } from './tickers.ts';

/** Each list's call, and how often it is read while the stream is down, as the specification says. */
const LISTS = {
  all: { call: allPairs, pollMs: 20_000 },
  perpetuals: { call: perpetualPairs, pollMs: 1_000 },
  home: { call: homeCoins, pollMs: 4_000 },
  pow: { call: powCoins, pollMs: 50_000 },
  pos: { call: posCoins, pollMs: 50_000 },
  innovation: { call: innoCoins, pollMs: 50_000 },
  favorites: { call: favorites, pollMs: 50_000 },
} as const satisfies Record<string, { call: Call; pollMs: number }>;

export type PairList = keyof typeof LISTS;

/** With the stream up only what it does not carry is read again: which pairs there are, and the line of the day. */
const QUIET_MS = 60_000;

type Pairs = AnswerOf<typeof homeCoins>;

export function pairsQuery(list: PairList, client: number | undefined) {
  const { call: definition, pollMs } = LISTS[list];
  return queryOptions({
    queryKey: ['pairs', list, client ?? 'visitor'],
    queryFn: ({ signal }): Promise<Pairs> => call(definition, { signal }),
    select: (answer) => answer.coinpair,
    staleTime: pollMs,
  });
}

/** The pairs of a list; prices in them are followed by the stream, see `usePairFigures`. */
export function usePairList(list: PairList) {
  const client = useSession((session) => session.client?.id);
  const signedIn = useSignedIn();
  const stale = useStale(publicStream);
  return useQuery({
    ...pairsQuery(list, client),
    // A part of the screen that comes later takes what the others have.
    staleTime: stale ? LISTS[list].pollMs : QUIET_MS,
    refetchInterval: every(stale ? LISTS[list].pollMs : QUIET_MS),
    enabled: list !== 'favorites' || signedIn,
  });
}

export const usePairs = () => usePairList('all');

/** What a row shows of a pair: the call's figures until the stream has newer ones. Prices are empty until there is one. */
export interface PairFigures {
  readonly close: string;
  /** Percent, signed, four decimals. */
  readonly change: string;
  readonly high: string;
  readonly low: string;
  readonly volume: string;
  readonly volumeQuote: string;
}

export function figuresOf(pair: CoinPair, ticker: Ticker | undefined): PairFigures {
  if (!ticker) {
    return {
      close: pair.close ?? '',
      change: pair.increase_in_value ?? '',
      high: pair.high ?? '',
      low: pair.low ?? '',
      volume: pair.volume,
      volumeQuote: pair.volume_quote,
    };
  }
  const change = changePercent(decimal(ticker.open24h), decimal(ticker.last));
  return {
    close: ticker.last,
    change: change ? toText(change) : ticker.last && '0.0000',
    high: ticker.high24h,
    low: ticker.low24h,
    volume: ticker.vol24h,
    // Of a perpetual that is in coins too.
    volumeQuote: isPerpetual(pair.pair_name) ? pair.volume_quote : ticker.volCcy24h,
  };
}

export function usePairFigures(pair: CoinPair): PairFigures {
  return figuresOf(pair, useTicker(pair.pair_name));
}

/** `BTC`, `btcusdt` and `BTC-USDT` name one pair. */
export function findPair(pairs: readonly CoinPair[], name: string): CoinPair | undefined {
  const wanted = name.toUpperCase().replace(/[-/]/g, '');
  return pairs.find((pair) => pair.coin === wanted || pair.coin_pair_name === wanted);
}

/** Whether a market's name, such as `BTC-USDT-SWAP`, is that of a perpetual. */
export const isPerpetual = (pairName: string): boolean => pairName.endsWith('-SWAP');

/** What a list of orders or trades holds. */
export type MarketKind = 'spot' | 'futures';

export const kindOf = (pairName: string): MarketKind => (isPerpetual(pairName) ? 'futures' : 'spot');

/** The terminal of a market. */
export function terminalOf(pairName: string): string {
  const [coin = ''] = pairName.split('-');
  return `/trades/${kindOf(pairName)}/${coin}`;
}

/** Decimals of a price in lists: two at least, and as many as the tick needs. */
export function dollarScale(pair: CoinPair): number {
  return Math.max(2, pair.price_scale);
}

/** Case-insensitive substring of the pair's name or the coin's. */
export function searchPairs(pairs: readonly CoinPair[], text: string): CoinPair[] {
  const wanted = text.trim().toLowerCase();
  return pairs.filter(
    (pair) => pair.pair_name.toLowerCase().includes(wanted) || pair.name.toLowerCase().includes(wanted),
  );
}
