/** Every pair with its day's figures, and what the stream has made of them since. */
import { addFavorite, allPairs, type CoinPair } from '@cambist/contract/markets.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api-client.ts';
import { changePercent, decimal, toText } from '../decimal.ts';
import { useSession } from '../session-store.ts';
import { type Ticker, useTicker } from './tickers.ts';

const REFRESH_MS = 20_000;

export function pairsQuery(clientId: number | undefined) {
  return queryOptions({
    queryKey: ['pairs', clientId ?? 'visitor'],
    queryFn: ({ signal }) => call(allPairs, { query: { client_id: clientId }, signal }),
    select: (answer) => answer.coinpair,
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });
}

export function usePairs() {
  return useQuery(pairsQuery(useSession((session) => session.client?.id)));
}

export function useToggleFavorite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (coinId: number) => call(addFavorite, { query: { coin_id: coinId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['pairs'] }),
  });
}

/** What a row shows of a pair: the call's figures until the stream has newer ones. */
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
      close: pair.close,
      change: pair.increase_in_value,
      high: pair.high,
      low: pair.low,
      volume: pair.volume,
      volumeQuote: pair.volume_quote,
    };
  }
  const change = changePercent(decimal(ticker.open24h), decimal(ticker.last));
  return {
    close: ticker.last,
    change: change ? toText(change) : '0.0000',
    high: ticker.high24h,
    low: ticker.low24h,
    volume: ticker.vol24h,
    volumeQuote: ticker.volCcy24h,
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
