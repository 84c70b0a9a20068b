import { expect, test } from 'vitest';
import { levelsOf, spreadOf, stepsFor } from './book-levels.ts';
import { applyBook, EMPTY_BOOK } from './book-state.ts';

const scales = { price: 1, quantity: 5 };
const snapshot = applyBook(
  EMPTY_BOOK,
  {
    asks: [
      ['100.3', '1', '0', '1'],
      ['100.1', '0.5', '0', '1'],
      ['101.1', '2', '0', '1'],
    ],
    bids: [
      ['99.9', '1', '0', '1'],
      ['99.8', '3', '0', '1'],
    ],
  },
  true,
  scales,
);

test('levels run from the best price outwards and add up', () => {
  const asks = levelsOf(snapshot.asks, 1, true, 2);
  expect(asks.map((level) => level.ticks)).toEqual([1001, 1003]);
  expect(asks.map((level) => level.cumulative)).toEqual([50_000, 150_000]);
  expect(asks.map((level) => Math.round(level.percent))).toEqual([33, 67]);
  expect(levelsOf(snapshot.bids, 1, false, 5).map((level) => level.ticks)).toEqual([999, 998]);
});

test('gathering rounds asks up and bids down', () => {
  expect(levelsOf(snapshot.asks, 10, true, 5).map((level) => [level.ticks, level.lots])).toEqual([
    [1010, 150_000],
    [1020, 200_000],
  ]);
  expect(levelsOf(snapshot.bids, 10, false, 5).map((level) => level.ticks)).toEqual([990]);
});

test('an update changes, adds and removes levels; a snapshot replaces all', () => {
  const next = applyBook(snapshot, { asks: [['100.1', '0']], bids: [['99.9', '2']] }, false, scales);
  expect(next.asks.has(1001)).toBe(false);
  expect(next.bids.get(999)).toBe(200_000);
  expect(applyBook(next, { asks: [], bids: [] }, true, scales).bids.size).toBe(0);
});

test('spread and steps', () => {
  expect(spreadOf(snapshot)).toEqual({ ticks: 2, percent: 0.2 });
  expect(spreadOf(EMPTY_BOOK)).toBeUndefined();
  expect(stepsFor(500_000)).toEqual([1, 10, 100, 1000]);
  expect(stepsFor(150)).toEqual([1]);
});
