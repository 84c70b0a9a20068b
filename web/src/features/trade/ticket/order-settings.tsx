/** What the form does before it sends: the warning of slippage, the summary, and the lock of this device. */

import { ActionIcon, Button, Popover } from '@mantine/core';
import { Suspense } from 'react';
import { formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { Loading } from '../../../ui/states.tsx';
import { IconAdjustments, IconLockOpen } from '../icons.ts';
import classes from './ticket.module.css';
import { lock, useUnlockedUntil } from './trading-unlock.ts';

const SettingsForm = lazyPart(() => import('./settings-form.tsx'));

export function OrderSettings() {
  const until = useUnlockedUntil();
  const signedIn = useSignedIn();
  const unlocked = signedIn && until > 0;
  return (
    <Popover position="bottom-end" width={290} trapFocus withRoles>
      <Popover.Target>
        <ActionIcon
          className={classes.settings}
          variant="subtle"
          color="gray"
          size={26}
          aria-label={unlocked ? t('Order settings, unlocked') : t('Order settings')}
        >
          {unlocked ? <IconLockOpen size={16} className={classes.unlocked} /> : <IconAdjustments size={16} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.settingsSheet}>
        <Suspense fallback={<Loading />}>
          <SettingsForm />
        </Suspense>
        {unlocked && (
          <div className={classes.lockRow}>
            <span>{t('Unlocked until {{time}}', { time: formatTime(until) })}</span>
            <Button size="compact-xs" variant="default" onClick={() => void lock()}>
              {t('Lock now')}
            </Button>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
