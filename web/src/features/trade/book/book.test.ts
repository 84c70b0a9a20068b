import { Random } from '@cambist/core/simulation/random.ts';
import { expect, test } from 'vitest';
import { EMPTY_BOOK, LiveBook, toInteger } from '../../../lib/order-book/book-state.ts';
import { imbalanceOf, levelsOf, spreadOf, stepsFor, sumTo } from './book-levels.ts';
import { axisMarks, depthAt, depthCurve } from './depth-curve.ts';

const SNAPSHOT = {
  asks: [
    ['100.3', '1', '0', '1'],
    ['100.1', '0.5', '0', '1'],
    ['101.1', '2', '0', '1'],
  ],
  bids: [
    ['99.9', '1', '0', '1'],
    ['99.8', '3', '0', '1'],
  ],
} as const;

function newBook(): LiveBook {
  const book = new LiveBook({ price: 1, quantity: 5 });
  book.apply(SNAPSHOT, true);
  return book;
}

const snapshot = newBook().view();

test('a book that stays sorted is what sorting all its levels makes', () => {
  const random = new Random(7);
  const live = new LiveBook({ price: 0, quantity: 0 });
  const plain = { asks: new Map<number, number>(), bids: new Map<number, number>() };
  const levels = () =>
    Array.from({ length: random.between(0, 9) }, () => [random.between(1, 40), random.between(0, 3)] as const);
  for (let round = 0; round < 500; round += 1) {
    const change = { asks: levels(), bids: levels() };
    const snapshot = random.between(0, 49) === 0;
    for (const side of ['asks', 'bids'] as const) {
      if (snapshot) plain[side].clear();
      for (const [ticks, lots] of change[side]) {
        if (lots === 0) plain[side].delete(ticks);
        else plain[side].set(ticks, lots);
      }
    }
    const text = (side: ReturnType<typeof levels>) => side.map(([ticks, lots]) => [`${ticks}`, `${lots}`] as const);
    live.apply({ asks: text(change.asks), bids: text(change.bids) }, snapshot);
    expect(live.view()).toEqual({
      asks: [...plain.asks].sort(([a], [b]) => a - b),
      bids: [...plain.bids].sort(([a], [b]) => b - a),
    });
  }
});

test('levels run from the best price outwards, add up, and know their share (T-orderbook-trades-07, T-orderbook-trades-08)', () => {
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

test('the sum up to a level is at the prices of the book, whether levels are gathered or not', () => {
  // 0.5 at 100.1 and 1 at 100.3.
  expect(sumTo(snapshot.asks, 1, true, 1003)).toEqual({ lots: 150_000, value: 150_350_000n });
  expect(sumTo(snapshot.asks, 10, true, 1010)).toEqual({ lots: 150_000, value: 150_350_000n });
  expect(sumTo(snapshot.bids, 1, false, 999)).toEqual({ lots: 100_000, value: 99_900_000n });
  expect(sumTo(EMPTY_BOOK.asks, 1, true, 5)).toEqual({ lots: 0, value: 0n });
});

test('an update changes, adds and removes levels by price and amount; a snapshot replaces all (T-orderbook-trades-15, T-orderbook-trades-16)', () => {
  const book = newBook();
  book.apply({ asks: [['100.1', '0']], bids: [['99.9', '2']] }, false);
  expect(book.view().asks[0]).toEqual([1003, 100_000]);
  expect(book.view().bids[0]).toEqual([999, 200_000]);
  book.apply({ asks: [], bids: [] }, true);
  expect(book.view()).toEqual(EMPTY_BOOK);
});

test('spread, imbalance and steps', () => {
  expect(spreadOf(snapshot)).toEqual({ ticks: 2, percent: 0.2 });
  expect(spreadOf(EMPTY_BOOK)).toBeUndefined();
  const [asks, bids] = [levelsOf(snapshot.asks, 1, true, 2), levelsOf(snapshot.bids, 1, false, 2)];
  expect(imbalanceOf({ asks, bids })).toBeCloseTo(72.73);
  expect(imbalanceOf({ asks: [], bids: [] })).toBeUndefined();
  expect(stepsFor(500_000)).toEqual([1, 10, 100, 1000]);
  expect(stepsFor(150)).toEqual([1]);
});

test.each([
  ['100.1', 1, 1001],
  ['0.00012', 5, 12],
  ['7', 5, 700_000],
  ['12345678901.12345678', 4, 123_456_789_011_235],
  ['1.26', 1, 13],
])('%s in units of 10^-%i is %i', (text, scale, units) => {
  expect(toInteger(text, scale)).toBe(units);
});

test('depth adds up outwards and ends at the edge of the range', () => {
  const curve = depthCurve(snapshot, 0.5)!;
  expect(curve.middle).toBe(1000);
  expect(curve.asks).toEqual([
    { ticks: 1001, lots: 50_000 },
    { ticks: 1003, lots: 150_000 },
  ]);
  expect(curve.deepest).toBe(400_000);
  expect(depthAt(curve, 1002)).toEqual({ ticks: 1001, lots: 50_000 });
  expect(depthAt(curve, 998)).toEqual({ ticks: 998, lots: 400_000 });
  expect(depthCurve(EMPTY_BOOK, 1)).toBeUndefined();
});

test('the axes of the depth chart are marked at round numbers, and never with more than there is room for', () => {
  expect(axisMarks(907_500, 912_600, 4)).toEqual([908_000, 910_000, 912_000]);
  expect(axisMarks(0, 1_234, 5)).toEqual([0, 500, 1_000]);
  expect(axisMarks(3, 7, 10)).toEqual([3, 4, 5, 6, 7]);
  expect(axisMarks(11, 19, 1)).toEqual([]);
  for (const to of [1, 9, 73, 512, 99_999, 12_345_678]) {
    expect(axisMarks(0, to, 4).length).toBeLessThanOrEqual(5);
  }
});
