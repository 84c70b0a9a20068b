/** What follows on the bundle: the first page in every language as HTML, and everything compressed once for all. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LOCALES, type LocaleName, localeOf } from '@cambist/contract/locales.ts';
import react from '@vitejs/plugin-react';
import { build, type Manifest, minify, type Plugin } from 'vite';
import { chunkOf, filesOf } from './manifest.ts';
import { buildServiceWorker } from './service-worker.ts';
import { themeVariables } from './theme-variables.ts';
import { withoutSchemas } from './without-schemas.ts';

const web = join(import.meta.dirname, '..');
/** Inside the repository, so that the bundle finds its packages. */
const work = join(web, '../node_modules/.cambist/prerender');
const COMPRESSED = /\.(html|js|css|svg|json|webmanifest)$/;
const SMALLEST_BYTES = 1_024;

/** What runs before the program is there, which the bundler only copies. */
async function minifyEarly(directory: string): Promise<void> {
  for (const name of ['appearance.js', 'early.js']) {
    const file = join(directory, name);
    const { code, errors } = await minify(name, readFileSync(file, 'utf8'));
    if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join(', ')}`);
    writeFileSync(file, code);
  }
}

async function drawPages(): Promise<Map<LocaleName, string>> {
  await build({
    root: web,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), withoutSchemas(), themeVariables()],
    build: { ssr: 'src/app/prerender.tsx', outDir: work, emptyOutDir: true },
  });
  const { drawAll } = (await import(
    pathToFileURL(join(work, 'prerender.js')).href
  )) as typeof import('../src/app/prerender.tsx');
  return drawAll();
}

/** Links to what is needed besides the entry, which would otherwise only be asked for when that has run. */
function linksTo(files: readonly string[], page: string): string {
  const links = [...new Set(files)]
    .filter((file) => !page.includes(file))
    .map((file) => {
      if (file.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="/${file}">`;
      // For `src/lib/preload.ts`: one that did not come as a script could not be asked for again.
      if (file.endsWith('.js')) return `<link rel="preload" as="fetch" crossorigin href="/${file}">`;
      return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`;
    });
  // A style that comes late is a picture that comes late.
  return links
    .sort((one, other) => Number(other.includes('stylesheet')) - Number(one.includes('stylesheet')))
    .join('\n    ');
}

const withLinks = (page: string, files: readonly string[]) =>
  page.replace('</head>', `  ${linksTo(files, page)}\n  </head>`);

/** The terminal is the heaviest screen: its parts and its first figures come with the first files instead of after them. */
const PAGES = { '/trades/spot': 'terminal.html', '/trades/trade-chart': 'terminal.html' };

const UNREACHED = 'The exchange cannot be reached. Check your connection and try again.';
/** The script of Chinese follows from the region where the browser does not name it. */
const TAGS: Partial<Record<LocaleName, string>> = { cn: 'zh-Hant zh-TW zh-HK zh-MO', zhHans: 'zh' };

/** What `main.tsx` shows when nothing else of the page has come, in every language since it cannot fetch one. */
function lateNote(): string {
  const texts = LOCALES.map(({ name, tag }) => {
    const file = join(web, `src/locales/shell/${name}.json`);
    const text =
      name === 'en' ? UNREACHED : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[UNREACHED];
    if (text === undefined) throw new Error(`${name} has no text for a page that cannot be reached`);
    return `<span lang="${tag}" data-tags="${TAGS[name] ?? tag}" hidden>${text}</span>`;
  });
  return `<p id="late" role="status" hidden>${texts.join('')}</p>`;
}

async function writePages(directory: string, manifest: Manifest): Promise<void> {
  const page = readFileSync(join(directory, 'index.html'), 'utf8').replace('</body>', `  ${lateNote()}\n  </body>`);
  const filesTo = (...sources: string[]) => sources.flatMap((source) => filesOf(manifest, chunkOf(manifest, source)));
  const start = filesTo('src/app/start.tsx');
  mkdirSync(join(directory, 'start'));
  for (const [name, drawn] of await drawPages()) {
    // English is what the program itself says.
    const parts = name === 'en' ? [] : ['shell', 'home'];
    const texts = parts.flatMap((part) => filesTo(`locales/${part}/${name}.json`));
    const files = [...filesTo('inter-latin-wght-normal.woff2'), ...start, ...filesTo('home/home-page.tsx'), ...texts];
    const html = withLinks(page, files)
      .replace('<html lang="en"', `<html lang="${localeOf(name).tag}" data-locale="${name}"`)
      .replace('<div id="root"></div>', () => `<div id="root">${drawn}</div>`);
    writeFileSync(join(directory, `start/${name}.html`), html);
  }
  // Any other address needs the table of all of them.
  const other = [...start, ...filesTo('screens')];
  writeFileSync(join(directory, 'index.html'), withLinks(page, other));
  const terminal = ['trade/spot-page.tsx', 'chart/price-chart.tsx'];
  // Six files travel at a time: the large ones set out first, and what is small finds its place beside them.
  const large = linksTo(
    other.filter((file) => file.endsWith('.js') && !page.includes(file)),
    '',
  );
  const first = page.replace('<script', `<script async src="/early.js"></script>\n    ${large}\n    <script`);
  writeFileSync(join(directory, 'terminal.html'), withLinks(first, [...other, ...filesTo(...terminal)]));
  // Which page the server sends where, by the beginning of the address; `index.html` for all others.
  writeFileSync(join(directory, 'pages.json'), JSON.stringify(PAGES));
}

const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)];

/** On all cores that are free. */
async function compress(directory: string): Promise<void> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  const compressed = files.map(async (entry) => {
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) return;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < SMALLEST_BYTES) return;
    writeFileSync(`${path}.gz`, await gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }));
    writeFileSync(`${path}.br`, await brotlied(bytes));
  });
  await Promise.all(compressed);
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
        await minifyEarly(directory);
        await writePages(directory, manifest);
        await buildServiceWorker(directory, manifest);
        await compress(directory);
      },
    },
  };
}
