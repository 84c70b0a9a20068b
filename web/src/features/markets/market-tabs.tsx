import { NavLink } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import classes from './market-tabs.module.css';

const TABS = [
  { to: '/markets/prices', label: msg('All') },
  { to: '/markets/favorites', label: msg('Favorites') },
  { to: '/markets/pos', label: msg('POS') },
  { to: '/markets/pow', label: msg('POW') },
  { to: '/markets/innovation', label: msg('Innovation') },
  { to: '/markets/trading_data', label: msg('Trading data') },
] as const;

export function MarketTabs() {
  return (
    <nav className={classes.tabs} aria-label={t('Market lists')}>
      {TABS.map(({ to, label }) => (
        <NavLink key={to} to={to} className={classes.tab ?? ''}>
          {t(label)}
        </NavLink>
      ))}
    </nav>
  );
}
