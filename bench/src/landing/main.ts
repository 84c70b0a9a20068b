/**
 * The first page on a throttled phone, beside a plain Vite + Mantine start page in the same browser, served by the same
 * kind of server with the same compression. `BENCH_ROUNDS` visits of each, in turn; medians.
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createBrotliCompress, gzipSync } from 'node:zlib';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { launchChromium } from '../chromium.ts';
import { median } from '../statistics.ts';
import { type Visit, visit } from './measure.ts';
import { buildStartPage } from './start-page.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const root = join(import.meta.dirname, '../../..');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

function serveFiles(directory: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const type = TYPES[extname(path)];
    if (type === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' });
    createReadStream(join(directory, path)).pipe(createBrotliCompress()).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** What a visit's scripts weigh in gzip, whatever the line carried. */
function gzipBytes(directory: string, visits: readonly Visit[]): number {
  const files = new Set(visits[0]?.scripts);
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(directory, file)), { level: 9 }).length, 0);
}

function report(name: string, visits: readonly Visit[], gzip: number): void {
  const of = (field: Exclude<keyof Visit, 'scripts'>) => median(visits.map((one) => one[field]));
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  process.stdout.write(
    `${name.padEnd(24)} LCP ${(of('lcpMs') / 1000).toFixed(2)} s  CLS ${of('cls').toFixed(4)}  TBT ${of('tbtMs').toFixed(0)} ms  ` +
      `JS ${kilobytes(of('scriptBytes'))} over the line, ${kilobytes(gzip)} gzip  CSS ${kilobytes(of('styleBytes'))}\n`,
  );
}

const data = mkdtempSync(join(tmpdir(), 'cambist-landing-'));
const folder = join(root, 'node_modules/.cambist/start-page');
const server = await startServerProcess({ DATA_DIR: data, MARKET: 'simulated' });
const plain = await serveFiles(await buildStartPage(folder));
const browser = await launchChromium();
try {
  const places = [
    {
      name: 'Vite + Mantine start page',
      url: `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`,
      visits: [] as Visit[],
    },
    { name: 'Cambist landing', url: `${server.url}/`, visits: [] as Visit[] },
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { url, visits } of places) visits.push(await visit(browser, url));
  }
  const [startPage, landing] = places;
  report(startPage?.name ?? '', startPage?.visits ?? [], gzipBytes(join(folder, 'dist'), startPage?.visits ?? []));
  report(landing?.name ?? '', landing?.visits ?? [], gzipBytes(join(root, 'web/dist'), landing?.visits ?? []));
} finally {
  await browser.close();
  plain.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
