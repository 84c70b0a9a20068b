/** Candle lengths in the OKX spelling. Weeks start on Monday, months on the first, all in UTC. */
import type { Bar, BarSeries } from './bar-series.ts';

/** A series with or without gaps; `indexOf` gives the bar that holds a time, or the last one before it. */
type ReadableSeries = Pick<BarSeries, 'length' | 'start' | 'timeAt' | 'at' | 'closeAt' | 'indexOf'>;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const frames = [
  ...(['1m', '3m', '5m', '15m', '30m'] as const),
  ...(['1H', '2H', '4H', '6H', '12H'] as const),
  ...(['1D', '1W', '1M'] as const),
] as const;
export type Frame = (typeof frames)[number];

export const isFrame = (name: string): name is Frame => (frames as readonly string[]).includes(name);

/** 1970-01-01 was a Thursday; the first Monday came four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** Length in ms of every frame but the month. */
const lengths: Readonly<Record<Exclude<Frame, '1M'>, number>> = {
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1H': HOUR_MS,
  '2H': 2 * HOUR_MS,
  '4H': 4 * HOUR_MS,
  '6H': 6 * HOUR_MS,
  '12H': 12 * HOUR_MS,
  '1D': DAY_MS,
  '1W': WEEK_MS,
};

/** Which stored bars a frame is made of. */
export function baseOf(frame: Frame): 'minutes' | 'hours' | 'days' {
  if (frame === '1D' || frame === '1W' || frame === '1M') return 'days';
  return frame.endsWith('H') ? 'hours' : 'minutes';
}

export function startOf(frame: Frame, time: number): number {
  if (frame === '1M') {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const length = lengths[frame];
  const origin = frame === '1W' ? FIRST_MONDAY_MS : 0;
  return Math.floor((time - origin) / length) * length + origin;
}

export function endOf(frame: Frame, start: number): number {
  if (frame !== '1M') return start + lengths[frame];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function merge(older: Bar, newer: Bar, time: number): Bar {
  // A flat bar says nothing about where its neighbour opened, high or low, except that the price stood there.
  return {
    time,
    open: older.open,
    high: Math.max(older.high, newer.high),
    low: Math.min(older.low, newer.low),
    close: newer.close,
    volume: older.volume + newer.volume,
    turnover: older.turnover + newer.turnover,
  };
}

export interface BarRange {
  /** Only bars that start at or after this time, ms. */
  readonly from?: number;
  /** Only bars that start before this time, ms. */
  readonly before?: number;
  readonly limit: number;
}

/**
 * The newest bars of a frame within a range, oldest first. A first bar that is only partly known is left out, and so are the bars before
 * the first price, which close at 0.
 */
export function barsOf(series: ReadableSeries, frame: Frame, { from = 0, before = Infinity, limit }: BarRange): Bar[] {
  const bars: Bar[] = [];
  const last = Math.min(series.length, before === Infinity ? series.length : Math.ceil(series.indexOf(before - 1) + 1));
  let index = last - 1;
  if (before !== Infinity && index >= 0) index = lastOfBucket(series, frame, index);
  const hasPrice = () => index >= 0 && series.closeAt(index) > 0;
  while (hasPrice() && bars.length < limit) {
    const start = startOf(frame, series.timeAt(index));
    if (start < from || start < series.start) break;
    let bar = { ...series.at(index), time: start };
    index -= 1;
    while (hasPrice() && series.timeAt(index) >= start) {
      bar = merge(series.at(index), bar, start);
      index -= 1;
    }
    bars.push(bar);
  }
  return bars.reverse();
}

/** A range that ends inside a candle still shows the whole candle. */
function lastOfBucket(series: ReadableSeries, frame: Frame, index: number): number {
  const end = endOf(frame, startOf(frame, series.timeAt(index)));
  return Math.min(series.length - 1, series.indexOf(end - 1));
}
