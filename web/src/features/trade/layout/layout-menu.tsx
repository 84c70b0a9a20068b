import { ActionIcon, Menu } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { IconLayoutDashboard } from '../icons.ts';
import classes from './layout.module.css';
import { PRESETS, useLayout } from './panel-layouts.ts';

/** Only where the window has room for an arrangement of one's own. */
export function LayoutMenu() {
  const { choose, edit } = useLayout();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon className={classes.menu ?? ''} variant="subtle" color="gray" size={30} aria-label={t('Layout')}>
          <IconLayoutDashboard size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Layout')}</Menu.Label>
        {PRESETS.map((preset) => (
          <Menu.Item key={preset.id} onClick={() => choose(preset)}>
            {t(preset.label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => edit(true)}>{t('Move and resize panels')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
