/** Positions, orders and histories under the futures terminal. */
import { usePositions } from '../../../lib/futures/positions.ts';
import { t } from '../../../lib/i18n.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { AccountTabs, useOpenOrdersLabel } from '../orders/account-panel.tsx';
import type { FuturesTab } from '../orders/account-tab.ts';

const FuturesLists = lazyPart(() => import('./account-lists.tsx'));

export function FuturesAccount() {
  const count = usePositions().data?.positions.length ?? 0;
  const tabs = [
    { value: 'positions', label: count > 0 ? t('Positions ({{number}})', { number: count }) : t('Positions') },
    { value: 'open', label: useOpenOrdersLabel() },
    { value: 'orders', label: t('Order history') },
    { value: 'trades', label: t('Trade history') },
    { value: 'closed', label: t('Position history') },
    { value: 'changes', label: t('Position changes') },
    { value: 'funding', label: t('Funding fee') },
    { value: 'liquidations', label: t('Liquidations') },
  ] as const;
  return <AccountTabs<FuturesTab> tabs={tabs} Lists={FuturesLists} />;
}
