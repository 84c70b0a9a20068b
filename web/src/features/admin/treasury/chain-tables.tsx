/** What is being sent, what chains hold against what the ledger says, and what withdrawals cost against what they bring. */
import { replacePayout } from '@cambist/contract/admin-withdrawals.ts';
import { Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { PAYOUT_STATES, WAITS } from './review-words.ts';
import own from './treasury.module.css';
import type { Chains } from './treasury-queries.ts';

type Payout = Chains['payouts'][number];
type Custody = Chains['custody'][number];
type Margin = Chains['margins'][number];

const exact = (amount: string | null) => (amount === null ? '–' : formatExact(decimal(amount)));
const signed = (amount: string | null) => (amount?.startsWith('-') ? `−${exact(amount.slice(1))}` : exact(amount));

/** Sent, and not yet in a block: only then can a higher fee help. */
const canReplace = ({ state }: Payout) => state === 'BROADCAST' || state === 'SIGNED';

const payoutColumns = (onReplace: (payout: Payout) => void): readonly Column<Payout>[] => [
  { id: 'time', title: msg('Time'), wideOnly: true, cell: ({ created_at: at }) => formatDateTime(at) },
  { id: 'network', title: msg('Network'), cell: ({ network }) => network },
  {
    id: 'kind',
    title: msg('Kind'),
    wideOnly: true,
    cell: ({ kind }) => (kind === 'SWEEP' ? t('To the hot wallet') : t('Withdrawal')),
  },
  { id: 'amount', title: msg('Amount'), align: 'right', cell: ({ amount, coin }) => `${exact(amount)} ${coin}` },
  {
    id: 'state',
    title: msg('State'),
    cell: ({ state, waits_for: waits, confirmations }) =>
      waits === '' ? (
        `${t(PAYOUT_STATES[state], { context: 'withdrawal' })}${confirmations > 0 ? ` (${confirmations})` : ''}`
      ) : (
        <span className={own.warning}>{t(WAITS[waits])}</span>
      ),
  },
  { id: 'replaced', title: msg('Replaced'), align: 'right', wideOnly: true, cell: ({ replacements }) => replacements },
  {
    id: 'replace',
    title: <HiddenText text={msg('Replace')} />,
    align: 'right',
    pinned: true,
    cell: (payout) =>
      canReplace(payout) && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Replace payout {{id}}', { id: payout.id })}
          onClick={() => onReplace(payout)}
        >
          {t('Replace')}
        </Button>
      ),
  },
];

export function PayoutTable({ payouts }: Pick<Chains, 'payouts'>) {
  const [asked, setAsked] = useState<Payout>();
  const close = () => setAsked(undefined);
  const replace = useAct((id: string) => call(replacePayout, { params: { id } }), close);
  return (
    <Section title={t('Payouts underway')}>
      {payouts.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing is being sent.')}</p>
      ) : (
        <DenseTable
          label={t('Payouts underway')}
          columns={payoutColumns(setAsked)}
          rows={payouts}
          rowKey={({ id }) => id}
        />
      )}
      <ConfirmDialog
        opened={asked !== undefined}
        title={t('Send again with a higher fee?')}
        facts={[
          { name: t('Amount'), value: asked ? `${exact(asked.amount)} ${asked.coin}` : '' },
          { name: t('Network'), value: asked?.network ?? '' },
          { name: t('Replaced so far'), value: asked?.replacements ?? 0 },
        ]}
        action={t('Send again')}
        busy={replace.isPending}
        onConfirm={() => asked && replace.mutate(asked.id)}
        onClose={close}
      />
    </Section>
  );
}

const CUSTODY: readonly Column<Custody>[] = [
  { id: 'coin', title: msg('Coin'), cell: ({ coin }) => <strong>{coin}</strong> },
  { id: 'ledger', title: msg('Ledger'), align: 'right', cell: ({ ledger }) => exact(ledger) },
  { id: 'chains', title: msg('Chains'), align: 'right', cell: ({ chains }) => exact(chains) },
  { id: 'difference', title: msg('Difference'), align: 'right', cell: ({ difference }) => signed(difference) },
  {
    id: 'state',
    title: msg('Payouts'),
    align: 'right',
    cell: ({ is_stopped: isStopped }) => (
      <Badge variant="light" color={isStopped ? 'red' : 'teal'} tt="none" miw="max-content">
        {isStopped ? t('Stopped') : t('Going out')}
      </Badge>
    ),
  },
];

export function CustodyTable({ custody }: Pick<Chains, 'custody'>) {
  return (
    <Section title={t('Custody against the ledger')}>
      <p className={own.lead}>
        {t(
          'What chains hold for clients, and what the ledger says that they should. A difference stops payouts of the coin.',
        )}
      </p>
      {custody.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing here.')}</p>
      ) : (
        <DenseTable
          label={t('Custody against the ledger')}
          columns={CUSTODY}
          rows={custody}
          rowKey={({ coin }) => coin}
        />
      )}
    </Section>
  );
}

const MARGINS: readonly Column<Margin>[] = [
  { id: 'coin', title: msg('Coin'), cell: ({ coin }) => <strong>{coin}</strong> },
  { id: 'network', title: msg('Network'), cell: ({ network }) => network },
  { id: 'count', title: msg('Withdrawals'), align: 'right', cell: ({ count }) => count },
  { id: 'charged', title: msg('Charged'), align: 'right', cell: ({ charged, coin }) => `${exact(charged)} ${coin}` },
  {
    id: 'cost',
    title: msg('Paid to the network'),
    align: 'right',
    cell: ({ cost }) => `${exact(cost.amount)} ${cost.coin}`,
  },
];

export function MarginTable({ margins }: Pick<Chains, 'margins'>) {
  return (
    <Section title={t('Fees of the last 30 days')}>
      {margins.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing here.')}</p>
      ) : (
        <DenseTable
          label={t('Fees of the last 30 days')}
          columns={MARGINS}
          rows={margins}
          rowKey={({ coin, network }) => `${coin} ${network}`}
        />
      )}
    </Section>
  );
}
