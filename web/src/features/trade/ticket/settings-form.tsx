import { Checkbox, NativeSelect } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { SLIPPAGE_LIMITS, useTradePreferences } from '../trade-preferences.ts';

export default function SettingsForm() {
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
        label={t('Skip this summary while trading is unlocked')}
        checked={skipConfirmation}
        onChange={(event) => setSkipConfirmation(event.currentTarget.checked)}
      />
    </>
  );
}
