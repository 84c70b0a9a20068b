import type { ComponentPropsWithRef, ComponentType } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSession, useSignedIn } from '../../lib/session-store.ts';
import { notificationsLabel, useShell } from '../../lib/shell-store.ts';
import { Button, ButtonLink, IconButton, IconLink, PlainButton } from '../../ui/button.tsx';
import { IconBell, IconChevronDown, IconWallet } from '../../ui/first-icons.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { IconDeviceMobile, IconMenu2, IconUserCircle, IconWorld } from '../icons.ts';
import { ChatButton } from './live-chat.tsx';
import { Logo } from './logo.tsx';
import { MarketMark } from './market-mark.tsx';
import { EARN, MAIN } from './navigation.ts';
import classes from './top-bar.module.css';
import { UnreadCount } from './unread-count.tsx';

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
  const unread = useShell((shell) => shell.unread);
  return (
    <header className={plain ? `${classes.bar} ${classes.plain}` : classes.bar}>
      <Link to="/" className={classes.home ?? ''} aria-label={t('Cambist, home')}>
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
        <ChatButton />
        <OnDemand load={loadSettingsMenu} trigger={<BarIcon label={t('Language and theme')} icon={IconWorld} />} />
        {!plain && (
          <OnDemand
            load={loadMobileMenu}
            trigger={<BarIcon label={t('Menu')} icon={IconMenu2} unread={unread} className={classes.narrow ?? ''} />}
          />
        )}
      </div>
    </header>
  );
}

interface BarIconProps extends ComponentPropsWithRef<'button'> {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  /** Of what it leads to. */
  readonly unread?: number;
}

function BarIcon({ label, icon: Icon, unread = 0, ...button }: BarIconProps) {
  return (
    <IconButton size="lg" aria-label={label} {...button}>
      <Icon size={21} stroke={1.6} />
      <UnreadCount count={unread} />
    </IconButton>
  );
}

function Earn() {
  const { pathname } = useLocation();
  const here = EARN.some(({ to }) => pathname.startsWith(to));
  const trigger = (
    <PlainButton className={classes.link ?? ''} aria-current={here ? 'page' : undefined}>
      {t('Earn')}
      <IconChevronDown size={14} aria-hidden className={classes.caret} />
    </PlainButton>
  );
  return <OnDemand load={loadEarnMenu} trigger={trigger} />;
}

function Entry() {
  const signedIn = useSignedIn();
  const { setFundOpen, unread } = useShell();
  const { pathname, search } = useLocation();
  // Operators have no wallet; what they come for is the console.
  const isOperator = useSession((session) => session.client?.role) === 'operator';
  const place = { variant: 'subtle', size: 'compact-md', className: classes.wide ?? '' } as const;
  if (signedIn) {
    return (
      <>
        {isOperator ? (
          <ButtonLink {...place} to="/admin">
            {t('Console')}
          </ButtonLink>
        ) : (
          <>
            <Button size="compact-md" className={classes.wide ?? ''} onClick={() => setFundOpen(true)}>
              {t('Deposit')}
            </Button>
            <ButtonLink {...place} to="/wallet" leftSection={<IconWallet size={17} stroke={1.6} />}>
              {t('Wallet')}
            </ButtonLink>
          </>
        )}
        <IconLink
          to="/account/notifications"
          size="lg"
          className={classes.wide ?? ''}
          aria-label={notificationsLabel(unread)}
        >
          <IconBell size={20} stroke={1.6} />
          <UnreadCount count={unread} />
        </IconLink>
        <OnDemand load={loadAccountMenu} trigger={<BarIcon label={t('Account menu')} icon={IconUserCircle} />} />
      </>
    );
  }
  return (
    <>
      <ButtonLink to={signInPath(pathname + search)} variant="subtle" size="compact-md">
        {t('Log in')}
      </ButtonLink>
      <ButtonLink to="/signup" size="compact-md" className={classes.wide ?? ''}>
        {t('Sign up')}
      </ButtonLink>
    </>
  );
}
