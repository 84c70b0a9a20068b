import type { Fill } from '@cambist/contract/trading.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountKeys, LIST_LIMIT } from './account-keys.ts';
import { forgetFills, receiveFills, withPushedFills } from './own-fills.ts';

const fill = (id: number): Fill => ({
  id: String(id),
  order_id: '1',
  delegate_type: 'BUY',
  coin_pair: { pair_name: 'BTC-USDT', coin_pair_name: 'BTCUSDT' },
  price: '90000.0',
  quantity: '0.01000',
  total: '900.000000',
  fee: '0.00001000',
  fee_coin: 'BTC',
  role: 'taker',
  created_at: id,
});

let queries: QueryClient;
const listed = () =>
  queries.getQueryData<{ trades: Fill[] }>([...accountKeys.tradeHistory, 'spot'])?.trades.map(({ id }) => id);

beforeEach(() => {
  queries = new QueryClient();
});
afterEach(forgetFills);

describe('a pushed fill', () => {
  it('is listed once, the newest first, however often and late it comes', () => {
    queries.setQueryData([...accountKeys.tradeHistory, 'spot'], { trades: [fill(9), fill(2)] });
    receiveFills(queries, [fill(10), fill(11)]);
    receiveFills(queries, [fill(10), fill(3)]);
    expect(listed()).toEqual(['11', '10', '9', '3', '2']);
  });

  it('is in a list that was asked for before it happened', () => {
    receiveFills(queries, [fill(7)]);
    expect(listed()).toBeUndefined();
    expect(withPushedFills([fill(6), fill(5)], 'spot').map(({ id }) => id)).toEqual(['7', '6', '5']);
  });

  it('keeps the list at its length', () => {
    receiveFills(queries, [fill(LIST_LIMIT + 1)]);
    const list = Array.from({ length: LIST_LIMIT }, (_, index) => fill(LIST_LIMIT - index));
    expect(withPushedFills(list, 'spot').map(({ id }) => Number(id))).toEqual(
      Array.from({ length: LIST_LIMIT }, (_, index) => LIST_LIMIT + 1 - index),
    );
  });

  it('is forgotten when somebody else signs in', () => {
    receiveFills(queries, [fill(7)]);
    forgetFills();
    expect(withPushedFills([], 'spot')).toEqual([]);
  });
});
