/** The app on its page: what was drawn beforehand comes alive in place, or gives way. */
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { currentLocale, startTexts } from '../lib/i18n.ts';
import { followTranslation } from '../lib/translated-text.ts';
import { App } from './app.tsx';
import { firstScreen } from './router.ts';
import { followSession } from './session-tabs.ts';

/** Resolves when the first screen and its texts are there. */
export async function prepare(): Promise<void> {
  await startTexts();
  await firstScreen();
  followSession();
  // The page was loaded anew with something open over it, whose entry of the history Back is to pass.
  const entry = history.state as { readonly over?: string } | null;
  if (entry?.over !== undefined) await import('../lib/back-button.ts').catch(() => undefined);
}

export function show(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root element');
  followTranslation();
  const { redraw, locale } = document.documentElement.dataset;
  const isDrawn = root.hasChildNodes() && redraw === undefined && locale === currentLocale().name;
  // In small steps, so that the page answers while it comes alive.
  startTransition(() => {
    if (isDrawn) hydrateRoot(root, <App />);
    else {
      // What was drawn beforehand is for another account; `appearance.js` has hidden it.
      root.replaceChildren();
      createRoot(root).render(<App />);
    }
  });
  delete document.documentElement.dataset.redraw;
}
