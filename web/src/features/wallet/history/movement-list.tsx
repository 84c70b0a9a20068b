/** What came in by chains, or went out by them, newest first; one of them opens with its way so far. */

import { ActionIcon, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { compare, decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { IconChevronRight } from '../../../ui/first-icons.ts';
import { HiddenText } from '../../../ui/hidden-text.tsx';

import type { Awaited } from '../timeline.tsx';
import classes from './movement-list.module.css';
import { PagedList } from './paged-list.tsx';
import type { PagedRows } from './paged-rows.ts';

export type Tone = 'done' | 'pending' | 'failed';

/** A deposit or a withdrawal as a list shows it. */
export interface MovementView {
  readonly coin: string;
  readonly network: string;
  readonly amount: string;
  /** Of a transaction or an address both ends; the whole is in the details. */
  readonly reference: string;
  /** Ms since 1970. */
  readonly time: number;
  readonly status: string;
  readonly tone: Tone;
  readonly awaited?: Awaited | undefined;
}

interface MovementListProps<Row> {
  readonly label: string;
  readonly list: PagedRows<Row>;
  readonly viewOf: (row: Row) => MovementView;
  /** The heading of what identifies a row. */
  readonly reference: string;
  readonly empty: string;
  readonly emptyAction?: ReactNode;
  readonly details: (row: Row, onClose: () => void) => ReactNode;
}

export function MovementList<Row extends { readonly id: string }>(props: MovementListProps<Row>) {
  const { list, details, viewOf, reference, ...rest } = props;
  const [opened, setOpened] = useState<Row>();
  const columns = { viewOf, reference, open: setOpened };
  return (
    <>
      <PagedList
        {...rest}
        list={list}
        columns={tableColumns(columns)}
        cards={cardColumns(columns)}
        onRowClick={setOpened}
      />
      {opened && details(list.rows?.find(({ id }) => id === opened.id) ?? opened, () => setOpened(undefined))}
    </>
  );
}

interface Columns<Row> {
  readonly viewOf: (row: Row) => MovementView;
  readonly reference: string;
  readonly open: (row: Row) => void;
}

const detailsLabel = ({ amount, coin }: MovementView) => t('Details of {{amount}} {{coin}}', { amount, coin });

const LIST_DIGITS = 3;

/** Three decimals, but nothing that has moved is shown as nothing. */
export function listAmount(amount: string): string {
  const exact = decimal(amount);
  const isSmaller = exact.units > 0n && compare(exact, { units: 1n, scale: LIST_DIGITS }) < 0;
  return isSmaller ? formatExact(exact) : formatDecimal(exact, LIST_DIGITS);
}

function Word({ view: { status, tone } }: { readonly view: MovementView }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {status}
    </span>
  );
}

/** The status, and how many confirmations there are while some are awaited. */
function Status({ view }: { readonly view: MovementView }) {
  return (
    <span className={classes.two}>
      <Word view={view} />
      {view.awaited && (
        <span className={classes.small}>{t('{{count}} of {{required}} confirmations', { ...view.awaited })}</span>
      )}
    </span>
  );
}

function CoinCell({ view: { coin, network } }: { readonly view: MovementView }) {
  return (
    <span className={classes.coin}>
      <CoinIcon code={coin} size={26} />
      <span className={classes.two}>
        <strong>{coin}</strong>
        <span className={classes.small}>{network}</span>
      </span>
    </span>
  );
}

const tableColumns = <Row,>({ viewOf, reference, open }: Columns<Row>): ListColumn<Row>[] => [
  { id: 'coin', title: msg('Coin'), cell: (row) => <CoinCell view={viewOf(row)} /> },
  { id: 'amount', title: msg('Amount'), align: 'right', cell: (row) => viewOf(row).amount },
  {
    id: 'reference',
    title: reference,
    align: 'right',
    cell: (row) => <span className={classes.hash}>{viewOf(row).reference}</span>,
  },
  { id: 'time', title: msg('Time'), align: 'right', cell: (row) => formatDateTime(viewOf(row).time) },
  { id: 'status', title: msg('Status'), align: 'right', cell: (row) => <Status view={viewOf(row)} /> },
  {
    id: 'details',
    title: <HiddenText text={msg('Details')} />,
    align: 'right',
    width: '3rem',
    cell: (row) => (
      <ActionIcon variant="subtle" color="gray" aria-label={detailsLabel(viewOf(row))} onClick={() => open(row)}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    ),
  },
];

/** Two lines: what it is and what has become of it; by which network and when. */
const cardColumns = <Row,>({ viewOf, open }: Columns<Row>): ListColumn<Row>[] => [
  {
    id: 'what',
    title: msg('Amount'),
    card: 'head',
    cell: (row) => {
      const view = viewOf(row);
      return (
        <UnstyledButton className={classes.cover ?? ''} aria-label={detailsLabel(view)} onClick={() => open(row)}>
          <CoinIcon code={view.coin} size={18} /> {view.amount} {view.coin}
        </UnstyledButton>
      );
    },
  },
  { id: 'status', title: msg('Status'), card: 'corner', cell: (row) => <Word view={viewOf(row)} /> },
  {
    id: 'when',
    title: msg('Time'),
    card: 'line',
    cell: (row) => {
      const { network, time, awaited } = viewOf(row);
      return (
        <span className={classes.line}>
          <span>
            {network} · {formatDateTime(time)}
          </span>
          {awaited && (
            <span>
              {awaited.count}/{awaited.required}
            </span>
          )}
        </span>
      );
    },
  },
];
