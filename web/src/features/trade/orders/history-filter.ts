/** What a person wants to see of a history, kept while the terminal is open. */

import type { QueryOf } from '@cambist/contract/call.ts';
import type { orderHistories, tradeHistories } from '@cambist/contract/histories.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { create } from 'zustand';
import { type DateSpan, spanQuery, timesOf } from '../../../lib/date-span.ts';

export type ListName = 'orders' | 'trades';

/** Every field empty where all are wanted; dates are days of the reader's own calendar, both included. */
export interface HistoryFilter extends DateSpan {
  readonly pair: string;
  readonly side: '' | 'BUY' | 'SELL';
  readonly type: '' | 'limit' | 'market' | 'conditional' | 'twap' | 'convert';
  readonly state: '' | 'APPROVED' | 'DISSAPROVED';
  readonly role: '' | 'maker' | 'taker';
  /** Fills of one order. */
  readonly order: string;
}

export const NO_FILTER: HistoryFilter = {
  ...{ pair: '', side: '', type: '', state: '', role: '', from: '', to: '', order: '' },
};

interface FilterStore {
  readonly orders: HistoryFilter;
  readonly trades: HistoryFilter;
  change(list: ListName, change: Partial<HistoryFilter>): void;
}

export const useHistoryFilters = create<FilterStore>()((set) => ({
  orders: NO_FILTER,
  trades: NO_FILTER,
  change: (list, change) => set((store) => ({ [list]: { ...store[list], ...change } })),
}));

export const filterCount = (filter: HistoryFilter): number =>
  Object.values(filter).filter((value) => value !== '').length;

type OrdersQuery = Omit<QueryOf<typeof orderHistories>, 'limit' | 'before'>;
type TradesQuery = Omit<QueryOf<typeof tradeHistories>, 'limit' | 'before'>;

function commonQuery(filter: HistoryFilter) {
  return {
    ...(filter.pair && { symbol: filter.pair }),
    ...(filter.side && { side: filter.side }),
    ...spanQuery(filter),
  };
}

export const ordersQuery = (filter: HistoryFilter): OrdersQuery => ({
  ...commonQuery(filter),
  ...(filter.type && { type: filter.type }),
  ...(filter.state && { state: filter.state }),
});

export const tradesQuery = (filter: HistoryFilter): TradesQuery => ({
  ...commonQuery(filter),
  ...(filter.role && { role: filter.role }),
  ...(filter.order && { order_id: filter.order }),
});

function isWanted(filter: HistoryFilter, row: Pick<Fill, 'delegate_type' | 'coin_pair' | 'created_at'>): boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY } = timesOf(filter);
  return (
    (filter.pair === '' || filter.pair === row.coin_pair.pair_name) &&
    (filter.side === '' || filter.side === row.delegate_type) &&
    row.created_at >= from &&
    row.created_at <= to
  );
}

/** Whether the server would list an order, which has been pushed, under the filter. */
export function wantsOrder(filter: HistoryFilter, order: Order): boolean {
  const type = order.trigger ? 'conditional' : order.twap ? 'twap' : order.type;
  return (
    isWanted(filter, order) &&
    (filter.type === '' || filter.type === type) &&
    (filter.state === '' || filter.state === order.state)
  );
}

export function wantsFill(filter: HistoryFilter, fill: Fill): boolean {
  return (
    isWanted(filter, fill) &&
    (filter.role === '' || filter.role === fill.role) &&
    (filter.order === '' || filter.order === fill.order_id)
  );
}
