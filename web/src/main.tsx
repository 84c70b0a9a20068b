import './ui/layers.css';
import '@fontsource-variable/inter';
import './ui/mantine-styles.ts';
import './ui/tokens.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app/app.tsx';
import { startTexts } from './lib/i18n.ts';

// The content policy forbids compiling code from text, which zod would otherwise try for speed.
z.config({ jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element');
await startTexts();
createRoot(root).render(<App />);
