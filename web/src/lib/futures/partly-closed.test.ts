import type { Order } from '@cambist/contract/trading.ts';
import { expect, it } from 'vitest';
import { partlyClosed } from './partly-closed.ts';

const order = (state: Order['state'], filled: string, remaining: string) =>
  ({
    ...{ state, filled, remaining, number_of_order: '0.40000' },
    coin_pair: { pair_name: 'BTC-USDT-SWAP', coin_pair_name: 'BTCUSDTSWAP' },
  }) as Order;

const parts = (filled: string, open: string) => ({
  ...{ order_ids: ['1', '2', '3'], quantity: '1.00000', filled, open, reason: '' },
});

it.each([
  ['filled', { order: order('APPROVED', '0.40000', '0.00000') }],
  ['in the book', { order: order('PENDING', '0.10000', '0.30000') }],
  ['filled by several', { order: order('APPROVED', '0.40000', '0'), in_parts: parts('1.00000', '0.00000') }],
  ['in the book as several', { order: order('APPROVED', '0.40000', '0'), in_parts: parts('0.60000', '0.40000') }],
  ['not known', {}],
])('says nothing of what is %s', (_, answer) => {
  expect(partlyClosed(answer)).toBeUndefined();
});

it.each([
  ['one order', { order: order('DISSAPROVED', '0.10000', '0.30000') }, '0.1', '0.4 BTC'],
  [
    'several, though the first was filled',
    { order: order('APPROVED', '0.40000', '0'), in_parts: parts('0.70000', '0') },
    '0.7',
    '1 BTC',
  ],
])('says how far %s came', (_, answer, filled, amount) => {
  expect(partlyClosed(answer)).toEqual({ message: 'partly', filled, amount });
});
