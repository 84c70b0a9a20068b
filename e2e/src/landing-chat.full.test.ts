/** The live chat in a real browser: for visitors, for clients, and where the operator has a Chatwoot inbox. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectFits } from './browser.ts';
import { OPERATOR, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let operator: Session;

interface Inbox {
  readonly conversations: readonly { readonly id: number; readonly subject: string }[];
}

const DESK_PATH = '/api/v3/admin/support/conversations';

/** Answers the conversation with this subject, as the operator. */
async function answer(subject: string, message: string): Promise<void> {
  const { conversations } = await operator.call<Inbox>('GET', DESK_PATH);
  const found = conversations.find((entry) => entry.subject === subject);
  await operator.call('POST', `${DESK_PATH}/${found?.id}/answer`, { message });
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
  stage = await setStage({ MARKET: 'simulated' });
  operator = await stage.signIn(OPERATOR);
});

afterAll(() => stage?.close());

describe('the button', () => {
  it.each(['/', '/markets/prices', '/trades/spot/BTC', '/signin', '/about', '/settings', '/nothing-here'])(
    'has the live chat on %s (A-shell-77)',
    async (path) => {
      const page = await stage.open();
      await page.goto(path);
      await openChat(page);
      await page.keyboard.press('Escape');
      await chatOf(page).waitFor({ state: 'hidden' });
      await page.context().close();
    },
  );

  it.each([
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ])('is within the bar above at $width px, where it covers nothing of a page', async (viewport) => {
    const page = await stage.open({ viewport });
    for (const path of ['/markets/prices', '/trades/spot/BTC', '/trades/spot/NOTHING']) {
      await page.goto(path);
      await page.getByRole('main').waitFor();
      const button = await page.getByRole('button', { name: /^Live chat/ }).boundingBox();
      const main = await page.getByRole('main').boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0);
      await expectFits(page);
    }
    await page.context().close();
  });
});

describe('a visitor', () => {
  it('finds in a second tab what was begun in the first, and so loses neither', async () => {
    const page = await stage.open();
    const second = await page.context().newPage();
    await second.goto('/about');
    await openChat(second);
    await page.goto('/about');
    await begin(page, 'A first question', 'Is anyone there?');
    await chatOf(second).getByText('A first question').waitFor();
    await page.context().close();
  });

  it('begins a conversation, hears the answer, and finds it again after a reload (A-shell-77)', async () => {
    const page = await stage.open();
    await page.goto('/');
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
    const page = await stage.open({ keeps: { support: { token: 'A'.repeat(43) } } });
    await page.goto('/');
    await openChat(page);
    await chatOf(page).getByLabel('Subject').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('cambist.support'))).not.toContain('AAAA');
    await page.context().close();
  });

  it('keeps what was written when it could not be sent', async () => {
    const page = await stage.open();
    await page.goto('/');
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

  it('sends once what it sends again, where the answer was lost', async () => {
    const page = await stage.open();
    await page.goto('/');
    /** Lets the request through, and the first answer not. */
    const loseAnswer = (path: string) =>
      page.route(
        path,
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
    const lost = chatOf(page).getByText('this may have been done already');
    await loseAnswer('**/support/conversations');
    await openChat(page);
    await chatOf(page).getByLabel('Subject').fill('A lost answer');
    await chatOf(page).getByLabel('Message').fill('Has it come?');
    await chatOf(page).getByRole('button', { name: 'Send' }).click();
    await lost.waitFor();
    await page.reload();
    await openChat(page);
    await chatOf(page).getByRole('button', { name: 'Send' }).click();
    const log = chatOf(page).getByRole('log');
    await log.getByText('Has it come?').waitFor();
    await loseAnswer('**/messages');
    const field = chatOf(page).getByRole('textbox', { name: 'Message' });
    await field.fill('And this?');
    await field.press('Enter');
    await lost.waitFor();
    await field.press('Enter');
    await lost.waitFor({ state: 'hidden' });
    await expect.poll(() => field.inputValue()).toBe('');
    const { conversations } = await operator.call<Inbox>('GET', `${DESK_PATH}?search=A%20lost%20answer`);
    expect(conversations).toHaveLength(1);
    const path = `${DESK_PATH}/${conversations[0]?.id}`;
    const { messages } = await operator.call<{ messages: { body: string }[] }>('GET', path);
    expect(messages.map(({ body }) => body)).toEqual(['Has it come?', 'And this?']);
    await page.context().close();
  });

  it('finds what was begun where the chat was closed, the connection went, or the page was loaded anew', async () => {
    const page = await stage.open();
    await page.goto('/');
    await openChat(page);
    await chatOf(page).getByLabel('Subject').fill('Half a subject');
    await page.keyboard.press('Escape');
    await chatOf(page).waitFor({ state: 'hidden' });
    await openChat(page);
    expect(await chatOf(page).getByLabel('Subject').inputValue()).toBe('Half a subject');
    await page.keyboard.press('Escape');
    await begin(page, 'A connection that goes', 'It comes back, too.');
    const field = chatOf(page).getByRole('textbox', { name: 'Message' });
    await field.fill('Half a message');
    await page.route('**/api/**', (route) => route.abort());
    await page.waitForEvent('console', (message) => /support.*could not be loaded/.test(message.text()));
    expect(await field.inputValue()).toBe('Half a message');
    await page.unroute('**/api/**');
    await page.reload();
    await openChat(page);
    await chatOf(page)
      .getByRole('button', { name: /A connection that goes/ })
      .click();
    expect(await field.inputValue()).toBe('Half a message');
    await field.press('Enter');
    await chatOf(page).getByRole('log').getByText('Half a message').waitFor();
    await page.reload();
    await openChat(page);
    await chatOf(page).getByRole('button', { name: 'New conversation' }).click();
    // What was sent is no longer begun.
    expect(await chatOf(page).getByLabel('Subject').inputValue()).toBe('');
    await page.context().close();
  });
});

describe('a client', () => {
  it('hears an answer from the stream while the chat is closed, and settles the matter', async () => {
    const page = await stage.open({ as: await stage.signIn(TRADER) });
    await page.goto('/markets/prices');
    await begin(page, 'A question of a client', 'Where is my order?');
    await page.keyboard.press('Escape');
    await answer('A question of a client', 'It is waiting in the book.');
    // A notice stays while the pointer is on it, but not over the chat that it is about.
    await page.getByText(/There is an answer in your conversation/).hover();
    await page.getByRole('button', { name: 'Live chat, 1 unread' }).press('Enter');
    await chatOf(page)
      .getByRole('button', { name: /A question of a client/ })
      .click();
    await chatOf(page).getByText('It is waiting in the book.').waitFor();
    await chatOf(page).getByRole('button', { name: 'Mark as resolved' }).click();
    await chatOf(page).getByText('This conversation is closed.').waitFor();
    await page.context().close();
  });

  it('may write on while a message is on its way', async () => {
    const client = await stage.signIn(TRADER);
    const opening = { topic: 'other', subject: 'Two thoughts', message: 'The first of them.' };
    await client.call('POST', '/api/v3/support/conversations', opening);
    const page = await stage.open({ as: client });
    await page.goto('/markets/prices');
    await openChat(page);
    await chatOf(page)
      .getByRole('button', { name: /Two thoughts/ })
      .click();
    let send = () => {};
    const isHeld = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/support/conversations/*/messages', async (route) => {
      await isHeld;
      await route.continue();
    });
    const field = chatOf(page).getByRole('textbox', { name: 'Message' });
    await field.fill('The second');
    await field.press('Enter');
    await field.pressSequentially(' and a third');
    send();
    await chatOf(page).getByRole('log').getByText('The second', { exact: true }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('and a third');
    await page.context().close();
  });

  it('comes from a notification to the conversation, and a long subject leaves its button whole', async () => {
    const subject = `A withdrawal that has been on its way since yesterday ${'and the day before '.repeat(4)}`.trim();
    const client = await stage.signIn(TRADER);
    const opening = { topic: 'other', subject, message: 'Where is it?' };
    await client.call('POST', '/api/v3/support/conversations', opening);
    await answer(subject, 'It has been paid out.');
    const page = await stage.open({ as: client });
    await page.goto('/notifications');
    await page.getByRole('button', { name: 'Support has answered' }).first().click();
    await chatOf(page)
      .getByRole('button', { name: new RegExp(subject) })
      .click();
    const resolve = chatOf(page).getByRole('button', { name: 'Mark as resolved' });
    await resolve.waitFor();
    expect(await resolve.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.context().close();
  });
});

describe('with a Chatwoot inbox', () => {
  let widget: Server;
  let own: Stage;
  const asked: string[] = [];

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
    own = await setStage({ CHATWOOT_URL: url, CHATWOOT_TOKEN: 'inbox-token-1' });
  });

  afterAll(async () => {
    await own?.close();
    widget?.close();
  });

  it('loads its SDK when somebody asks, and opens its window instead of ours (A-shell-77)', async () => {
    const page = await own.open();
    // Asked while the page loads: who waits afterwards waits in vain.
    const site = page.waitForResponse('**/api/v3/site');
    await page.goto('/');
    const button = page.getByRole('button', { name: 'Live chat' });
    await button.waitFor();
    expect(asked).toEqual([]);
    await site;
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
