import { expect, test, vi } from 'vitest';
import { closesAt, comparedLine, percentOf, withLine } from './comparison.ts';

vi.mock('klinecharts', () => ({ registerIndicator: () => undefined }));
const { changeOf } = await import('./chart-styles.ts');
const { heikinAshi } = await import('./heikin-ashi.ts');

const CANDLES = [
  { open: 10, high: 14, low: 8, close: 12 },
  { open: 12, high: 13, low: 11, close: 12 },
  { open: 30, high: 31, low: 29, close: 30 },
];

test('a Heikin-Ashi candle closes at the mean of its prices and opens in the middle of the one before', () => {
  expect(heikinAshi(CANDLES.slice(0, 2))).toEqual([
    { open: 11, high: 14, low: 8, close: 11 },
    { open: 11, high: 13, low: 11, close: 12 },
  ]);
  expect(heikinAshi([])).toEqual([]);
});

test('a Heikin-Ashi candle reaches to its own body where the market jumped past it', () => {
  const third = heikinAshi(CANDLES)[2];
  expect(third).toEqual({ open: 11.5, high: 31, low: 11.5, close: 30 });
});

test('where the other pair was not traded its last close counts, and before its first nothing does', () => {
  const closes = new Map([
    [20, 5],
    [40, 7],
  ]);
  expect(closesAt([10, 20, 30, 40, 50], closes)).toEqual([undefined, 5, 5, 7, 7]);
});

test('the other pair begins at the same height, and moves by its own percent', () => {
  const line = comparedLine(90_000, [undefined, 2_000, 2_200, 1_900]);
  expect(line.values).toEqual([undefined, 90_000, 99_000, 85_500]);
  expect(line.percent).toBeCloseTo(-5, 10);
  expect(percentOf(99_000, 90_000)).toBeCloseTo(10, 10);
  expect(percentOf(1, 0)).toBe(0);
  expect(comparedLine(90_000, [undefined, undefined])).toEqual({ values: [undefined, undefined], percent: undefined });
});

test('the scale has room for both', () => {
  expect(withLine({ from: 95, to: 105 }, [undefined, 90, 100])).toEqual({ from: 90, to: 105 });
  expect(withLine({ from: 95, to: 105 }, [])).toEqual({ from: 95, to: 105 });
});

test('the change of a candle has its sign, and the same minus as every other figure', () => {
  const texts = [changeOf(99.98, 100), changeOf(101, 100), changeOf(100, 100), changeOf(1, 0)].map(({ text }) => text);
  expect(texts).toEqual(['−0.02%', '+1.00%', '0.00%', '–']);
  expect(changeOf(99.999, 100)).toEqual({ text: '0.00%', direction: 'flat' });
});
