/** The frame of the operator's console. */
import { maintenance } from '@cambist/contract/admin-clients.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { ApiProblem } from '../../lib/api-problem.ts';
import { pacedMs } from '../../lib/away.ts';
import { msg, t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { ADMIN_KEY } from './use-act.ts';
import { useWaiting } from './waiting.ts';

const ROOMS = [
  { to: '/admin/clients', label: msg('Clients') },
  { to: '/admin/support', label: msg('Support') },
  { to: '/admin/content', label: msg('Content') },
  { to: '/admin/markets', label: msg('Pairs') },
  { to: '/admin/futures', label: msg('Futures') },
  { to: '/admin/treasury', label: msg('Treasury') },
  { to: '/admin/operations', label: msg('Operations') },
  { to: '/admin/audit', label: msg('Audit log') },
] as const;

interface ConsoleProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** While pairs wait to trade again. */
const HALTED_EVERY_MS = 5_000;

/** Whether the exchange is open. Every room asks it, and so learns whether the operator may act as one yet. */
export const useMaintenance = () =>
  useQuery({
    queryKey: [...ADMIN_KEY, 'maintenance'],
    queryFn: ({ signal }) => call(maintenance, { signal }),
    refetchInterval: ({ state }) => (state.data?.maintenance.halted_pairs ? pacedMs(HALTED_EVERY_MS) : false),
  });

function Rooms() {
  const waiting = useWaiting();
  const tabs = ROOMS.map(({ to, label }) => ({ to, label: t(label), waiting: waiting[to] ?? 0 }));
  return <LinkTabs label={t('Console')} tabs={tabs} />;
}

export function Console({ title, actions, children }: ConsoleProps) {
  const { error } = useMaintenance();
  useTitle(title);
  if (error instanceof ApiProblem && error.code === 'OPERATOR_MUST_ENROL') {
    const connect = (
      <Button component={Link} to="/account/security">
        {t('Connect an app')}
      </Button>
    );
    return (
      <Page title={title}>
        <Empty title={error.message} action={connect} />
      </Page>
    );
  }
  return (
    <Page title={title} actions={actions}>
      <Rooms />
      {children}
    </Page>
  );
}
