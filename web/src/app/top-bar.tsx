import { Button } from '@mantine/core';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../lib/i18n.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { AccountMenu } from './account-menu.tsx';
import { AppearanceMenu } from './appearance-menu.tsx';
import { Logo } from './logo.tsx';
import { MarketMark } from './market-mark.tsx';
import classes from './top-bar.module.css';

const LINKS = [
  { to: '/markets', label: 'Markets', own: false },
  { to: '/trades/spot', label: 'Trade', own: false },
  { to: '/wallet', label: 'Wallet', own: true },
] as const;

interface TopBarProps {
  /** Only the logo and the way to the other entry. */
  readonly plain: boolean;
}

export function TopBar({ plain }: TopBarProps) {
  const signedIn = useSignedIn();
  return (
    <header className={plain ? `${classes.bar} ${classes.plain}` : classes.bar}>
      <Link to="/" className={classes.logo} aria-label={t('Cambist, home')}>
        <Logo />
      </Link>
      {!plain && (
        <nav className={classes.links} aria-label={t('Main')}>
          {LINKS.filter((link) => signedIn || !link.own).map((link) => (
            <NavLink key={link.to} to={link.to} className={classes.link ?? ''}>
              {link.label}
            </NavLink>
          ))}
        </nav>
      )}
      <div className={classes.end}>
        {!plain && <MarketMark />}
        {!plain && <AppearanceMenu />}
        <Entry plain={plain} />
      </div>
    </header>
  );
}

function Entry({ plain }: TopBarProps) {
  const signedIn = useSignedIn();
  const { pathname, search } = useLocation();
  if (signedIn) return <AccountMenu />;
  if (plain) return null;
  return (
    <>
      <Button component={Link} to={signInPath(pathname + search)} variant="subtle" color="gray" size="compact-md">
        {t('Login')}
      </Button>
      <Button component={Link} to="/signup" size="compact-md">
        {t('Sign up')}
      </Button>
    </>
  );
}
