import { expect, test } from 'vitest';
import { barOf, barsOf } from './chart-feed.ts';
import { timeframeOf } from './timeframes.ts';

test('feed columns become bars in milliseconds; an incomplete row is left out', () => {
  const answer = { s: 'ok', t: [60, 120], o: [1, 2], h: [3, 4], l: [0.5, 1], c: [2, 3], v: [10] } as const;
  expect(barsOf(answer)[0]).toEqual({ timestamp: 60_000, open: 1, high: 3, low: 0.5, close: 2, volume: 10 });
  expect(barsOf({ ...answer, c: [2] })).toHaveLength(1);
  expect(barsOf({ s: 'no_data' })).toEqual([]);
});

test('an error of the feed is thrown with its own text', () => {
  expect(() => barsOf({ s: 'error', errmsg: 'unknown_symbol' })).toThrow('unknown_symbol');
});

test('a candle of the stream', () => {
  expect(barOf(['1700000000000', '1.5', '2', '1', '1.75', '12', '21', '21', '0'])).toEqual({
    timestamp: 1_700_000_000_000,
    open: 1.5,
    high: 2,
    low: 1,
    close: 1.75,
    volume: 12,
  });
});

test('the default timeframe is one minute', () => {
  expect(timeframeOf(null).id).toBe('1min');
  expect(timeframeOf('4hr').resolution).toBe('240');
});
