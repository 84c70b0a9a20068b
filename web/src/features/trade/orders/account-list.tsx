/** The states that every list of the account has, around the table itself. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from './orders.module.css';

export const PAGE_SIZE = 5;

interface AccountListProps<Answer, Row> {
  readonly label: string;
  readonly query: UseQueryResult<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: string;
  readonly emptyAction?: ReactNode;
}

export function AccountList<Answer, Row>(props: AccountListProps<Answer, Row>) {
  const { label, query, rowsOf, columns, rowKey, empty, emptyAction } = props;
  const all = query.data === undefined ? [] : rowsOf(query.data);
  const { rows, page, count, setPage } = usePages(all, PAGE_SIZE);
  if (query.isPending) return <SkeletonRows rows={PAGE_SIZE + 1} columns={6} />;
  if (query.isError && all.length === 0) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (all.length === 0) return <Empty title={empty} action={emptyAction} />;
  return (
    <>
      <div className={classes.scroll}>
        <DenseTable label={label} columns={columns} rows={rows} rowKey={rowKey} />
      </div>
      <Pager page={page} count={count} onChange={setPage} />
    </>
  );
}
