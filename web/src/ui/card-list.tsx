/** A table's rows as cards: a phone has no room for a table, and nothing of a row may be left out. */
import { useMediaQuery } from '@mantine/hooks';
import { t } from '../lib/i18n.ts';
import classes from './card-list.module.css';
import { type Column, DenseTable } from './dense-table.tsx';

const AT_ONCE = { getInitialValueInEffect: false } as const;

/** Whether rows are shown as cards. */
export const usePhone = (): boolean => useMediaQuery('(width < 48em)', false, AT_ONCE);

export interface ListColumn<Row> extends Column<Row> {
  /** Where a card has it: in its heading, at the heading's end, on a line of its own, or after the figures; one of them otherwise. */
  readonly card?: 'head' | 'corner' | 'line' | 'end';
}

interface CardListProps<Row> {
  readonly label: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** Rows as a table, and on a phone as cards. */
export function RowList<Row>({ tall = false, ...list }: CardListProps<Row> & { readonly tall?: boolean }) {
  return usePhone() ? <CardList {...list} /> : <DenseTable tall={tall} {...list} />;
}

export function CardList<Row>({ label, columns, rows, rowKey }: CardListProps<Row>) {
  const at = (place: ListColumn<Row>['card']) => columns.filter(({ card }) => card === place);
  const hasFigures = columns.some(({ card }) => card === undefined || card === 'end');
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
          {hasFigures && (
            <div className={classes.cardFigures}>
              <dl>
                {at(undefined).map(({ id, title, cell }) => (
                  <div key={id}>
                    <dt>{typeof title === 'string' ? t(title) : title}</dt>
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
          )}
        </li>
      ))}
    </ul>
  );
}
