/** The order form at the right, the axes of the depth chart, and what the tab's title says of own orders. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { DESK, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

const placed = (order: Readonly<Record<string, string>>) =>
  trader.call('POST', '/api/v3/orders', { symbol: 'BTC-USDT', ...order, transaction_password: TRADER.pin });

async function lastPrice(): Promise<number> {
  const path = '/api/v3/coin-pair/current-price?symbol=BTC';
  return Number((await trader.call<{ chart: { close: string } }>('GET', path)).chart.close);
}

it('the order form is at the right with one side at a time where that is chosen, and stays there', async () => {
  const page = await stage.open({ as: trader, viewport: DESK });
  const complaints = complaintsOf(page);
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  // A button's name is right above it.
  const tool = page.getByRole('button', { name: 'Indicators', exact: true });
  await tool.hover();
  const label = page.getByRole('tooltip').filter({ hasText: 'Indicators' });
  await label.waitFor();
  const gap = async () => {
    const [over, under] = [await label.boundingBox(), await tool.boundingBox()];
    return (under?.y ?? 0) - (over?.y ?? 0) - (over?.height ?? 0);
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
  expect(await gap()).toBeLessThan(15);
  await page.getByRole('button', { name: 'Layout' }).click();
  await page.getByRole('menuitem', { name: 'Order form on the right' }).click();
  await page.locator('[data-panel=tickets]').waitFor();
  await page.reload();
  await page.locator('[data-status=full]').waitFor();
  const panel = page.locator('[data-panel=tickets]');
  const box = await panel.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(DESK.width);
  const forms = panel.getByRole('form');
  expect(await forms.count()).toBe(1);
  await panel.getByRole('form', { name: 'Buy BTC' }).waitFor();
  await page.keyboard.press('s');
  await panel.getByRole('form', { name: 'Sell BTC' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-amount'))).toBe('SELL');
  // The kinds of orders are not cut by the choice of time in force, which has a row of its own.
  await panel.getByRole('tab', { name: 'Limit', exact: true }).click();
  const types = panel.getByRole('tablist', { name: 'Order type' });
  expect(await types.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  expect((await panel.getByLabel('Time in force').boundingBox())?.y).toBeGreaterThan(
    (await types.boundingBox())?.y ?? 0,
  );

  await page.getByRole('tab', { name: 'Depth', exact: true }).click();
  const depth = page.getByRole('img', { name: 'Depth of BTC-USDT' });
  const around = page.locator('section', { has: depth }).last();
  const prices = () => around.getByText(/^\d{2,3},\d{3}\.\d$/).allInnerTexts();
  await expect.poll(async () => (await prices()).length).toBeGreaterThanOrEqual(2);
  const area = await depth.boundingBox();
  await page.mouse.move((area?.x ?? 0) + (area?.width ?? 0) * 0.9, (area?.y ?? 0) + 60);
  await around.getByText(/^[\d.]+ BTC up to [\d,.]+$/).waitFor();
  const [sum = '', price = ''] = await around.locator('[data-pointed]').allInnerTexts();
  expect(sum).toMatch(/^[\d.]+$/);
  expect(price).toMatch(/^\d{2,3},\d{3}\.\d$/);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it("the tab's title has the price, how many orders are open, and for a moment what was filled", async () => {
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
  const page = await stage.open({ as: trader, reducedMotion: 'reduce' });
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  await expect.poll(() => page.title()).toMatch(/^[\d,]+\.\d BTC-USDT \| Cambist$/);
  const price = String(Math.round((await lastPrice()) * 0.96));
  const resting = () => placed({ side: 'BUY', type: 'limit', price, quantity: '0.01' });
  await resting();
  await expect.poll(() => page.title(), { timeout: 20_000 }).toMatch(/^\(1\) [\d,]+\.\d BTC-USDT \| Cambist$/);
  // The first may have come with the list; what follows comes by the stream, which is there from then on.
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
  await expect.poll(() => page.title(), { timeout: 20_000 }).toMatch(/^[\d,]+\.\d BTC-USDT/);
  await resting();
  await expect.poll(() => page.title(), { timeout: 20_000 }).toMatch(/^\(1\)/);
  await placed({ side: 'BUY', type: 'market', quantity: '0.02' });
  await page.waitForFunction(() => /^Filled: Buy 0\.02 BTC at [\d,]+\.\d \| Cambist$/.test(document.title));
  await expect.poll(() => page.title(), { timeout: 10_000 }).toMatch(/^\(1\) [\d,]+\.\d BTC-USDT/);
  await page.context().close();
});
