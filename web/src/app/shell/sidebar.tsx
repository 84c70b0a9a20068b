import { NavLink } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { ACCOUNT, MORE } from './account-navigation.ts';
import classes from './sidebar.module.css';

/** Beside the account's screens, on large screens only; the style sheet hides it on others. */
export function Sidebar() {
  return (
    <nav className={classes.sidebar} aria-label={t('Account')}>
      {[...ACCOUNT, ...MORE].map(({ to, label, icon: Icon }) => (
        <NavLink key={to} to={to} end className={classes.link ?? ''}>
          <Icon size={18} stroke={1.6} />
          {t(label)}
        </NavLink>
      ))}
    </nav>
  );
}
