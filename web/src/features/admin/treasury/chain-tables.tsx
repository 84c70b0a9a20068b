/** What is being sent, what chains hold against what the ledger says, and what withdrawals cost against what they bring. */
import { failPayout, replacePayout } from '@cambist/contract/admin-withdrawals.ts';
import { Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatExact, formatSigned } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import classes from '../console.module.css';
import { type Decision, ReasonDialog } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { PAYOUT_STATES, WAITS } from './review-words.ts';
import own from './treasury.module.css';
import type { Chains } from './treasury-queries.ts';

type Payout = Chains['payouts'][number];
type Custody = Chains['custody'][number];
/** A coin's withdrawals, or what the exchange has sent between its own wallets. */
type Margin = Omit<Chains['margins'][number], 'coin' | 'charged' | 'undone'> &
  Partial<Pick<Chains['margins'][number], 'coin' | 'charged' | 'undone'>>;

const exact = (amount: string | null) => (amount === null ? '–' : formatExact(decimal(amount)));
const signed = (amount: string | null) => (amount?.startsWith('-') ? `−${exact(amount.slice(1))}` : exact(amount));

/** Sent, and not yet in a block: only then can a higher fee help. */
const canReplace = ({ state }: Payout) => state === 'BROADCAST' || state === 'SIGNED';
/** It waits, and does not exist as bytes: nothing of it can reach a chain. */
const canGiveUp = ({ state, kind, waits_for: waits }: Payout) =>
  state === 'PLANNED' && kind === 'WITHDRAWAL' && waits !== '';

const KINDS = {
  WITHDRAWAL: msg('Withdrawal'),
  TOP_UP: msg('Gas for a sweep'),
  TO_COLD: msg('To the cold wallet'),
  SWEEP: msg('Sweep'),
  REFILL: msg('From the cold wallet'),
} as const;

type Ask = (act: 'replace' | 'fail', payout: Payout) => void;

const payoutColumns = (ask: Ask): readonly ListColumn<Payout>[] => [
  { id: 'time', title: msg('Time'), cell: ({ created_at: at }) => formatDateTime(at) },
  { id: 'network', title: msg('Network'), cell: ({ network }) => network },
  {
    id: 'kind',
    title: msg('Kind'),

    cell: ({ kind }) => t(KINDS[kind]),
  },
  {
    id: 'amount',
    title: msg('Amount'),
    align: 'right',
    card: 'head',
    cell: ({ amount, coin }) => `${exact(amount)} ${coin}`,
  },
  {
    id: 'state',
    title: msg('State'),
    card: 'corner',
    cell: ({ state, waits_for: waits, confirmations }) =>
      waits === '' ? (
        `${t(PAYOUT_STATES[state], { context: 'withdrawal' })}${confirmations > 0 ? ` (${confirmations})` : ''}`
      ) : (
        <span className={own.warning}>{t(WAITS[waits])}</span>
      ),
  },
  { id: 'replaced', title: msg('Replaced'), align: 'right', cell: ({ replacements }) => replacements },
  {
    id: 'act',
    title: <HiddenText text={msg('Action')} />,
    align: 'right',
    pinned: true,
    card: 'end',
    cell: (payout) => <PayoutAct payout={payout} ask={ask} />,
  },
];

function PayoutAct({ payout, ask }: { readonly payout: Payout; readonly ask: Ask }) {
  const { id } = payout;
  if (canReplace(payout)) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('Replace payout {{id}}', { id })}
        onClick={() => ask('replace', payout)}
      >
        {t('Replace')}
      </Button>
    );
  }
  if (!canGiveUp(payout)) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('Give up payout {{id}}', { id })}
      onClick={() => ask('fail', payout)}
    >
      {t('Give up')}
    </Button>
  );
}

export function PayoutTable({ payouts }: Pick<Chains, 'payouts'>) {
  const [asked, setAsked] = useState<{ readonly act: 'replace' | 'fail'; readonly payout: Payout }>();
  const close = () => setAsked(undefined);
  return (
    <Section title={t('Recent payouts')}>
      {payouts.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing is being sent.')}</p>
      ) : (
        <RowList
          label={t('Recent payouts')}
          columns={payoutColumns((act, payout) => setAsked({ act, payout }))}
          rows={payouts}
          rowKey={({ id }) => id}
        />
      )}
      {asked?.act === 'replace' && <ReplaceDialog payout={asked.payout} onClose={close} />}
      {asked?.act === 'fail' && <GiveUpDialog payout={asked.payout} onClose={close} />}
    </Section>
  );
}

interface PayoutDialogProps {
  readonly payout: Payout;
  readonly onClose: () => void;
}

function ReplaceDialog({ payout, onClose }: PayoutDialogProps) {
  const replace = useAct(() => call(replacePayout, { params: { id: payout.id } }), onClose);
  return (
    <ConfirmDialog
      opened
      title={t('Send again with a higher fee?')}
      facts={[
        { name: t('Amount'), value: `${exact(payout.amount)} ${payout.coin}` },
        { name: t('Network'), value: payout.network },
        { name: t('Replaced so far'), value: payout.replacements },
      ]}
      action={t('Send again')}
      busy={replace.isPending}
      onConfirm={() => replace.mutate(undefined)}
      onClose={onClose}
    />
  );
}

function GiveUpDialog({ payout, onClose }: PayoutDialogProps) {
  const fail = useAct(
    ({ reason }: Decision) => call(failPayout, { params: { id: payout.id }, body: { reason } }),
    onClose,
  );
  return (
    <ReasonDialog
      title={t('Give up this payout and return {{amount}} to the client?', {
        amount: `${exact(payout.amount)} ${payout.coin}`,
      })}
      action={t('Give up')}
      withEnd={false}
      isInternal
      busy={fail.isPending}
      onDecide={(decision) => fail.mutate(decision)}
      onClose={onClose}
    />
  );
}

const CUSTODY: readonly ListColumn<Custody>[] = [
  { id: 'coin', title: msg('Coin'), card: 'head', cell: ({ coin }) => <strong>{coin}</strong> },
  { id: 'ledger', title: msg('Ledger'), align: 'right', cell: ({ ledger }) => signed(ledger) },
  { id: 'chains', title: msg('Chains'), align: 'right', cell: ({ chains }) => signed(chains) },
  { id: 'difference', title: msg('Difference'), align: 'right', cell: ({ difference }) => signed(difference) },
  {
    id: 'state',
    title: msg('Payouts'),
    align: 'right',
    card: 'corner',
    cell: ({ is_stopped: isStopped }) => (
      <Badge variant="light" color={isStopped ? 'red' : 'teal'} tt="none" miw="max-content">
        {isStopped ? t('Stopped', { context: 'payouts' }) : t('Going out')}
      </Badge>
    ),
  },
];

export function CustodyTable({ custody }: Pick<Chains, 'custody'>) {
  return (
    <Section title={t('Custody against the ledger')}>
      <p className={own.lead}>
        {t(
          'What chains hold, and what the ledger says that they should. Payouts of a coin stop while chains hold too little.',
        )}
      </p>
      {custody.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing here.')}</p>
      ) : (
        <RowList label={t('Custody against the ledger')} columns={CUSTODY} rows={custody} rowKey={({ coin }) => coin} />
      )}
    </Section>
  );
}

const MARGINS: readonly ListColumn<Margin>[] = [
  {
    id: 'coin',
    title: msg('Coin'),
    card: 'head',
    cell: ({ coin }) => <strong>{coin ?? t('Sweeps and own wallets')}</strong>,
  },
  { id: 'network', title: msg('Network'), card: 'corner', cell: ({ network }) => network },
  { id: 'count', title: msg('Payouts'), align: 'right', cell: ({ count }) => count },
  {
    id: 'undone',
    title: msg('Undone by the chain'),
    align: 'right',
    cell: ({ undone = 0 }) => (undone === 0 ? '–' : undone),
  },
  {
    id: 'charged',
    title: msg('Charged'),
    align: 'right',
    cell: ({ charged, coin }) => (charged === undefined ? '–' : `${exact(charged)} ${coin}`),
  },
  {
    id: 'cost',
    title: msg('Paid to the network'),
    align: 'right',
    cell: ({ cost }) => `${exact(cost.amount)} ${cost.coin}`,
  },
  {
    id: 'result',
    title: msg('Result in USDT'),
    align: 'right',
    cell: ({ result_usdt: result }) => (
      <span className={result?.startsWith('-') ? own.warning : undefined}>
        {result === null ? '–' : formatSigned(decimal(result), 2)}
      </span>
    ),
  },
];

export function MarginTable({ margins, own_costs: costs }: Pick<Chains, 'margins' | 'own_costs'>) {
  const rows: readonly Margin[] = [...margins, ...costs];
  return (
    <Section title={t('Fees of the last 30 days')}>
      <p className={own.lead}>
        {t('What clients were charged, and what networks have taken. The result is at the last prices.')}
      </p>
      {rows.length === 0 ? (
        <p className={classes.quiet}>{t('Nothing here.')}</p>
      ) : (
        <RowList
          label={t('Fees of the last 30 days')}
          columns={MARGINS}
          rows={rows}
          rowKey={({ coin, network }) => `${coin} ${network}`}
        />
      )}
    </Section>
  );
}
