/** Candles for the chart: history from the UDF feed, page by page backwards, and the newest from the stream. */
import type { DataLoader, KLineData } from 'klinecharts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import type { ChartPrice } from './chart-store.ts';
import { followCandle } from './live-candle.ts';
import type { Timeframe } from './timeframes.ts';
import { type Bar, fetchBars } from './udf-client.ts';

/** More than the widest chart shows at first; what is older comes when it is scrolled to. `public/early.js` asks alike. */
const FIRST_PAGE = 300;
const PAGE = 500;

/** The first candle that has not begun: the same for as long as a candle lasts. */
const nextCandle = ({ lengthMs }: Timeframe) => (Math.floor(exchangeTime() / lengthMs) + 1) * lengthMs;

/** The chart's own name for a bar's time. */
function dataOf({ time, ...bar }: Bar): KLineData {
  return { timestamp: time, ...bar };
}

export interface ChartFeedState {
  onLoaded(count: number): void;
  onError(error: unknown): void;
  /** So much was missed that everything is to be read again. */
  onLost(): void;
}

export interface ChartFeed {
  readonly loader: DataLoader;
  /** Ends the live candle, and keeps late answers from overwriting what the next feed has shown. */
  close(): void;
}

export function createChartFeed(
  symbol: string,
  timeframe: Timeframe,
  state: ChartFeedState,
  price: ChartPrice = 'last',
): ChartFeed {
  let leave: (() => void) | undefined;
  /** Start of the newest candle that was read, ms. */
  let newest: number | undefined;
  let closed = false;
  const unsubscribeBar = () => {
    leave?.();
    leave = undefined;
  };
  const close = () => {
    closed = true;
    unsubscribeBar();
  };
  const loader: DataLoader = {
    getBars: async ({ type, timestamp, callback }) => {
      if (closed) return;
      // The chart asks "forward" for what is older; nothing is newer than the stream's own candle.
      if (type === 'backward') {
        callback([], false);
        return;
      }
      const older = type === 'forward' && timestamp !== null ? timestamp : undefined;
      try {
        const bars =
          older === undefined
            ? await fetchBars(symbol, timeframe, nextCandle(timeframe), FIRST_PAGE, undefined, price)
            : await fetchBars(symbol, timeframe, older, PAGE, undefined, price);
        if (closed) return;
        // The chart follows the newest candle as soon as it has these.
        if (type === 'init') newest = bars.at(-1)?.time;
        callback(bars.map(dataOf), { forward: bars.length > 0, backward: false });
        if (type === 'init') state.onLoaded(bars.length);
      } catch (error) {
        if (closed) return;
        // Older pages that fail are only logged: what is on screen stays, and scrolling back asks again.
        console.error('The history could not be loaded', error);
        callback([], { forward: type === 'forward', backward: false });
        if (type === 'init') state.onError(error);
      }
    },
    subscribeBar: ({ callback }) => {
      unsubscribeBar();
      const listener = { onBar: (bar: Bar) => callback(dataOf(bar)), onLost: state.onLost };
      leave = followCandle({ symbol, timeframe, price }, newest, listener);
    },
    unsubscribeBar,
  };
  return { loader, close };
}
