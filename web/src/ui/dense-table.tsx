/**
 * A table of dense rows. Rows that act on click also hold a link or button, which is what the keyboard reaches. Columns
 * that say how to compare can be sorted by their heading.
 */

import { type CSSProperties, memo, type ReactNode, useState } from 'react';
import { t } from '../lib/i18n.ts';
import classes from './dense-table.module.css';
import { IconChevronDown } from './first-icons.ts';
import { IconChevronUp, IconSelector } from './icons.ts';
import type { RowWindow } from './row-window.ts';

/** A tall row with its hairline, as in the style sheet, at the browser's usual text size. */
export const TALL_ROW_PX = 53;

export interface Column<Row> {
  readonly id: string;
  /** Text is translated here. */
  readonly title: ReactNode;
  readonly align?: 'left' | 'right';
  readonly width?: string;
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean;
  /** Stays at the end of what is seen while the rest is scrolled sideways; for what acts on a row. */
  readonly pinned?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Ascending order; a heading with it is a button. */
  readonly compare?: (left: Row, right: Row) => number;
}

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

interface DenseTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The same function while rows scroll by, or each of them is drawn again. */
  readonly onRowClick?: (row: Row) => void;
  readonly tall?: boolean;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: (column: string) => void;
  /** For lists of hundreds: only the rows in view are drawn; see `useRowWindow`. */
  readonly view?: RowWindow<HTMLTableElement>;
}

/** Rows in the order that the person has chosen: first descending, then ascending, then as they came. */
export function useSorting<Row>(rows: readonly Row[], columns: readonly Column<Row>[]) {
  const [sorting, setSorting] = useState<Sorting>();
  const compare = columns.find(({ id }) => id === sorting?.column)?.compare;
  const sign = sorting?.descending ? -1 : 1;
  return {
    rows: compare ? [...rows].sort((left, right) => sign * compare(left, right)) : rows,
    sorting,
    onSort: (column: string) =>
      setSorting((now) => {
        if (now?.column !== column) return { column, descending: true };
        return now.descending ? { column, descending: false } : undefined;
      }),
  };
}

export function DenseTable<Row>(props: DenseTableProps<Row>) {
  const { label, columns, tall = false, view } = props;
  const looks = `${classes.table} ${tall ? classes.tall : ''} ${view ? classes.windowed : ''}`;
  return (
    <table ref={view?.box} className={looks} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.id} column={column} sorting={props.sorting} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <Body {...props} />
    </table>
  );
}

function cellClass<Row>(column: Column<Row>): string {
  const { align, wideOnly, pinned } = column;
  return `${align === 'right' ? classes.right : ''} ${wideOnly ? classes.wideOnly : ''} ${pinned ? classes.pinned : ''}`;
}

/** A column with a width keeps it; the others share what is left. */
function cellStyle<Row>({ width }: Column<Row>): CSSProperties | undefined {
  return width === undefined ? undefined : { width, flex: `0 0 ${width}` };
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((column: string) => void) | undefined;
}

function Heading<Row>({ column, sorting, onSort }: HeadingProps<Row>) {
  const title = typeof column.title === 'string' ? t(column.title) : column.title;
  const style = cellStyle(column);
  if (!column.compare || !onSort) {
    return (
      <th scope="col" className={cellClass(column)} style={style}>
        {title}
      </th>
    );
  }
  const chosen = sorting?.column === column.id ? sorting : undefined;
  const Icon = !chosen ? IconSelector : chosen.descending ? IconChevronDown : IconChevronUp;
  const order = !chosen ? 'none' : chosen.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" className={cellClass(column)} style={style} aria-sort={order}>
      <button type="button" className={classes.sort} onClick={() => onSort(column.id)}>
        {title}
        <Icon size={13} aria-hidden />
      </button>
    </th>
  );
}

function Body<Row>({ columns, rows, rowKey, onRowClick, view }: DenseTableProps<Row>) {
  return (
    <tbody>
      {view && view.before > 0 && <tr style={{ height: view.before }} aria-hidden />}
      {rows.slice(view?.first, view?.end).map((row) => (
        <TableRow key={rowKey(row)} row={row} columns={columns} onRowClick={onRowClick} />
      ))}
      {view && view.after > 0 && <tr style={{ height: view.after }} aria-hidden />}
    </tbody>
  );
}

interface TableRowProps<Row> extends Pick<DenseTableProps<Row>, 'columns'> {
  readonly row: Row;
  readonly onRowClick: ((row: Row) => void) | undefined;
}

/** What changes in a row follows its own source, so that a row that stays in view is not drawn again. */
const TableRow = memo(function TableRow<Row>({ row, columns, onRowClick }: TableRowProps<Row>) {
  return (
    <tr className={onRowClick ? classes.clickable : undefined} onClick={onRowClick ? () => onRowClick(row) : undefined}>
      {columns.map((column) => (
        <td key={column.id} className={cellClass(column)} style={cellStyle(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;
