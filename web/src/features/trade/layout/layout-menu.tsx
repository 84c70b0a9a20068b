/** The arrangements on offer. Loaded at the first use of its button. */
import { Menu } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import type { OnDemandMenuProps } from '../../../ui/on-demand.tsx';
import { useFloating } from '../../../ui/use-floating.ts';
import { PRESETS, useLayout } from './panel-layouts.ts';

export function LayoutMenu({ trigger }: OnDemandMenuProps) {
  const { choose, edit } = useLayout();
  return (
    <Menu position="bottom-end" width={240} {...useFloating()}>
      <Menu.Target>{trigger}</Menu.Target>
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
