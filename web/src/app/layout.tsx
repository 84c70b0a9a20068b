/** What surrounds every screen: theme, notices, the shell, and the watch over the account. */
import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { ChatCorner } from '../features/support/chat-corner.tsx';
import { t } from '../lib/i18n.ts';
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

const AlertWatch = lazy(() => import('../features/trade/alerts/alert-watch.tsx'));
const NoticesCorner = lazy(() => import('./notices-corner.tsx'));
const AccountWatch = lazy(() => import('./account-watch.tsx'));
const FundDialog = lazy(async () => ({ default: (await import('./shell/fund-dialog.tsx')).FundDialog }));

/** True from the first time on that it is. */
function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(now);
  if (now && !once) setOnce(true);
  return once;
}

export function Layout() {
  const handle = useRouteHandle();
  const navigation = useNavigation();
  const signedIn = useSignedIn();
  const fundOpen = useShell((shell) => shell.fundOpen);
  const noticed = useOnce(useNotifications().notifications.length > 0);
  const watched = useOnce(signedIn);
  return (
    <Appearance scheme={handle.scheme}>
      <Suspense>{noticed && <NoticesCorner />}</Suspense>
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
      <Suspense>{watched && <AccountWatch />}</Suspense>
      <Suspense>{signedIn && <AlertWatch />}</Suspense>
      <ChatCorner raised={handle.terminal ?? false} />
      <CommandKey />
      <ScrollRestoration />
    </Appearance>
  );
}
