/** Loaded at the first use of its button. */
import { Button, Checkbox, NativeSelect, Popover } from '@mantine/core';
import { formatTime, withPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { SLIPPAGE_LIMITS, usePreferences } from '../../../lib/preferences-store.ts';
import { lock } from '../../../lib/trading-unlock.ts';
import type { OnDemandMenuProps } from '../../../ui/on-demand.tsx';
import { usePopover } from '../../../ui/use-floating.ts';
import classes from './ticket.module.css';

interface SettingsFormProps extends OnDemandMenuProps {
  /** Milliseconds; undefined while the device is locked. */
  readonly unlockedUntil: number | undefined;
}

export function SettingsForm({ unlockedUntil, trigger }: SettingsFormProps) {
  const { popover, target } = usePopover(trigger);
  return (
    <Popover position="bottom-end" width={290} trapFocus withRoles {...popover}>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown className={classes.settingsSheet ?? ''}>
        <Choices />
        {unlockedUntil !== undefined && (
          <div className={classes.lockRow}>
            <span>{t('Unlocked until {{time}}', { time: formatTime(unlockedUntil) })}</span>
            <Button size="compact-xs" variant="default" onClick={() => void lock()}>
              {t('Lock now')}
            </Button>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices() {
  const { slippageLimit, skipConfirmation, setSlippageLimit, setSkipConfirmation } = usePreferences();
  return (
    <>
      <NativeSelect
        size="xs"
        label={t('Warn when a market order slips by more than')}
        value={String(slippageLimit)}
        data={SLIPPAGE_LIMITS.map((limit) => ({
          value: String(limit),
          label: limit === 0 ? t('Never') : withPercent(limit),
        }))}
        onChange={({ currentTarget }) => {
          const limit = SLIPPAGE_LIMITS.find((entry) => String(entry) === currentTarget.value);
          if (limit !== undefined) setSlippageLimit(limit);
        }}
      />
      <Checkbox
        size="xs"
        label={t('Place orders without this summary while trading is unlocked')}
        checked={skipConfirmation}
        onChange={(event) => setSkipConfirmation(event.currentTarget.checked)}
      />
    </>
  );
}
