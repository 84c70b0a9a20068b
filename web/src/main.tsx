/**
 * Fetches what the page is made of and lets it run piece by piece, each a task of its own, so that a phone answers in
 * between. Only what is imported with `import()` may be used here: everything else would run at once.
 */
import './ui/layers.css';
import '@fontsource-variable/inter';
import './ui/start-styles.ts';
import './ui/tokens.css';

/** Ends the task; what has waited, such as a touch, goes first. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

async function begin(): Promise<void> {
  await import('react-dom/client');
  await pause();
  await import('./app/router-piece.ts');
  await pause();
  const { prepare, show } = await import('./app/start.tsx');
  await pause();
  await prepare();
  await pause();
  show();
}

void begin();
