/** Every route of the client. Each screen is its own chunk; the layout and the guards are here from the start. */
import { createBrowserRouter, redirect } from 'react-router';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { RouteError } from './route-error.tsx';
import type { RouteHandle } from './route-handle.ts';

function guarded({ request }: { request: Request }) {
  if (useSession.getState().token) return null;
  const { pathname, search } = new URL(request.url);
  return redirect(signInPath(pathname + search));
}

const white: RouteHandle = { scheme: 'light', plain: true };
const terminal: RouteHandle = { terminal: true };

const spot = {
  handle: terminal,
  lazy: async () => ({ Component: (await import('../features/trade/spot-page.tsx')).SpotPage }),
};

export const router = createBrowserRouter([
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    HydrateFallback: () => null,
    children: [
      { index: true, lazy: async () => ({ Component: (await import('../features/home/home-page.tsx')).HomePage }) },
      {
        path: 'signin',
        handle: white,
        lazy: async () => ({ Component: (await import('../features/account/sign-in-page.tsx')).SignInPage }),
      },
      {
        path: 'signup/:referralCode?',
        handle: white,
        lazy: async () => ({ Component: (await import('../features/account/sign-up-page.tsx')).SignUpPage }),
      },
      {
        path: 'markets',
        lazy: async () => ({ Component: (await import('../features/markets/markets-page.tsx')).MarketsPage }),
      },
      { path: 'trades/spot/:coin?', ...spot },
      { path: 'trades/trade-chart/:coin?', ...spot },
      {
        path: 'wallet',
        loader: guarded,
        lazy: async () => ({ Component: (await import('../features/wallet/wallet-page.tsx')).WalletPage }),
      },
      {
        path: 'dev/outbox',
        lazy: async () => ({ Component: (await import('../features/development/outbox-page.tsx')).OutboxPage }),
      },
      { path: 'home', loader: () => redirect('/') },
      { path: '*', Component: NotFound },
    ],
  },
]);
