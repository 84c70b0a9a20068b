/**
 * The key journeys on pages that a browser translates: it puts elements of its own around texts or in their place, also
 * around those that come later, from a world of scripts that shares nothing with the page's but the document.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { go } from './browser.ts';
import { convertScreenOn } from './converting.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let failures: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
beforeEach(async () => {
  page = await stage.reuse({ as: trader });
  failures = [];
  page.on('pageerror', (error) => failures.push(error.message));
});
afterAll(() => stage?.close());

/** Every other text is moved into the elements, the others are replaced by them. Words stay, so that they can be found. */
function translate(): void {
  const spared = 'font, script, style, textarea, [translate=no]';
  let count = 0;
  const wrap = (text: Node) => {
    const parent = text.parentElement;
    if (!parent || parent.closest(spared) || !text.nodeValue?.trim()) return;
    const outer = document.createElement('font');
    const inner = outer.appendChild(document.createElement('font'));
    count += 1;
    if (count % 2 === 0) {
      inner.textContent = text.nodeValue;
      parent.replaceChild(outer, text);
    } else {
      parent.insertBefore(outer, text);
      inner.appendChild(text);
    }
  };
  const wrapBelow = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(wrap);
  };
  wrapBelow(document.body);
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) if (node.isConnected) wrapBelow(node);
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

async function translatePage(): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const answer = await session.send('Runtime.evaluate', {
    expression: `(${translate})()`,
    contextId: executionContextId,
  });
  expect(answer.exceptionDetails).toBeUndefined();
  expect(await page.locator('font').count()).toBeGreaterThan(5);
  await session.detach();
}

const heading = (name: string) => page.locator('main').getByRole('heading', { level: 1, name }).waitFor();

it('screens come and go, and units follow what is chosen', async () => {
  await page.goto('/wallet');
  await page.getByRole('navigation', { name: 'Wallet' }).waitFor();
  await translatePage();
  await page.getByRole('button', { name: 'Hide balances' }).click();
  await page.getByRole('button', { name: 'Show balances' }).click();
  for (const [path, name] of [
    ['/wallet/transfer', 'Transfer'],
    ['/account/notifications', 'Notifications'],
  ] as const) {
    await go(page, path);
    await heading(name);
  }
  await go(page, '/wallet/convert');
  const screen = convertScreenOn(page);
  const available = page.getByText(/^Available: /);
  for (const coin of ['ETH', 'SOL']) {
    await screen.choose('From coin', coin);
    await expect.poll(() => available.innerText()).toMatch(new RegExp(` ${coin}$`));
  }
  await page.getByRole('button', { name: 'Swap coins' }).click();
  await expect.poll(() => available.innerText()).toMatch(/ USDT$/);
  expect(failures).toEqual([]);
});

it('an order is placed, counted and cancelled, and another language takes the place of this one', async () => {
  await page.goto('/trades/spot/BTC');
  await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
  await translatePage();
  const path = '/api/v3/coin-pair/current-price?symbol=BTC';
  const { chart } = await trader.call<{ chart: { close: string } }>('GET', path);
  const form = page.getByRole('form', { name: 'Buy BTC' });
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  await form.getByLabel('Price', { exact: true }).fill(String(Math.round(Number(chart.close) * 0.95)));
  await form.getByLabel('Amount in BTC').fill('0.01');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const tab = page.getByLabel('Your lists').getByRole('tab', { name: /^Open orders/ });
  await expect.poll(() => tab.innerText()).toMatch(/1/);
  await page
    .getByRole('table', { name: 'Open orders' })
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click();
  await expect.poll(() => tab.innerText()).not.toMatch(/1/);
  await go(page, '/about');
  await page.getByRole('button', { name: 'Language and theme' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Sprache und Design' }).waitFor();
  expect(failures).toEqual([]);
});
