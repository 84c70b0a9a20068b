import type { Order } from '@cambist/contract/trading.ts';
import { expect, test } from 'vitest';
import { filterIn, ordersIn, pairsOf } from './open-filter.ts';

const order = (id: string, pair: string, side: 'BUY' | 'SELL') =>
  ({ id, coin_pair: { pair_name: pair }, delegate_type: side }) as unknown as Order;

const ORDERS = [order('1', 'ETH-USDT', 'BUY'), order('2', 'BTC-USDT', 'BUY'), order('3', 'ETH-USDT', 'SELL')];
const ids = (scope: Parameters<typeof ordersIn>[1]) => ordersIn(ORDERS, scope).map(({ id }) => id);

test('open orders are limited to a pair, to a side, and to both', () => {
  expect(ids({ pair: '', side: 'both' })).toEqual(['1', '2', '3']);
  expect(ids({ pair: 'ETH-USDT', side: 'both' })).toEqual(['1', '3']);
  expect(ids({ pair: '', side: 'BUY' })).toEqual(['1', '2']);
  expect(ids({ pair: 'ETH-USDT', side: 'SELL' })).toEqual(['3']);
  expect(ids({ pair: 'BTC-USDT', side: 'SELL' })).toEqual([]);
});

test('a chosen pair stays to be chosen otherwise after its last order, in its own terminal alone', () => {
  expect(pairsOf(ORDERS, '')).toEqual(['BTC-USDT', 'ETH-USDT']);
  expect(pairsOf([], 'BTC-USDT')).toEqual(['BTC-USDT']);
  expect([filterIn('spot', 'BTC-USDT'), filterIn('futures', 'BTC-USDT')]).toEqual(['BTC-USDT', '']);
});
