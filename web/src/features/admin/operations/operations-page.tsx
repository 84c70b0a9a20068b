/** The running exchange: alarms, maintenance, fee tiers, and the feeds of news. */
import { type maintenance, resumePairs, setMaintenance } from '@cambist/contract/admin-clients.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { newsFeeds } from '@cambist/contract/content.ts';
import { acknowledgeAlarm, setFeeTier } from '@cambist/contract/operations.ts';
import { Alert, Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Select } from '../../../ui/select.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Console, useMaintenance } from '../console.tsx';
import { type Decision, ReasonDialog } from '../reason-dialog.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY, useAct } from '../use-act.ts';
import { alarmsQuery } from '../waiting.ts';
import { Liabilities } from './liabilities.tsx';
import { PendingChanges } from './pending-changes.tsx';
import { UnsentMessages } from './unsent-messages.tsx';

const TIERS = 6;

export function OperationsPage() {
  return (
    <Console title={t('Operations')}>
      <Alarms />
      <PendingChanges />
      <UnsentMessages />
      <Liabilities />
      <Maintenance />
      <FeeTiers />
      <Feeds />
    </Console>
  );
}

function Alarms() {
  const list = useQuery(alarmsQuery);
  const seen = useAct((id: number) => call(acknowledgeAlarm, { params: { id } }));
  return (
    <Section title={t('Alarms')}>
      {list.isPending && <SkeletonRows rows={2} columns={2} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.alarms.length === 0 && (
        <p className={classes.quiet}>{t('None. Postings, balances and holds agree.')}</p>
      )}
      {list.data?.alarms.map((alarm) => (
        <Alert
          key={alarm.id}
          mb="xs"
          color={alarm.acknowledged_at === null ? 'red' : 'gray'}
          title={`${alarm.kind} · ${formatDateTime(alarm.raised_at)}`}
        >
          <p className={classes.quiet}>{alarm.detail}</p>
          {alarm.acknowledged_at === null && (
            <Button mt="xs" size="compact-sm" variant="default" onClick={() => seen.mutate(alarm.id)}>
              {t('Acknowledge')}
            </Button>
          )}
        </Alert>
      ))}
    </Section>
  );
}

const haltChoice = () => ({
  label: t('Halt all pairs'),
  description: t('They trade again a minute after the end, so that clients can cancel first.'),
});

function Maintenance() {
  const state = useMaintenance();
  const [asking, setAsking] = useState(false);
  const on = state.data?.maintenance.on ?? false;
  const set = useAct(
    ({ reason, until, isChosen }: Decision) =>
      call(setMaintenance, { body: { on: !on, reason, until, halt_pairs: isChosen } }),
    () => setAsking(false),
  );
  return (
    <Section title={t('Maintenance')}>
      {state.isPending && <SkeletonRows rows={1} columns={2} />}
      {state.isLoadingError && <ErrorState error={state.error} onRetry={() => void state.refetch()} />}
      {state.data && (
        <div className={classes.statement}>
          <p className={classes.quiet}>
            {on
              ? t('On: everyone but operators is logged out. {{reason}}', { reason: state.data.maintenance.reason })
              : t('Off: the exchange is open.')}
          </p>
          <Button variant="default" onClick={() => setAsking(true)}>
            {on ? t('End maintenance') : t('Begin maintenance')}
          </Button>
        </div>
      )}
      {state.data && state.data.maintenance.halted_pairs > 0 && <HaltedPairs {...state.data.maintenance} />}
      {asking && (
        <ReasonDialog
          title={on ? t('Open the exchange again?') : t('Log everyone out and close the exchange?')}
          action={on ? t('End maintenance') : t('Begin maintenance')}
          withEnd={!on}
          choice={on ? undefined : haltChoice()}
          busy={set.isPending}
          onDecide={(decision) => set.mutate(decision)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** What maintenance has halted and does not trade yet. */
function HaltedPairs({ halted_pairs: count, resume_at: at }: AnswerOf<typeof maintenance>['maintenance']) {
  const [asking, setAsking] = useState(false);
  const resume = useAct(
    ({ reason }: Decision) => call(resumePairs, { body: { reason } }),
    () => setAsking(false),
  );
  return (
    <div className={classes.statement}>
      <p className={classes.quiet}>
        {at === null
          ? t('{{count}} pairs are halted until it ends.', { count })
          : t('{{count}} pairs trade again at {{time}}.', { count, time: formatDateTime(at) })}
      </p>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('Resume now')}
      </Button>
      {asking && (
        <ReasonDialog
          title={t('Let the pairs trade now?')}
          action={t('Resume now')}
          withEnd={false}
          isInternal
          busy={resume.isPending}
          onDecide={(decision) => resume.mutate(decision)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function FeeTiers() {
  const [client, setClient] = useState<number | string>('');
  const [tier, setTier] = useState<string | null>('0');
  const set = useAct(() => call(setFeeTier, { body: { client_id: Number(client), tier: Number(tier) } }));
  return (
    <Section title={t('Fee tiers')}>
      <div className={classes.row}>
        <NumberInput
          label={t('Client ID')}
          hideControls
          allowDecimal={false}
          min={1}
          value={client}
          onChange={setClient}
        />
        <Select
          label={t('Tier')}
          allowDeselect={false}
          data={Array.from({ length: TIERS }, (_, index) => String(index))}
          value={tier}
          onChange={setTier}
        />
        <Button variant="default" disabled={!client} loading={set.isPending} onClick={() => set.mutate(undefined)}>
          {t('Set tier')}
        </Button>
      </div>
    </Section>
  );
}

function Feeds() {
  const list = useQuery({
    queryKey: [...ADMIN_KEY, 'feeds'],
    queryFn: ({ signal }) => call(newsFeeds, { signal }),
  });
  const feeds = list.data?.feeds;
  return (
    <Section title={t('News feeds')}>
      {list.isPending && <SkeletonRows rows={1} columns={2} />}
      {list.isLoadingError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {feeds?.length === 0 && <p className={classes.quiet}>{t('None. Set NEWS_RSS to add some.')}</p>}
      {feeds?.map((feed) => (
        <p key={feed.url} className={classes.quiet}>
          {feed.title || feed.url}: {t('{{count}} items', { count: feed.items })}
          {feed.checked_at !== null && `, ${formatDateTime(feed.checked_at)}`}
          {feed.failure && `: ${feed.failure}`}
        </p>
      ))}
    </Section>
  );
}
