/** Language, theme and the colours of direction, within reach on every screen. */
import { LOCALES } from '@cambist/contract/locales.ts';
import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconWorld } from '@tabler/icons-react';
import { msg, t, useLocale } from '../../lib/i18n.ts';
import { usePreferences } from '../../lib/preferences-store.ts';

const SCHEMES = [
  { value: 'dark', label: msg('Dark') },
  { value: 'light', label: msg('Light') },
] as const;

interface SettingsMenuProps {
  /** Whether the screen lets the person choose a theme. */
  readonly scheme: boolean;
}

export function SettingsMenu({ scheme: canChoose }: SettingsMenuProps) {
  const { scheme, setScheme, setLocale } = usePreferences();
  const current = useLocale((locale) => locale.name);
  const check = (chosen: boolean) => (chosen ? <IconCheck size={15} aria-label={t('Chosen')} /> : null);
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Language and theme')}>
          <IconWorld size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Language')}</Menu.Label>
        {LOCALES.map(({ name, tag, label }) => (
          <Menu.Item key={name} lang={tag} rightSection={check(name === current)} onClick={() => setLocale(name)}>
            {label}
          </Menu.Item>
        ))}
        {canChoose && <Menu.Label>{t('Theme')}</Menu.Label>}
        {canChoose &&
          SCHEMES.map(({ value, label }) => (
            <Menu.Item key={value} rightSection={check(value === scheme)} onClick={() => setScheme(value)}>
              {t(label)}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
