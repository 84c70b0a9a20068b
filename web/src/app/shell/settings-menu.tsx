/** Language, theme and the colours of direction, within reach on every screen. */

import { LOCALES } from '@cambist/contract/locales.ts';
import { Menu } from '@mantine/core';
import { msg, t, useLocale } from '../../lib/i18n.ts';
import { usePreferences } from '../../lib/preferences-store.ts';
import { IconCheck } from '../../ui/icons.ts';
import type { OnDemandMenuProps } from '../../ui/on-demand.tsx';
import { useFloating } from '../../ui/use-floating.ts';
import { useRouteHandle } from '../route-handle.ts';

const SCHEMES = [
  { value: 'dark', label: msg('Dark') },
  { value: 'light', label: msg('Light') },
] as const;

export function SettingsMenu({ trigger }: OnDemandMenuProps) {
  const { scheme, setScheme, setLocale } = usePreferences();
  const current = useLocale().name;
  // Some screens insist on a theme.
  const canChoose = useRouteHandle().scheme === undefined;
  const check = (chosen: boolean) => (chosen ? <IconCheck size={15} aria-label={t('Selected')} /> : null);
  return (
    <Menu position="bottom-end" width={210} {...useFloating()}>
      <Menu.Target>{trigger}</Menu.Target>
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
