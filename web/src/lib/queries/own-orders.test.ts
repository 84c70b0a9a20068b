import type { Order } from '@cambist/contract/trading.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountKeys } from './account-keys.ts';
import { holdPushed } from './held.ts';
import { forgetOrders, receiveOrder, upToDate } from './own-orders.ts';

let queries: QueryClient;

function order(
  id: number,
  updatedAt: number,
  state: Order['state'] = 'PENDING',
  filled = '0',
  pair = 'BTC-USDT',
): Order {
  const coin_pair = { pair_name: pair, coin_pair_name: pair.replaceAll('-', '') };
  return { id: String(id), state, filled, updated_at: updatedAt, created_at: 1, coin_pair } as Order;
}

const listed = (key: readonly string[]): [string, string][] =>
  (queries.getQueryData<{ orders: Order[] }>(key)?.orders ?? []).map(({ id, filled }) => [id, filled]);
const open = () => listed([...accountKeys.openOrders, 'spot']);
const ended = () => listed([...accountKeys.orderHistory, 'spot']);

beforeEach(() => {
  queries = new QueryClient();
  queries.setQueryData([...accountKeys.openOrders, 'spot'], { orders: [order(5, 10)] });
  queries.setQueryData([...accountKeys.orderHistory, 'spot'], { orders: [order(4, 9, 'APPROVED')] });
});
afterEach(() => {
  forgetOrders();
  queries.clear();
});

describe('an order of this page', () => {
  it('is listed once, by its answer or its push, whichever comes first', () => {
    receiveOrder(queries, order(6, 20), 'answer');
    receiveOrder(queries, order(6, 20), 'push');
    receiveOrder(queries, order(7, 21), 'push');
    receiveOrder(queries, order(7, 21), 'answer');
    expect(open().map(([id]) => id)).toEqual(['7', '6', '5']);
  });

  it('keeps its newer state when an older one comes later', () => {
    receiveOrder(queries, order(5, 30, 'PENDING', '2'), 'push');
    receiveOrder(queries, order(5, 20, 'PENDING', '1'), 'push');
    receiveOrder(queries, order(5, 20, 'PENDING', '1'), 'answer');
    expect(open()).toEqual([['5', '2']]);
  });

  it('is not set back below what a list has shown', () => {
    receiveOrder(queries, order(5, 9, 'PENDING', '1'), 'answer');
    expect(open()).toEqual([['5', '0']]);
  });

  it('is not opened again by a push that was held up while the list of what is open was read', () => {
    holdPushed(queries, [...accountKeys.openOrders, 'spot'], 'a-10');
    receiveOrder(queries, order(6, 20), 'push', 'a-9');
    expect(open().map(([id]) => id)).toEqual(['5']);
    receiveOrder(queries, order(7, 21), 'push', 'a-11');
    expect(open().map(([id]) => id)).toEqual(['7', '5']);
  });

  it('takes the push where its answer and its push are of the same commit', () => {
    receiveOrder(queries, order(6, 20, 'PENDING', '1'), 'push');
    receiveOrder(queries, order(6, 20, 'PENDING', '0'), 'answer');
    receiveOrder(queries, order(7, 20, 'PENDING', '0'), 'answer');
    receiveOrder(queries, order(7, 20, 'PENDING', '1'), 'push');
    expect(open()).toEqual([
      ['7', '1'],
      ['6', '1'],
      ['5', '0'],
    ]);
  });

  it('moves to the history when it ends, and never comes back', () => {
    receiveOrder(queries, order(5, 20, 'DISSAPROVED'), 'push');
    receiveOrder(queries, order(5, 25), 'push');
    expect(open()).toEqual([]);
    expect(ended().map(([id]) => id)).toEqual(['5', '4']);
  });
});

it('lists orders of perpetuals apart from those of spot pairs', () => {
  queries.setQueryData([...accountKeys.openOrders, 'futures'], { orders: [] });
  const placed = order(6, 20, 'PENDING', '0', 'BTC-USDT-SWAP');
  receiveOrder(queries, placed, 'push');
  expect(open()).toEqual([['5', '0']]);
  expect(listed([...accountKeys.openOrders, 'futures'])).toEqual([['6', '0']]);
  expect(upToDate([], { state: 'open', market: 'futures', askedAt: 0 })).toEqual([placed]);
});

describe('a list that was read', () => {
  const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

  it('lacks an order that ended while it was on its way, and has one that was placed meanwhile', () => {
    const askedAt = performance.now();
    receiveOrder(queries, order(5, 20, 'APPROVED', '1'), 'push');
    receiveOrder(queries, order(6, 20), 'push');
    expect(ids(upToDate([order(5, 10)], { state: 'open', market: 'spot', askedAt }))).toEqual(['6']);
    expect(ids(upToDate([order(4, 9, 'APPROVED')], { state: 'ended', market: 'spot', askedAt }))).toEqual(['5', '4']);
  });

  it('is right about orders whose end was not pushed', () => {
    receiveOrder(queries, order(6, 20), 'push');
    expect(upToDate([order(5, 10)], { state: 'open', market: 'spot', askedAt: performance.now() + 1 })).toEqual([
      order(5, 10),
    ]);
  });
});
