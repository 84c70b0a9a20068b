/** The transfers so far, newest first. */
import type { Transfer } from '@cambist/contract/transfers.ts';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from './transfer.module.css';
import { transfersQuery } from './transfer-queries.ts';
import { amountOf, progressOf, routeOf } from './witnesses.tsx';

function stateText(transfer: Transfer): string {
  if (transfer.state === 'PENDING') return progressOf(transfer);
  return transfer.state === 'COMPLETED' ? t('Completed') : t('Reversed');
}

const columns: readonly Column<Transfer>[] = [
  {
    id: 'route',
    title: msg('Transfer'),
    cell: (transfer) => (
      <span className={classes.what}>
        <span className={classes.amount}>{amountOf(transfer)}</span>
        <span className={classes.small}>{routeOf(transfer)}</span>
      </span>
    ),
  },
  {
    id: 'state',
    title: msg('Status'),
    align: 'right',
    cell: (transfer) => (
      <span className={classes.what} data-state={transfer.state}>
        <span className={classes.state}>{stateText(transfer)}</span>
        <span className={classes.small}>{formatDateTime(transfer.created_at)}</span>
      </span>
    ),
  },
];

export function TransferList() {
  const list = useQuery(transfersQuery);
  const rows = list.data?.transfers ?? [];
  return (
    <section className={classes.recent} aria-label={t('Recent transfers')}>
      <h2 className={classes.heading}>{t('Recent transfers')}</h2>
      <div className={classes.list}>
        {list.isPending && <SkeletonRows rows={3} columns={2} />}
        {list.isError && rows.length === 0 && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {list.data && rows.length === 0 && <Empty title={t('Your transfers will be listed here.')} />}
        {rows.length > 0 && (
          <DenseTable tall label={t('Recent transfers')} columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </div>
    </section>
  );
}
