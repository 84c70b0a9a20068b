import type { Fill } from '@cambist/contract/trading.ts';
import type { Transfer } from '@cambist/contract/transfers.ts';
import { expect, test } from 'vitest';
import { toText } from '../../../lib/decimal.ts';
import { merged, ofFill, ofTransfer, part } from './movements.ts';

const fill = (id: number, side: 'BUY' | 'SELL', feeCoin: string): Fill => ({
  id: String(id),
  order_id: '1',
  delegate_type: side,
  coin_pair: { pair_name: 'BTC-USDT', coin_pair_name: 'BTCUSDT' },
  price: '50000.0',
  quantity: '0.10000',
  total: '5000.00000000',
  fee: feeCoin === 'BTC' ? '0.00010000' : '5.00000000',
  fee_coin: feeCoin,
  role: 'taker',
  created_at: id,
});
const change = (coin: string, one: Fill) => {
  const found = ofFill(coin, one);
  return found?.kind === 'fill' ? toText(found.change) : undefined;
};

test('a fill changes both coins of its pair, and the fee comes off what is received', () => {
  expect(change('BTC', fill(1, 'BUY', 'BTC'))).toBe('0.09990000');
  expect(change('USDT', fill(1, 'BUY', 'BTC'))).toBe('-5000.00000000');
  expect(change('BTC', fill(1, 'SELL', 'USDT'))).toBe('-0.10000');
  expect(change('USDT', fill(1, 'SELL', 'USDT'))).toBe('4995.00000000');
  expect(change('ETH', fill(1, 'SELL', 'USDT'))).toBeUndefined();
});

test('lists are one by time, and nothing is shown that an unread row could come before', () => {
  const fills = [9, 7, 4].map((id) => fill(id, 'BUY', 'BTC'));
  const transfers = [8, 6, 3, 1].map((time) => ({
    id: String(time),
    coin: time === 6 ? 'ETH' : 'BTC',
    created_at: time,
  }));
  const times = (fillsHaveMore: boolean, transfersHaveMore: boolean) =>
    merged([
      part(
        { rows: fills, hasMore: fillsHaveMore },
        ({ created_at }) => created_at,
        (row) => ofFill('BTC', row),
      ),
      part(
        { rows: transfers as Transfer[], hasMore: transfersHaveMore },
        ({ created_at }) => created_at,
        (row) => ofTransfer('BTC', row),
      ),
    ]).map(({ time }) => time);
  expect(times(false, false)).toEqual([9, 8, 7, 4, 3, 1]);
  expect(times(true, false)).toEqual([9, 8, 7, 4]);
  expect(times(false, true)).toEqual([9, 8, 7, 4, 3, 1]);
  const nothing = part<Fill>(
    { rows: [], hasMore: true },
    () => 0,
    () => undefined,
  );
  expect(merged([nothing])).toEqual([]);
});
