import { Menu } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import type { OnDemandMenuProps } from '../../ui/on-demand.tsx';
import { EARN } from './navigation.ts';

export function EarnMenu({ trigger }: OnDemandMenuProps) {
  return (
    <Menu position="bottom-start" width={200} trigger="click-hover" openDelay={80}>
      <Menu.Target>{trigger}</Menu.Target>
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
