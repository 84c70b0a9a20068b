/** One client: state, holds, sessions, sign-ins and what operators did; and the acts of an operator. */
import { NO_BADGE } from '@cambist/contract/accounts.ts';
import {
  clientDetail,
  endClientSessions,
  freezeClient,
  liftHold,
  resetFactors,
  restrictWithdrawals,
  stopClientOrders,
  unfreezeClient,
} from '@cambist/contract/admin-clients.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { Facts } from '../../../ui/facts.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Console } from '../console.tsx';
import { type Decision, ReasonDialog, type ReasonDialogProps } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY, useAct } from '../use-act.ts';
import { ClientHoldings } from './client-holdings.tsx';
import { AuditTable, HoldTable, SessionTable, SignInTable } from './client-tables.tsx';
import { ClientState } from './clients-page.tsx';

type Detail = AnswerOf<typeof clientDetail>;

type ActTexts = Pick<ReasonDialogProps, 'title' | 'action' | 'withEnd' | 'isInternal' | 'note' | 'choice'>;

const KEPT = msg('Positions stay, and so do orders that only reduce one, such as its stop loss.');

const ACTS = {
  freeze: {
    title: msg('Freeze this account?'),
    action: msg('Freeze'),
    withEnd: true,
    choice: { label: msg('Cancel its orders'), description: KEPT },
  },
  unfreeze: { title: msg('Unfreeze this account?'), action: msg('Unfreeze'), withEnd: false },
  restrict: { title: msg('Restrict withdrawals?'), action: msg('Restrict withdrawals'), withEnd: true },
  stop: { title: msg('Cancel the orders of this account?'), action: msg('Cancel orders'), withEnd: false, note: KEPT },
  lift: { title: msg('Lift this restriction?'), action: msg('Lift restriction'), withEnd: false },
  signOut: { title: msg('Log this client out everywhere?'), action: msg('Log out everywhere'), withEnd: false },
  reset: {
    title: msg('Remove all second factors?'),
    action: msg('Remove second factors'),
    withEnd: false,
    isInternal: true,
    note: msg(
      'The authenticator app, recovery codes and passkeys are removed, and the client is logged out everywhere and told by mail. Withdrawals are paused for 72 hours. Make sure first that it is the client who asks.',
    ),
  },
} as const satisfies Record<string, ActTexts>;

const translated = ({ title, action, note, choice, ...how }: ActTexts): ActTexts => ({
  ...how,
  title: t(title),
  action: t(action, { context: 'action' }),
  ...(note ? { note: t(note) } : {}),
  ...(choice ? { choice: { label: t(choice.label), description: t(choice.description) } } : {}),
});

interface Act {
  readonly kind: keyof typeof ACTS;
  /** Of the client, or of the hold that ends. */
  readonly id: number;
}

interface Done {
  readonly message: 'success';
  readonly stopped_orders?: number;
}

function perform({ act, reason, until, isChosen }: Decision & { readonly act: Act }): Promise<Done> {
  const params = { id: act.id };
  switch (act.kind) {
    case 'freeze':
      return call(freezeClient, { params, body: { reason, until, stop_orders: isChosen } });
    case 'unfreeze':
      return call(unfreezeClient, { params, body: { reason } });
    case 'restrict':
      return call(restrictWithdrawals, { params, body: { reason, until } });
    case 'stop':
      return call(stopClientOrders, { params, body: { reason } });
    case 'lift':
      return call(liftHold, { params, body: { reason } });
    case 'signOut':
      return call(endClientSessions, { params, body: { reason } });
    case 'reset':
      return call(resetFactors, { params, body: { reason } });
  }
}

const stoppedText = ({ stopped_orders: count }: Done) =>
  count === undefined ? undefined : t('{{count}} orders were cancelled.', { count });

export function ClientPage() {
  const id = Number(useParams().id);
  const detail = useQuery({
    queryKey: [...ADMIN_KEY, 'client', id],
    queryFn: ({ signal }) => call(clientDetail, { params: { id }, signal }),
  });
  const [act, setAct] = useState<Act>();
  const acting = useAct(perform, () => setAct(undefined), stoppedText);
  return (
    <Console title={detail.data?.client.user.email ?? t('Client')}>
      {detail.isPending && <SkeletonRows rows={12} columns={4} />}
      {detail.isError && <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />}
      {detail.data && <Client detail={detail.data} onAct={setAct} />}
      {act && (
        <ReasonDialog
          {...translated(ACTS[act.kind])}
          busy={acting.isPending}
          onDecide={(decision) => acting.mutate({ ...decision, act })}
          onClose={() => setAct(undefined)}
        />
      )}
    </Console>
  );
}

function Client({ detail, onAct }: { readonly detail: Detail; readonly onAct: (act: Act) => void }) {
  const { client } = detail;
  const frozen = client.status === 'FREEZE_ACCOUNT';
  const act = (kind: Act['kind']) => () => onAct({ kind, id: client.id });
  return (
    <>
      <Section title={t('Account')}>
        <ClientFacts detail={detail} />
        <div className={classes.row}>
          <Button variant="default" onClick={act(frozen ? 'unfreeze' : 'freeze')}>
            {frozen ? t('Unfreeze') : t('Freeze', { context: 'action' })}
          </Button>
          <Button variant="default" onClick={act('stop')}>
            {t('Cancel orders')}
          </Button>
          <Button variant="default" onClick={act('restrict')}>
            {t('Restrict withdrawals')}
          </Button>
          <Button variant="default" onClick={act('signOut')}>
            {t('Log out everywhere')}
          </Button>
          {(detail.two_factor || detail.passkeys > 0) && (
            <Button variant="default" onClick={act('reset')}>
              {t('Remove second factors')}
            </Button>
          )}
        </div>
      </Section>
      <ClientHoldings id={client.id} />
      <Section title={t('Restrictions')}>
        <HoldTable holds={detail.holds} onLift={(id) => onAct({ kind: 'lift', id })} />
      </Section>
      <Section title={t('Sessions')}>
        <SessionTable sessions={detail.sessions} />
      </Section>
      <Section title={t('Logins')}>
        <SignInTable signIns={detail.sign_ins} />
      </Section>
      <Section title={t('Audit log')}>
        <AuditTable entries={detail.audit} />
      </Section>
    </>
  );
}

function ClientFacts({ detail }: { readonly detail: Detail }) {
  const { client } = detail;
  const facts = [
    { name: t('State'), value: <ClientState status={client.status} role={client.role} /> },
    { name: t('UID'), value: client.user.user_unique_id },
    // What the form for fee tiers asks for.
    { name: t('Client ID'), value: client.id },
    { name: t('Phone'), value: client.user.mobile_number || '–' },
    { name: t('Level'), value: client.membership_level === NO_BADGE ? 'VIP 0' : client.membership_level },
    { name: t('Since'), value: formatDateTime(detail.created_at) },
    { name: t('Two-factor'), value: detail.two_factor ? t('On') : t('Off') },
    { name: t('Passkeys'), value: detail.passkeys },
    { name: t('Whitelist only'), value: detail.whitelist_only ? t('On') : t('Off') },
    { name: t('Withdrawals'), value: client.withdraw_restriction || t('Allowed') },
  ];
  return <Facts look="tiles" facts={facts} className={classes.facts} />;
}
