/** The states that every list of the account has, around the table itself, which is a list of cards on a phone. */
import { NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { PAGE_SIZES, useTradePreferences } from '../trade-preferences.ts';
import classes from './orders.module.css';

export interface ListColumn<Row> extends Column<Row> {
  /** Where a card has it: in its heading, at the heading's end, on a line of its own, or after the figures; one of them otherwise. */
  readonly card?: 'head' | 'corner' | 'line' | 'end';
}

const AT_ONCE = { getInitialValueInEffect: false } as const;

interface AccountListProps<Answer, Row> {
  readonly label: string;
  readonly query: UseQueryResult<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly columns: readonly ListColumn<Row>[];
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
  const phone = useMediaQuery('(max-width: 767px)', false, AT_ONCE);
  if (query.isPending) return <SkeletonRows rows={pageSize + 1} columns={6} />;
  if (query.isError && all.length === 0) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (all.length === 0) return <Empty title={empty} action={emptyAction} />;
  return (
    <>
      {phone ? (
        <Cards label={label} columns={columns} rows={rows} rowKey={rowKey} />
      ) : (
        <div className={classes.scroll}>
          <DenseTable label={label} columns={columns} rows={rows} rowKey={rowKey} />
        </div>
      )}
      <div className={classes.foot}>
        {action}
        <Pager page={page} count={count} onChange={setPage} />
        {all.length > PAGE_SIZES[0] && <PageSize />}
      </div>
    </>
  );
}

interface CardsProps<Row> {
  readonly label: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** Every figure of a row under its own title: a phone has no room for a table, and nothing of a row may be left out. */
function Cards<Row>({ label, columns, rows, rowKey }: CardsProps<Row>) {
  const at = (place: ListColumn<Row>['card']) => columns.filter(({ card }) => card === place);
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={classes.card}>
          <div className={classes.cardHead}>
            {at('head').map(({ id, cell }) => (
              <span key={id}>{cell(row)}</span>
            ))}
            {at('corner').map(({ id, cell }) => (
              <span key={id} className={classes.corner}>
                {cell(row)}
              </span>
            ))}
          </div>
          {at('line').map(({ id, cell }) => (
            <div key={id}>{cell(row)}</div>
          ))}
          <div className={classes.cardFigures}>
            <dl>
              {at(undefined).map(({ id, title, cell }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
            </dl>
            {at('end').map(({ id, cell }) => (
              <div key={id} className={classes.cardEnd}>
                {cell(row)}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
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
