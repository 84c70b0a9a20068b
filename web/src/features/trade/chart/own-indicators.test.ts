/** Indicators beside series that another program computed from the same candles, by the textbook. */
import { expect, test } from 'vitest';
import { averageTrueRange, displacementOf, ichimoku, volumeWeightedPrice } from './own-indicators.ts';

/** High, low, close and volume of half hours since the last midnight of 2025, UTC. */
const CANDLES = [
  [100.3, 97.64, 98.94, 1.6],
  [99.89, 98.82, 99.16, 5.1],
  [100.03, 96.24, 96.38, 1.7],
  [98.03, 95.68, 95.93, 2.8],
  [98.59, 94.78, 96.69, 4.2],
  [99.64, 94.97, 99.55, 3.3],
  [99.79, 96.8, 97.42, 7.5],
  [98.58, 94.22, 95.5, 4.0],
  [95.92, 95.38, 95.79, 2.6],
  [97.73, 95.16, 96.87, 5.7],
  [97.47, 95.0, 96.59, 6.6],
  [97.74, 94.0, 95.05, 8.0],
  [97.01, 93.09, 96.43, 1.9],
  [97.94, 95.64, 95.94, 4.9],
  [97.28, 91.65, 93.18, 5.6],
  [96.06, 91.79, 95.43, 5.8],
  [96.82, 93.75, 95.91, 8.6],
  [97.24, 95.63, 95.75, 6.6],
  [98.62, 94.11, 96.63, 3.3],
  [97.97, 95.89, 95.94, 4.7],
  [96.17, 93.83, 93.95, 7.1],
  [94.45, 90.95, 91.73, 8.0],
  [92.63, 88.11, 89.21, 8.1],
  [92.86, 88.65, 91.13, 4.3],
  [92.9, 88.36, 90.28, 2.2],
  [90.74, 87.87, 88.34, 4.9],
  [89.4, 88.33, 88.87, 4.4],
  [90.0, 86.18, 88.09, 6.5],
  [89.42, 86.74, 88.18, 1.4],
  [92.14, 86.43, 90.58, 7.4],
  [91.38, 89.72, 89.93, 6.1],
  [90.06, 86.88, 87.3, 2.3],
  [87.41, 86.34, 86.34, 2.2],
  [87.07, 83.9, 83.95, 8.0],
  [84.93, 83.45, 84.63, 3.8],
  [84.88, 82.11, 83.81, 8.9],
  [84.78, 83.44, 83.61, 1.8],
  [84.14, 81.01, 82.67, 2.3],
  [84.57, 78.75, 79.81, 2.2],
  [80.12, 78.75, 80.07, 8.8],
  [83.64, 79.55, 82.25, 3.9],
  [83.79, 79.18, 80.25, 7.2],
  [80.7, 77.61, 79.23, 8.9],
  [82.96, 77.59, 81.35, 6.9],
  [82.39, 79.0, 79.71, 1.2],
  [80.27, 76.36, 76.88, 6.5],
  [80.51, 75.01, 79.62, 8.9],
  [83.08, 79.18, 82.35, 2.8],
  [82.76, 79.28, 80.53, 8.2],
  [83.53, 79.22, 82.57, 7.4],
  [83.89, 78.26, 80.08, 7.3],
  [82.54, 79.72, 81.58, 7.3],
  [83.18, 78.64, 80.58, 4.2],
  [82.47, 78.54, 79.99, 2.4],
  [80.29, 75.94, 77.75, 7.5],
  [79.4, 73.67, 75.63, 6.3],
  [76.73, 74.47, 74.73, 1.1],
  [78.86, 73.68, 77.56, 8.5],
  [79.3, 75.51, 77.16, 2.7],
  [77.75, 75.19, 75.67, 5.7],
] as const;
const BEGIN = Date.UTC(2025, 11, 31);
const BARS = CANDLES.map(([high, low, close, volume], index) => ({
  timestamp: BEGIN + index * 1_800_000,
  ...{ high, low, close, volume },
}));

const near = (value: number | undefined, expected: number | undefined) =>
  expected === undefined ? expect(value).toBeUndefined() : expect(value).toBeCloseTo(expected, 9);

test.each([
  [0, undefined],
  [12, undefined],
  [13, 2.9457142857],
  [14, 3.1374489796],
  [30, 3.2311200216],
  [47, 3.5300556086],
  [59, 3.7994281905],
])('the average true range of candle %i is %s', (index, expected) => {
  near(averageTrueRange(BARS, 14)[index]?.atr, expected);
});

test.each([
  [0, 98.96],
  [13, 96.9011352254],
  [30, 94.0927071229],
  [47, 89.5445024155],
  // The first of the new year begins anew.
  [48, 80.8566666667],
  [59, 79.0994266278],
])('the volume-weighted price of candle %i is %d', (index, expected) => {
  near(volumeWeightedPrice(BARS)[index]?.vwap, expected);
});

test('nothing is weighted where nothing was traded', () => {
  expect(volumeWeightedPrice([{ timestamp: BEGIN, high: 2, low: 1, close: 1 }])).toEqual([{}]);
  expect([averageTrueRange([], 14), ichimoku([], [9, 26, 52])]).toEqual([[], []]);
});

test.each([
  [7, undefined, undefined, undefined, undefined, 86.34],
  [8, 97.26, undefined, undefined, undefined, 83.95],
  [25, 93.245, 94.085, undefined, undefined, 80.08],
  [33, 88.02, 91.26, undefined, undefined, 77.16],
  [50, 79.45, 83.575, 93.665, undefined, undefined],
  [51, 79.45, 83.575, 93.5975, undefined, undefined],
  [59, 78.425, 79.3, 89.415, undefined, undefined],
])('the five lines of Ichimoku at candle %i', (index, conversion, base, spanA, spanB, lagging) => {
  const point = ichimoku(BARS, [9, 26, 52])[index];
  near(point?.conversion, conversion);
  near(point?.base, base);
  near(point?.spanA, spanA);
  near(point?.spanB, spanB);
  near(point?.lagging, lagging);
});

test('the cloud is known one displacement ahead, and drawn there', () => {
  const points = ichimoku(BARS, [9, 26, 52]);
  near(points[50]?.aheadB, undefined);
  near(points[51]?.aheadB, 87.655);
  near(points[59]?.aheadA, 78.8625);
  near(points[59]?.aheadB, 86.145);
  expect(displacementOf(26)).toBe(25);
  const short = ichimoku(BARS, [2, 3, 4]);
  expect(short[9]?.spanB).toBe(short[7]?.aheadB);
});
