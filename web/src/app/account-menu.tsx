import { logout } from '@cambist/contract/accounts.ts';
import { ActionIcon, Badge, Menu } from '@mantine/core';
import { IconLogout, IconUserCircle, IconWallet } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { call } from '../lib/api-client.ts';
import { t } from '../lib/i18n.ts';
import { useSession } from '../lib/session-store.ts';
import classes from './account-menu.module.css';

function useLogout() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call(logout),
    // The session ends on this device whatever the server says; a 401 only means that it had ended before.
    onSettled: async () => {
      await navigate('/signin');
      useSession.getState().signOut();
    },
  });
}

export function AccountMenu() {
  const user = useSession((session) => session.user);
  const end = useLogout();
  const verified = user?.account_status === 'Verified';
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Account menu')}>
          <IconUserCircle size={22} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <span className={classes.email} title={user?.email}>
            {user?.email}
          </span>
          <Badge variant="default" size="sm" tt="none" fw={500}>
            {verified ? 'Verified' : 'Unverified'}
          </Badge>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/wallet" leftSection={<IconWallet size={16} />}>
          {t('Wallet')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} disabled={end.isPending} onClick={() => end.mutate()}>
          {t('Logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
