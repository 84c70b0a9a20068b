import { createBrowserRouter } from 'react-router';
import { persist } from '../lib/persist.ts';
import { firstRoutes, LAYOUT } from './route-objects.ts';

let complete = false;

/** The first page does without the table of all screens, which is longer than the page. */
export const router = createBrowserRouter(firstRoutes, {
  patchRoutesOnNavigation: async ({ patch, signal }) => {
    if (complete) return;
    // Without it no address can be read: the screen stays, and is left once the table has come.
    const { moreRoutes } = await persist(() => import('./more-routes.ts'), { signal });
    // Two who asked at the same time have both waited here.
    if (!complete) patch(LAYOUT, moreRoutes);
    complete = true;
  },
});

/** Resolves when the first screen can be drawn, so that what the server drew stays until it can be replaced in one go. */
export function firstScreen(): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const leave = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      leave();
      resolve();
    });
  });
}
