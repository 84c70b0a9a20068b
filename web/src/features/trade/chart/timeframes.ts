/** The timeframes of the specification and the others, and how the chart, the feed and the stream each call them. */
import type { Period } from 'klinecharts';
import { tabStorage } from '../../../lib/storage.ts';

export interface Timeframe {
  readonly id: string;
  readonly period: Period;
  readonly channel: string;
  /** Of the feed's `history` family. */
  readonly path: string;
  readonly resolution: string;
  readonly lengthMs: number;
}

const MINUTE_MS = 60_000;

export const TIMEFRAMES: readonly Timeframe[] = [
  {
    id: '1min',
    period: { type: 'minute', span: 1 },
    channel: 'candle1m',
    path: '/api/v3/history',
    resolution: '1',
    lengthMs: MINUTE_MS,
  },
  {
    id: '5min',
    period: { type: 'minute', span: 5 },
    channel: 'candle5m',
    path: '/api/v3/history/five-min',
    resolution: '5',
    lengthMs: 5 * MINUTE_MS,
  },
  {
    id: '1hr',
    period: { type: 'hour', span: 1 },
    channel: 'candle1H',
    path: '/api/v3/history/one-hour',
    resolution: '60',
    lengthMs: 60 * MINUTE_MS,
  },
  {
    id: '4hr',
    period: { type: 'hour', span: 4 },
    channel: 'candle4H',
    path: '/api/v3/history/four-hour',
    resolution: '240',
    lengthMs: 240 * MINUTE_MS,
  },
  {
    id: '1D',
    period: { type: 'day', span: 1 },
    channel: 'candle1D',
    path: '/api/v3/history/one-day',
    resolution: '1D',
    lengthMs: 1_440 * MINUTE_MS,
  },
];

const HISTORY = '/api/v3/history';

/** The other lengths that the exchange keeps candles of. A month is longer than four weeks; so much is asked for. */
export const MORE_TIMEFRAMES: readonly Timeframe[] = [
  ...[3, 15, 30].map((minutes) => ({
    id: `${minutes}min`,
    period: { type: 'minute' as const, span: minutes },
    channel: `candle${minutes}m`,
    path: HISTORY,
    resolution: String(minutes),
    lengthMs: minutes * MINUTE_MS,
  })),
  ...[2, 6, 12].map((hours) => ({
    id: `${hours}hr`,
    period: { type: 'hour' as const, span: hours },
    channel: `candle${hours}H`,
    path: HISTORY,
    resolution: String(hours * 60),
    lengthMs: hours * 60 * MINUTE_MS,
  })),
  {
    id: '1W',
    period: { type: 'week', span: 1 },
    channel: 'candle1W',
    path: HISTORY,
    resolution: '1W',
    lengthMs: 7 * 1_440 * MINUTE_MS,
  },
  {
    id: '1M',
    period: { type: 'month', span: 1 },
    channel: 'candle1M',
    path: HISTORY,
    resolution: '1M',
    lengthMs: 31 * 1_440 * MINUTE_MS,
  },
];

const DAY_MS = 1_440 * MINUTE_MS;

/**
 * In which time zone the chart writes a candle's time: the person's own, as trades and orders beside it. A candle of a day
 * or longer begins at midnight UTC, and in the Americas would bear the date of the day before.
 */
export function timezoneOf({ lengthMs }: Timeframe): string {
  return lengthMs < DAY_MS ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'Etc/UTC';
}

const STORAGE_KEY = 'cambist.timeframe';

export function timeframeOf(id: string | null): Timeframe {
  const [first] = TIMEFRAMES;
  const found = [...TIMEFRAMES, ...MORE_TIMEFRAMES].find((timeframe) => timeframe.id === id) ?? first;
  if (!found) throw new Error('There is no timeframe at all');
  return found;
}

/** Kept for the session. */
export function storedTimeframe(): Timeframe {
  return timeframeOf(tabStorage.getItem(STORAGE_KEY));
}

export function storeTimeframe(timeframe: Timeframe): void {
  tabStorage.setItem(STORAGE_KEY, timeframe.id);
}
