import { msg, t } from '../../lib/i18n.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';

const TABS = [
  { to: '/markets/prices', label: msg('All') },
  { to: '/markets/perpetuals', label: msg('Perpetuals') },
  { to: '/markets/favorites', label: msg('Favorites') },
  { to: '/markets/pos', label: msg('POS') },
  { to: '/markets/pow', label: msg('POW') },
  { to: '/markets/innovation', label: msg('Innovation') },
  { to: '/markets/trading_data', label: msg('Trading data') },
] as const;

export function MarketTabs() {
  return <LinkTabs label={t('Market lists')} tabs={TABS.map(({ to, label }) => ({ to, label: t(label) }))} />;
}
