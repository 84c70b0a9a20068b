/** What a client has: balances, open orders, positions and the last payments. It is only looked at here. */
import { clientHoldings } from '@cambist/contract/admin-clients.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatExact, formatSigned } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import { ADMIN_KEY } from '../use-act.ts';

type Holdings = AnswerOf<typeof clientHoldings>;
type Balance = Holdings['balances'][number];
type Order = Holdings['orders'][number];
type Position = Holdings['positions'][number];
type Payment = Holdings['payments'][number];

const exact = (value: string) => formatExact(decimal(value));

const WALLETS: Readonly<Record<string, string>> = {
  SPOT: msg('Spot wallet'),
  FUTURE: msg('Futures wallet'),
  FUNDING: msg('Funding wallet'),
  EARN: msg('Earn wallet'),
};

const BALANCES: readonly Column<Balance>[] = [
  {
    id: 'wallet',
    title: msg('Wallet'),
    cell: ({ wallet }) => t(WALLETS[wallet] ?? wallet),
  },
  { id: 'coin', title: msg('Coin'), cell: ({ coin }) => coin },
  { id: 'available', title: msg('Available'), align: 'right', cell: ({ available }) => exact(available) },
  { id: 'reserved', title: msg('Reserved'), align: 'right', cell: ({ reserved }) => exact(reserved) },
];

const KINDS = { limit: msg('Limit'), conditional: msg('Conditional'), twap: msg('TWAP') } as const;

const ORDERS: readonly Column<Order>[] = [
  { id: 'at', title: msg('Time'), cell: ({ at }) => formatDateTime(at) },
  { id: 'pair', title: msg('Pair'), cell: ({ pair }) => pair },
  { id: 'side', title: msg('Side'), cell: ({ side }) => (side === 'BUY' ? t('Buy') : t('Sell')) },
  { id: 'kind', title: msg('Type'), wideOnly: true, cell: ({ kind }) => t(KINDS[kind]) },
  { id: 'price', title: msg('Price'), align: 'right', cell: ({ price }) => (price === '' ? '–' : exact(price)) },
  { id: 'quantity', title: msg('Quantity'), align: 'right', cell: ({ quantity }) => exact(quantity) },
  { id: 'filled', title: msg('Filled'), align: 'right', wideOnly: true, cell: ({ filled }) => exact(filled) },
];

const POSITIONS: readonly Column<Position>[] = [
  { id: 'pair', title: msg('Pair'), cell: ({ pair }) => pair },
  { id: 'side', title: msg('Side'), cell: ({ side }) => (side === 'LONG' ? t('Long') : t('Short')) },
  {
    id: 'leverage',
    title: msg('Leverage'),
    cell: ({ leverage, margin_mode }) => `${leverage}x ${margin_mode === 'cross' ? t('Cross') : t('Isolated')}`,
  },
  { id: 'quantity', title: msg('Quantity'), align: 'right', cell: ({ quantity }) => exact(quantity) },
  { id: 'value', title: msg('Value'), align: 'right', wideOnly: true, cell: ({ value }) => exact(value) },
  { id: 'profit', title: msg('Unrealized P&L'), align: 'right', cell: ({ profit }) => formatSigned(profit, 2) },
];

const PAYMENTS: readonly Column<Payment>[] = [
  { id: 'at', title: msg('Time'), cell: ({ at }) => formatDateTime(at) },
  { id: 'kind', title: msg('Type'), cell: ({ kind }) => (kind === 'deposit' ? t('Deposit') : t('Withdrawal')) },
  { id: 'amount', title: msg('Amount'), align: 'right', cell: ({ amount, coin }) => `${exact(amount)} ${coin}` },
  { id: 'network', title: msg('Network'), wideOnly: true, cell: ({ network }) => network },
  { id: 'state', title: msg('State'), align: 'right', cell: ({ state }) => state },
];

interface PartProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

function Part<Row>({ title, ...table }: PartProps<Row>) {
  return (
    <Section title={title}>
      {table.rows.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing here.')}</p>
      ) : (
        <DenseTable label={title} {...table} />
      )}
    </Section>
  );
}

export function ClientHoldings({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...ADMIN_KEY, 'client', id, 'holdings'],
    queryFn: ({ signal }) => call(clientHoldings, { params: { id }, signal }),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={8} columns={4} />;
  const { balances, orders, positions, payments } = data;
  return (
    <>
      <Part title={t('Balances')} columns={BALANCES} rows={balances} rowKey={(row) => `${row.wallet} ${row.coin}`} />
      <Part title={t('Open orders')} columns={ORDERS} rows={orders} rowKey={(row) => String(row.id)} />
      <Part title={t('Positions')} columns={POSITIONS} rows={positions} rowKey={(row) => `${row.pair} ${row.side}`} />
      <Part
        title={t('Deposits and withdrawals')}
        columns={PAYMENTS}
        rows={payments}
        rowKey={(row) => `${row.kind} ${row.id}`}
      />
    </>
  );
}
