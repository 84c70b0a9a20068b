/** The client's deposits, newest first; one of them opens with its way so far. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { IconChevronRight } from '../../../ui/icons.ts';
import { PagedList } from '../history/paged-list.tsx';
import classes from './deposit.module.css';
import { DepositDialog } from './deposit-dialog.tsx';
import { useDeposits } from './deposit-queries.ts';
import { awaitedOf, shownAmount, statusOf } from './deposit-states.ts';

type Open = (deposit: Deposit) => void;

interface DepositListProps {
  readonly label: string;
  readonly emptyAction?: ReactNode;
}

export function DepositList({ label, emptyAction }: DepositListProps) {
  const list = useDeposits();
  const [opened, setOpened] = useState<Deposit>();
  const open: Open = (deposit) => setOpened(deposit);
  return (
    <>
      <PagedList
        label={label}
        list={list}
        columns={tableColumns(open)}
        cards={cardColumns(open)}
        empty={t('No deposits yet. What you send is listed here as soon as the network has seen it.')}
        emptyAction={emptyAction}
        onRowClick={setOpened}
      />
      {opened && (
        <DepositDialog
          deposit={list.rows?.find(({ id }) => id === opened.id) ?? opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** The status, and how many confirmations there are while some are awaited. */
export function DepositStatus({ deposit }: { readonly deposit: Deposit }) {
  const { text, tone } = statusOf(deposit);
  const awaited = awaitedOf(deposit);
  return (
    <span className={classes.two}>
      <span className={classes.status} data-tone={tone}>
        {t(text, { context: 'deposit' })}
      </span>
      {awaited && <span className={classes.small}>{t('{{count}} of {{required}} confirmations', awaited)}</span>}
    </span>
  );
}

const detailsLabel = (deposit: Deposit) =>
  t('Details of {{amount}} {{coin}}', { amount: shownAmount(deposit), coin: deposit.coin });

const ENDS = 8;

/** Both ends; the whole is in the details. */
const shortHash = (hash: string) => (hash.length > 2 * ENDS ? `${hash.slice(0, ENDS)}…${hash.slice(-ENDS)}` : hash);

const tableColumns = (open: Open): ListColumn<Deposit>[] => [
  {
    id: 'coin',
    title: msg('Coin'),
    cell: (deposit) => (
      <span className={classes.coin}>
        <CoinIcon code={deposit.coin} size={26} />
        <span className={classes.two}>
          <strong>{deposit.coin}</strong>
          <span className={classes.small}>{deposit.network}</span>
        </span>
      </span>
    ),
  },
  { id: 'amount', title: msg('Amount'), align: 'right', cell: (deposit) => shownAmount(deposit) },
  {
    id: 'transaction',
    title: msg('Transaction'),
    align: 'right',
    cell: ({ transaction }) => <span className={classes.hash}>{shortHash(transaction)}</span>,
  },
  { id: 'time', title: msg('Time'), align: 'right', cell: ({ date }) => formatDateTime(date) },
  { id: 'status', title: msg('Status'), align: 'right', cell: (deposit) => <DepositStatus deposit={deposit} /> },
  {
    id: 'details',
    title: <HiddenText text={msg('Details')} />,
    align: 'right',
    width: '48px',
    cell: (deposit) => (
      <ActionIcon variant="subtle" color="gray" aria-label={detailsLabel(deposit)} onClick={() => open(deposit)}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    ),
  },
];

/** Two lines: what came and what has become of it; by which network and when. */
const cardColumns = (open: Open): ListColumn<Deposit>[] => [
  {
    id: 'what',
    title: msg('Amount'),
    card: 'head',
    cell: (deposit) => (
      <UnstyledButton className={classes.cover ?? ''} aria-label={detailsLabel(deposit)} onClick={() => open(deposit)}>
        <CoinIcon code={deposit.coin} size={18} /> {shownAmount(deposit)} {deposit.coin}
      </UnstyledButton>
    ),
  },
  { id: 'status', title: msg('Status'), card: 'corner', cell: (deposit) => <Word deposit={deposit} /> },
  {
    id: 'when',
    title: msg('Time'),
    card: 'line',
    cell: (deposit) => {
      const awaited = awaitedOf(deposit);
      return (
        <span className={classes.line}>
          <span>
            {deposit.network} · {formatDateTime(deposit.date)}
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

function Word({ deposit }: { readonly deposit: Deposit }) {
  const { text, tone } = statusOf(deposit);
  return (
    <span className={classes.status} data-tone={tone}>
      {t(text, { context: 'deposit' })}
    </span>
  );
}
