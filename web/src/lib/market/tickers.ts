/** The day's figures of every market that is on screen. */
import { Latest, useLatest } from './latest.ts';

export interface Ticker {
  readonly instId: string;
  readonly last: string;
  readonly open24h: string;
  readonly high24h: string;
  readonly low24h: string;
  /** Base coin. */
  readonly vol24h: string;
  /** Quote coin; of a perpetual the coin that is traded. */
  readonly volCcy24h: string;
}

const tickers = new Latest<Ticker>('tickers');

export const receiveTicker = tickers.receive;

/** What is known of a pair at this moment, without following it. */
export const currentTicker = (symbol: string): Ticker | undefined => tickers.current(symbol);

/** The newest ticker of a pair named as `BTC-USDT`; undefined until the stream has spoken. */
export const useTicker = (symbol: string): Ticker | undefined => useLatest(tickers, symbol);
