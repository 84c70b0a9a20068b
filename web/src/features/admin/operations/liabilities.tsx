/** When what is owed to clients was last proved, and a run now. */
import { liabilityRuns, makeLiabilityRun } from '@cambist/contract/liabilities.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { ErrorState } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import { ADMIN_KEY, useAct } from '../use-act.ts';

const POLL_MS = 15_000;

export function Liabilities() {
  const { data, error, refetch } = useQuery({
    queryKey: [...ADMIN_KEY, 'liabilities'],
    queryFn: ({ signal }) => call(liabilityRuns, { signal }),
    refetchInterval: every(POLL_MS),
  });
  const make = useAct(() => call(makeLiabilityRun));
  const newest = data?.runs[0];
  return (
    <Section title={t('Proof of liabilities')}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      <div className={classes.statement}>
        <p className={classes.quiet}>
          {newest && <Link to="/proof">{t('Made {{time}}.', { time: formatDateTime(newest.made_at) })}</Link>}
          {data?.runs.length === 0 && t('Not made yet.')}
        </p>
        <Button size="compact-sm" variant="default" loading={make.isPending} onClick={() => make.mutate(undefined)}>
          {t('Make now')}
        </Button>
      </div>
    </Section>
  );
}
