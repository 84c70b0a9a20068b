/** What the landing is measured beside: Vite and Mantine as their own start pages have them, built on the spot. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const FILES: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vite + React + Mantine</title></head>
<body><div id="root"></div><script type="module" src="/main.jsx"></script></body></html>`,
  'main.jsx': `import '@mantine/core/styles.css';
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button, Container, Group, MantineProvider, Text, Title } from '@mantine/core';
function App() {
  const [count, setCount] = useState(0);
  return h(Container, { py: 80 },
    h(Title, { order: 1 }, 'Vite + React + Mantine'),
    h(Text, { my: 'md' }, 'Edit main.jsx and save to test HMR.'),
    h(Group, null, h(Button, { onClick: () => setCount(count + 1) }, 'count is ' + count)));
}
createRoot(document.getElementById('root')).render(h(MantineProvider, { defaultColorScheme: 'dark' }, h(App)));`,
};

/** @param directory an empty folder inside the repository, so that it finds the packages; @returns the built folder */
export async function buildStartPage(directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
  await build({ root: directory, configFile: false, logLevel: 'error' });
  return join(directory, 'dist');
}
