/** The parts of the wallet, each with an address of its own: the browser's back button leads from one to the other. */
import { Link, useSearchParams } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import classes from './tabs.module.css';

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
  return (
    <nav className={classes.tabs} aria-label={t('Wallet')}>
      {NAMES.map((name) => (
        <Link
          key={name}
          to={addressOf(name)}
          className={classes.tab}
          {...(name === current ? { 'aria-current': 'page' as const } : {})}
        >
          {tabLabel(name)}
        </Link>
      ))}
    </nav>
  );
}
