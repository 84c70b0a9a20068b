/** The eye beside the total: covers every amount on this device, or shows them again. */
import type { ReactNode } from 'react';
import { useHiddenBalances } from '../../lib/hidden-balances.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { outlined } from '../../ui/icon.ts';
import { Veil } from '../../ui/veil.tsx';

// Paths of Tabler Icons 3.51 (MIT, see `web/icons-license.txt`), here and not among the icons that the first page brings.
const IconEye = outlined(
  'M10 12a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M21 12c-2.4 4 -5.4 6 -9 6c-3.6 0 -6.6 -2 -9 -6c2.4 -4 5.4 -6 9 -6c3.6 0 6.6 2 9 6',
);
const IconEyeOff = outlined(
  'M10.585 10.587a2 2 0 0 0 2.829 2.828M16.681 16.673a8.717 8.717 0 0 1 -4.681 1.327c-3.6 0 -6.6 -2 -9 -6c1.272 -2.12 2.712 -3.678 4.32 -4.674m2.86 -1.146a9.055 9.055 0 0 1 1.82 -.18c3.6 0 6.6 2 9 6c-.666 1.11 -1.379 2.067 -2.138 2.87M3 3l18 18',
);

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
