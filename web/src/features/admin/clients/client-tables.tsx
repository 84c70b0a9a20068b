/** What there is to know of a client, as tables. */
import type { auditEntry, clientDetail } from '@cambist/contract/admin-clients.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { Button } from '@mantine/core';
import type { z } from 'zod';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import classes from '../console.module.css';
import { actText, outcomeText, wayText } from './acts.ts';

type Detail = AnswerOf<typeof clientDetail>;
type Hold = Detail['holds'][number];
type Session = Detail['sessions'][number];
type SignIn = Detail['sign_ins'][number];
type Entry = z.infer<typeof auditEntry>;

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

function Table<Row extends { readonly id: number }>({ label, columns, rows }: TableProps<Row>) {
  if (rows.length === 0) return <p className={classes.quiet}>{t('Nothing here.')}</p>;
  return <DenseTable label={label} columns={columns} rows={rows} rowKey={(row) => String(row.id)} />;
}

export function HoldTable({
  holds,
  onLift,
}: {
  readonly holds: readonly Hold[];
  readonly onLift: (id: number) => void;
}) {
  const columns: readonly Column<Hold>[] = [
    { id: 'kind', title: msg('Action'), cell: (hold) => hold.kind },
    { id: 'reason', title: msg('Reason'), cell: (hold) => hold.reason },
    { id: 'from', title: msg('Start'), wideOnly: true, cell: (hold) => formatDateTime(hold.from) },
    { id: 'until', title: msg('Until'), cell: (hold) => (hold.until === null ? '–' : formatDateTime(hold.until)) },
    { id: 'by', title: msg('By'), wideOnly: true, cell: (hold) => hold.by },
    {
      id: 'lift',
      title: <HiddenText text={msg('Lift restriction')} />,
      align: 'right',
      cell: (hold) => (
        <Button size="compact-xs" variant="default" onClick={() => onLift(hold.id)}>
          {t('Lift restriction')}
        </Button>
      ),
    },
  ];
  return <Table label={t('Restrictions')} columns={columns} rows={holds} />;
}

const SESSIONS: readonly Column<Session>[] = [
  { id: 'device', title: msg('Device'), cell: (session) => session.device },
  { id: 'address', title: msg('IP address'), cell: (session) => session.address },
  { id: 'place', title: msg('Location'), wideOnly: true, cell: (session) => session.place || '–' },
  { id: 'way', title: msg('Method'), wideOnly: true, cell: (session) => wayText(session.way) },
  { id: 'used', title: msg('Last used'), align: 'right', cell: (session) => formatDateTime(session.last_used_at) },
];

export function SessionTable({ sessions }: { readonly sessions: readonly Session[] }) {
  return <Table label={t('Sessions')} columns={SESSIONS} rows={sessions} />;
}

const SIGN_INS: readonly Column<SignIn>[] = [
  { id: 'at', title: msg('Time'), cell: (signIn) => formatDateTime(signIn.at) },
  { id: 'way', title: msg('Method'), cell: (signIn) => wayText(signIn.way) },
  { id: 'outcome', title: msg('Result'), cell: (signIn) => outcomeText(signIn.outcome) },
  { id: 'device', title: msg('Device'), wideOnly: true, cell: (signIn) => signIn.device },
  { id: 'address', title: msg('IP address'), align: 'right', cell: (signIn) => signIn.address },
];

export function SignInTable({ signIns }: { readonly signIns: readonly SignIn[] }) {
  return <Table label={t('Logins')} columns={SIGN_INS} rows={signIns} />;
}

/** An act, with the pair or coin that it was about. */
function actOf({ act, detail }: Entry): string {
  const subject = detail.market ?? detail.coin;
  return typeof subject === 'string' ? `${actText(act)} · ${subject}` : actText(act);
}

const ENTRIES: readonly Column<Entry>[] = [
  { id: 'at', title: msg('Time'), cell: (entry) => formatDateTime(entry.at) },
  { id: 'actor', title: msg('Operator'), cell: (entry) => entry.actor },
  { id: 'act', title: msg('Action'), cell: actOf },
  { id: 'client', title: msg('Client'), wideOnly: true, cell: (entry) => entry.client || '–' },
  { id: 'reason', title: msg('Reason'), cell: (entry) => entry.reason || '–' },
  { id: 'address', title: msg('IP address'), align: 'right', wideOnly: true, cell: (entry) => entry.address },
];

export function AuditTable({ entries }: { readonly entries: readonly Entry[] }) {
  return <Table label={t('Audit log')} columns={ENTRIES} rows={entries} />;
}
