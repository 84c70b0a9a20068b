import type { Order } from '@cambist/contract/trading.ts';
import { expect, test } from 'vitest';
import { orderSide } from './side-text.ts';

test.each([
  ['BTC-USDT', 'BUY', undefined, 'Buy'],
  ['BTC-USDT', 'SELL', undefined, 'Sell'],
  ['BTC-USDT-SWAP', 'BUY', undefined, 'Long'],
  ['BTC-USDT-SWAP', 'SELL', undefined, 'Short'],
  // What only reduces opens nothing: the label names the position that it closes.
  ['BTC-USDT-SWAP', 'SELL', true, 'Close long'],
  ['BTC-USDT-SWAP', 'BUY', true, 'Close short'],
] as const)('an order of %s, %s, reduce-only %s, is listed as %s', (name, side, reduceOnly, label) => {
  const order: Pick<Order, 'delegate_type' | 'coin_pair' | 'reduce_only'> = {
    delegate_type: side,
    coin_pair: { pair_name: name, coin_pair_name: name },
    ...(reduceOnly && { reduce_only: reduceOnly }),
  };
  expect(orderSide(order)).toBe(label);
});
