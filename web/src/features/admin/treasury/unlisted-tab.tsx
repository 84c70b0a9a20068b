/** What came to addresses of clients and was not credited by itself: tokens that are not listed. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { endsOf } from '../../../lib/ends-of.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import own from './treasury.module.css';
import { type Unlisted, unlistedQuery } from './treasury-queries.ts';

const mono = (text: string) => (
  <span className={own.mono} title={text}>
    {endsOf(text)}
  </span>
);

const columns: readonly ListColumn<Unlisted>[] = [
  { id: 'time', title: msg('Time'), card: 'corner', cell: ({ seen_at: at }) => formatDateTime(at) },
  { id: 'network', title: msg('Network'), card: 'head', cell: ({ network }) => network },
  {
    id: 'client',
    title: msg('Client'),
    cell: ({ client_id: id }) => <Link to={`/admin/clients/${id}`}>{t('No. {{id}}', { id })}</Link>,
  },
  { id: 'units', title: msg('Smallest units'), align: 'right', cell: ({ units }) => units },
  { id: 'contract', title: msg('Contract'), cell: ({ contract }) => mono(contract) },
  { id: 'address', title: msg('Address'), cell: ({ address }) => mono(address) },
  {
    id: 'transaction',
    title: msg('Transaction'),
    align: 'right',

    cell: ({ transaction }) => mono(transaction),
  },
];

export function UnlistedTab() {
  const list = useQuery(unlistedQuery);
  return (
    <Section title={t('Uncredited deposits')}>
      {list.isPending && <SkeletonRows rows={4} columns={5} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <p className={classes.quiet}>
          {t('None. Tokens that are not listed and came to addresses of clients are here.')}
        </p>
      )}
      {list.data && list.data.length > 0 && (
        <RowList
          label={t('Uncredited deposits')}
          columns={columns}
          rows={list.data}
          rowKey={({ network, transaction, address, contract, units }) =>
            `${network} ${transaction} ${address} ${contract} ${units}`
          }
        />
      )}
    </Section>
  );
}
