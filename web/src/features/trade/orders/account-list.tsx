/** The states that every list of the account has, around the table itself, which is a list of cards on a phone. */
import { NativeSelect } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { CardList, type ListColumn, usePhone } from '../../../ui/card-list.tsx';
import { DenseTable } from '../../../ui/dense-table.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { PAGE_SIZES, useTradePreferences } from '../trade-preferences.ts';
import classes from './orders.module.css';

export interface ListState<Row> {
  /** Undefined until they are here. */
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Reads older rows; absent where there are none. */
  readonly more?: () => void;
}

/** A list that one call answers whole. */
export function listOf<Answer, Row>(
  { data, error, refetch }: UseQueryResult<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): ListState<Row> {
  return { rows: data && rowsOf(data), error, retry: () => void refetch() };
}

interface AccountListProps<Row> {
  readonly label: string;
  readonly list: ListState<Row>;
  readonly columns: readonly ListColumn<Row>[];
  /** On a phone, where those of the table are not for cards. */
  readonly cards?: readonly ListColumn<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: string;
  readonly emptyAction?: ReactNode;
  /** Rows a page, where the person does not choose. */
  readonly pageSize?: number;
  /** Stands beside the pager of a list that is not empty. */
  readonly action?: ReactNode;
  /** Stand there whatever the list holds, so that what was chosen can be chosen otherwise. */
  readonly tools?: ReactNode;
}

export function AccountList<Row>(props: AccountListProps<Row>) {
  const { list, action, tools } = props;
  const chosenSize = useTradePreferences((preferences) => preferences.pageSize);
  const pageSize = props.pageSize ?? chosenSize;
  const all = list.rows ?? [];
  const { rows, page, count, setPage } = usePages(all, pageSize);
  const isFull = all.length > 0;
  const turnTo = (next: number) => {
    setPage(next);
    // The page after the next is there before it is asked for.
    if (next >= count - 1) list.more?.();
  };
  return (
    <>
      {isFull ? <Rows {...props} rows={rows} /> : <NoRows {...props} />}
      {(isFull || tools) && (
        <div className={classes.foot}>
          {tools}
          {isFull && action}
          <Pager page={page} count={count} hasMore={list.more !== undefined} onChange={turnTo} />
          {props.pageSize === undefined && all.length > PAGE_SIZES[0] && <PageSize />}
        </div>
      )}
    </>
  );
}

function NoRows<Row>({ list, empty, emptyAction }: AccountListProps<Row>) {
  const pageSize = useTradePreferences((preferences) => preferences.pageSize);
  if (list.error) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.rows === undefined) return <SkeletonRows rows={pageSize + 1} columns={6} />;
  return <Empty title={empty} action={emptyAction} />;
}

function Rows<Row>({
  label,
  columns,
  cards = columns,
  rowKey,
  rows,
}: AccountListProps<Row> & { readonly rows: readonly Row[] }) {
  const phone = usePhone();
  if (phone) return <CardList label={label} columns={cards} rows={rows} rowKey={rowKey} />;
  return (
    <div className={classes.scroll}>
      <DenseTable label={label} columns={columns} rows={rows} rowKey={rowKey} />
    </div>
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
