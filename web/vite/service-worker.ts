/** Builds the service worker once it is known which files make the shell. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Manifest } from 'vite';
import { chunkOf, filesOf } from './manifest.ts';

const web = join(import.meta.dirname, '..');
/**
 * What must be there for the app to start, and what answers a press when the connection has gone; screens are kept as
 * they are used.
 */
const SCREENS = [
  'src/app/start.tsx',
  'not-found.tsx',
  'index.html',
  'screens',
  'home-page.tsx',
  'settings-page.tsx',
  'notices-corner.tsx',
  'ticket/confirm-dialog.tsx',
];
const PUBLIC = ['/index.html', '/appearance.js', '/favicon.svg', '/manifest.webmanifest', '/app-icons/192.png'];

function shellOf(manifest: Manifest): string[] {
  const shared = Object.keys(manifest).filter((name) => /locales\/shell\/|inter-latin-wght-normal/.test(name));
  const chunks = [...SCREENS.map((screen) => chunkOf(manifest, screen)), ...shared];
  const files = chunks.flatMap((name) => filesOf(manifest, name));
  return [...PUBLIC, ...[...new Set(files)].map((file) => `/${file}`)];
}

/** Writes `service-worker.js` beside the pages. Its shell is named after all that is in it. */
export async function buildServiceWorker(directory: string, manifest: Manifest): Promise<void> {
  const files = shellOf(manifest);
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(directory, file)));
  const shell = { name: `shell-${hash.digest('hex').slice(0, 16)}`, files };
  await build({
    root: web,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { SHELL: JSON.stringify(shell) },
    build: {
      outDir: directory,
      emptyOutDir: false,
      target: 'es2023',
      rolldownOptions: {
        input: 'src/service-worker.ts',
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}
