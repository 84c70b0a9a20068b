/**
 * Pictures of every screen at four widths in both themes, to be looked at. `BASE_URL` names a running server (default
 * http://127.0.0.1:8080), `PICTURES` the folder. Signs in as the demo trader.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium } from './browser.ts';

const BASE = process.env.BASE_URL ?? 'http://127.0.0.1:8080';
const FOLDER = process.env.PICTURES ?? '/tmp/cambist-pictures';
const SETTLE_MS = 2_500;

const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const;

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

interface Shot {
  readonly screen: (typeof SCREENS)[number];
  readonly size: (typeof SIZES)[number];
  readonly scheme: 'dark' | 'light';
}

async function signIn(): Promise<string> {
  const response = await fetch(`${BASE}/api/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'trader@cambist.test', password: 'trade-the-demo' }),
  });
  const { token, user, client } = (await response.json()) as { token: string; user: unknown; client: unknown };
  return JSON.stringify({ state: { token, user, client, unlockedUntil: 0 }, version: 0 });
}

async function take(browser: Browser, session: string, { screen, size, scheme }: Shot): Promise<void> {
  const preferences = JSON.stringify({ state: { scheme }, version: 0 });
  const entries = [
    { name: 'cambist.preferences', value: preferences },
    ...(screen.signedIn ? [{ name: 'cambist.session', value: session }] : []),
  ];
  const storageState = { cookies: [], origins: [{ origin: BASE, localStorage: entries }] };
  const context = await browser.newContext({ viewport: size, storageState });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${screen.name} at ${size.width}: ${error.message}`));
  await page.goto(BASE + screen.path);
  await page.waitForTimeout(SETTLE_MS);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  if (Number(overflow) > 0) console.error(`${screen.name} at ${size.width} is ${overflow} px too wide`);
  await page.screenshot({ path: join(FOLDER, `${screen.name}-${size.width}-${scheme}.png`) });
  await context.close();
}

mkdirSync(FOLDER, { recursive: true });
const browser = await launchChromium();
const session = await signIn();
for (const screen of SCREENS) {
  for (const size of SIZES) {
    for (const scheme of ['dark', 'light'] as const) await take(browser, session, { screen, size, scheme });
  }
}
await browser.close();
