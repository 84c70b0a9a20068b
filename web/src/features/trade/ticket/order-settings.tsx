/** What the form does before it sends: the warning of slippage, the summary, and the lock of this device. */
import { ActionIcon, Button, Checkbox, NativeSelect, Popover } from '@mantine/core';
import { IconAdjustments, IconLockOpen } from '@tabler/icons-react';
import { formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { SLIPPAGE_LIMITS, useTradePreferences } from '../trade-preferences.ts';
import classes from './ticket.module.css';
import { lock, useUnlockedUntil } from './trading-unlock.ts';

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
        <SettingsForm />
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

function SettingsForm() {
  const { slippageLimit, set } = useTradePreferences();
  const { skipConfirmation, setSkipConfirmation } = usePreferences();
  return (
    <>
      <NativeSelect
        size="xs"
        label={t('Warn when a market order slips by more than')}
        value={String(slippageLimit)}
        data={SLIPPAGE_LIMITS.map((limit) => ({
          value: String(limit),
          label: limit === 0 ? t('Never') : `${limit}%`,
        }))}
        onChange={({ currentTarget }) => {
          const limit = SLIPPAGE_LIMITS.find((entry) => String(entry) === currentTarget.value);
          if (limit !== undefined) set({ slippageLimit: limit });
        }}
      />
      <Checkbox
        size="xs"
        label={t('Skip this summary while unlocked')}
        checked={skipConfirmation}
        onChange={(event) => setSkipConfirmation(event.currentTarget.checked)}
      />
    </>
  );
}
