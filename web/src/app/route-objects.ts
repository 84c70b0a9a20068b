/** What a screen is to the router. Each is its own chunk; its texts come along with it. */
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { loadTexts } from '../lib/i18n.ts';
import { persistentPart, withTheme } from '../ui/part.tsx';
import { home } from './home-screen.ts';
import { Layout } from './layout.tsx';
import { RouteError } from './route-error.tsx';
import type { Screen } from './route-handle.ts';

export function componentOf({ feature, load, lean }: Screen): Promise<ComponentType> {
  const fetchScreen = async () => {
    const [screen] = await Promise.all([lean ? load() : withTheme(load), loadTexts(feature)]);
    return screen;
  };
  // A screen that does not come is missing in its place; the shell around it stays.
  return fetchScreen().catch(() => persistentPart(fetchScreen, 'page'));
}

const { path, feature, load, lean, ...handle } = home;

/** The first page. */
export const homeRoute: RouteObject & { readonly id: string } = {
  id: 'home',
  path,
  handle,
  lazy: async () => ({ Component: await componentOf(home) }),
};

/** The route that every screen stands in. */
export const layoutRoute = { id: 'layout', Component: Layout, ErrorBoundary: RouteError, HydrateFallback: () => null };
