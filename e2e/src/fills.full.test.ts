/** Fills as a person notices them: a notice for each filled order, a sound where it is wanted, and a list that stays. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { complaintsOf, expectAccessible, expectFits } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  // Its reconciler goes round every second, so that a transfer need not wait a minute for it.
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  page = await stage.open({ as: trader });
  // The sound is counted where the browser would begin it.
  await page.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when?: number) {
      document.documentElement.dataset.tones = String(Number(document.documentElement.dataset.tones ?? 0) + 1);
      return start.call(this, when);
    };
  });
  complaints = complaintsOf(page);
});
afterAll(() => stage?.close());

const tones = () => page.evaluate(() => Number(document.documentElement.dataset.tones ?? 0));
const notice = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });
const market = (quantity: string) => ({ symbol: 'BTC-USDT', side: 'BUY', type: 'market', quantity });
const password = { transaction_password: TRADER.pin };

/** Resolves once the page's private socket has been told that it gets the orders. */
function streaming(): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (/"event":"subscribe"[^}]*"channel":"orders"/.test(String(payload))) resolve();
      });
    });
  });
}

it('the sound is off until it is chosen, and is heard when it is', async () => {
  const orders = streaming();
  await page.goto('/settings');
  await orders;
  const sound = page.getByRole('switch', { name: 'Play a sound' });
  await sound.waitFor();
  expect(await sound.isChecked()).toBe(false);
  expect(await page.getByRole('switch', { name: 'Show a notice' }).isChecked()).toBe(true);
  await sound.check();
  await expect.poll(tones).toBe(2);
  await expectAccessible(page);
});

it('a filled order is noticed once, many that fill at once together', async () => {
  const before = await tones();
  await trader.call('POST', '/api/v3/orders', { ...market('0.0123'), ...password });
  await notice('Order filled')
    .getByText(/^Bought 0\.0123 BTC at [\d,.]+$/)
    .waitFor();
  await expect.poll(tones).toBe(before + 2);
  await notice('Order filled').waitFor({ state: 'hidden' });
  const orders = Array.from({ length: 12 }, () => market('0.001'));
  await trader.call('POST', '/api/v3/orders/batch', { orders, ...password });
  await notice('12 orders filled').getByText('BTC-USDT').waitFor();
  const conversion = { name: 'BTC', delegate_type: 'BUY', number_of_order: '0.0234', trade_type: 'convert' };
  await trader.call('POST', '/api/v2/my-order', { ...conversion, ...password });
  await notice('Conversion complete')
    .getByText(/^Converted [\d,]+\.\d\d USDT to 0\.0233\d* BTC$/)
    .waitFor();
  await page.getByRole('switch', { name: 'Show a notice' }).uncheck();
  await trader.call('POST', '/api/v3/orders', { ...market('0.0077'), ...password });
  await expect.poll(tones).toBeGreaterThan(before + 4);
  expect(await notice('0.0077').count()).toBe(0);
});

it('fills stay under Notifications, new until they are seen', async () => {
  await page.goto('/account/notifications');
  const lists = page.getByRole('tablist', { name: 'Notifications' });
  await lists.getByRole('tab', { name: 'Fills New' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Bought 0.0123 BTC at' });
  await entry.getByText('New', { exact: true }).waitFor();
  expect(await page.getByRole('listitem').first().innerText()).toContain('Bought 0.0077 BTC at');
  await page
    .getByRole('listitem')
    .filter({ hasText: /Converted [\d,]+\.\d\d USDT to 0\.0233\d* BTC/ })
    .waitFor();
  await expectAccessible(page);
  await lists.getByRole('tab', { name: 'Alerts' }).click();
  await page.getByText('No alerts have triggered yet.').waitFor();
  await lists.getByRole('tab', { name: 'Fills', exact: true }).waitFor();
  // On another device as well, and there is room for it on a phone.
  const phone = await stage.open({ as: trader, viewport: PHONE });
  await phone.goto('/account/notifications?list=fills');
  const seen = phone.getByRole('listitem').filter({ hasText: 'Bought 0.0123 BTC at' });
  await seen.waitFor();
  expect(await seen.getByText('New', { exact: true }).count()).toBe(0);
  await expectFits(phone);
  expect(complaints).toEqual([]);
});

it('notices of funding are switched off for the account, on every device', async () => {
  await page.goto('/settings');
  const funding = page.getByRole('switch', { name: 'Notify me of each payment' });
  await expect.poll(() => funding.isEnabled()).toBe(true);
  expect(await funding.isChecked()).toBe(true);
  await funding.click();
  const kept = () => trader.call<{ choices: { funding: boolean } }>('GET', '/api/v3/notifications/choices');
  await expect.poll(async () => (await kept()).choices).toEqual({ funding: false });
  const phone = await stage.open({ as: trader, viewport: PHONE });
  await phone.goto('/settings');
  const same = phone.getByRole('switch', { name: 'Notify me of each payment' });
  await expect.poll(() => same.isEnabled()).toBe(true);
  expect(await same.isChecked()).toBe(false);
  await expectAccessible(phone);
  await expectFits(phone);
  expect(complaints).toEqual([]);
});

it('fills of futures are noticed and listed as those of spot are', async () => {
  const transfer = { coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '5000', ...password };
  await trader.call('POST', '/api/v3/futures/transfer', transfer);
  const free = async () =>
    (await trader.call<{ account: { free: string } }>('GET', '/api/v3/futures/positions')).account.free;
  await vi.waitUntil(async () => Number(await free()) > 0, { timeout: 90_000, interval: 500 });
  const orders = streaming();
  await page.goto('/settings');
  await orders;
  await page.getByRole('switch', { name: 'Show a notice' }).check();
  await trader.call('POST', '/api/v3/orders', { ...market('0.0119'), symbol: 'BTC-USDT-SWAP', ...password });
  await notice('Order filled')
    .getByText(/^Bought 0\.0119 BTC at [\d,.]+$/)
    .waitFor();
  await page.goto('/account/notifications?list=fills');
  const entry = page.getByRole('listitem').filter({ hasText: 'Bought 0.0119 BTC at' }).first();
  await entry.getByText(/^BTC-USDT-SWAP · Order/).waitFor();
  // Those of spot are among them.
  await page.getByRole('listitem').filter({ hasText: 'Bought 0.0123 BTC at' }).waitFor();
}, 120_000);
