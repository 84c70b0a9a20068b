/**
 * The day's figures of every pair that is on screen, straight from the stream. Each row listens to its own pair, so a
 * tick redraws one number and not a table.
 */
import { useCallback, useSyncExternalStore } from 'react';
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

interface Followed {
  readonly listeners: Set<() => void>;
  readonly leave: () => void;
}

const tickers = new Map<string, Ticker>();
const followed = new Map<string, Followed>();
const changed = new Set<string>();

function publish(): void {
  const symbols = [...changed];
  changed.clear();
  for (const symbol of symbols) for (const listener of followed.get(symbol)?.listeners ?? []) listener();
}

export function receiveTicker(ticker: Ticker): void {
  tickers.set(ticker.instId, ticker);
  changed.add(ticker.instId);
  publishSoon(publish);
}

function follow(symbol: string): Followed {
  const argument = { channel: 'tickers', instId: symbol };
  const leave = publicStream.subscribe<Ticker>(argument, { onPush: (push) => push.data.forEach(receiveTicker) });
  return { listeners: new Set(), leave };
}

/** However many figures of a pair are on screen, the stream is asked once. */
function watch(symbol: string, listener: () => void): () => void {
  const pair = followed.get(symbol) ?? follow(symbol);
  followed.set(symbol, pair);
  pair.listeners.add(listener);
  return () => {
    pair.listeners.delete(listener);
    if (pair.listeners.size > 0) return;
    pair.leave();
    followed.delete(symbol);
  };
}

/** What is known of a pair at this moment, without following it. */
export function currentTicker(symbol: string): Ticker | undefined {
  return tickers.get(symbol);
}

/** The newest ticker of a pair named as `BTC-USDT`; undefined until the stream has spoken. */
export function useTicker(symbol: string): Ticker | undefined {
  const subscribe = useCallback((listener: () => void) => watch(symbol, listener), [symbol]);
  const newest = () => tickers.get(symbol);
  return useSyncExternalStore(subscribe, newest, newest);
}
