/** What follows on the bundle: the first page in every language as HTML, and everything compressed once for all. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type LocaleName, localeOf } from '@cambist/contract/locales.ts';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';
import { buildServiceWorker } from './service-worker.ts';
import { withoutSchemas } from './without-schemas.ts';

const web = join(import.meta.dirname, '..');
/** Inside the repository, so that the bundle finds its packages. */
const work = join(web, '../node_modules/.cambist/prerender');
const COMPRESSED = /\.(html|js|css|svg|json|webmanifest)$/;
const SMALLEST_BYTES = 1_024;

async function drawPages(): Promise<Map<LocaleName, string>> {
  await build({
    root: web,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), withoutSchemas()],
    build: { ssr: 'src/app/prerender.tsx', outDir: work, emptyOutDir: true },
  });
  const { drawAll } = (await import(
    pathToFileURL(join(work, 'prerender.js')).href
  )) as typeof import('../src/app/prerender.tsx');
  return drawAll();
}

/** Files that the first page needs besides the entry, which would otherwise only be asked for when that has run. */
function linksOf(manifest: Manifest, page: string, locale: LocaleName): string {
  const chunk = (source: string) => Object.entries(manifest).find(([name]) => name.endsWith(source))?.[1];
  const home = chunk('features/home/home-page.tsx');
  const texts = ['shell', 'home'].map((part) => chunk(`locales/${part}/${locale}.json`)?.file);
  const needed = home?.imports?.map((name) => manifest[name]);
  const isNew = (file: string | undefined) => file !== undefined && !page.includes(file);
  const scripts = [home?.file, ...(needed ?? []).map((entry) => entry?.file), ...texts].filter(isNew);
  const styles = [home, ...(needed ?? [])].flatMap((entry) => entry?.css ?? []).filter(isNew);
  const font = chunk('inter-latin-wght-normal.woff2')?.file;
  return [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...(font ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`] : []),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('\n    ');
}

async function writePages(directory: string, manifest: Manifest): Promise<void> {
  const page = readFileSync(join(directory, 'index.html'), 'utf8');
  mkdirSync(join(directory, 'start'));
  for (const [name, drawn] of await drawPages()) {
    const html = page
      .replace('<html lang="en"', `<html lang="${localeOf(name).tag}" data-locale="${name}"`)
      .replace('</head>', `  ${linksOf(manifest, page, name)}\n  </head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${drawn}</div>`);
    writeFileSync(join(directory, `start/${name}.html`), html);
  }
}

function compress(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < SMALLEST_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  }
}

export function finish(): Plugin {
  let directory = '';
  return {
    name: 'finish',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const manifest = JSON.parse(readFileSync(join(directory, '.vite/manifest.json'), 'utf8')) as Manifest;
        rmSync(join(directory, '.vite'), { recursive: true });
        await writePages(directory, manifest);
        await buildServiceWorker(directory, manifest);
        compress(directory);
      },
    },
  };
}
