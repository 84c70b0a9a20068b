/** The app on a phone: a code to scan, for the system that the person has. */
import { Anchor, Popover, SegmentedControl } from '@mantine/core';
import { Suspense, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import type { OnDemandMenuProps } from '../../ui/on-demand.tsx';
import { lazyPart } from '../../ui/part.tsx';
import { usePopover } from '../../ui/use-floating.ts';
import classes from './download-popover.module.css';

const QrCode = lazyPart(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

const SYSTEMS = [
  { value: 'android', label: 'Android', path: '/api/v3/download-apk' },
  { value: 'ios', label: 'iOS', path: '/api/v3/download-ios' },
] as const;

type System = (typeof SYSTEMS)[number]['value'];

export function DownloadPopover({ trigger }: OnDemandMenuProps) {
  const [system, setSystem] = useState<System>('android');
  const chosen = SYSTEMS.find(({ value }) => value === system) ?? SYSTEMS[0];
  const address = window.location.origin + chosen.path;
  const { popover, target } = usePopover(trigger);
  return (
    <Popover position="bottom-end" width={232} trapFocus {...popover}>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown className={classes.card ?? ''}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('Phone system')}
          data={SYSTEMS.map(({ value, label }) => ({ value, label }))}
          value={system}
          onChange={(value) => setSystem(value as System)}
        />
        <div className={classes.code}>
          <Suspense>
            <QrCode value={address} size={184} label={t('QR code for the {{system}} app', { system: chosen.label })} />
          </Suspense>
        </div>
        <Anchor href={chosen.path} target="_blank" rel="noreferrer" size="sm">
          {t('Download for {{system}}', { system: chosen.label })}
        </Anchor>
      </Popover.Dropdown>
    </Popover>
  );
}
