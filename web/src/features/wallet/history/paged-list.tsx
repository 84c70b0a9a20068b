/** A history of ten rows a page, with the states that every list has; older rows are read when they are turned to. */
import type { ReactNode } from 'react';
import { CardList, type ListColumn, usePhone } from '../../../ui/card-list.tsx';
import { DenseTable } from '../../../ui/dense-table.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import classes from './history.module.css';
import type { PagedRows } from './paged-rows.ts';

const PAGE_SIZE = 10;

interface PagedListProps<Row> {
  readonly label: string;
  readonly list: PagedRows<Row>;
  readonly columns: readonly ListColumn<Row>[];
  /** On a phone, which has no room for a table. */
  readonly cards: readonly ListColumn<Row>[];
  readonly empty: string;
  /** What to do about it, where the screen does not show it anyway. */
  readonly emptyAction?: ReactNode;
  /** The row also holds a button that does the same, for the keyboard. */
  readonly onRowClick?: (row: Row) => void;
}

export function PagedList<Row extends { readonly id: string }>(props: PagedListProps<Row>) {
  const { list } = props;
  const all = list.rows ?? [];
  const { rows, page, count, setPage } = usePages(all, PAGE_SIZE);
  const turnTo = (next: number) => {
    setPage(next);
    // The page after the next is there before it is asked for.
    if (next >= count - 1 && list.hasMore) list.readOn();
  };
  const isFull = all.length > 0;
  return (
    <>
      <div className={classes.list}>
        {!isFull && <NoRows {...props} />}
        {isFull && <Rows {...props} rows={rows} />}
      </div>
      <div className={classes.foot}>
        {isFull && list.error && <StaleBadge />}
        <Pager page={page} count={count} hasMore={list.hasMore} onChange={turnTo} />
      </div>
    </>
  );
}

function NoRows<Row>({ list, empty, emptyAction }: PagedListProps<Row>) {
  if (list.error) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.rows === undefined) return <SkeletonRows rows={PAGE_SIZE} columns={4} />;
  return <Empty title={empty} action={emptyAction} />;
}

interface RowsProps<Row> extends PagedListProps<Row> {
  readonly rows: readonly Row[];
}

function Rows<Row extends { readonly id: string }>({ label, columns, cards, rows, onRowClick }: RowsProps<Row>) {
  const list = { label, rows, rowKey: ({ id }: Row) => id };
  if (usePhone()) return <CardList {...list} columns={cards} />;
  return <DenseTable tall {...list} columns={columns} {...(onRowClick && { onRowClick })} />;
}
