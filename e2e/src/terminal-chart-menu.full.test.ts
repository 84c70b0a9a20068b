/** Trading from the chart: the menu of a price, by right click, the plus at the axis, a key and a long press. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, hasFocus } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const SLOW_MS = 1_500;

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

async function openChart(page: Page): Promise<void> {
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
}

/** A point of the pane of prices, by shares of its width and height: its edges are outside of all candles. */
async function pointIn(page: Page, across: number, down: number): Promise<{ x: number; y: number }> {
  const pane = await page.locator('[data-status=full] canvas').first().boundingBox();
  if (!pane) throw new Error('The chart has no place on the page');
  return { x: pane.x + pane.width * across, y: pane.y + pane.height * down };
}

const priceIn = (text: string) => text.match(/[\d,]+\.\d/)?.[0] ?? '';
const item = (page: Page, name: RegExp) => page.getByRole('menuitem', { name });

/** Chooses an item. @returns its price: that of one point changes when a candle comes that the chart makes room for */
async function choose(page: Page, name: RegExp): Promise<string> {
  const price = priceIn(await item(page, name).innerText());
  await item(page, name).click();
  return price;
}

it('a right click, the plus at the axis and a key offer what can be placed at a price, and the form is filled with it', async () => {
  const page = await stage.open({ as: trader, permissions: ['clipboard-read', 'clipboard-write'] });
  const complaints = complaintsOf(page);
  await openChart(page);
  const form = (side: string) => page.getByRole('form', { name: `${side} BTC` });
  const active = () => page.evaluate(() => document.activeElement?.getAttribute('data-amount'));

  const low = await pointIn(page, 0.4, 0.95);
  await page.mouse.click(low.x, low.y, { button: 'right' });
  await item(page, /^Sell stop at/).waitFor();
  expect(await item(page, /^(Sell limit|Buy stop)/).count()).toBe(0);
  await expectAccessible(page);
  const below = priceIn(await item(page, /^Buy limit at/).innerText());
  await item(page, /^Copy/).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(below.replaceAll(',', ''));

  await page.mouse.click(low.x, low.y, { button: 'right' });
  const bought = await choose(page, /^Buy limit at/);
  const limit = form('Buy').getByLabel('Price', { exact: true });
  await expect.poll(() => limit.inputValue()).toBe(bought);
  await expect.poll(active).toBe('BUY');

  const high = await pointIn(page, 0.6, 0.05);
  await page.mouse.move(high.x, high.y - 2);
  await page.mouse.move(high.x, high.y);
  await page.getByRole('button', { name: 'Trade at a price of the chart' }).click();
  await item(page, /^Sell limit at/).waitFor();
  const above = await choose(page, /^Buy stop at/);
  await expect.poll(() => form('Buy').getByLabel('Stop price').inputValue()).toBe(above);

  await page.getByRole('heading', { name: 'BTC/USDT' }).focus();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.mouse.move(5, 5);
  await page.keyboard.press('c');
  await item(page, /^Buy limit at/).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(active).toBe('SELL');
  await form('Sell').getByLabel('Stop price').waitFor();

  await page.mouse.click(low.x, low.y, { button: 'right' });
  const watched = await choose(page, /^Set a price alert at/);
  const price = page.getByRole('dialog').getByLabel(/^Notify me when/);
  await expect.poll(() => price.inputValue()).toBe(watched);
  await page.keyboard.press('Escape');
  // Neither the dialog nor the menu that it was opened from is there any more.
  await expect.poll(() => hasFocus(form('Sell').getByLabel('Amount in BTC'))).toBe(true);
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search pairs, screens and actions').fill('price of the chart');
  await page.getByText('Trade at a price of the chart').last().waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** Timers of the page come late, as on a slow machine: by one of them a dialog takes the focus. */
async function slowDown(page: Page): Promise<void> {
  await page.evaluate((lateMs) => {
    const inTime = window.setTimeout.bind(window);
    const late = (act: () => void, afterMs = 0) => inTime(act, afterMs + lateMs);
    Object.assign(window, { setTimeout: late });
  }, SLOW_MS);
}

it('keys that come before the dialog has taken the focus do not reach the form behind it', async () => {
  const page = await stage.open({ as: trader });
  await openChart(page);
  const amount = page.getByRole('form', { name: 'Sell BTC' }).getByLabel('Amount in BTC');
  await amount.fill('1');
  const low = await pointIn(page, 0.4, 0.95);
  await page.mouse.click(low.x, low.y, { button: 'right' });
  await item(page, /^Set a price alert at/).waitFor();
  await slowDown(page);
  await item(page, /^Set a price alert at/).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('2');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await amount.inputValue()).toBe('1');
  await expect.poll(() => hasFocus(amount)).toBe(true);
  await page.context().close();
});

it('a long press on a phone opens the menu, and what is chosen the sheet with its side and price', async () => {
  const page = await stage.open({ as: trader, viewport: PHONE, hasTouch: true });
  await openChart(page);
  const point = await pointIn(page, 0.5, 0.95);
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await page.waitForTimeout(700);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const stop = item(page, /^Sell stop at/);
  await stop.waitFor();
  const price = priceIn(await stop.innerText());
  await stop.tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Sell BTC' }).waitFor();
  expect(await sheet.getByLabel('Stop price').inputValue()).toBe(price);
  await page.context().close();
});
