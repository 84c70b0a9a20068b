/** The app on its page: what was drawn beforehand comes alive in place, or gives way. */
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { startTexts, useLocale } from '../lib/i18n.ts';
import { App } from './app.tsx';
import { firstScreen } from './router.ts';

declare global {
  interface Window {
    /** The button that was pressed last before there was an app; from then on presses are the app's. Once. */
    takeEarlyPress(): HTMLButtonElement | undefined;
  }
}

/** Resolves when the first screen and its texts are there. */
export async function prepare(): Promise<void> {
  await startTexts();
  await firstScreen();
}

export function show(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root element');
  const { redraw, locale } = document.documentElement.dataset;
  const isDrawn = root.hasChildNodes() && redraw === undefined && locale === useLocale.getState().name;
  // In small steps, so that the page answers while it comes alive.
  startTransition(() => {
    const pressed = window.takeEarlyPress();
    if (isDrawn) {
      hydrateRoot(root, <App />);
      // React brings alive at once what is pressed.
      pressed?.click();
    } else {
      // What was drawn beforehand is for somebody else; `appearance.js` has hidden it.
      root.replaceChildren();
      createRoot(root).render(<App />);
    }
  });
  delete document.documentElement.dataset.redraw;
}
