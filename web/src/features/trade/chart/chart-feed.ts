/** Candles for the chart: history from the UDF feed, page by page backwards, and the newest from the stream. */
import type { DataLoader, KLineData } from 'klinecharts';
import { queryText, send } from '../../../lib/api-client.ts';
import { businessStream } from '../../../lib/streams.ts';
import type { Timeframe } from './timeframes.ts';

interface HistoryAnswer {
  readonly s: 'ok' | 'no_data' | 'error';
  readonly t?: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c?: readonly number[];
  readonly v?: readonly number[];
  readonly errmsg?: string;
}

const PAGE = 500;

/** Seconds and columns become milliseconds and rows; an incomplete row is left out. */
export function barsOf(answer: HistoryAnswer): KLineData[] {
  if (answer.s === 'error') throw new Error(answer.errmsg ?? 'The chart has no history');
  return (answer.t ?? []).flatMap((time, index) => {
    const [open, high, low, close] = [answer.o, answer.h, answer.l, answer.c].map((column) => column?.[index]);
    if (open === undefined || high === undefined || low === undefined || close === undefined) return [];
    return [{ timestamp: time * 1_000, open, high, low, close, volume: answer.v?.[index] ?? 0 }];
  });
}

/** `[ts, o, h, l, c, vol, …]`, all text. */
export function barOf(row: readonly string[]): KLineData {
  const [timestamp = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = row.map(Number);
  return { timestamp, open, high, low, close, volume };
}

async function fetchBars(symbol: string, timeframe: Timeframe, beforeMs: number): Promise<KLineData[]> {
  const to = Math.floor(beforeMs / 1_000);
  const from = to - Math.floor((PAGE * timeframe.lengthMs) / 1_000);
  const query = { symbol, resolution: timeframe.resolution, from, to, countback: PAGE };
  const response = await send(timeframe.path + queryText(query));
  return barsOf((await response.json()) as HistoryAnswer).filter((bar) => bar.timestamp < beforeMs);
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

export function createChartFeed(symbol: string, timeframe: Timeframe, state: ChartFeedState): ChartFeed {
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
      const before = type === 'forward' && timestamp !== null ? timestamp : Date.now() + timeframe.lengthMs;
      try {
        const bars = await fetchBars(symbol, timeframe, before);
        if (closed) return;
        callback(bars, { forward: bars.length > 0, backward: false });
        if (type === 'init') state.onLoaded(bars.length);
      } catch (error) {
        if (closed) return;
        callback([], false);
        if (type === 'init') state.onError(error);
      }
    },
    subscribeBar: ({ callback }) => {
      unsubscribeBar();
      leave = businessStream.subscribe<readonly string[]>(
        { channel: timeframe.channel, instId: symbol },
        {
          onPush: (push) => {
            for (const row of push.data) callback(barOf(row));
          },
        },
      );
    },
    unsubscribeBar,
  };
  return { loader, close };
}
