/** The table of routes as the router wants it. Each screen is its own chunk; its texts come along with it. */
import { type RouteObject, redirect } from 'react-router';
import { loadTexts } from '../lib/i18n.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { RouteError } from './route-error.tsx';
import type { RouteHandle } from './route-handle.ts';
import { aliases, type Screen, screens } from './routes.ts';

const loadStyles = () => import('../ui/mantine-styles.ts');

function guard(handle: RouteHandle, request: Request) {
  const { token, client } = useSession.getState();
  if (token) return handle.operator && client?.role !== 'operator' ? redirect('/not-found') : null;
  const { pathname, search } = new URL(request.url);
  return redirect(signInPath(pathname + search));
}

function routeOf({ path, feature, load, lean, ...handle }: Screen): RouteObject {
  return {
    path,
    handle,
    ...(handle.guarded ? { loader: ({ request }: { request: Request }) => guard(handle, request) } : {}),
    lazy: async () => {
      const [Component] = await Promise.all([load(), loadTexts(feature), ...(lean ? [] : [loadStyles()])]);
      return { Component };
    },
  };
}

export const routeObjects: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    HydrateFallback: () => null,
    children: [
      ...screens.map(routeOf),
      ...aliases.map(({ path, to }) => ({
        path,
        // What came along, such as a referral, goes along.
        loader: ({ request }: { request: Request }) => redirect(to + new URL(request.url).search),
      })),
      { path: '*', Component: NotFound },
    ],
  },
];
