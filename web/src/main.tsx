import './ui/layers.css';
import '@fontsource-variable/inter';
import './ui/start-styles.ts';
import './ui/tokens.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startTexts } from './lib/i18n.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element');
await startTexts();
createRoot(root).render(<App />);
