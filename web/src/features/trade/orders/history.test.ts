import type { Fill, Order } from '@cambist/contract/trading.ts';
import { describe, expect, it } from 'vitest';
import { isBackwards } from '../../../lib/date-span.ts';
import { NO_FILTER, ordersQuery, tradesQuery, wantsFill, wantsOrder } from './history-filter.ts';
import { NOTHING_KEPT, newestFirst, withNewest } from './history-rows.ts';

const rows = (...ids: number[]) => ids.map((id) => ({ id: String(id) }));
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => Number(id));

describe('the rows of a history', () => {
  it('are each there once, newest first by number', () => {
    expect(ids(newestFirst(rows(9, 10, 9, 100)))).toEqual([100, 10, 9]);
  });

  it('keep what newer rows have pushed out of the list', () => {
    const first = withNewest(NOTHING_KEPT, rows(3, 2, 1), 3);
    const second = withNewest({ ...first, olderFrom: '1' }, rows(5, 4, 3), 3);
    expect(ids(second.rows)).toEqual([5, 4, 3, 2, 1]);
    expect(second.olderFrom).toBe('1');
  });

  it('begin anew where there would be a gap', () => {
    const kept = { rows: rows(3, 2, 1), olderFrom: '1' };
    expect(withNewest(kept, rows(9, 8, 7), 3)).toEqual({ rows: rows(9, 8, 7), olderFrom: undefined });
    // Fewer than the limit are all there are.
    expect(ids(withNewest({ rows: rows(1), olderFrom: undefined }, rows(9), 3).rows)).toEqual([9, 1]);
  });
});

describe('a filter', () => {
  const day = { ...NO_FILTER, from: '2026-03-29', to: '2026-03-29' };

  it('asks for whole days of the reader, however long they are', () => {
    const { from, to } = tradesQuery(day);
    expect(new Date(Number(from)).getHours()).toBe(0);
    expect(new Date(Number(to)).getHours()).toBe(23);
    expect(new Date(Number(to) + 1).getDate()).toBe(30);
    expect(tradesQuery({ ...day, from: '2026-03' })).not.toHaveProperty('from');
    expect(isBackwards(day)).toBe(false);
    expect(isBackwards({ ...day, from: '2026-03-30' })).toBe(true);
  });

  it('asks for nothing that was not chosen', () => {
    expect(ordersQuery(NO_FILTER)).toEqual({});
    expect(ordersQuery({ ...NO_FILTER, pair: 'BTC-USDT', side: 'BUY', type: 'limit', state: 'APPROVED' })).toEqual({
      ...{ symbol: 'BTC-USDT', side: 'BUY', type: 'limit', state: 'APPROVED' },
    });
    expect(tradesQuery({ ...NO_FILTER, role: 'maker', order: '7' })).toEqual({ role: 'maker', order_id: '7' });
  });

  it('takes of what is pushed only what the server would list', () => {
    const fill = {
      ...{ id: '1', order_id: '7', delegate_type: 'BUY', role: 'maker' },
      ...{ coin_pair: { pair_name: 'BTC-USDT' }, created_at: new Date(2026, 2, 29, 12).getTime() },
    } as Fill;
    for (const wanted of [NO_FILTER, day, { ...NO_FILTER, order: '7', role: 'maker', pair: 'BTC-USDT' } as const]) {
      expect(wantsFill(wanted, fill)).toBe(true);
    }
    for (const change of [
      { order: '8' },
      { role: 'taker' },
      { pair: 'ETH-USDT' },
      { side: 'SELL' },
      { to: '2026-03-28' },
    ]) {
      expect(wantsFill({ ...NO_FILTER, ...change } as typeof NO_FILTER, fill)).toBe(false);
    }
    const order = { ...fill, type: 'limit', state: 'APPROVED', trigger: { kind: 'oco' } } as unknown as Order;
    expect(wantsOrder({ ...NO_FILTER, type: 'conditional', state: 'APPROVED' }, order)).toBe(true);
    expect(wantsOrder({ ...NO_FILTER, type: 'limit' }, order)).toBe(false);
    expect(wantsOrder({ ...NO_FILTER, state: 'DISSAPROVED' }, order)).toBe(false);
  });
});
