/** What surrounds every screen: theme, notices, the top bar, and the watch over the account. */

import { Notifications } from '@mantine/notifications';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { t } from '../lib/i18n.ts';
import { useAccountStream } from '../lib/queries/account-stream.ts';
import { Appearance } from './appearance.tsx';
import classes from './layout.module.css';
import { useRouteHandle } from './route-handle.ts';
import { TopBar } from './top-bar.tsx';
import { useAccountWatch } from './use-account-watch.ts';

export function Layout() {
  const handle = useRouteHandle();
  const navigation = useNavigation();
  useAccountStream();
  useAccountWatch();
  return (
    <Appearance scheme={handle.scheme}>
      <Notifications position="top-right" limit={4} containerWidth={340} zIndex={1000} />
      <a href="#main" className={classes.skip}>
        {t('Skip to content')}
      </a>
      <div className={handle.terminal ? `${classes.shell} ${classes.terminal}` : classes.shell}>
        <TopBar plain={handle.plain ?? false} />
        {navigation.state === 'loading' && (
          <div className={classes.progress} role="status" aria-label={t('Loading...')} />
        )}
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <ScrollRestoration />
    </Appearance>
  );
}
