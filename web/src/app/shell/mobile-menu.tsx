import { Button } from '@mantine/core';
import { cloneElement, useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useSession, useSignedIn } from '../../lib/session-store.ts';
import { notificationsLabel, useShell } from '../../lib/shell-store.ts';
import type { OnDemandMenuProps } from '../../ui/on-demand.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { ACCOUNT, MORE, NOTIFICATIONS } from './account-navigation.ts';
import classes from './mobile-menu.module.css';
import { type Destination, EARN, MAIN } from './navigation.ts';

/** Everything of the top bar and the account menu, where there is no room for them. */
export function MobileMenu({ trigger }: OnDemandMenuProps) {
  const [opened, setOpened] = useState(false);
  const signedIn = useSignedIn();
  const isOperator = useSession((session) => session.client?.role) === 'operator';
  const { pathname } = useLocation();
  const setFundOpen = useShell((shell) => shell.setFundOpen);
  useEffect(() => {
    if (pathname) setOpened(false);
  }, [pathname]);
  return (
    <>
      {cloneElement(trigger, { 'aria-expanded': opened, onClick: () => setOpened(!opened) })}
      <Sheet opened={opened} onClose={() => setOpened(false)} position="right" size={300} title={t('Menu')}>
        <nav className={classes.menu} aria-label={t('Menu')}>
          {isOperator && (
            <Button component={Link} to="/admin">
              {t('Console')}
            </Button>
          )}
          {signedIn && !isOperator && (
            <Button
              onClick={() => {
                setOpened(false);
                setFundOpen(true);
              }}
            >
              {t('Deposit')}
            </Button>
          )}
          {!signedIn && (
            <Button component={Link} to="/signup">
              {t('Sign up')}
            </Button>
          )}
          <Group title={t('Trade')} destinations={MAIN} />
          <Group title={t('Earn')} destinations={EARN} />
          {signedIn && <Group title={t('Account')} destinations={[...ACCOUNT, ...MORE]} />}
        </nav>
      </Sheet>
    </>
  );
}

function Group({ title, destinations }: { readonly title: string; readonly destinations: readonly Destination[] }) {
  const unread = useShell((shell) => shell.unread);
  return (
    <section className={classes.group}>
      <h2 className={classes.title}>{title}</h2>
      {destinations.map(({ to, label }) => (
        <NavLink key={to} to={to} className={classes.link ?? ''}>
          {to === NOTIFICATIONS ? notificationsLabel(unread) : t(label)}
        </NavLink>
      ))}
    </section>
  );
}
