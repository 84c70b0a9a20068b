import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { EARN } from './navigation.ts';
import classes from './top-bar.module.css';

export function EarnMenu() {
  const { pathname } = useLocation();
  const here = EARN.some(({ to }) => pathname.startsWith(to));
  return (
    <Menu position="bottom-start" width={200} trigger="click-hover" openDelay={80}>
      <Menu.Target>
        <UnstyledButton className={classes.link ?? ''} aria-current={here ? 'page' : undefined}>
          {t('Earn')}
          <IconChevronDown size={14} aria-hidden className={classes.caret} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {EARN.map(({ to, label }) => (
          <Menu.Item key={to} component={Link} to={to}>
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
