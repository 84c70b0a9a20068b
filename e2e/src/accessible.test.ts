/** Every address of the product, in both themes, by the rules of WCAG 2.2 A and AA. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@cambist/server/test/postgres-server.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchChromium, sessionOf } from './browser.ts';

const PUBLIC = [
  ...['/', '/signin', '/signup', '/markets/prices', '/markets/pos', '/markets/pow', '/markets/innovation'],
  ...['/markets/favorites', '/markets/trading_data', '/trades/spot/BTC', '/trades/trade-chart/ETH', '/settings'],
  ...[
    '/about',
    '/contactus',
    '/legal-center/terms',
    '/legal-center/privacy',
    '/install',
    '/page-unavailable',
    '/nowhere',
  ],
];
const OWN = [
  ...['/trades/spot/BTC', '/trades/futures', '/wallet', '/wallet/deposit', '/wallet/withdraw', '/wallet/convert'],
  ...['/wallet/transfer', '/wallet/transactions', '/wallet/earn', '/wallet/simple_earn', '/wallet/auto_invest'],
  ...['/wallet/analysis', '/wallet/stake', '/wallet/miner', '/wallet/live', '/wallet/BTC', '/history', '/profile'],
  ...['/fee-rate', '/account/verify', '/verification/overview', '/verification/kyc', '/tier-verification'],
  ...['/account/security', '/account/change_password', '/account/change_transaction_password'],
  ...['/account/account_connections', '/account/anti_phishing', '/account/app_authorization', '/account/referral'],
  ...['/account/rewards', '/account/tasks', '/account/notifications', '/account/pay'],
];
const OPERATORS = ['clients', 'support', 'content', 'content/faq', 'operations', 'audit'].map(
  (room) => `/admin/${room}`,
);

let directory: string;
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cambist-accessible-'));
  server = await startServerProcess({ DATA_DIR: directory, MARKET: 'simulated', PORT: String(await freePort()) });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function contextOf(
  scheme: string,
  account?: readonly [email: string, password: string],
): Promise<BrowserContext> {
  const session = account ? (await sessionOf(server.url, ...account)).origins[0]?.localStorage : undefined;
  const preferences = { name: 'cambist.preferences', value: JSON.stringify({ state: { scheme }, version: 0 }) };
  const origins = [{ origin: server.url, localStorage: [preferences, ...(session ?? [])] }];
  return browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins },
  });
}

async function complaintsOver(context: BrowserContext, paths: readonly string[]): Promise<string[]> {
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(server.url + path);
    await page.locator('main').locator('h1, h2, form, table, p').first().waitFor();
    await page.waitForTimeout(300);
    await expectAccessible(page).catch((error: unknown) => found.push(`${path}: ${String(error).slice(0, 400)}`));
  }
  await context.close();
  return found;
}

describe.each(['dark', 'light'])('in the %s theme', (scheme) => {
  it('what a visitor can open', async () => {
    expect(await complaintsOver(await contextOf(scheme), PUBLIC)).toEqual([]);
  });

  it('what a client can open', async () => {
    const context = await contextOf(scheme, ['trader@cambist.test', 'trade-the-demo']);
    expect(await complaintsOver(context, OWN)).toEqual([]);
  });

  it('what an operator can open', async () => {
    const context = await contextOf(scheme, ['operator@cambist.test', 'operate-the-demo']);
    expect(await complaintsOver(context, OPERATORS)).toEqual([]);
  });
});
