/** The client's buy orders, or sell orders: what was asked for, at what price, and what has become of it. */
import { buyHistory, type Order, sellHistory } from '@cambist/contract/trading.ts';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import classes from './history.module.css';
import { PagedList } from './paged-list.tsx';
import { usePagedRows } from './paged-rows.ts';

export type SideRecord = Pick<
  Order,
  'id' | 'coin_pair' | 'final_price' | 'number_of_order' | 'total' | 'state' | 'created_at'
>;
type Side = Order['delegate_type'];

interface StateWords {
  /** The key of the text. */
  readonly text: string;
  readonly kind: 'FILLED' | 'CANCELLED' | 'PENDING';
}

/** A cancelled buy order is DISSAPROVED, a cancelled sell order DECLINED. */
export function stateOf(state: string): StateWords {
  if (state === 'APPROVED') return { text: msg('Filled'), kind: 'FILLED' };
  if (state === 'DISSAPROVED' || state === 'DECLINED') return { text: msg('Cancelled'), kind: 'CANCELLED' };
  return { text: msg('Pending'), kind: 'PENDING' };
}

const source = (side: Side, name: string, read: Parameters<typeof usePagedRows<SideRecord, Order>>[0]['read']) => ({
  key: ['account', name],
  keepAs: name,
  read,
  channel: { channel: 'orders', instType: 'SPOT' },
  rowsOf: (orders: readonly Order[]): readonly SideRecord[] => orders.filter(({ delegate_type: of }) => of === side),
});

const SOURCES = {
  BUY: source('BUY', 'buy-history', async (query, signal) => (await call(buyHistory, { query, signal })).buy),
  SELL: source('SELL', 'sell-history', async (query, signal) => (await call(sellHistory, { query, signal })).sell),
} as const;

const exact = (value: string): string => formatDecimal(value, decimal(value).scale);
const isNothing = (value: string): boolean => decimal(value).units === 0n;

/** An order at market has no price until it is filled. */
export const priceText = ({ final_price: price }: SideRecord): string =>
  isNothing(price) ? t('Market') : exact(price);

/** One that is sized by what it may spend has no amount until it is filled, and its total in its place. */
export function amountText({ number_of_order: quantity, total, coin_pair: pair }: SideRecord): string {
  if (!isNothing(quantity)) return exact(quantity);
  return isNothing(total) ? '–' : `${formatExact(decimal(total))} ${pair.pair_name.split('-')[1] ?? ''}`;
}

const pairOf = ({ coin_pair: pair }: SideRecord) => pair.pair_name;

function State({ record }: { readonly record: SideRecord }) {
  const { text, kind } = stateOf(record.state);
  return (
    <span className={classes.state} data-state={kind}>
      {t(text)}
    </span>
  );
}

const state: ListColumn<SideRecord> = {
  id: 'state',
  title: msg('Status'),
  align: 'right',
  card: 'corner',
  cell: (record) => <State record={record} />,
};

const columns: readonly ListColumn<SideRecord>[] = [
  { id: 'pair', title: msg('Pair'), cell: (record) => <strong>{pairOf(record)}</strong> },
  { id: 'price', title: msg('Price'), align: 'right', cell: priceText },
  { id: 'amount', title: msg('Amount'), align: 'right', cell: amountText },
  { id: 'time', title: msg('Time'), align: 'right', cell: (record) => formatDateTime(record.created_at) },
  state,
];

/** Two lines: which pair and what has become of it; how much at which price, and when. */
const cards: readonly ListColumn<SideRecord>[] = [
  { id: 'pair', title: msg('Pair'), card: 'head', cell: pairOf },
  state,
  {
    id: 'line',
    title: msg('Amount'),
    card: 'line',
    cell: (record) => (
      <span className={classes.line}>
        <span>
          {amountText(record)} × {priceText(record)}
        </span>
        <span>{formatDateTime(record.created_at)}</span>
      </span>
    ),
  },
];

interface SideListProps {
  readonly side: Side;
  readonly label: string;
  readonly empty: string;
}

export function SideList({ side, label, empty }: SideListProps) {
  const list = usePagedRows(SOURCES[side]);
  const trade = (
    <Button component={Link} to="/trades/spot" variant="default">
      {t('Trade')}
    </Button>
  );
  return <PagedList label={label} list={list} columns={columns} cards={cards} empty={empty} emptyAction={trade} />;
}
