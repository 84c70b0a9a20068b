import { expect, it } from 'vitest';
import type { Step } from '../cost-basis/feed.ts';
import { closingBalances, type DayBalance, daysAfter, touchedBy } from './days.ts';

const DAY_MS = 86_400_000;
const [ANN, BTC, USDT] = [1000, 1, 0];

const step = (day: number, given: bigint, received: bigint): Step => ({
  owner: ANN,
  ...(given > 0n ? { given: { asset: USDT, units: given } } : {}),
  ...(received > 0n ? { received: { asset: BTC, units: received } } : {}),
  valued: { asset: USDT, units: given },
  trade: 1,
  time: day * DAY_MS + 5,
});

it('a trade changes both coins of its day, and each day begins with what the day before left', () => {
  const last: DayBalance[] = [{ owner: ANN, asset: USDT, day: 3, balance: 100n }];
  const steps = [step(3, 10n, 1n), step(3, 20n, 2n), step(5, 30n, 3n)];
  expect(touchedBy(steps)).toEqual([
    [ANN, USDT],
    [ANN, BTC],
  ]);
  const rows = daysAfter(last, steps);
  expect(rows.toSorted((left, right) => left.asset - right.asset || left.day - right.day)).toEqual([
    { owner: ANN, asset: USDT, day: 3, balance: 70n },
    { owner: ANN, asset: USDT, day: 5, balance: 40n },
    { owner: ANN, asset: BTC, day: 3, balance: 3n },
    { owner: ANN, asset: BTC, day: 5, balance: 6n },
  ]);
});

it('a clock that went back changes no day that is over', () => {
  const last: DayBalance[] = [{ owner: ANN, asset: USDT, day: 7, balance: 100n }];
  expect(daysAfter(last, [step(6, 10n, 0n)])).toEqual([{ owner: ANN, asset: USDT, day: 7, balance: 90n }]);
});

it('days without a movement keep what there was, and before the first one there was nothing', () => {
  const rows = [
    { day: 14, balance: 4n },
    { day: 12, balance: 9n },
  ];
  expect(closingBalances(rows, 11, 5)).toEqual([0n, 9n, 9n, 4n, 4n]);
  expect(closingBalances(rows, 20, 2)).toEqual([4n, 4n]);
  expect(closingBalances([], 20, 2)).toEqual([0n, 0n]);
});
