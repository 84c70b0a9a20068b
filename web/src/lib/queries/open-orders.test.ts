import type { Order } from '@cambist/contract/trading.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openOrdersQuery } from './account.ts';
import { accountKeys } from './account-keys.ts';
import { forgetOrders, receiveOrder } from './own-orders.ts';

const order = (id: number) =>
  ({
    ...{ id: String(id), state: 'PENDING', updated_at: 1, created_at: 1 },
    coin_pair: { pair_name: 'BTC-USDT', coin_pair_name: 'BTCUSDT' },
  }) as Order;

const queries = new QueryClient();
const answered = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', answered);
  vi.stubEnv('DEV', false);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  forgetOrders();
  queries.clear();
});

const listed = () => queries.getQueryData<{ orders: Order[] }>([...accountKeys.openOrders, 'spot'])?.orders.length;

it('reads every open order, however many answers they take, and counts one that is placed after them', async () => {
  const open = Array.from({ length: 1_234 }, (_, index) => order(1_234 - index));
  answered.mockImplementation(async (path) => {
    const query = new URL(String(path), 'http://exchange.test').searchParams;
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
    const page = open.filter(({ id }) => Number(id) < before).slice(0, Number(query.get('limit')));
    return new Response(JSON.stringify({ orders: page }));
  });
  const { orders } = await queries.fetchQuery(openOrdersQuery('spot'));
  expect(orders.map(({ id }) => id)).toEqual(open.map(({ id }) => id));
  receiveOrder(queries, order(1_235), 'push');
  expect(listed()).toBe(1_235);
});
