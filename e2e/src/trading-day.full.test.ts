/**
 * A day of a trader, by keys alone and on a phone: a ladder of orders, an OCO, a trailing stop, a TWAP, a change, the end
 * of all, and the file.
 */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { complaintsOf, hasFocus } from './browser.ts';
import { DESK, type PageOptions, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' }, 'pglite');
  trader = await stage.signIn(TRADER);
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

async function openTerminal(options: PageOptions): Promise<void> {
  page = await stage.open({ as: trader, ...options });
  complaints = complaintsOf(page);
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
}

const press = (key: string) => page.keyboard.press(key);
const dialog = () => page.getByRole('dialog');
const form = (side: 'Buy' | 'Sell') => page.getByRole('form', { name: `${side} BTC` });
const list = (name: string) => page.getByRole('table', { name });

/** Goes on from where the keyboard is until it is there; a way too long for anybody fails. */
async function reach(target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab', most = 60): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < most; steps += 1) {
    if (await hasFocus(target)) return;
    await press(key);
  }
  const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`Not reached in ${most} steps; the keyboard is at ${where}`);
}

/** Goes to a field and writes over what it has. */
async function write(field: Locator, text: string, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await reach(field, key);
  await press('Control+A');
  await page.keyboard.type(text);
}

async function lastPrice(): Promise<number> {
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  return Number(answer.chart.close);
}
const share = async (of: number) => String(Math.round((await lastPrice()) * of));

/** From the palette, as one who does not know its key. */
async function choose(name: string): Promise<void> {
  await press('Control+k');
  await page.getByLabel('Search pairs, screens and actions').waitFor();
  await page.keyboard.type(name);
  await dialog().getByText(name).first().waitFor();
  await press('Enter');
  await dialog().waitFor({ state: 'hidden' });
}

/** The lines of the file that comes of it. */
async function linesOf(ask: () => Promise<void>): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), ask()]);
  return (await readFile((await file.path()) ?? '', 'utf8')).trim().split('\n');
}

/** Confirms what the ticket says, and waits until it is done. */
async function confirm(): Promise<void> {
  await press('Enter');
  await reach(dialog().getByRole('button', { name: 'Confirm' }));
  await press('Enter');
  await dialog().waitFor({ state: 'hidden' });
}
const openOrders = () => list('Open orders').locator('tbody tr').count();

it('is done without a mouse', async () => {
  await openTerminal({ viewport: DESK });
  // The ladder: its first order opens the lock of this device for the rest of the day.
  await press('l');
  const price = form('Buy').getByLabel('Price', { exact: true });
  await price.waitFor();
  for (const [index, part] of [0.97, 0.96, 0.95].entries()) {
    await press('b');
    await page.keyboard.type('0.001');
    await write(price, await share(part), 'Shift+Tab');
    if (index > 0) await confirm();
    else {
      await press('Enter');
      const lock = dialog().getByLabel('After this order, on this device');
      await reach(lock);
      await page.keyboard.type('Stay');
      await expect.poll(() => lock.inputValue()).toBe('5');
      await write(dialog().getByLabel('Transaction password', { exact: true }), TRADER.pin, 'Shift+Tab');
      await press('Enter');
      await dialog().waitFor({ state: 'hidden' });
    }
    await expect.poll(openOrders).toBe(index + 1);
    await press('Escape');
  }

  await choose('OCO order');
  await press('s');
  await page.keyboard.type('0.01');
  const oco = { 'Take-profit price': 1.05, 'Stop price': 0.95, 'Stop limit price': 0.945 };
  for (const [label, part] of Object.entries(oco).reverse()) {
    await write(form('Sell').getByLabel(label, { exact: true }), await share(part), 'Shift+Tab');
  }
  await confirm();
  await list('Open orders').getByText('OCO', { exact: true }).waitFor();
  await press('Escape');

  await reach(page.getByRole('button', { name: 'More order types' }), 'Shift+Tab');
  await press('Enter');
  await reach(page.getByRole('menuitem', { name: /^Trailing stop/ }), 'ArrowDown');
  await press('Enter');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await press('s');
  await page.keyboard.type('0.01');
  await write(form('Sell').getByLabel('Trailing distance', { exact: true }), '5', 'Shift+Tab');
  await confirm();
  await list('Open orders').getByText('Trailing stop', { exact: true }).waitFor();
  await press('Escape');

  // A change of the lowest step of the ladder, within the band of ten percent.
  await reach(
    list('Open orders')
      .getByRole('button', { name: /^Change Buy/ })
      .first(),
    'Tab',
    150,
  );
  await press('Enter');
  await dialog().waitFor();
  await write(dialog().getByLabel('Price', { exact: true }), await share(0.93), 'Tab');
  await press('Enter');
  await dialog().waitFor({ state: 'hidden' });

  await press('Shift+C');
  await reach(dialog().getByRole('button', { name: 'Cancel 5 orders' }));
  await press('Enter');
  await page.getByText('No open orders. Your open orders will appear here.').waitFor();

  await reach(page.getByLabel('Your lists').getByRole('tab', { selected: true }), 'Shift+Tab', 150);
  await press('ArrowRight');
  await list('Order history').getByText('Cancelled', { exact: true }).first().waitFor();
  await reach(page.getByRole('button', { name: 'Export CSV' }));
  expect(await linesOf(() => press('Enter'))).toHaveLength(6);
  expect(complaints).toEqual([]);
});

it('is done on a phone', async () => {
  await openTerminal({ viewport: PHONE, hasTouch: true, isMobile: true });
  const tap = (target: Locator) => target.tap();
  const entries = (text: string | RegExp) =>
    page.getByRole('list', { name: 'Open orders' }).getByRole('listitem').filter({ hasText: text });
  const sheet = page.getByRole('dialog').filter({ has: page.getByRole('form') });
  const field = (label: string) => sheet.getByRole('textbox', { name: label, exact: true });
  const asked = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Confirm' }) });
  const trade = (side: 'Buy' | 'Sell') => tap(page.locator('footer').getByRole('button', { name: side }));

  async function place(side: 'Buy' | 'Sell', type: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await trade(side);
    if (type === 'Limit') await tap(sheet.getByRole('tab', { name: type, exact: true }));
    else {
      await tap(sheet.getByRole('button', { name: 'More order types' }));
      await tap(page.getByRole('menuitem', { name: new RegExp(`^${type}`) }));
    }
    await field('Amount in BTC').fill('0.002');
    for (const [label, value] of Object.entries(fields)) await field(label).fill(value);
    await tap(sheet.getByRole('button', { name: `${side} BTC` }));
    const password = asked.getByLabel('Transaction password', { exact: true });
    await asked.waitFor();
    if (await password.isVisible()) {
      await password.fill(TRADER.pin);
      await asked.getByLabel('After this order, on this device').selectOption('5');
    }
    await tap(asked.getByRole('button', { name: 'Confirm' }));
    await asked.waitFor({ state: 'hidden' });
    if (await sheet.isVisible()) await tap(sheet.getByRole('button', { name: 'Close' }));
    await sheet.waitFor({ state: 'hidden' });
  }

  await place('Buy', 'Limit', { Price: await share(0.96) });
  await place('Buy', 'Limit', { Price: await share(0.95) });
  const oco = { 'Take-profit price': 1.05, 'Stop price': 0.95, 'Stop limit price': 0.945 };
  const prices = await Promise.all(Object.entries(oco).map(async ([label, part]) => [label, await share(part)]));
  await place('Sell', 'OCO', Object.fromEntries(prices) as Record<string, string>);
  await place('Sell', 'Trailing stop', { 'Trailing distance': '5' });
  await place('Buy', 'TWAP', { Price: await share(0.97), Duration: '30m', Interval: '15m' });
  for (const type of ['OCO', 'Trailing stop', 'TWAP']) await entries(type).waitFor();

  await tap(
    entries('Limit')
      .first()
      .getByRole('button', { name: /^Change/ }),
  );
  const changing = page.getByRole('dialog');
  await changing.getByLabel('Price', { exact: true }).fill(await share(0.93));
  await tap(changing.getByRole('button', { name: 'Confirm' }));
  await changing.waitFor({ state: 'hidden' });

  await tap(page.getByRole('button', { name: 'Cancel all' }));
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Cancel 5 orders' }));
  await page.getByText('No open orders. Your open orders will appear here.').waitFor();
  await tap(page.getByLabel('Your lists').getByRole('tab', { name: 'Order history' }));
  const file = await linesOf(() => tap(page.getByRole('button', { name: 'Export CSV' })));
  expect(file.filter((line) => line.includes(',twap,'))).toHaveLength(1);
  expect(complaints).toEqual([]);
});
