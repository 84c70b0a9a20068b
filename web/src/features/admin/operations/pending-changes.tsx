/** Changes that loosen a protection: what would change, who has asked for it, and until when it can be stopped. */
import {
  confirmPendingChange,
  type PendingChange,
  PROTECTED_FIGURES,
  type Protection,
  revokePendingChange,
} from '@cambist/contract/pending-changes.ts';
import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { type Decision, ReasonDialog } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { pendingChangesQuery } from '../waiting.ts';
import { figureName, figureText } from './protected-figures.ts';

const KINDS: Readonly<Record<Protection, string>> = {
  'withdrawal-policy': msg('Withdrawal policy'),
  'coin-network': msg('Confirmations of a coin'),
  'wallet-bounds': msg('Hot wallet limits'),
  'fraudulent-address': msg('Fraudulent address'),
  'market-limits': msg('Limits of a pair'),
  'perpetual-terms': msg('Terms of a perpetual'),
};

const STATES: Readonly<Record<Exclude<PendingChange['state'], 'WAITING'>, string>> = {
  CONFIRMED: msg('Confirmed'),
  APPLIED: msg('In effect'),
  REVOKED: msg('Revoked'),
  FAILED: msg('Failed'),
};

/** Past ones that are shown under those that wait. */
const ENDED_SHOWN = 5;

function Figures({ before, after, subject }: Pick<PendingChange, 'before' | 'after' | 'subject'>) {
  const coin = subject.split(' ')[0] ?? '';
  const names = PROTECTED_FIGURES.filter((name) => name in after);
  return (
    <dl className={classes.changes}>
      {names.map((name) => (
        <div key={name}>
          <dt>{figureName(name)}</dt>
          <dd>
            {figureText(name, before[name], coin)} → {figureText(name, after[name], coin)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function whenOf({ state, effective_at: at, confirmed_by: by, ended_at: ended }: PendingChange): string {
  if (state !== 'WAITING') return `${t(STATES[state])} · ${formatDateTime(ended ?? 0)}${by === null ? '' : ` · ${by}`}`;
  return at === null
    ? t('Waits for a second operator.')
    : t('Takes effect on {{time}} unless it is revoked.', { time: formatDateTime(at) });
}

function Change({ change }: { readonly change: PendingChange }) {
  const [isRevoking, setIsRevoking] = useState(false);
  const { id, kind, subject, state } = change;
  const confirm = useAct(() => call(confirmPendingChange, { params: { id } }));
  const revoke = useAct(
    ({ reason }: Decision) => call(revokePendingChange, { params: { id }, body: { reason } }),
    () => setIsRevoking(false),
  );
  const title = subject === '' ? t(KINDS[kind]) : `${t(KINDS[kind])} · ${subject}`;
  return (
    <Alert color={state === 'WAITING' ? 'red' : 'gray'} title={title}>
      <p className={classes.quiet}>
        {t('Requested by {{operator}} on {{time}}', {
          operator: change.asked_by,
          time: formatDateTime(change.asked_at),
        })}
        {change.reason && `: ${change.reason}`}
      </p>
      <Figures {...change} />
      <p className={classes.quiet}>
        {whenOf(change)}
        {change.failure && ` ${change.failure}`}
      </p>
      {state === 'WAITING' && (
        <div className={classes.acts}>
          {change.can_confirm && (
            <Button size="compact-sm" loading={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
              {t('Confirm')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setIsRevoking(true)}>
            {t('Revoke change')}
          </Button>
        </div>
      )}
      {isRevoking && (
        <ReasonDialog
          title={t('Revoke this change?')}
          action={t('Revoke change')}
          withEnd={false}
          isInternal
          busy={revoke.isPending}
          onDecide={(decision) => revoke.mutate(decision)}
          onClose={() => setIsRevoking(false)}
        />
      )}
    </Alert>
  );
}

export function PendingChanges() {
  const list = useQuery(pendingChangesQuery);
  const changes = list.data?.changes ?? [];
  const waiting = changes.filter(({ state }) => state === 'WAITING');
  const ended = changes.filter(({ state }) => state !== 'WAITING').slice(0, ENDED_SHOWN);
  return (
    <Section title={t('Pending changes')}>
      <p className={classes.quiet}>
        {t('Loosening a protection takes a second operator, or 24 hours if you are the only one.')}
      </p>
      {list.isPending && <SkeletonRows rows={1} columns={2} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && waiting.length === 0 && <p className={classes.quiet}>{t('No change is waiting.')}</p>}
      {waiting.length + ended.length > 0 && (
        <div className={classes.notices}>
          {[...waiting, ...ended].map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </div>
      )}
    </Section>
  );
}
