/** The day's figures of every market that is on screen. */
import { Latest, useLatest, useLatestFigure } from './latest.ts';

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
  /** Of a spot market: what its band is measured from. Empty for none. */
  readonly refPx?: string;
  /** Ms: until when the market pauses; empty where it does not. */
  readonly pauseEnd?: string;
}

const tickers = new Latest<Ticker>('tickers');

export const receiveTicker = tickers.receive;

/** What is known of a pair at this moment, without following it. */
export const currentTicker = (symbol: string): Ticker | undefined => tickers.current(symbol);

/** The newest ticker of a pair named as `BTC-USDT`; undefined until the stream has spoken. */
export const useTicker = (symbol: string): Ticker | undefined => useLatest(tickers, symbol);

/** Until when a pair pauses, ms; 0 where it does not. */
export const usePauseEnd = (symbol: string): number => Number(useLatestFigure(tickers, symbol, 'pauseEnd') || 0);
