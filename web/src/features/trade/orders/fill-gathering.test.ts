import type { Order } from '@cambist/contract/trading.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FillGathering } from './fill-gathering.ts';

const order = (id: number, state: Order['state'] = 'APPROVED') => ({ id: String(id), state }) as Order;

let told: string[][];
let gathering: FillGathering;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  gathering = new FillGathering((orders) => told.push(orders.map(({ id }) => id)));
});
afterEach(() => {
  gathering.close();
  vi.useRealTimers();
});

it('tells of a filled order once, and of no partial fill and no cancellation', () => {
  for (const state of ['PENDING', 'PENDING', 'APPROVED', 'APPROVED'] as const) gathering.add(order(1, state));
  gathering.add(order(2, 'DISSAPROVED'));
  vi.advanceTimersByTime(1000);
  gathering.add(order(1));
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([['1']]);
});

it('tells of many that fill within a moment together', () => {
  for (let id = 1; id <= 300; id += 1) gathering.add(order(id));
  vi.advanceTimersByTime(400);
  expect(told).toHaveLength(1);
  expect(told[0]).toHaveLength(300);
});

it('rests between heaps, so that a program which trades all day does not cover the screen', () => {
  for (let id = 1; id <= 100; id += 1) {
    gathering.add(order(id));
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(10_000);
  expect(told.flat()).toHaveLength(100);
  expect(told.length).toBeLessThan(9);
});
