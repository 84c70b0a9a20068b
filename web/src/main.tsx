/**
 * Fetches what the page is made of and lets it run piece by piece, each a task of its own, so that a phone answers in
 * between. Only what is imported with `import()` may be used here: everything else would run at once, apart from what
 * asks again for a file that did not come.
 */
import './ui/layers.css';
import '@fontsource-variable/inter';
import './ui/start-styles.ts';
import './ui/tokens.css';
import { fetchMissingStyles, persist } from './lib/persist.ts';

/** Ends the task; what has waited, such as a touch, goes first. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

declare global {
  interface Window {
    /** Of `public/appearance.js`: says why nothing is there yet. */
    sayLate?(): void;
  }
}

const sayLate = () => window.sayLate?.();

const fetched = <Part,>(load: () => Promise<Part>) => persist(load, { onFailure: sayLate });

async function begin(): Promise<void> {
  // Of the page itself: they have come or failed before this runs.
  await fetched(fetchMissingStyles);
  await fetched(() => import('react-dom/client'));
  await pause();
  const { prepare, show } = await fetched(() => import('./app/start.tsx'));
  await pause();
  await prepare();
  await pause();
  show();
  document.getElementById('late')?.remove();
}

// A file that is on its way when the connection goes may neither come nor fail.
addEventListener('offline', sayLate);
if (!navigator.onLine) sayLate();

void begin();
