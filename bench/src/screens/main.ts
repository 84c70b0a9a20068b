/**
 * What screens weigh, and when their first heading is there, on a throttled phone with an empty cache: as a visitor and as somebody
 * who has signed in, beside the first page. `BENCH_ROUNDS` visits of each, in turn; medians.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { median } from '../statistics.ts';
import { PHONE, slowDown } from '../terminal/loading.ts';
import { type Weight, weigh } from '../weigh.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Until what comes after the heading has been fetched, too. */
const REST_MS = 5_000;
const VISITOR = ['/', '/signin', '/markets/prices', '/about'];
const CLIENT = [
  '/trades/spot',
  '/wallet',
  '/wallet/convert',
  '/account/security',
  '/account/notifications',
  '/history',
];

interface Visit extends Weight {
  readonly headingMs: number;
}

/** What the app keeps of a session in the browser. */
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'trader@cambist.test', password: 'trade-the-demo' }),
  });
  const { token, user, client } = (await answer.json()) as { token: string; user: unknown; client: unknown };
  return JSON.stringify({ state: { token, user, client, unlockedUntil: 0 }, version: 0 });
}

async function visit(browser: Browser, url: string, path: string, session?: string): Promise<Visit> {
  const localStorage = session === undefined ? [] : [{ name: 'cambist.session', value: session }];
  const context = await browser.newContext({
    viewport: { width: PHONE.width, height: PHONE.height },
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  const page = await context.newPage();
  const urls = new Set<string>();
  page.on('request', (request) => urls.add(request.url()));
  await slowDown(page, PHONE);
  await page.goto(url + path, { waitUntil: 'commit' });
  await page.locator('main').locator('h1, h2').first().waitFor({ state: 'attached', timeout: 60_000 });
  const headingMs = await page.evaluate(() => performance.now());
  await page.waitForTimeout(REST_MS);
  await context.close();
  return { ...weigh(urls, '.js'), headingMs };
}

const data = mkdtempSync(join(tmpdir(), 'cambist-screens-'));
const server = await startServerProcess({ DATA_DIR: data, MARKET: 'simulated' });
const browser = await launchChromium();
try {
  const session = await signIn(server.url);
  const screens = [
    ...VISITOR.map((path) => ({ path, name: path, session: undefined, visits: [] as Visit[] })),
    ...CLIENT.map((path) => ({ path, name: `${path}, signed in`, session, visits: [] as Visit[] })),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { path, session: as, visits } of screens) visits.push(await visit(browser, server.url, path, as));
  }
  const of = (visits: readonly Visit[], field: keyof Visit) => median(visits.map((one) => one[field]));
  const first = of(screens[0]?.visits ?? [], 'bytes');
  for (const { name, visits } of screens) {
    const bytes = of(visits, 'bytes');
    process.stdout.write(
      `${name.padEnd(36)} JavaScript ${(bytes / 1024).toFixed(0).padStart(4)} KiB gzip in ${of(visits, 'files')} files, ` +
        `${(bytes / first).toFixed(2)} × the first page; heading ${(of(visits, 'headingMs') / 1000).toFixed(2)} s\n`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
