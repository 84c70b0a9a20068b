import { ActionIcon } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useUnlockedUntil } from '../../../lib/trading-unlock.ts';
import { OnDemand } from '../../../ui/on-demand.tsx';
import { IconAdjustments, IconLockOpen } from '../icons.ts';
import classes from './ticket.module.css';

const loadSettings = async () => (await import('./settings-form.tsx')).SettingsForm;

/** What the form does before it sends: the warning of slippage, the summary, and the lock of this device. */
export function OrderSettings() {
  const until = useUnlockedUntil();
  const unlocked = useSignedIn() && until > 0;
  return (
    <OnDemand
      load={loadSettings}
      given={{ unlockedUntil: unlocked ? until : undefined }}
      trigger={
        <ActionIcon
          className={classes.settings ?? ''}
          variant="subtle"
          color="gray"
          size={26}
          aria-label={unlocked ? t('Order settings, unlocked') : t('Order settings')}
        >
          {unlocked ? <IconLockOpen size={16} className={classes.unlocked} /> : <IconAdjustments size={16} />}
        </ActionIcon>
      }
    />
  );
}
