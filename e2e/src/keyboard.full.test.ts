/** The exchange without a mouse: where Tab begins and leads, what Escape leaves, and where the focus is afterwards. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectAccessible, hasFocus, readOut } from './browser.ts';
import './scene.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

/** Between two of a key that is held down. */
const REPEAT_MS = 33;

let stage: Stage;
let trader: Session;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

/** Room for the list of markets, and for book and trades at once. */
const WIDE = { width: 1600, height: 900 };

async function openTerminal(viewport?: typeof WIDE): Promise<void> {
  page = await stage.open({ as: trader, ...(viewport && { viewport }) });
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
}

const named = (name: string) => page.getByRole('button', { name, exact: true });

it('begins with the link past the menu, not in the chart', async () => {
  await openTerminal();
  await page.keyboard.press('Tab');
  expect(await hasFocus(page.getByRole('link', { name: 'Skip to content' }))).toBe(true);
});

it('reaches the button that shows a password in a dialog', async () => {
  await openTerminal();
  await page.keyboard.press('l');
  await page.keyboard.press('b');
  await page.keyboard.type('0.01');
  await page.keyboard.press('Enter');
  const password = page.getByRole('dialog', { name: 'Buy BTC' }).getByLabel('Transaction password', { exact: true });
  await expect.poll(() => hasFocus(password)).toBe(true);
  await page.keyboard.press('Tab');
  expect(await hasFocus(named('Show or hide password'))).toBe(true);
});

it('leaves what is open over the chart in full screen first, then full screen, which the focus cannot be behind', async () => {
  await openTerminal();
  await named('Full screen').press('Enter');
  const leave = named('Exit full screen');
  expect(await hasFocus(leave)).toBe(true);
  await named('Indicators').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Indicators of BTC-USDT' });
  await dialog.waitFor();
  await expect.poll(() => dialog.locator(':focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await leave.count()).toBe(1);
  await named('Chart type and scale').press('Enter');
  const popover = page.getByRole('dialog', { name: 'Chart type and scale' });
  await popover.waitFor();
  await expect.poll(() => popover.locator(':focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'hidden' });
  expect(await leave.count()).toBe(1);
  await page.keyboard.press('Escape');
  await named('Full screen').press('Enter');
  await leave.press('Tab');
  expect(await hasFocus(page.getByRole('tab', { name: 'Market', exact: true }))).toBe(true);
  await expect.poll(() => leave.count()).toBe(0);
});

it('changes the pair by its name and Enter', async () => {
  await openTerminal();
  await page.keyboard.press('p');
  const search = page.getByRole('dialog', { name: 'Choose a pair' }).getByLabel('Search pairs');
  await search.press('Enter');
  expect(await search.isVisible()).toBe(true);
  await search.fill('sol');
  await page.getByRole('table', { name: 'Pairs' }).getByRole('link', { name: 'SOL' }).waitFor();
  await search.press('Enter');
  await page.waitForURL('**/trades/spot/SOL');
  await search.waitFor({ state: 'hidden' });
});

it('goes to the first and the last of the tabs of a panel by Home and End, while the page stays', async () => {
  await openTerminal();
  const tab = (name: string) => page.getByLabel('Your lists').getByRole('tab', { name, exact: true });
  await tab('Open orders').focus();
  const scrolled = await page.evaluate(() => window.scrollY);
  await page.keyboard.press('End');
  expect(await hasFocus(tab('Funds'))).toBe(true);
  expect(await tab('Funds').getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Home');
  expect(await hasFocus(tab('Open orders'))).toBe(true);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
});

/** So many orders that rest below the market, and no others. */
async function placeOrders(count: number): Promise<void> {
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  const price = Math.round(Number(answer.chart.close) * 0.95).toString();
  const order = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price, quantity: '0.001' };
  for (let placed = 0; placed < count; placed += 1) {
    await trader.call('POST', '/api/v3/orders', { ...order, transaction_password: TRADER.pin });
  }
}

it('has the focus beside an order that was cancelled, and on the list when none is left', async () => {
  await placeOrders(2);
  await openTerminal();
  const list = page.getByRole('table', { name: 'Open orders' });
  const cancel = list.getByRole('button', { name: /^Cancel Buy/ });
  await expect.poll(() => cancel.count()).toBe(2);
  await cancel.first().press('Enter');
  await expect.poll(() => cancel.count()).toBe(1);
  await expect.poll(() => hasFocus(list.getByRole('link', { name: 'BTC-USDT' }))).toBe(true);
  await cancel.press('Enter');
  await expect.poll(() => hasFocus(page.getByRole('tab', { name: 'Open orders' }))).toBe(true);
});

it('cancels one order by a key that is held down, not the one that has the focus then', async () => {
  await placeOrders(3);
  await openTerminal();
  const cancel = page.getByRole('table', { name: 'Open orders' }).getByRole('button', { name: /^Cancel Buy/ });
  await expect.poll(() => cancel.count()).toBe(3);
  await cancel.first().focus();
  await page.keyboard.down('Enter');
  for (let repeats = 0; repeats < 20; repeats += 1) {
    await page.keyboard.down('Enter');
    await page.waitForTimeout(REPEAT_MS);
  }
  await page.keyboard.up('Enter');
  expect(page.url()).toMatch(/BTC$/);
  expect(await cancel.count()).toBe(2);
});

it('has the first field that is wrong in a form that was sent', async () => {
  page = await stage.open({ as: trader });
  await page.goto('/account/change_password');
  await named('Send code').press('Enter');
  await expect.poll(() => hasFocus(page.getByLabel('Old password', { exact: true }))).toBe(true);
  await page.goto('/account/app_authorization');
  await named('Create an API key').press('Enter');
  const name = page.getByRole('dialog', { name: 'Create an API key' }).getByLabel('Name', { exact: true });
  await name.fill('A program');
  await page.getByLabel('Read', { exact: true }).uncheck();
  await name.fill('');
  await named('Create key').press('Enter');
  await expect.poll(() => hasFocus(name)).toBe(true);
});

it('is read out the name of a screen that has come, and what is chosen between', async () => {
  page = await stage.open({ as: trader });
  await page.goto('/settings');
  for (const name of ['Theme', 'Price colors']) {
    await page.getByRole('radiogroup', { name, exact: true }).waitFor();
  }
  const screen = page.locator('p[aria-live]');
  expect(await screen.textContent()).toBe('');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Convert' }).press('Enter');
  await expect.poll(() => screen.textContent()).toBe('Convert | Cambist');
});

it('is read out each row of the book and of the trades in words, with what it does, and not again at each figure', async () => {
  await openTerminal(WIDE);
  const best = page.getByRole('region', { name: 'Bids' }).getByRole('button').first();
  await best.waitFor();
  await expect.poll(async () => (await readOut(best)).name).toMatch(/^Bid [\d,]+\.\d Amount [\d.]+ Total [\d.]+$/);
  expect((await readOut(best)).description).toBe('Puts this price in the order form');
  const worst = page.getByRole('region', { name: 'Asks' }).getByRole('button').first();
  expect((await readOut(worst)).name).toMatch(/^Ask [\d,]+\.\d Amount [\d.]+ Total [\d.]+$/);
  const trade = page.getByRole('region', { name: 'Recent trades' }).getByRole('button').first();
  expect((await readOut(trade)).name).toMatch(/^(Bought|Sold) at [\d,]+\.\d+ Amount [\d.]+ Time \d\d:\d\d:\d\d$/);
  expect((await readOut(trade)).description).toBe('Puts this price in the order form');

  await best.focus();
  const read = (await readOut(best)).name;
  const shown = await best.innerText();
  await expect.poll(() => best.innerText()).not.toBe(shown);
  expect((await readOut(best)).name).toBe(read);
  await page.keyboard.press('ArrowDown');
  expect((await readOut(best)).name).not.toBe(read);
  await page.keyboard.press('End');
  const last = page.getByRole('region', { name: 'Bids' }).getByRole('button').last();
  expect(await hasFocus(last)).toBe(true);
  await page.keyboard.press('Enter');
  const price = page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Price', { exact: true });
  const taken = await price.inputValue();
  await expect.poll(() => page.locator('p[aria-live]').textContent()).toBe(`Price in the order form: ${taken}`);
});

it('is read out which row of the book has an own order', async () => {
  await openTerminal(WIDE);
  const bids = page.getByRole('region', { name: 'Bids' });
  const price = (await bids.getByRole('button').nth(4).locator('> span').first().innerText()).replaceAll(',', '');
  const order = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price, quantity: '0.001' };
  await trader.call('POST', '/api/v3/orders', { ...order, transaction_password: TRADER.pin });
  await bids.getByRole('button', { name: /^Bid [\d,.]+ Your order Amount / }).waitFor();
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
});

it('stops once in the list of markets, moves in it by arrow keys, and goes on to the chart', async () => {
  await openTerminal(WIDE);
  const markets = page.getByRole('region', { name: 'Markets' });
  await markets.getByLabel('Search markets').focus();
  await page.keyboard.press('Tab');
  expect(await hasFocus(markets.getByRole('radio', { name: 'All', exact: true }))).toBe(true);
  await page.keyboard.press('Tab');
  const links = markets.getByRole('link');
  expect(await hasFocus(links.filter({ hasText: 'BTC' }))).toBe(true);
  await page.keyboard.press('End');
  expect(await hasFocus(links.last())).toBe(true);
  await page.keyboard.press('ArrowUp');
  expect(await hasFocus(links.nth(-2))).toBe(true);
  await page.keyboard.press('ArrowLeft');
  const star = markets.getByRole('button', { name: /^Favorite/ }).nth(-2);
  expect(await hasFocus(star)).toBe(true);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  expect(await hasFocus(page.getByRole('region', { name: 'Chart' }).getByRole('tab', { selected: true }))).toBe(true);
  await page.keyboard.press('Shift+Tab');
  expect(await hasFocus(links.nth(-2))).toBe(true);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  expect(await hasFocus(links.nth(1))).toBe(true);
});

it('stops once in the bar of drawing tools', async () => {
  await openTerminal();
  await named('Drawing tools').press('Enter');
  const bar = page.getByRole('toolbar', { name: 'Drawing tools' });
  const tool = (name: string) => bar.getByRole('button', { name, exact: true });
  await tool('Trend line').focus();
  await page.keyboard.press('ArrowDown');
  expect(await hasFocus(tool('Ray'))).toBe(true);
  await page.keyboard.press('Tab');
  expect(await bar.locator(':focus').count()).toBe(0);
  await page.keyboard.press('Shift+Tab');
  expect(await hasFocus(tool('Ray'))).toBe(true);
});

it('is read out what is a value of a few as such, and chooses it by arrow keys', async () => {
  page = await stage.open({ as: trader });
  let changes = 0;
  const count = (text: string) => {
    if (/futures.leverage/.test(text)) changes += 1;
  };
  // By the private socket once it is up.
  page.on('request', (request) => count(request.url()));
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => count(String(payload))));
  await page.goto('/trades/futures/BTC');
  const mode = page.getByRole('radiogroup', { name: 'Margin mode' });
  const choice = (name: string) => mode.getByRole('radio', { name, exact: true });
  await choice('Cross').focus();
  expect(await choice('Cross').isChecked()).toBe(true);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => choice('Isolated').isChecked()).toBe(true);
  expect(await hasFocus(choice('Isolated'))).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => choice('Cross').isChecked()).toBe(true);

  // Faster than the server answers.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => changes).toBe(4);
  await expect.poll(() => choice('Cross').isChecked()).toBe(true);
  expect(await hasFocus(choice('Cross'))).toBe(true);
  await page.getByRole('tab', { name: 'Depth' }).press('Enter');
  await page.getByRole('radiogroup', { name: 'Range' }).getByRole('radio', { checked: true }).waitFor();
  await expectAccessible(page);
});

it('moves and resizes panels by the menu of each, and reads out where they are', async () => {
  await openTerminal(WIDE);
  await named('Layout').press('Enter');
  await page.getByRole('menuitem', { name: 'Move and resize panels' }).press('Enter');
  const editor = page.getByRole('region', { name: 'Arrange the panels' });
  const panel = page.locator('[data-panel=chart]');
  const handle = panel.getByRole('button', { name: 'Chart' });
  await handle.press('Enter');
  const place = () => page.locator('p[aria-live]').textContent();
  await page.getByRole('menuitem', { name: 'Wider' }).press('Enter');
  await expect.poll(place).toBe('Chart: column 5, row 1, 16 wide, 14 high');
  await page.keyboard.press('Enter');
  await expect.poll(place).toBe('Chart: column 5, row 1, 17 wide, 14 high');
  await page.getByRole('menuitem', { name: 'Move down' }).press('Enter');
  await expect.poll(place).toMatch(/^Chart: column 5, row 1[1-9], 17 wide, 14 high$/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(handle)).toBe(true);
  const high = (id: string) => page.locator(`[data-panel=${id}]`).evaluate((box) => box.getBoundingClientRect().top);
  await editor.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await editor.waitFor({ state: 'hidden' });
  expect(await high('chart')).toBeGreaterThan(await high('tickets'));
});

it('draws on the chart, sets the price of a drawing and removes it', async () => {
  await openTerminal();
  await named('Drawing tools').press('Enter');
  await named('Horizontal line').press('Enter');
  const kept = () =>
    page.evaluate(() => {
      const { pairs } = JSON.parse(localStorage.getItem('cambist.chart') ?? '{}').state;
      return pairs['BTC-USDT']?.drawings as { name: string; points: { value: number }[] }[];
    });
  await expect.poll(kept).toMatchObject([{ name: 'horizontalStraightLine', points: [{ value: expect.any(Number) }] }]);
  await expect.poll(() => page.locator('p[aria-live]').textContent()).toMatch(/^Horizontal line is on the chart\./);
  await named('List of drawings').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Drawings of BTC-USDT' });
  const price = dialog.getByLabel('1. Horizontal line, price 1');
  await price.clear();
  await price.pressSequentially('90,500');
  await expect.poll(kept).toMatchObject([{ points: [{ value: 90_500 }] }]);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Remove 1. Horizontal line' }).press('Enter');
  await expect.poll(kept).toEqual([]);
  await dialog.getByText('No drawings yet.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(named('List of drawings'))).toBe(true);
});
