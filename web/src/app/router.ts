import { createBrowserRouter } from 'react-router';
import { routeObjects } from './route-objects.ts';

export const router = createBrowserRouter(routeObjects);

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
