/** The eye beside the total: covers every amount on this device, or shows them again. */
import type { ReactNode } from 'react';
import { useHiddenBalances } from '../../lib/hidden-balances.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { IconEye, IconEyeOff } from '../../ui/icons.ts';
import { Veil } from '../../ui/veil.tsx';

export function HideButton() {
  const { areHidden, toggle } = useHiddenBalances();
  const label = areHidden ? t('Show balances') : t('Hide balances');
  return (
    <IconButton size="sm" aria-label={label} title={label} onClick={toggle}>
      {areHidden ? <IconEyeOff size={16} /> : <IconEye size={16} />}
    </IconButton>
  );
}

/** An amount of the person, which the eye covers. */
export function Private({ children }: { readonly children: ReactNode }) {
  return <Veil says={t('Hidden')}>{children}</Veil>;
}
