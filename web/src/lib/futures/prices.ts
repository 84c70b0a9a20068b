/** What the public channels of a perpetual say beside its trades and its book. */
import { fundingRates as fundingRatesCall } from '@cambist/contract/futures.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { call } from '../api-client.ts';
import { every } from '../away.ts';
import { Latest, useLatest } from '../market/latest.ts';
import { publicStream, useStale } from '../streams.ts';

interface MarkPrice {
  readonly instId: string;
  readonly markPx: string;
}

interface FundingRate {
  readonly instId: string;
  /** Of the interval as it would be settled now; 0.0001 is 0.01 %. */
  readonly fundingRate: string;
  /** Ms since 1970. */
  readonly fundingTime: string;
}

interface OpenInterest {
  readonly instId: string;
  /** In the coin that is traded. */
  readonly oiCcy: string;
}

interface IndexTicker {
  readonly instId: string;
  readonly idxPx: string;
}

const marks = new Latest<MarkPrice>('mark-price');
const fundingRates = new Latest<FundingRate>('funding-rate');
const openInterests = new Latest<OpenInterest>('open-interest');
const indexes = new Latest<IndexTicker>('index-tickers');

export const useMark = (symbol: string): string | undefined => useLatest(marks, symbol)?.markPx;
export const currentMark = (symbol: string): string | undefined => marks.current(symbol)?.markPx;
export const useFundingRate = (symbol: string): FundingRate | undefined => useLatest(fundingRates, symbol);
export const useOpenInterest = (symbol: string): string | undefined => useLatest(openInterests, symbol)?.oiCcy;

/** `BTC-USDT` of the perpetual `BTC-USDT-SWAP`. */
const indexOf = (symbol: string): string => symbol.replace(/-SWAP$/, '');

export const useIndexPrice = (symbol: string): string | undefined => useLatest(indexes, indexOf(symbol))?.idxPx;
export const currentIndexPrice = (symbol: string): string | undefined => indexes.current(indexOf(symbol))?.idxPx;

/** The marks of several markets, by name; drawn again when one of them has changed. */
export function useMarks(symbols: readonly string[]): ReadonlyMap<string, string> {
  const names = symbols.join();
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = names === '' ? [] : names.split(',').map((symbol) => marks.watch(symbol, listener));
      return () => {
        for (const end of leave) end();
      };
    },
    [names],
  );
  const shown = () => symbols.map((symbol) => currentMark(symbol) ?? '').join();
  useSyncExternalStore(subscribe, shown, shown);
  return new Map(
    symbols.flatMap((symbol) => {
      const mark = currentMark(symbol);
      return mark === undefined ? [] : [[symbol, mark] as const];
    }),
  );
}

/** Mark, index and funding by the call: the first figures, and those of a time without the stream. */
export const fundingQuery = (symbol: string) =>
  queryOptions({
    queryKey: ['funding', symbol],
    queryFn: ({ signal }) => call(fundingRatesCall, { query: { symbol, limit: 1 }, signal }),
  });

/** As the specification polls the price of a perpetual, while the stream is away. */
const POLL_MS = 1_000;
const QUIET_MS = 60_000;

/** What the stream says, and before it has spoken, or while it is away, what the call does. */
export function useMarketPrices(symbol: string) {
  const stale = useStale(publicStream);
  const asked = useQuery({ ...fundingQuery(symbol), refetchInterval: every(stale ? POLL_MS : QUIET_MS) }).data;
  const [mark, index, funding] = [useMark(symbol), useIndexPrice(symbol), useFundingRate(symbol)];
  const pushed = stale ? undefined : { mark, index, rate: funding?.fundingRate, at: funding?.fundingTime };
  return {
    mark: pushed?.mark ?? asked?.mark_price ?? undefined,
    index: pushed?.index ?? asked?.index_price ?? undefined,
    rate: pushed?.rate ?? asked?.rate ?? undefined,
    nextAt: Number(pushed?.at ?? asked?.next_funding_at ?? 0),
  };
}
