/** The live chat in a real browser: for visitors, for clients, and where the operator has a Chatwoot inbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@cambist/server/test/postgres-server.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchChromium, sessionOf } from './browser.ts';

let directory: string;
let server: ServerProcess;
let browser: Browser;
let operatorToken: string;

interface Inbox {
  readonly conversations: readonly { readonly id: number; readonly subject: string }[];
}

async function desk<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v3/admin/support/conversations${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

/** Answers the conversation with this subject, as the operator. */
async function answer(subject: string, message: string): Promise<void> {
  const { conversations } = await desk<Inbox>('');
  const found = conversations.find((entry) => entry.subject === subject);
  await desk(`/${found?.id}/answer`, { message });
}

async function newPage(client?: string): Promise<Page> {
  const session = client ? { storageState: await sessionOf(server.url, client, 'trade-the-demo') } : {};
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...session })).newPage();
  page.setDefaultTimeout(8_000);
  return page;
}

const chatOf = (page: Page) => page.getByRole('dialog', { name: 'Live chat' });
const openChat = async (page: Page) => {
  await page.getByRole('button', { name: /^Live chat/ }).click();
  await chatOf(page).waitFor();
};

async function begin(page: Page, subject: string, message: string): Promise<void> {
  await openChat(page);
  const chat = chatOf(page);
  await chat.getByLabel('Topic').selectOption('trading');
  await chat.getByLabel('Subject').fill(subject);
  await chat.getByLabel('Message').fill(message);
  await chat.getByRole('button', { name: 'Send' }).click();
  await chat.getByRole('log').getByText(message).waitFor();
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cambist-chat-'));
  server = await startServerProcess({ DATA_DIR: directory, MARKET: 'simulated', PORT: String(await freePort()) });
  browser = await launchChromium();
  const { origins } = await sessionOf(server.url, 'operator@cambist.test', 'operate-the-demo');
  const stored = JSON.parse(origins[0]?.localStorage[0]?.value ?? '{}') as { state: { token: string } };
  operatorToken = stored.state.token;
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('the corner', () => {
  it.each(['/', '/markets/prices', '/trades/spot/BTC', '/signin', '/about', '/settings', '/nothing-here'])(
    '[A-shell-77] has the live chat on %s',
    async (path) => {
      const page = await newPage();
      await page.goto(server.url + path);
      await openChat(page);
      await page.keyboard.press('Escape');
      await chatOf(page).waitFor({ state: 'hidden' });
      await page.context().close();
    },
  );

  it("does not lie over the terminal's buttons on a phone", async () => {
    const page = await newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/trades/spot/BTC`);
    const corner = await page.getByRole('button', { name: /^Live chat/ }).boundingBox();
    for (const name of ['Buy', 'Sell']) {
      const button = page.getByRole('button', { name: new RegExp(`^${name}`) }).last();
      await button.waitFor();
      const box = await button.boundingBox();
      expect((corner?.y ?? 0) + (corner?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
    }
    await page.context().close();
  });
});

describe('a visitor', () => {
  it('[A-shell-77] begins a conversation, hears the answer, and finds it again after a reload', async () => {
    const page = await newPage();
    await page.goto(server.url);
    await openChat(page);
    await chatOf(page).getByRole('button', { name: 'Send' }).click();
    await chatOf(page).getByText('Field is required').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await begin(page, 'Fees of a visitor', 'What does an order cost?');
    await answer('Fees of a visitor', 'A tenth of a percent.');
    await chatOf(page).getByRole('log').getByText('A tenth of a percent.').waitFor();
    await page.keyboard.press('Escape');

    await answer('Fees of a visitor', 'And less for makers.');
    await page.reload();
    await page.getByRole('button', { name: 'Live chat, 1 unread' }).click();
    await chatOf(page).getByText('1 new').waitFor();
    await chatOf(page)
      .getByRole('button', { name: /Fees of a visitor/ })
      .click();
    await chatOf(page).getByText('And less for makers.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Live chat', exact: true }).waitFor();
    await page.context().close();
  });

  it('is told when the conversation has ended here, and begins anew', async () => {
    const value = JSON.stringify({ state: { token: 'A'.repeat(43) }, version: 0 });
    const stored = [{ name: 'cambist.support', value }];
    const context = await browser.newContext({
      storageState: { cookies: [], origins: [{ origin: server.url, localStorage: stored }] },
    });
    const page = await context.newPage();
    await page.goto(server.url);
    await openChat(page);
    await chatOf(page).getByLabel('Subject').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('cambist.support'))).not.toContain('AAAA');
    await context.close();
  });

  it('keeps what was written when it could not be sent', async () => {
    const page = await newPage();
    await page.goto(server.url);
    await begin(page, 'A lost line', 'Is anybody there?');
    await page.route('**/messages', (route) => route.abort());
    const field = chatOf(page).getByRole('textbox', { name: 'Message' });
    await field.fill('A second question');
    await field.press('Enter');
    await chatOf(page).getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe('A second question');
    await page.unroute('**/messages');
    await field.press('Enter');
    await chatOf(page).getByRole('log').getByText('A second question').waitFor();
    expect(await field.inputValue()).toBe('');
    await page.context().close();
  });
});

describe('a client', () => {
  it('hears an answer from the stream while the chat is closed, and settles the matter', async () => {
    const page = await newPage('trader@cambist.test');
    await page.goto(`${server.url}/markets/prices`);
    await begin(page, 'A question of a client', 'Where is my order?');
    await page.keyboard.press('Escape');
    await answer('A question of a client', 'It is waiting in the book.');
    await page.getByRole('button', { name: 'Live chat, 1 unread' }).click();
    await chatOf(page)
      .getByRole('button', { name: /A question of a client/ })
      .click();
    await chatOf(page).getByText('It is waiting in the book.').waitFor();
    await chatOf(page).getByRole('button', { name: 'It is settled' }).click();
    await chatOf(page).getByText('This conversation is closed.').waitFor();
    await page.context().close();
  });
});

describe('with a Chatwoot inbox', () => {
  let widget: Server;
  let own: ServerProcess;
  const asked: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'cambist-chatwoot-'));

  /** What Chatwoot's own file does at this point, as far as the page can tell. */
  const sdk = `
    window.chatwootSDK = { run(options) {
      window.booted = { ...options, settings: window.chatwootSettings };
      window.$chatwoot = { toggle(state) { window.toggled = state; } };
      window.dispatchEvent(new Event('chatwoot:ready'));
    } };`;

  beforeAll(async () => {
    widget = createServer((request, response) => {
      asked.push(request.url ?? '');
      response
        .writeHead(200, { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin' })
        .end(sdk);
    });
    await new Promise<void>((resolve) => widget.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(widget.address() as AddressInfo).port}`;
    own = await startServerProcess({
      DATA_DIR: folder,
      PORT: String(await freePort()),
      CHATWOOT_URL: url,
      CHATWOOT_TOKEN: 'inbox-token-1',
    });
  });

  afterAll(async () => {
    await own?.stop();
    widget?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('[A-shell-77] loads its SDK when somebody asks, and opens its window instead of ours', async () => {
    const page = await newPage();
    await page.goto(own.url);
    const button = page.getByRole('button', { name: 'Live chat' });
    await button.waitFor();
    expect(asked).toEqual([]);
    await page.waitForResponse('**/api/v3/site').catch(() => undefined);
    await button.click();
    await expect.poll(() => page.evaluate('window.toggled')).toBe('open');
    expect(asked).toEqual(['/packs/js/sdk.js']);
    const { port } = widget.address() as AddressInfo;
    expect(await page.evaluate('window.booted')).toEqual({
      websiteToken: 'inbox-token-1',
      baseUrl: `http://127.0.0.1:${port}`,
      settings: { hideMessageBubble: true, locale: 'en' },
    });
    expect(await chatOf(page).count()).toBe(0);
    await page.context().close();
  });
});
