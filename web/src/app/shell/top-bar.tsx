import { ActionIcon, type ActionIconProps, Button, UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef, ComponentType } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSession, useSignedIn } from '../../lib/session-store.ts';
import { useShell } from '../../lib/shell-store.ts';
import { IconBell, IconChevronDown, IconWallet } from '../../ui/icons.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { IconDeviceMobile, IconMenu2, IconUserCircle, IconWorld } from '../icons.ts';
import { Logo } from './logo.tsx';
import { MarketMark } from './market-mark.tsx';
import { EARN, MAIN } from './navigation.ts';
import classes from './top-bar.module.css';

const loadAccountMenu = async () => (await import('./account-menu.tsx')).AccountMenu;
const loadDownloadPopover = async () => (await import('./download-popover.tsx')).DownloadPopover;
const loadEarnMenu = async () => (await import('./earn-menu.tsx')).EarnMenu;
const loadMobileMenu = async () => (await import('./mobile-menu.tsx')).MobileMenu;
const loadSettingsMenu = async () => (await import('./settings-menu.tsx')).SettingsMenu;

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
          <Earn />
        </nav>
      )}
      <div className={classes.end}>
        {!plain && <MarketMark />}
        {!plain && <Entry />}
        {!plain && (
          <OnDemand
            load={loadDownloadPopover}
            trigger={<BarIcon label={t('Download the app')} icon={IconDeviceMobile} className={classes.wide ?? ''} />}
          />
        )}
        <OnDemand load={loadSettingsMenu} trigger={<BarIcon label={t('Language and theme')} icon={IconWorld} />} />
        {!plain && (
          <OnDemand
            load={loadMobileMenu}
            trigger={<BarIcon label={t('Menu')} icon={IconMenu2} className={classes.narrow ?? ''} />}
          />
        )}
      </div>
    </header>
  );
}

interface BarIconProps extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
}

function BarIcon({ label, icon: Icon, ...button }: BarIconProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} {...button}>
      <Icon size={21} stroke={1.6} />
    </ActionIcon>
  );
}

function Earn() {
  const { pathname } = useLocation();
  const here = EARN.some(({ to }) => pathname.startsWith(to));
  const trigger = (
    <UnstyledButton className={classes.link ?? ''} aria-current={here ? 'page' : undefined}>
      {t('Earn')}
      <IconChevronDown size={14} aria-hidden className={classes.caret} />
    </UnstyledButton>
  );
  return <OnDemand load={loadEarnMenu} trigger={trigger} />;
}

function Entry() {
  const signedIn = useSignedIn();
  const setFundOpen = useShell((shell) => shell.setFundOpen);
  const { pathname, search } = useLocation();
  // Operators have no wallet; what they come for is the console.
  const isOperator = useSession((session) => session.client?.role) === 'operator';
  const place = {
    component: Link,
    variant: 'subtle',
    color: 'gray',
    size: 'compact-md',
    className: classes.wide ?? '',
  };
  if (signedIn) {
    return (
      <>
        {isOperator ? (
          <Button {...place} to="/admin">
            {t('Console')}
          </Button>
        ) : (
          <>
            <Button size="compact-md" className={classes.wide ?? ''} onClick={() => setFundOpen(true)}>
              {t('Deposit')}
            </Button>
            <Button {...place} to="/wallet" leftSection={<IconWallet size={17} stroke={1.6} />}>
              {t('Wallet')}
            </Button>
          </>
        )}
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
        <OnDemand load={loadAccountMenu} trigger={<BarIcon label={t('Account menu')} icon={IconUserCircle} />} />
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
