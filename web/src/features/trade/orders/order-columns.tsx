import type { Fill, Order } from '@cambist/contract/trading.ts';
import { Link } from 'react-router';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal } from '../../../lib/format.ts';
import type { Column } from '../../../ui/dense-table.tsx';
import { Amount } from '../../../ui/figures.tsx';
import classes from './orders.module.css';

/** Shown with the decimals that the server sent: they are the pair's own. */
function exact(value: string): string {
  return value === '' ? '–' : formatDecimal(value, decimal(value).scale);
}

function isZero(value: string): boolean {
  return decimal(value).units === 0n;
}

const STATES = {
  PENDING: 'Pending',
  APPROVED: 'Filled',
  DISSAPROVED: 'Cancelled',
  DECLINED: 'Cancelled',
} as const;

/** Why an order ended, as the server's codes say it. */
const REASONS: Readonly<Record<string, string>> = {
  BY_OWNER: 'You cancelled it',
  UNFILLED_REMAINDER: 'The rest could not be filled at once',
  SELF_TRADE: 'It would have met an order of your own',
  PRICE_BAND: 'The price moved outside the allowed band',
  INSUFFICIENT_FUNDS: 'The funds did not suffice',
};

interface Sided {
  readonly id: string;
  readonly created_at: number;
  readonly delegate_type: 'BUY' | 'SELL';
  readonly coin_pair: { readonly pair_name: string };
}

function baseOf(row: Sided): string {
  return row.coin_pair.pair_name.split('-')[0] ?? '';
}

const pairColumns: readonly Column<Sided>[] = [
  {
    id: 'time',
    title: 'Time',
    wideOnly: true,
    cell: (row) => <span className={classes.quiet}>{formatDateTime(row.created_at)}</span>,
  },
  {
    id: 'pair',
    title: 'Pair',
    cell: (row) => <Link to={`/trades/spot/${baseOf(row)}`}>{row.coin_pair.pair_name}</Link>,
  },
  {
    id: 'side',
    title: 'Side',
    cell: (row) => (
      <span className={row.delegate_type === 'BUY' ? classes.up : classes.down}>
        {row.delegate_type === 'BUY' ? 'Buy' : 'Sell'}
      </span>
    ),
  },
];

const orderColumns: readonly Column<Order>[] = [
  ...pairColumns,
  { id: 'type', title: 'Type', wideOnly: true, cell: (row) => (row.type === 'limit' ? 'Limit' : 'Market') },
  {
    id: 'price',
    title: 'Price',
    align: 'right',
    cell: (row) => (isZero(row.final_price) ? 'Market' : exact(row.final_price)),
  },
  { id: 'amount', title: 'Amount', align: 'right', cell: (row) => exact(row.number_of_order) },
  { id: 'filled', title: 'Filled', align: 'right', wideOnly: true, cell: (row) => exact(row.filled) },
  {
    id: 'total',
    title: 'Total (USDT)',
    align: 'right',
    wideOnly: true,
    cell: (row) => <Amount value={row.total} digits={2} />,
  },
];

export const openOrderColumns = orderColumns;

export const orderHistoryColumns: readonly Column<Order>[] = [
  ...orderColumns,
  {
    id: 'state',
    title: 'State',
    align: 'right',
    cell: (row) => (
      <span title={REASONS[row.reason]} className={row.state === 'APPROVED' ? undefined : classes.quiet}>
        {STATES[row.state]}
      </span>
    ),
  },
];

export const tradeColumns: readonly Column<Fill>[] = [
  ...pairColumns,
  { id: 'price', title: 'Price', align: 'right', cell: (row) => exact(row.price) },
  { id: 'quantity', title: 'Amount', align: 'right', cell: (row) => exact(row.quantity) },
  {
    id: 'total',
    title: 'Total (USDT)',
    align: 'right',
    wideOnly: true,
    cell: (row) => <Amount value={row.total} digits={2} />,
  },
  {
    id: 'fee',
    title: 'Fee',
    align: 'right',
    wideOnly: true,
    cell: (row) => `${exact(row.fee)} ${row.fee_coin}`,
  },
  {
    id: 'role',
    title: 'Role',
    align: 'right',
    wideOnly: true,
    cell: (row) => (row.role === 'maker' ? 'Maker' : 'Taker'),
  },
];
