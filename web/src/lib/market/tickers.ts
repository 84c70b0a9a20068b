/**
 * The day's figures of every pair that is on screen, straight from the stream. Each row listens to its own pair, so a
 * tick redraws one number and not a table.
 */
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { publishSoon } from '../publish-clock.ts';
import { publicStream } from '../streams.ts';

export interface Ticker {
  readonly instId: string;
  readonly last: string;
  readonly open24h: string;
  readonly high24h: string;
  readonly low24h: string;
  /** Base coin. */
  readonly vol24h: string;
  /** Quote coin. */
  readonly volCcy24h: string;
}

const tickers = new Map<string, Ticker>();
const listeners = new Map<string, Set<() => void>>();
const changed = new Set<string>();

function publish(): void {
  const symbols = [...changed];
  changed.clear();
  for (const symbol of symbols) for (const listener of listeners.get(symbol) ?? []) listener();
}

export function receiveTicker(ticker: Ticker): void {
  tickers.set(ticker.instId, ticker);
  changed.add(ticker.instId);
  publishSoon(publish);
}

function watch(symbol: string, listener: () => void): () => void {
  const set = listeners.get(symbol) ?? new Set();
  listeners.set(symbol, set);
  set.add(listener);
  return () => set.delete(listener);
}

/** What is known of a pair at this moment, without following it. */
export function currentTicker(symbol: string): Ticker | undefined {
  return tickers.get(symbol);
}

/** The newest ticker of a pair named as `BTC-USDT`; undefined until the stream has spoken. */
export function useTicker(symbol: string): Ticker | undefined {
  useEffect(
    () =>
      publicStream.subscribe<Ticker>(
        { channel: 'tickers', instId: symbol },
        { onPush: (push) => push.data.forEach(receiveTicker) },
      ),
    [symbol],
  );
  const subscribe = useCallback((listener: () => void) => watch(symbol, listener), [symbol]);
  const newest = () => tickers.get(symbol);
  return useSyncExternalStore(subscribe, newest, newest);
}
