/** The states that every list of the account has, around the table itself. */
import { NativeSelect } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { PAGE_SIZES, useTradePreferences } from '../trade-preferences.ts';
import classes from './orders.module.css';

interface AccountListProps<Answer, Row> {
  readonly label: string;
  readonly query: UseQueryResult<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: string;
  readonly emptyAction?: ReactNode;
  /** Stands beside the pager. */
  readonly action?: ReactNode;
}

export function AccountList<Answer, Row>(props: AccountListProps<Answer, Row>) {
  const { label, query, rowsOf, columns, rowKey, empty, emptyAction, action } = props;
  const pageSize = useTradePreferences((preferences) => preferences.pageSize);
  const all = query.data === undefined ? [] : rowsOf(query.data);
  const { rows, page, count, setPage } = usePages(all, pageSize);
  if (query.isPending) return <SkeletonRows rows={pageSize + 1} columns={6} />;
  if (query.isError && all.length === 0) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (all.length === 0) return <Empty title={empty} action={emptyAction} />;
  return (
    <>
      <div className={classes.scroll}>
        <DenseTable label={label} columns={columns} rows={rows} rowKey={rowKey} />
      </div>
      <div className={classes.foot}>
        {action}
        <Pager page={page} count={count} onChange={setPage} />
        {all.length > PAGE_SIZES[0] && <PageSize />}
      </div>
    </>
  );
}

function PageSize() {
  const { pageSize, set } = useTradePreferences();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('Rows per page')}
      value={String(pageSize)}
      data={PAGE_SIZES.map(String)}
      onChange={({ currentTarget }) => {
        const size = PAGE_SIZES.find((entry) => String(entry) === currentTarget.value);
        if (size) set({ pageSize: size });
      }}
    />
  );
}
