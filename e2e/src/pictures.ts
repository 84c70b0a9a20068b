/**
 * Pictures of a running server (`BASE_URL`, default http://127.0.0.1:8080) with the demo accounts, in both themes.
 *
 * `node e2e/src/pictures.ts` takes every screen at four widths into the folder `PICTURES`, to be looked at.
 * `node e2e/src/pictures.ts readme` trades a little and writes those of the README and of the first page anew.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './browser.ts';

const BASE = process.env.BASE_URL ?? 'http://127.0.0.1:8080';
const FOLDER = process.env.PICTURES ?? '/tmp/cambist-pictures';
const ROOT = join(import.meta.dirname, '../..');
const SETTLE_MS = 2_500;
const QUALITY = 82;

const DESK = { width: 1440, height: 900 } as const;
const PHONE = { width: 390, height: 844 } as const;
const SIZES = [PHONE, { width: 1024, height: 768 }, DESK, { width: 1920, height: 1080 }] as const;

const SCREENS = [
  { name: 'home', path: '/', signedIn: false },
  { name: 'sign-in', path: '/signin', signedIn: false },
  { name: 'sign-up', path: '/signup', signedIn: false },
  { name: 'markets', path: '/markets', signedIn: false },
  { name: 'spot-visitor', path: '/trades/spot/BTC', signedIn: false },
  { name: 'spot', path: '/trades/spot/BTC', signedIn: true },
  { name: 'wallet', path: '/wallet', signedIn: true },
  { name: 'transfer', path: '/wallet/transfer', signedIn: true },
  { name: 'convert', path: '/wallet/convert', signedIn: true },
] as const;

const README = [
  // The first page shows this one too.
  { name: 'terminal', folder: 'web/public/pictures', path: '/trades/spot/BTC', size: DESK },
  { name: 'phone', folder: 'docs/pictures', path: '/trades/spot/BTC', size: PHONE },
  { name: 'wallet', folder: 'docs/pictures', path: '/wallet', size: DESK },
] as const;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly scheme: 'dark' | 'light';
  readonly session: string | undefined;
}

async function call<Answer>(method: string, path: string, token: string, body?: object): Promise<Answer> {
  const response = await fetch(BASE + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** @returns the token, and what the client keeps of a session */
async function signIn(): Promise<{ token: string; session: string }> {
  const who = { username: 'trader@cambist.test', password: 'trade-the-demo' };
  const { token, user, client } = await call<Record<string, string>>('POST', '/api/v3/login', '', who);
  return {
    token: token ?? '',
    session: JSON.stringify({ state: { token, user, client, unlockedUntil: 0 }, version: 0 }),
  };
}

async function open(browser: Browser, { name, path, size, scheme, session }: Shot): Promise<Page> {
  const localStorage = [
    { name: 'cambist.preferences', value: JSON.stringify({ state: { scheme }, version: 0 }) },
    ...(session === undefined ? [] : [{ name: 'cambist.session', value: session }]),
  ];
  const storageState = { cookies: [], origins: [{ origin: BASE, localStorage }] };
  const page = await (await browser.newContext({ viewport: size, storageState })).newPage();
  page.on('pageerror', (error) => console.error(`${name} at ${size.width}: ${error.message}`));
  await page.goto(BASE + path);
  await page.waitForTimeout(SETTLE_MS);
  return page;
}

async function takeScreen(browser: Browser, shot: Shot): Promise<void> {
  const page = await open(browser, shot);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  if (Number(overflow) > 0) console.error(`${shot.name} at ${shot.size.width} is ${overflow} px too wide`);
  await page.screenshot({ path: join(FOLDER, `${shot.name}-${shot.size.width}-${shot.scheme}.png`) });
  await page.context().close();
}

/** Orders on both sides of the market and one that is filled, so that lists and chart have something to show. */
async function trade(token: string): Promise<void> {
  await call('POST', '/api/v3/trading-unlock', token, { transaction_password: 'demo-order', minutes: 30 });
  const current = '/api/v3/coin-pair/current-price?symbol=BTC-USDT';
  const { chart } = await call<{ chart: { close: string } }>('GET', current, token);
  const order = (input: object) => call('POST', '/api/v3/orders', token, { symbol: 'BTC-USDT', ...input });
  const limit = (side: string, share: number, quantity: string) =>
    order({ side, type: 'limit', price: (Number(chart.close) * share).toFixed(1), quantity });
  await order({ side: 'BUY', type: 'market', quote_total: '2500' });
  for (const share of [0.9975, 0.995, 0.992]) await limit('BUY', share, '0.012');
  await limit('SELL', 1.006, '0.01');
}

async function takeForReadme(browser: Browser, session: string): Promise<void> {
  for (const { name, folder, path, size } of README) {
    mkdirSync(join(ROOT, folder), { recursive: true });
    for (const scheme of ['dark', 'light'] as const) {
      const page = await open(browser, { name, path, size, scheme, session });
      const tools = await page.context().newCDPSession(page);
      const { data } = await tools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
      writeFileSync(join(ROOT, folder, `${name}-${scheme}.webp`), Buffer.from(data, 'base64'));
      await page.context().close();
    }
  }
}

const browser = await launchChromium();
const { token, session } = await signIn();
if (process.argv[2] === 'readme') {
  await trade(token);
  await takeForReadme(browser, session);
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, signedIn } of SCREENS) {
    for (const size of SIZES) {
      for (const scheme of ['dark', 'light'] as const) {
        await takeScreen(browser, { name, path, size, scheme, session: signedIn ? session : undefined });
      }
    }
  }
}
await browser.close();
