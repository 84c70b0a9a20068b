import { logout, NO_BADGE } from '@cambist/contract/accounts.ts';
import { Badge, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { ApiProblem } from '../../lib/api-problem.ts';
import { forgetDrafts } from '../../lib/drafts.ts';
import { t } from '../../lib/i18n.ts';
import { LOGOUT_KEY } from '../../lib/queries/account.ts';
import { useSession } from '../../lib/session-store.ts';
import { useShell } from '../../lib/shell-store.ts';
import { IconCrown } from '../../ui/icons.ts';
import type { OnDemandMenuProps } from '../../ui/on-demand.tsx';
import { useFloating } from '../../ui/use-floating.ts';
import { IconLogout, IconTool } from './account-icons.ts';
import classes from './account-menu.module.css';
import { ACCOUNT, HELP_ICON as HelpIcon, SETTINGS } from './account-navigation.ts';

const LOGOUT_DELAY_MS = 500;

function useLogout() {
  const navigate = useNavigate();
  return useMutation({
    mutationKey: LOGOUT_KEY,
    mutationFn: () => call(logout),
    onError: (problem) => {
      // A 401 only means that the session had ended before, even one that a proxy answers.
      if (!(problem instanceof ApiProblem && problem.status === 401)) console.error('Logout failed', problem);
    },
    // It ends on this device whatever the server says.
    onSettled: async () => {
      await new Promise((resolve) => setTimeout(resolve, LOGOUT_DELAY_MS));
      await navigate('/signin');
      useSession.getState().signOut();
      forgetDrafts();
    },
  });
}

export function AccountMenu({ trigger }: OnDemandMenuProps) {
  const end = useLogout();
  const isOperator = useSession((session) => session.client?.role) === 'operator';
  const setChatOpen = useShell((shell) => shell.setChatOpen);
  return (
    <Menu position="bottom-end" width={250} {...useFloating()}>
      <Menu.Target>{trigger}</Menu.Target>
      <Menu.Dropdown>
        <Who />
        <Menu.Divider />
        {[...ACCOUNT, SETTINGS].map(({ to, label, icon: Icon }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} />}>
            {t(label)}
          </Menu.Item>
        ))}
        {isOperator && (
          <Menu.Item component={Link} to="/admin" leftSection={<IconTool size={16} stroke={1.6} />}>
            {t('Console')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<HelpIcon size={16} stroke={1.6} />} onClick={() => setChatOpen(true)}>
          {t('Help')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} disabled={end.isPending} onClick={() => end.mutate()}>
          {t('Log out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Who() {
  const user = useSession((session) => session.user);
  const level = useSession((session) => session.client?.membership_level) ?? NO_BADGE;
  const verified = user?.account_status === 'Verified';
  return (
    <div className={classes.who}>
      <span className={classes.email} title={user?.email}>
        {user?.email}
      </span>
      <span className={classes.chips}>
        <Badge variant={verified ? 'light' : 'default'} color="teal" size="sm" tt="none" fw={500}>
          {verified ? t('Verified') : t('Unverified')}
        </Badge>
        <Badge
          variant="default"
          size="sm"
          tt="none"
          fw={500}
          leftSection={level === NO_BADGE ? undefined : <IconCrown size={12} aria-hidden />}
        >
          {level === NO_BADGE ? t('no badge') : level}
        </Badge>
      </span>
    </div>
  );
}
