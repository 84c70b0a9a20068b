/** The parts of the wallet. */
import { useSearchParams } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';

const TABS = {
  overview: msg('Overview'),
  spot: msg('Spot'),
  earn: msg('Earn'),
  future: msg('Future'),
  web3: msg('Web3'),
} as const;

export type TabName = keyof typeof TABS;

const NAMES = Object.keys(TABS) as TabName[];

export const addressOf = (tab: TabName): string => (tab === 'overview' ? '/wallet' : `/wallet?tab=${tab}`);

export const tabLabel = (tab: TabName): string => t(TABS[tab]);

/** The one that the address names; the overview where it names none. */
export function useTab(): TabName {
  const [query] = useSearchParams();
  return NAMES.find((name) => name === query.get('tab')) ?? 'overview';
}

export function WalletTabs({ current }: { readonly current: TabName }) {
  const tabs = NAMES.map((name) => ({ to: addressOf(name), label: tabLabel(name), isCurrent: name === current }));
  return <LinkTabs label={t('Wallet')} tabs={tabs} />;
}
