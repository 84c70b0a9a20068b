import { expect, it } from 'vitest';
import { emptyHistory } from './history.ts';
import { createMarket } from './market.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

it('is a mean of a day that one minute hardly moves, and that knows in how many hours there was a trade', () => {
  const market = createMarket(emptyHistory(1000, 0));
  expect(market.dayMean(0)).toEqual({ price: expect.closeTo(1000, 6), minutes: 1, tradedHours: 0 });
  for (let hour = 0; hour < 24; hour += 1) market.count({ time: hour * HOUR_MS, price: 1000, quantity: 1 });
  expect(market.dayMean(DAY_MS - 1)).toEqual({ price: expect.closeTo(1000, 6), minutes: 1440, tradedHours: 24 });
  market.count({ time: DAY_MS - 1, price: 1_000_000, quantity: 1 });
  expect(market.dayMean(DAY_MS - 1)!.price).toBeCloseTo(1000 * 1000 ** (1 / 1440), 3);
  // After a day at the new price nothing of the old one is left.
  expect(market.dayMean(2 * DAY_MS)).toMatchObject({ price: expect.closeTo(1_000_000, 3), tradedHours: 0 });
});

it('has no mean before the first price', () => {
  const market = createMarket(emptyHistory(0, 0));
  expect(market.dayMean(HOUR_MS)).toBeUndefined();
  market.count({ time: HOUR_MS, price: 500, quantity: 1 });
  expect(market.dayMean(HOUR_MS + MINUTE_MS)).toEqual({ price: expect.closeTo(500, 6), minutes: 2, tradedHours: 1 });
});
