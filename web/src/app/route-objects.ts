/** Screens as the router wants them. Each is its own chunk; its texts come along with it. */
import { type RouteObject, redirect } from 'react-router';
import { loadTexts } from '../lib/i18n.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';
import { persistentPart } from '../ui/part.tsx';
import { home } from './home-screen.ts';
import { Layout } from './layout.tsx';
import { RouteError } from './route-error.tsx';
import type { RouteHandle, Screen } from './route-handle.ts';

const loadStyles = () => import('../ui/mantine-styles.ts');

function guard(handle: RouteHandle, request: Request) {
  const { token, client } = useSession.getState();
  if (token) return handle.operator && client?.role !== 'operator' ? redirect('/not-found') : null;
  const { pathname, search } = new URL(request.url);
  return redirect(signInPath(pathname + search));
}

export function routeOf({ path, feature, load, lean, ...handle }: Screen): RouteObject {
  return {
    path,
    handle,
    ...(handle.guarded ? { loader: ({ request }: { request: Request }) => guard(handle, request) } : {}),
    lazy: async () => {
      const fetchScreen = async () => {
        const [screen] = await Promise.all([load(), loadTexts(feature), ...(lean ? [] : [loadStyles()])]);
        return screen;
      };
      // A screen that does not come is missing in its place; the shell around it stays.
      return { Component: await fetchScreen().catch(() => persistentPart(fetchScreen, 'page')) };
    },
  };
}

/** The route that every screen stands in. */
export const LAYOUT = 'layout';

/** The first page alone. What else there is, is added on demand, see `router.ts`. */
export const firstRoutes: RouteObject[] = [
  {
    id: LAYOUT,
    Component: Layout,
    ErrorBoundary: RouteError,
    HydrateFallback: () => null,
    children: [routeOf(home)],
  },
];
