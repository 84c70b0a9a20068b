/** Positions that were closed: at which prices, for how long, and what they brought. */
import { type ClosedPosition, closedPositions, closedPositionsFile } from '@cambist/contract/futures-histories.ts';
import { call } from '../../../lib/api-client.ts';
import { decimal, rescale, toText } from '../../../lib/decimal.ts';
import { formatDateTime, formatSigned } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { directionOf } from '../../../ui/figures.tsx';
import { AccountList } from '../orders/account-list.tsx';
import classes from '../orders/orders.module.css';
import { CAUSES, exact, figure, fileTool, money, placeColumns, sideText } from './histories.tsx';
import { POSITIONS_PER_PAGE } from './positions.tsx';
import { spanText } from './span-text.ts';
import { useFuturesHistory } from './use-futures-history.ts';

/** Of what a position brought. */
const DIGITS = 2;

function Net({ value }: { readonly value: string }) {
  const direction = directionOf(toText(rescale(decimal(value), DIGITS, 'nearest')));
  return <span className={direction === 'flat' ? undefined : classes[direction]}>{formatSigned(value, DIGITS)}</span>;
}

const columns = (): ListColumn<ClosedPosition>[] => [
  ...placeColumns(),
  {
    id: 'side',
    title: t('Side'),
    card: 'head',
    cell: ({ side, leverage }) => (
      <span className={side === 'long' ? classes.up : classes.down}>
        {sideText(side)} x{leverage}
      </span>
    ),
  },
  figure('quantity', t('Amount'), (row) => exact(row.quantity)),
  figure('entry', t('Entry price'), (row) => exact(row.entry_price)),
  figure('exit', t('Exit price'), (row) => exact(row.exit_price)),
  { id: 'net', title: t('P&L after fees'), align: 'right', cell: ({ net }) => <Net value={net} /> },
  figure('fee', t('Fees'), (row) => money(row.fee)),
  figure('funding', t('Funding fee'), (row) => money(row.funding)),
  {
    id: 'duration',
    title: t('Duration'),
    align: 'right',
    cell: ({ opened_at: from, created_at: to }) => (
      <span title={`${formatDateTime(from)} – ${formatDateTime(to)}`}>{spanText(to - from)}</span>
    ),
  },
  { id: 'cause', title: t('Closed by'), align: 'right', cell: ({ cause }) => t(CAUSES[cause]) },
];

export function PositionHistory() {
  const list = useFuturesHistory('closed', async (query, signal) => {
    return (await call(closedPositions, { query, signal })).closed;
  });
  return (
    <AccountList
      label={t('Position history')}
      list={list}
      columns={columns()}
      rowKey={({ id }) => id}
      pageSize={POSITIONS_PER_PAGE}
      empty={t('No closed positions yet. Each position appears here when it is closed.')}
      action={fileTool('closed-positions', closedPositionsFile)}
    />
  );
}
