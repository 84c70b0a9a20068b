/** Histories as a trader uses them: filtered, paged beyond what the page holds, one order's fills, and as a file. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, expectFits, hasFocus } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

/** More than the page keeps of a list. */
const BUYS = 220;

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  const buy = { symbol: 'BTC-USDT', side: 'BUY', type: 'market', quantity: '0.0001' };
  const password = { transaction_password: TRADER.pin };
  for (let placed = 0; placed < BUYS; placed += 20) {
    await trader.call('POST', '/api/v3/orders/batch', { orders: Array.from({ length: 20 }, () => buy), ...password });
  }
  await trader.call('POST', '/api/v3/orders', { ...buy, symbol: 'ETH-USDT', quantity: '0.01', ...password });
  await trader.call('POST', '/api/v3/orders', { ...buy, side: 'SELL', quantity: '0.0005', ...password });
  page = await stage.open({ as: trader, viewport: { width: 1600, height: 1000 }, acceptDownloads: true });
  complaints = complaintsOf(page);
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
});
afterAll(() => stage?.close());

const tab = (on: Page, name: string) => on.getByLabel('Your lists').getByRole('tab', { name });
const rows = (name: string) => page.getByRole('table', { name }).locator('tbody tr');
const next = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next page' });

async function choose(fields: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('button', { name: /^Filter/ }).click();
  const form = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if (label.endsWith('date')) await field.fill(value);
    else await field.selectOption(value);
  }
  await form.getByRole('button', { name: 'Show' }).click();
  await form.waitFor({ state: 'hidden' });
}

it('fills are filtered by pair, side, role and day, and the filter is said on its button', async () => {
  await tab(page, 'Trade history').click();
  await rows('Trade history').first().waitFor();
  await choose({ Pair: 'ETH-USDT' });
  await expect.poll(() => rows('Trade history').count()).toBeLessThan(5);
  expect(await rows('Trade history').first().innerText()).toContain('ETH-USDT');
  await choose({ Pair: '', Side: 'SELL', Role: 'taker' });
  await expect.poll(() => rows('Trade history').first().innerText()).toContain('Sell');
  await page.getByRole('button', { name: 'Filter (2)' }).waitFor();
  await choose({ 'To date': '2024-01-31' });
  await page.getByText('No trades match this filter.').waitFor();
  await page.getByRole('button', { name: 'Filter (3)' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('From date').fill('2024-02-01');
  await form.getByText('Before the first date').waitFor();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Clear filter' }).click();
  await page.keyboard.press('Escape');
  const filter = page.getByRole('button', { name: 'Filter', exact: true });
  await expect.poll(() => hasFocus(filter)).toBe(true);
  await expect.poll(() => rows('Trade history').count()).toBe(5);
});

it('every order is reached page by page, also those that the page does not hold at first', async () => {
  await tab(page, 'Order history').click();
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10');
  await expect.poll(() => rows('Order history').count()).toBe(10);
  await page.getByText('1 of 20+').waitFor();
  const total = (await trader.call<{ orders: object[] }>('GET', '/api/v3/trades/order-histories?limit=500')).orders
    .length;
  const pages = Math.ceil(total / 10);
  for (let at = 1; at < pages; at += 1) {
    await next().click();
    await page.getByText(new RegExp(`^${at + 1} of`)).waitFor();
  }
  await page.getByText(`${pages} of ${pages}`, { exact: true }).waitFor();
  await expect.poll(() => rows('Order history').count()).toBe(total % 10 || 10);
  expect(await next().isDisabled()).toBe(true);
});

it('the file has what the filter shows', async () => {
  await choose({ Type: 'market', Side: 'SELL' });
  await expect.poll(() => rows('Order history').count()).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^cambist-orders-\d{4}-\d\d-\d\d\.csv$/);
  const [heading, line, ...rest] = readFileSync(await download.path(), 'utf8').split('\r\n');
  expect(heading).toMatch(/^placed_at,ended_at,id,/);
  expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,.*,BTC-USDT,SELL,market,,IOC,[\d.]+,0\.00050,0\.00050,/);
  expect(rest).toEqual(['']);
  await page.getByRole('button', { name: 'Export CSV' }).waitFor();
});

it("an order's fills are shown with what they come to, on a phone too", async () => {
  await rows('Order history').first().getByRole('button', { name: '0.00050, show the fills' }).click();
  const dialog = page.getByRole('dialog', { name: /^Fills of order \d+$/ });
  const table = dialog.getByRole('table', { name: /^Fills of order/ });
  await table.locator('tbody tr').first().waitFor();
  const amounts = await table.locator('tbody tr td:nth-child(3)').allInnerTexts();
  expect(amounts.reduce((sum, amount) => sum + Number(amount), 0)).toBeCloseTo(0.0005, 8);
  await dialog.getByText('Average price').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);

  const phone = await stage.open({ as: trader, viewport: PHONE });
  await phone.goto('/trades/spot/BTC');
  await phone.locator('[data-status=full]').waitFor();
  await tab(phone, 'Order history').click();
  await phone
    .getByRole('list', { name: 'Order history' })
    .getByRole('button', { name: /show the fills$/ })
    .first()
    .click();
  await phone
    .getByRole('dialog')
    .getByRole('list', { name: /^Fills of order/ })
    .getByRole('listitem')
    .first()
    .waitFor();
  await expectFits(phone);
  await phone.context().close();
});

it('a page that is longer than the window is read from its beginning, the next one too', async () => {
  const phone = await stage.open({ as: trader, viewport: PHONE });
  await phone.goto('/wallet/BTC');
  await phone.getByRole('tab', { name: 'Statement' }).click();
  const lines = phone.getByRole('list', { name: 'Statement' }).getByRole('listitem');
  await lines.first().waitFor();
  const pages = phone.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('button', { name: 'Next page' }).click();
  await pages.getByText(/^2 of/).waitFor();
  const top = async () => (await lines.first().boundingBox())?.y ?? Number.NaN;
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  expect(await top()).toBeLessThan(PHONE.height);
  await phone.context().close();
});
