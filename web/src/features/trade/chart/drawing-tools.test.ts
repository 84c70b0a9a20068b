import { expect, test } from 'vitest';
import { pointsAmong } from './drawing-tools.ts';

const CANDLES = Array.from({ length: 9 }, (_, index) => ({ timestamp: index, close: 100 + index, high: 110 + index }));

test('a drawing that no pointer puts is among the candles in view, at their closes', () => {
  expect(pointsAmong(CANDLES, 1)).toEqual([{ timestamp: 4, value: 104 }]);
  expect(pointsAmong(CANDLES, 2)).toEqual([
    { timestamp: 2, value: 102 },
    { timestamp: 6, value: 106 },
  ]);
});

test('parallel lines and channels are as wide as the highest price in view', () => {
  expect(pointsAmong(CANDLES, 3)[2]).toEqual({ timestamp: 6, value: 118 });
});
