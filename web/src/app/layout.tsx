/** What surrounds every screen: theme, notices, the shell, and the watch over the account. */
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense } from 'react';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { t } from '../lib/i18n.ts';
import { useAccountStream } from '../lib/queries/account-stream.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { useShell } from '../lib/shell-store.ts';
import { Appearance } from './appearance.tsx';
import { CommandKey } from './command-key.tsx';
import classes from './layout.module.css';
import { useRouteHandle } from './route-handle.ts';
import { Announcement } from './shell/announcement.tsx';
import { Footer } from './shell/footer.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { TopBar } from './shell/top-bar.tsx';
import { useAccountWatch } from './use-account-watch.ts';
import { useNotifications } from './use-notifications.ts';

const AlertWatch = lazy(() => import('../features/trade/alerts/alert-watch.tsx'));
const FundDialog = lazy(async () => ({ default: (await import('./shell/fund-dialog.tsx')).FundDialog }));

export function Layout() {
  const handle = useRouteHandle();
  const navigation = useNavigation();
  const signedIn = useSignedIn();
  const fundOpen = useShell((shell) => shell.fundOpen);
  useAccountStream();
  useAccountWatch();
  useNotifications();
  return (
    <Appearance scheme={handle.scheme}>
      <Notifications position="top-right" limit={4} containerWidth={340} zIndex={1000} />
      <a href="#main" className={classes.skip}>
        {t('Skip to content')}
      </a>
      <div className={handle.terminal ? `${classes.shell} ${classes.terminal}` : classes.shell}>
        {!handle.plain && !handle.terminal && <Announcement />}
        <TopBar plain={handle.plain ?? false} />
        {navigation.state === 'loading' && (
          <div className={classes.progress} role="status" aria-label={t('Loading...')} />
        )}
        <div className={classes.body}>
          {handle.sidebar && <Sidebar />}
          <main id="main" className={classes.main} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        {handle.footer && <Footer />}
      </div>
      <Suspense>{fundOpen && <FundDialog />}</Suspense>
      <Suspense>{signedIn && <AlertWatch />}</Suspense>
      <CommandKey />
      <ScrollRestoration />
    </Appearance>
  );
}
