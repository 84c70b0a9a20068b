import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconMoon, IconSun } from '@tabler/icons-react';
import { t } from '../lib/i18n.ts';
import { usePreferences } from '../lib/preferences-store.ts';

const SCHEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

const DIRECTIONS = [
  { value: 'green-red', label: 'Green up, red down' },
  { value: 'blue-orange', label: 'Blue up, orange down' },
] as const;

export function AppearanceMenu() {
  const { scheme, direction, setScheme, setDirection } = usePreferences();
  const Icon = scheme === 'dark' ? IconMoon : IconSun;
  const check = (chosen: boolean) => (chosen ? <IconCheck size={15} aria-label={t('Chosen')} /> : null);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Appearance')}>
          <Icon size={19} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Theme')}</Menu.Label>
        {SCHEMES.map(({ value, label }) => (
          <Menu.Item key={value} rightSection={check(value === scheme)} onClick={() => setScheme(value)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Label>{t('Direction')}</Menu.Label>
        {DIRECTIONS.map(({ value, label }) => (
          <Menu.Item key={value} rightSection={check(value === direction)} onClick={() => setDirection(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
