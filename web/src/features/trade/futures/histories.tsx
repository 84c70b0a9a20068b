/** What has become of positions: their changes, their funding, and what was closed against their owner's will. */
import {
  type closedPositionsFile,
  type FundingPayment,
  fundingHistory,
  fundingHistoryFile,
  type Liquidation,
  liquidationHistory,
  liquidationHistoryFile,
  type PositionChangeRow,
  positionHistory,
  positionHistoryFile,
} from '@cambist/contract/futures-histories.ts';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact, formatPercent, formatSigned } from '../../../lib/format.ts';
import { inPercent } from '../../../lib/futures/figures.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { terminalOf } from '../../../lib/market/pairs.ts';
import { saveFile } from '../../../lib/save-file.ts';
import type { SavingOptions } from '../../../lib/use-saving.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { AccountList } from '../orders/account-list.tsx';
import { FileButton } from '../orders/export-button.tsx';
import classes from '../orders/orders.module.css';
import { POSITIONS_PER_PAGE } from './positions.tsx';
import { useFuturesHistory } from './use-futures-history.ts';

const DIGITS = 4;
const RATE_DIGITS = 4;

export const CAUSES: Readonly<Record<PositionChangeRow['cause'], string>> = {
  trade: msg('Trade'),
  margin: msg('Margin'),
  leverage: msg('Leverage'),
  liquidation: msg('Liquidation'),
  deleveraging: msg('Deleveraging'),
  funding: msg('Funding fee'),
  cover: msg('Covered a loss'),
  compensation: msg('Paid by the insurance'),
  settlement: msg('Settlement'),
};

export const exact = (value: string | null) => (value === null ? '–' : formatExact(decimal(value)));
export const money = (value: string | null) => (value === null ? '–' : formatDecimal(value, DIGITS, 2));
const gain = (value: string | null) => (value === null ? '–' : formatSigned(value, DIGITS));
export const sideText = (side: 'long' | 'short' | null) =>
  side === null ? '–' : side === 'long' ? t('Long') : t('Short');

/** A cross position has no margin put aside of its own: a zero would contradict what the list of positions counts for it. */
export const marginText = ({ margin, margin_mode: mode }: Pick<PositionChangeRow, 'margin' | 'margin_mode'>): string =>
  mode === 'cross' ? '–' : money(margin);

interface Placed {
  readonly created_at: number;
  readonly coin_pair: { readonly pair_name: string };
}

export const placeColumns = (): ListColumn<Placed>[] => [
  {
    id: 'time',
    title: t('Time'),
    card: 'corner',
    cell: (row) => <span className={classes.quiet}>{formatDateTime(row.created_at)}</span>,
  },
  {
    id: 'pair',
    title: t('Pair'),
    card: 'head',
    cell: ({ coin_pair: { pair_name: name } }) => <Link to={terminalOf(name)}>{name}</Link>,
  },
];

export function figure<Row>(id: string, title: string, text: (row: Row) => string): ListColumn<Row> {
  return { id, title, align: 'right', cell: text };
}

const changeColumns = (): ListColumn<PositionChangeRow>[] => [
  ...placeColumns(),
  { id: 'cause', title: t('Cause'), card: 'head', cell: (row) => t(CAUSES[row.cause]) },
  figure('change', t('Change'), (row) => formatSigned(row.quantity_change, decimal(row.quantity_change).scale)),
  figure('after', t('Open afterwards'), (row) =>
    row.side === null ? '–' : `${sideText(row.side)} ${exact(row.quantity)}`,
  ),
  figure('opening', t('Opening price'), (row) => exact(row.opening_price)),
  figure('leverage', t('Leverage'), (row) => `x${row.leverage}`),
  figure('margin', t('Margin'), marginText),
  figure('realised', t('Realized'), (row) => gain(row.realised)),
  figure('fee', t('Fee'), (row) => money(row.fee)),
  figure('funding', t('Funding fee'), (row) => money(row.funding)),
];

const fundingColumns = (): ListColumn<FundingPayment>[] => [
  ...placeColumns(),
  { id: 'side', title: t('Side'), card: 'head', cell: (row) => sideText(row.side) },
  figure('quantity', t('Amount'), (row) => exact(row.quantity)),
  figure('mark', t('Mark price'), (row) => exact(row.mark_price)),
  figure('rate', t('Funding rate'), (row) => formatPercent(inPercent(row.rate), RATE_DIGITS)),
  figure('paid', t('Paid'), (row) => money(row.amount)),
];

/** In hedge mode the two positions of a market share the id of their settlement. */
const fundingKey = ({ id, position_side: leg }: FundingPayment) => (leg === undefined ? id : `${id} ${leg}`);

const KINDS: Readonly<Record<Liquidation['kind'], string>> = {
  liquidated: msg('Liquidation'),
  deleveraged: msg('Deleveraging'),
};

const liquidationColumns = (): ListColumn<Liquidation>[] => [
  ...placeColumns(),
  { id: 'kind', title: t('Cause'), card: 'head', cell: (row) => t(KINDS[row.kind]) },
  { id: 'side', title: t('Side'), card: 'head', cell: (row) => sideText(row.side) },
  figure('quantity', t('Amount'), (row) => exact(row.quantity)),
  figure('price', t('Price'), (row) => exact(row.price)),
  figure('value', t('Value'), (row) => money(row.value)),
  figure('equity', t('Equity'), (row) => money(row.equity)),
  figure('maintenance', t('Maintenance margin'), (row) => money(row.maintenance_margin)),
];

const fileName = (name: string) => `cambist-${name}-${new Date().toISOString().slice(0, 10)}.csv`;

type FileCall =
  | typeof closedPositionsFile
  | typeof positionHistoryFile
  | typeof fundingHistoryFile
  | typeof liquidationHistoryFile;

export const fileTool = (name: string, definition: FileCall) => (
  <FileButton
    save={(options: SavingOptions) => saveFile(definition, { ...options, query: {}, fileName: fileName(name) })}
  />
);

export function PositionChanges() {
  const list = useFuturesHistory('positions', async (query, signal) => {
    return (await call(positionHistory, { query, signal })).changes;
  });
  return (
    <AccountList
      label={t('Position changes')}
      list={list}
      columns={changeColumns()}
      rowKey={({ id }) => id}
      pageSize={POSITIONS_PER_PAGE}
      empty={t('No position has changed yet.')}
      action={fileTool('positions', positionHistoryFile)}
    />
  );
}

export function FundingHistory() {
  const list = useFuturesHistory('funding', async (query, signal) => {
    return (await call(fundingHistory, { query, signal })).funding;
  });
  return (
    <AccountList
      label={t('Funding fee')}
      list={list}
      columns={fundingColumns()}
      rowKey={fundingKey}
      pageSize={POSITIONS_PER_PAGE}
      empty={t('No funding yet. What longs and shorts pay each other at the end of an interval will appear here.')}
      action={fileTool('funding', fundingHistoryFile)}
    />
  );
}

export function LiquidationHistory() {
  const list = useFuturesHistory('liquidations', async (query, signal) => {
    return (await call(liquidationHistory, { query, signal })).liquidations;
  });
  return (
    <AccountList
      label={t('Liquidations')}
      list={list}
      columns={liquidationColumns()}
      rowKey={({ id }) => id}
      pageSize={POSITIONS_PER_PAGE}
      empty={t('Nothing was liquidated.')}
      action={fileTool('liquidations', liquidationHistoryFile)}
    />
  );
}
