/** What surrounds every screen: theme, notices, the shell, and the watch over the account. */
import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { useBlock } from '../lib/block-store.ts';
import { loadTexts, t } from '../lib/i18n.ts';
import { useOnline } from '../lib/online.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { useShell } from '../lib/shell-store.ts';
import { Announcer, announce } from '../ui/announcer.tsx';
import { lazyPart, themedPart } from '../ui/part.tsx';
import { CommandKey } from './command-key.tsx';
import classes from './layout.module.css';
import { OfflineLine, OfflinePage } from './offline.tsx';
import { scrollKey, useRouteHandle } from './route-handle.ts';
import { Announcement } from './shell/announcement.tsx';
import { Footer } from './shell/footer.tsx';
import { LiveChat } from './shell/live-chat.tsx';
import sidebar from './shell/sidebar.module.css';
import { TopBar } from './shell/top-bar.tsx';
import { useAppearance } from './use-appearance.ts';

const AlertWatch = themedPart(() => import('../features/trade/alerts/alert-watch.tsx'), 'unseen');
const TransferWatch = themedPart(() => import('../features/wallet/transfer/transfer-watch.tsx'), 'unseen');
const TransferDialog = themedPart(async () => {
  const [part] = await Promise.all([import('../features/wallet/transfer/transfer-dialog.tsx'), loadTexts('wallet')]);
  return part;
}, 'over');
const NoticesCorner = themedPart(() => import('./notices-corner.tsx'), 'unseen');
const AccountWatch = themedPart(() => import('./account-watch.tsx'), 'unseen');
const Sidebar = lazyPart(async () => ({ default: (await import('./shell/sidebar.tsx')).Sidebar }), 'unseen');
const NewRelease = lazyPart(() => import('./new-release.tsx'), 'unseen');
const BlockDialog = themedPart(async () => ({ default: (await import('./block-dialog.tsx')).BlockDialog }), 'over');
const FundDialog = themedPart(async () => ({ default: (await import('./shell/fund-dialog.tsx')).FundDialog }), 'over');

const SETTLED_MS = 3_000;

/** True when the page has had time for what it was opened for. Only the built client is kept on the device. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const timer = setTimeout(() => setSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

/** True from the first time on that it is. */
function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(now);
  if (now && !once) setOnce(true);
  return once;
}

/** Time for a screen to set its title; the terminal's waits for a price. */
const TITLED_MS = 500;

/** Says which screen has come: a browser reads a title out when it loads a page, and here none is loaded. */
function useScreenName(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    // Once: the terminal's title changes with each price.
    const timer = setTimeout(() => announce(document.title), TITLED_MS);
    return () => clearTimeout(timer);
  }, [pathname]);
}

export function Layout() {
  const handle = useRouteHandle();
  const navigation = useNavigation();
  const signedIn = useSignedIn();
  const fundOpen = useShell((shell) => shell.fundOpen);
  const transferring = useShell(({ transfer }) => transfer !== undefined);
  const blocked = useBlock(({ block }) => block !== undefined);
  const noticed = useShell((shell) => shell.noticed);
  const online = useOnline();
  // What was on screen when the connection went is worth keeping there; an app that began without has nothing yet.
  const wasOnline = useOnce(online);
  const settled = useSettled();
  const watched = useOnce(signedIn);
  useAppearance(handle.scheme);
  useScreenName();
  return (
    <>
      <Suspense>{noticed && <NoticesCorner />}</Suspense>
      <a href="#main" className={classes.skip}>
        {t('Skip to content')}
      </a>
      <div className={classes.shell}>
        {!handle.plain && !handle.terminal && <Announcement />}
        {!online && wasOnline && <OfflineLine />}
        <TopBar plain={handle.plain ?? false} />
        {navigation.state === 'loading' && (
          <div className={classes.progress} role="status" aria-label={t('Loading...')} />
        )}
        <div className={classes.body}>
          {handle.sidebar && (
            <Suspense fallback={<div className={sidebar.sidebar} />}>
              <Sidebar />
            </Suspense>
          )}
          <main id="main" className={classes.main} tabIndex={-1}>
            {wasOnline ? <Outlet /> : <OfflinePage />}
          </main>
        </div>
        <Suspense>{handle.footer && <Footer />}</Suspense>
      </div>
      <Suspense>{fundOpen && <FundDialog />}</Suspense>
      <Suspense>{transferring && signedIn && <TransferDialog />}</Suspense>
      <Suspense>{blocked && <BlockDialog />}</Suspense>
      <Suspense>{watched && <AccountWatch />}</Suspense>
      <Suspense>{signedIn && <AlertWatch />}</Suspense>
      <Suspense>{signedIn && <TransferWatch />}</Suspense>
      <LiveChat />
      <Suspense>{settled && <NewRelease />}</Suspense>
      <CommandKey />
      <Announcer />
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
