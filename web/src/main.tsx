import './ui/layers.css';
import '@fontsource-variable/inter';
import './ui/start-styles.ts';
import './ui/tokens.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { firstScreen } from './app/router.ts';
import { startTexts, useLocale } from './lib/i18n.ts';

async function begin(root: HTMLElement): Promise<void> {
  await startTexts();
  await firstScreen();
  const { redraw, locale } = document.documentElement.dataset;
  const isDrawn = root.hasChildNodes() && redraw === undefined && locale === useLocale.getState().name;
  // In small steps, so that the page answers while it comes alive.
  startTransition(() => {
    if (isDrawn) hydrateRoot(root, <App />);
    else {
      // What was drawn beforehand is for somebody else; `appearance.js` has hidden it.
      root.replaceChildren();
      createRoot(root).render(<App />);
    }
  });
  delete document.documentElement.dataset.redraw;
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element');
// Not awaited here: screens import what stands in this file's bundle, and would wait for it while it waits for them.
void begin(root);
