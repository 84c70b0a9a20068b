/** What the columns of order and trade histories are as files. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { csvTime } from '../../platform/csv.ts';
import type { FileColumn } from '../../platform/files.ts';
import type { Stride } from './histories.ts';

/** As the lists of orders say it. */
const STATES: Readonly<Record<Order['state'], string>> = {
  PENDING: 'Pending',
  APPROVED: 'Filled',
  DISSAPROVED: 'Cancelled',
  DECLINED: 'Cancelled',
};

/** Names and words are those of the calls, for programs, except states; they are not translated. */
export const orderColumns: readonly FileColumn<Order>[] = [
  { name: 'placed_at', value: (order) => csvTime(order.created_at) },
  { name: 'ended_at', value: (order) => csvTime(order.updated_at) },
  { name: 'id', value: (order) => order.id },
  { name: 'client_order_id', value: (order) => order.client_order_id ?? '' },
  { name: 'pair', value: (order) => order.coin_pair.pair_name },
  { name: 'side', value: (order) => order.delegate_type },
  { name: 'type', value: (order) => (order.twap ? 'twap' : order.type) },
  { name: 'trigger', value: (order) => order.trigger?.kind ?? '' },
  { name: 'time_in_force', value: (order) => order.time_in_force },
  { name: 'price', value: (order) => order.final_price },
  { name: 'quantity', value: (order) => order.number_of_order },
  { name: 'filled', value: (order) => order.filled },
  { name: 'average_price', value: (order) => order.average_price },
  { name: 'total', value: (order) => order.total },
  { name: 'fee', value: (order) => order.fee },
  { name: 'fee_coin', value: (order) => order.fee_coin },
  { name: 'state', value: (order) => STATES[order.state] },
  { name: 'reason', value: (order) => order.reason },
];

export const fillColumns: readonly FileColumn<Fill>[] = [
  { name: 'time', value: (fill) => csvTime(fill.created_at) },
  { name: 'id', value: (fill) => fill.id },
  { name: 'order_id', value: (fill) => fill.order_id },
  { name: 'pair', value: (fill) => fill.coin_pair.pair_name },
  { name: 'side', value: (fill) => fill.delegate_type },
  { name: 'role', value: (fill) => fill.role },
  { name: 'price', value: (fill) => fill.price },
  { name: 'quantity', value: (fill) => fill.quantity },
  { name: 'total', value: (fill) => fill.total },
  { name: 'fee', value: (fill) => fill.fee },
  { name: 'fee_coin', value: (fill) => fill.fee_coin },
  { name: 'type', value: (fill) => fill.type ?? 'order' },
];

/** Small, so that no order waits long behind a statement of a file. */
export const FILE_STRIDE: Stride = { first: 40, most: 40 };
