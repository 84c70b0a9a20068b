import type { Fill } from '@cambist/contract/trading.ts';
import { expect, it } from 'vitest';
import { filledOrders } from './filled-orders.ts';

const fill = (id: number, order: number, price: string, quantity: string, total: string, time: number) =>
  ({
    ...{ id: String(id), order_id: String(order), price, quantity, total, created_at: time },
    ...{ delegate_type: 'BUY', coin_pair: { pair_name: 'BTC-USDT' }, fee: '0.00000001', fee_coin: 'BTC' },
  }) as Fill;

it('gathers the fills of an order with their exact sum and average price', () => {
  const entries = filledOrders([
    fill(4, 7, '50001.0', '0.00200', '100.00200000', 4000),
    fill(3, 8, '50000.0', '0.00100', '50.00000000', 3500),
    fill(2, 7, '50000.0', '0.00100', '50.00000000', 3000),
  ]);
  expect(entries).toMatchObject([
    { id: '4', order: '7', amount: '0.00300', price: '50000.7', fee: '0.00000002', time: 4000 },
    { id: '3', order: '8', amount: '0.00100', price: '50000.0' },
  ]);
});

it('lists what an order fills later as news of its own', () => {
  const entries = filledOrders([
    fill(3, 7, '1.0', '1', '1', 200_000),
    fill(2, 7, '1.0', '2', '2', 100_000),
    fill(1, 7, '1.0', '3', '3', 90_000),
  ]);
  expect(entries.map(({ id, amount }) => [id, amount])).toEqual([
    ['3', '1'],
    ['2', '5'],
  ]);
});
