/** The terminal on a phone, as the demo trader has it: lists with every figure, order types in full, nothing over figures. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectFits } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

const placed = (path: string, order: Readonly<Record<string, string>>) =>
  trader.call('POST', path, { symbol: 'BTC-USDT', ...order, transaction_password: TRADER.pin });

/** Titles and figures of an entry. */
async function figuresOf(entry: Locator): Promise<Record<string, string>> {
  const rows = await entry.locator('dl > div').all();
  const pairs = rows.map(async (row) => [await row.locator('dt').innerText(), await row.locator('dd').innerText()]);
  return Object.fromEntries(await Promise.all(pairs)) as Record<string, string>;
}

const isWhole = (element: Locator) =>
  element.evaluate((inside) =>
    [...inside.querySelectorAll('*'), inside].every(
      (each) => each.scrollWidth <= each.clientWidth + 1 || getComputedStyle(each).display === 'inline',
    ),
  );

const MOMENT = /\d{1,2} \w{3}, \d{2}:\d{2}:\d{2}/;

it('lists show every figure of an order and a trade, order types are whole, and nothing lies over them', async () => {
  const { chart } = await trader.call<{ chart: { close: string } }>(
    'GET',
    '/api/v3/coin-pair/current-price?symbol=BTC',
  );
  const price = Math.round(Number(chart.close) * 0.95);
  await placed('/api/v3/orders', { side: 'BUY', type: 'limit', price: String(price), quantity: '0.01' });
  await placed('/api/v3/orders', { side: 'BUY', type: 'market', quantity: '0.02' });
  const stop = String(Math.round(Number(chart.close) * 1.1));
  await placed('/api/v3/orders/conditional', {
    kind: 'stop_market',
    side: 'BUY',
    quote_total: '100',
    stop_price: stop,
  });

  const page = await stage.open({ as: trader, viewport: PHONE });
  await page.goto('/trades/spot/BTC');
  const entries = (name: string) => page.getByRole('list', { name }).getByRole('listitem');
  const choose = (name: RegExp) => page.getByLabel('Your lists').getByRole('tab', { name }).click();

  const resting = entries('Open orders').filter({ hasText: 'Limit' });
  await resting.waitFor();
  expect(await figuresOf(resting)).toEqual({
    Price: price.toLocaleString('en-US', { minimumFractionDigits: 1 }),
    Amount: '0.01000',
    Filled: '0.00000',
    'Total (USDT)': expect.stringMatching(/^[\d,]+\.\d{2}$/),
  });
  expect(await resting.innerText()).toMatch(MOMENT);
  const untriggered = entries('Open orders').filter({ hasText: 'Stop market' });
  expect(await figuresOf(untriggered)).toMatchObject({ Price: 'Market', Amount: '100 USDT' });
  expect(await untriggered.getByRole('button', { name: /^Cancel/ }).getAttribute('aria-label')).toBe(
    'Cancel Buy BTC for 100 USDT at market price',
  );

  await resting.getByRole('button', { name: /^Cancel/ }).click();
  await resting.waitFor({ state: 'hidden' });
  await choose(/^Order history/);
  await entries('Order history').getByText('You cancelled it').waitFor();

  await choose(/^Trade history/);
  const trade = entries('Trade history').first();
  await trade.waitFor();
  expect(await figuresOf(trade)).toMatchObject({ Fee: expect.stringMatching(/^0\.0\d* BTC$/), Role: 'Taker' });
  expect(await trade.innerText()).toMatch(MOMENT);
  expect(await isWhole(page.getByRole('list', { name: 'Trade history' }))).toBe(true);
  await expectAccessible(page);

  // The one way to support is in the bar above, and not over the lists.
  const support = await page.getByRole('button', { name: /^Live chat/ }).all();
  expect(support).toHaveLength(1);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  expect((await support[0]?.boundingBox())?.y).toBeLessThan(120);

  await page.locator('footer').getByRole('button', { name: 'Buy' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('tab', { name: 'Limit', exact: true }).click();
  const types = sheet.getByRole('tablist', { name: 'Order type' });
  expect(await isWhole(types)).toBe(true);
  const force = await sheet.getByLabel('Time in force').boundingBox();
  expect(force?.width).toBeGreaterThan(300);

  // The book is beside the fields, and a tap on one of its prices fills the form.
  const asks = sheet.getByRole('region', { name: 'Asks' });
  const ask = asks.getByRole('button').first();
  await ask.waitFor();
  const [book, amount] = [await asks.boundingBox(), await sheet.getByLabel('Amount in BTC').boundingBox()];
  expect((book?.x ?? 0) + (book?.width ?? 0)).toBeLessThan(amount?.x ?? 0);
  const limit = sheet.getByLabel('Price', { exact: true });
  await limit.fill('1');
  await ask.click();
  await expect.poll(() => limit.inputValue()).toMatch(/^\d{2,3},\d{3}\.\d$/);
  expect(await isWhole(asks)).toBe(true);
  // Nothing but the gap between its parts is left above the button.
  const below = await sheet.locator('form dl').boundingBox();
  const buy = await sheet.getByRole('button', { name: 'Buy BTC' }).boundingBox();
  expect((buy?.y ?? 0) - (below?.y ?? 0) - (below?.height ?? 0)).toBeLessThan(40);
  await expectAccessible(page);
  await page.context().close();
});

it('the tabs of a long language scroll in their heading, and the page is no wider than the phone', async () => {
  const page = await stage.open({ as: trader, viewport: PHONE, keeps: { preferences: { locale: 'spanish' } } });
  await page.goto('/trades/spot/BTC');
  const last = page.getByLabel('Tus listas').getByRole('tab', { name: 'Fondos' });
  await last.waitFor();
  await expectFits(page);
  await last.click();
  await page.getByText('Valor (USDT)').first().waitFor();
  await expectFits(page);
  await page.context().close();
});

it('what an order would come to is on one line each, so that typing moves no button', async () => {
  const page = await stage.open({ as: trader, viewport: PHONE });
  await page.goto('/trades/spot/ETH');
  await page.locator('[data-status=full]').waitFor();
  await page.getByRole('button', { name: 'Buy', exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Buy ETH' }).waitFor();
  const heights = () =>
    sheet.locator('dl > div').evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().height));
  const before = await heights();
  await sheet.getByLabel('Amount in ETH').fill('12.3456');
  await sheet.getByText('0.01234560 ETH').waitFor();
  expect(await heights()).toEqual(before);
  await page.context().close();
});

it('the tools of the chart are as large as a finger needs', async () => {
  const page = await stage.open({ as: trader, viewport: PHONE });
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  const chart = page.getByRole('region', { name: 'Chart', exact: true });
  await chart.getByRole('button', { name: 'Drawing tools', exact: true }).click();
  await chart.getByRole('toolbar').getByRole('button').first().waitFor();
  const small = await chart.locator('button, select').evaluateAll((controls) =>
    controls
      .map((control) => ({ name: control.ariaLabel ?? control.textContent, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 40 || box.height < 40)
      .map(({ name }) => name),
  );
  expect(small).toEqual([]);
  await expectFits(page);
  await page.context().close();
});
