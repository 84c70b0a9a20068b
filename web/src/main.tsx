import './ui/layers.css';
import '@fontsource-variable/inter';
import './ui/start-styles.ts';
import './ui/tokens.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { firstScreen } from './app/router.ts';
import { startTexts } from './lib/i18n.ts';

async function begin(root: HTMLElement): Promise<void> {
  await startTexts();
  await firstScreen();
  // What was drawn beforehand is for somebody else; `appearance.js` has hidden it.
  if (document.documentElement.dataset.redraw !== undefined) root.replaceChildren();
  delete document.documentElement.dataset.redraw;
  createRoot(root).render(<App />);
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element');
// Not awaited here: screens import what stands in this file's bundle, and would wait for it while it waits for them.
void begin(root);
