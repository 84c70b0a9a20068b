/** What the tests of the account's screens share: a server of their own, Chromium, and people who have just signed up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@cambist/server/test/postgres-server.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expectAccessible, launchChromium, sessionOf } from './browser.ts';
import { mailedCode, PASSWORD, register, TRANSACTION_PASSWORD } from './people.ts';

export interface Person {
  readonly email: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** A call past the page, with the session of the page. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  open(path: string): Promise<unknown>;
  mailedCode(): Promise<string>;
  /** What the dialog of a step-up asks of who has no second factor. */
  confirm(): Promise<void>;
}

export interface AccountStage {
  /** Passkeys belong to a name, and an address in figures is none. */
  readonly url: string;
  readonly browser: Browser;
  person(name: string): Promise<Person>;
  /** Somebody who has signed up already, on another device. */
  again(email: string): Promise<Person>;
  close(): Promise<void>;
}

export async function setAccountStage(): Promise<AccountStage> {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-account-'));
  const server = await startServerProcess({ DATA_DIR: directory, MARKET: 'none', PORT: String(await freePort()) });
  const url = server.url.replace('127.0.0.1', 'localhost');
  const browser = await launchChromium();

  async function again(email: string): Promise<Person> {
    const storageState = await sessionOf(url, email, PASSWORD);
    const { token } = JSON.parse(storageState.origins[0]?.localStorage[0]?.value ?? '{}').state as { token: string };
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState });
    const page = await context.newPage();
    page.setDefaultTimeout(6_000);
    return {
      email,
      page,
      context,
      async call<Answer>(method: string, path: string, body?: unknown) {
        const response = await fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return (await response.json()) as Answer;
      },
      open: (path) => page.goto(url + path),
      mailedCode: () => mailedCode(url, email),
      async confirm() {
        const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
        await dialog.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
        await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
        await dialog.waitFor({ state: 'hidden' });
      },
    };
  }

  return {
    url,
    browser,
    again,
    async person(name) {
      const email = `${name}@example.test`;
      await register(url, email);
      return again(email);
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** In both themes: nothing for axe to say, and nothing wider than a phone. */
export async function expectGoodLooks({ page, open }: Person, path: string, ready: string): Promise<void> {
  for (const scheme of ['dark', 'light']) {
    await open('/settings');
    await page.evaluate(
      (value) => localStorage.setItem('cambist.preferences', value),
      JSON.stringify({ state: { scheme }, version: 0 }),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await open(path);
    await page.getByText(ready).first().waitFor();
    await expectAccessible(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) throw new Error(`${path} is ${over} px wider than a phone`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
