/** What the tests of the terminal share: a development server with its simulated market, Chromium, the demo trader. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@cambist/server/test/postgres-server.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { complaintsOf, launchChromium, sessionOf } from './browser.ts';

export const TRADER = { username: 'trader@cambist.test', password: 'trade-the-demo', pin: 'demo-order' } as const;

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

export interface Stage {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** A page of its own; `as` a visitor keeps no session. */
  open(as: 'visitor' | 'trader', width: number, height?: number): Promise<Opened>;
  /** A call of the demo trader past the page. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-terminal-'));
  const server = await startServerProcess({
    DATA_DIR: directory,
    MARKET: 'simulated',
    PORT: String(await freePort()),
  });
  const browser = await launchChromium();
  const session = await sessionOf(server.url, TRADER.username, TRADER.password);
  const kept = JSON.parse(session.origins[0]?.localStorage[0]?.value ?? '{}') as { state: { token: string } };
  return {
    server,
    browser,
    async open(as, width, height = 900) {
      const context = await browser.newContext({
        viewport: { width, height },
        ...(as === 'trader' ? { storageState: session } : {}),
      });
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      return { context, page, complaints: complaintsOf(page) };
    },
    async call<Answer>(method: string, path: string, body?: unknown) {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${kept.state.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Answer;
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
