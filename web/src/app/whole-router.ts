/** Routing by the table of all screens, with the old spellings of addresses, and what is at no address. */

import { createBrowserRouter } from 'react-router?apart';
import { type DataRouter, type RouteObject, redirect } from 'react-router';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';
import { persistentPart } from '../ui/part.tsx';
import type { RouteHandle, Screen } from './route-handle.ts';
import { componentOf, homeRoute, layoutRoute } from './route-objects.ts';
import { aliases, screens } from './routes.ts';

function guard(handle: RouteHandle, request: Request) {
  const { token, client } = useSession.getState();
  if (token) return handle.operator && client?.role !== 'operator' ? redirect('/not-found') : null;
  const { pathname, search } = new URL(request.url);
  return redirect(signInPath(pathname + search));
}

function routeOf(screen: Screen): RouteObject {
  const { path, feature, load, lean, ...handle } = screen;
  return {
    path,
    handle,
    ...(handle.guarded ? { loader: ({ request }: { request: Request }) => guard(handle, request) } : {}),
    lazy: async () => ({ Component: await componentOf(screen) }),
  };
}

const notFound = async () => (await import('./not-found.tsx')).NotFound;

const children: RouteObject[] = [
  ...screens.filter(({ path }) => path !== homeRoute.path).map(routeOf),
  ...aliases.map(({ path, to }) => ({
    path,
    // What came along, such as a referral, goes along.
    loader: ({ request }: { request: Request }) => redirect(to + new URL(request.url).search),
  })),
  { path: '*', lazy: async () => ({ Component: await notFound().catch(() => persistentPart(notFound, 'page')) }) },
];

/** Resolves when the screen of the address that the browser shows can be drawn. */
export function createWholeRouter(): Promise<DataRouter> {
  const router = createBrowserRouter([{ ...layoutRoute, children: [homeRoute, ...children] }]);
  if (router.state.initialized) return Promise.resolve(router);
  return new Promise((resolve) => {
    const leave = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      leave();
      resolve(router);
    });
  });
}
