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
  /** `expired` once the market was delisted. */
  readonly state?: string;
  /** Ms, as the next: from when on clients can only reduce, and when the market ends. Empty where no end is announced. */
  readonly closeOnlyTime?: string;
  readonly expTime?: string;
}

const tickers = new Latest<Ticker>('tickers');

export const receiveTicker = tickers.receive;

/** What is known of a pair at this moment, without following it. */
export const currentTicker = (symbol: string): Ticker | undefined => tickers.current(symbol);

/** The newest ticker of a pair named as `BTC-USDT`; undefined until the stream has spoken. */
export const useTicker = (symbol: string): Ticker | undefined => useLatest(tickers, symbol);

/** Until when a pair pauses, ms; 0 where it does not. */
export const usePauseEnd = (symbol: string): number => Number(useLatestFigure(tickers, symbol, 'pauseEnd') || 0);

export interface Delisting {
  readonly isOver: boolean;
  /** Ms; 0 where no end is announced. */
  readonly closeOnlyAt: number;
  readonly endsAt: number;
}

/** When a pair ends, as the stream says it. */
export function useDelisting(symbol: string): Delisting {
  const isOver = useLatestFigure(tickers, symbol, 'state') === 'expired';
  const closeOnlyAt = Number(useLatestFigure(tickers, symbol, 'closeOnlyTime') || 0);
  const endsAt = Number(useLatestFigure(tickers, symbol, 'expTime') || 0);
  return { isOver, closeOnlyAt, endsAt };
}
