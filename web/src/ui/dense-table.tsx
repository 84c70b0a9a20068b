/** A table of dense rows. Rows that act on click also hold a link or button, which is what the keyboard reaches. */
import type { ReactNode } from 'react';
import classes from './dense-table.module.css';

export interface Column<Row> {
  readonly id: string;
  readonly title: ReactNode;
  readonly align?: 'left' | 'right';
  readonly width?: string;
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DenseTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onRowClick?: (row: Row) => void;
  readonly tall?: boolean;
}

export function DenseTable<Row>({ label, columns, rows, rowKey, onRowClick, tall = false }: DenseTableProps<Row>) {
  const cellClass = (column: Column<Row>) =>
    `${column.align === 'right' ? classes.right : ''} ${column.wideOnly ? classes.wideOnly : ''}`;
  return (
    <table className={`${classes.table} ${tall ? classes.tall : ''}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={cellClass(column)} style={{ width: column.width }}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            className={onRowClick ? classes.clickable : undefined}
            onClick={onRowClick ? () => onRowClick(row) : undefined}
          >
            {columns.map((column) => (
              <td key={column.id} className={cellClass(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
