/** Candles for the chart: history from the UDF feed, page by page backwards, and the newest from the stream. */
import type { DataLoader, KLineData } from 'klinecharts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { startPolling } from '../../../lib/polling.ts';
import { POLLING_MS } from '../../../lib/polling-intervals.ts';
import { businessStream } from '../../../lib/streams.ts';
import type { ChartPrice } from './chart-store.ts';
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

/** Which channel has the newest candle, and under which name; an index has that of the coin's spot market. */
function channelOf(symbol: string, { channel }: Timeframe, price: ChartPrice) {
  if (price === 'mark') return { channel: `mark-price-${channel}`, instId: symbol };
  if (price === 'index') return { channel: `index-${channel}`, instId: symbol.replace(/-SWAP$/, '') };
  return { channel, instId: symbol };
}

/** A candle of a mark or index: `[ts, o, h, l, c, confirm]`; it has no volume. */
const priceBarOf = (row: readonly string[]): Bar => ({ ...barOf(row), volume: 0 });

/** A candle of the stream: `[ts, o, h, l, c, vol, …]`, all text. */
export function barOf(row: readonly string[]): Bar {
  const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = row.map(Number);
  return { time, open, high, low, close, volume };
}

export interface ChartFeedState {
  onLoaded(count: number): void;
  onError(error: unknown): void;
}

export interface ChartFeed {
  readonly loader: DataLoader;
  /** Ends the live candle, and keeps late answers from overwriting what the next feed has shown. */
  close(): void;
}

/** The newest candle by stream, and by polling while the stream is silent. */
export function followCandle(
  symbol: string,
  timeframe: Timeframe,
  onBar: (bar: Bar) => void,
  price: ChartPrice = 'last',
): () => void {
  const read = price === 'last' ? barOf : priceBarOf;
  let endPolling: (() => void) | undefined;
  const poll = async (signal: AbortSignal) => {
    const bars = await fetchBars(symbol, timeframe, exchangeTime() + timeframe.lengthMs, 2, signal, price);
    for (const bar of bars) onBar(bar);
  };
  const followStale = () => {
    endPolling?.();
    endPolling = businessStream.isStale() ? startPolling(POLLING_MS.chart, poll) : undefined;
  };
  const leave = businessStream.subscribe<readonly string[]>(channelOf(symbol, timeframe, price), {
    onPush: (push) => {
      for (const row of push.data) onBar(read(row));
    },
  });
  const endWatch = businessStream.watchStale(followStale);
  followStale();
  return () => {
    endPolling?.();
    endWatch();
    leave();
  };
}

export function createChartFeed(
  symbol: string,
  timeframe: Timeframe,
  state: ChartFeedState,
  price: ChartPrice = 'last',
): ChartFeed {
  let leave: (() => void) | undefined;
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
      leave = followCandle(symbol, timeframe, (bar) => callback(dataOf(bar)), price);
    },
    unsubscribeBar,
  };
  return { loader, close };
}
