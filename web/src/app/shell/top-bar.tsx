import { ActionIcon, Button } from '@mantine/core';
import { IconBell, IconWallet } from '@tabler/icons-react';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useShell } from '../../lib/shell-store.ts';
import { AccountMenu } from './account-menu.tsx';
import { DownloadPopover } from './download-popover.tsx';
import { EarnMenu } from './earn-menu.tsx';
import { Logo } from './logo.tsx';
import { MarketMark } from './market-mark.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { MAIN } from './navigation.ts';
import { SettingsMenu } from './settings-menu.tsx';
import classes from './top-bar.module.css';

interface TopBarProps {
  /** Only the logo, and the choice of a language. */
  readonly plain: boolean;
}

export function TopBar({ plain }: TopBarProps) {
  return (
    <header className={plain ? `${classes.bar} ${classes.plain}` : classes.bar}>
      <Link to="/" className={classes.logo} aria-label={t('Cambist, home')}>
        <Logo />
      </Link>
      {!plain && (
        <nav className={classes.links} aria-label={t('Main')}>
          {MAIN.map(({ to, label }) => (
            <NavLink key={to} to={to} className={classes.link ?? ''}>
              {t(label)}
            </NavLink>
          ))}
          <EarnMenu />
        </nav>
      )}
      <div className={classes.end}>
        {!plain && <MarketMark />}
        {!plain && <Entry />}
        {!plain && <DownloadPopover />}
        <SettingsMenu scheme={!plain} />
        {!plain && <MobileMenu />}
      </div>
    </header>
  );
}

function Entry() {
  const signedIn = useSignedIn();
  const setFundOpen = useShell((shell) => shell.setFundOpen);
  const { pathname, search } = useLocation();
  if (signedIn) {
    return (
      <>
        <Button size="compact-md" className={classes.wide ?? ''} onClick={() => setFundOpen(true)}>
          {t('Deposit')}
        </Button>
        <Button
          component={Link}
          to="/wallet"
          variant="subtle"
          color="gray"
          size="compact-md"
          className={classes.wide ?? ''}
          leftSection={<IconWallet size={17} stroke={1.6} />}
        >
          {t('Wallet')}
        </Button>
        <ActionIcon
          component={Link}
          to="/account/notifications"
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.wide ?? ''}
          aria-label={t('Notifications')}
        >
          <IconBell size={20} stroke={1.6} />
        </ActionIcon>
        <AccountMenu />
      </>
    );
  }
  return (
    <>
      <Button component={Link} to={signInPath(pathname + search)} variant="subtle" color="gray" size="compact-md">
        {t('Login')}
      </Button>
      <Button component={Link} to="/signup" size="compact-md" className={classes.wide ?? ''}>
        {t('Sign up')}
      </Button>
    </>
  );
}
