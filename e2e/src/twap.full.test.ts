/** A TWAP from the ticket to its end, by keys alone: its slices trade against the simulated market. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, hasFocus } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

interface Order {
  readonly state: string;
  readonly filled: string;
  readonly reason: string;
  readonly twap?: { readonly slices: number; readonly slices_done: number };
}

const form = () => page.getByRole('form').first();
const field = (label: string) => form().getByRole('textbox', { name: label, exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Buy BTC' });
const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: 'TWAP' }).filter({ hasText: text });

async function lastPrice(): Promise<number> {
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  return Number(answer.chart.close);
}

/** One whose limit is never reached, for its end. */
async function placeIdle(): Promise<void> {
  const price = ((await lastPrice()) * 1.05).toFixed(1);
  await trader.call('POST', '/api/v3/orders', {
    ...{ symbol: 'BTC', side: 'SELL', type: 'limit', price, quantity: '0.002', transaction_password: TRADER.pin },
    twap: { duration_seconds: 5, interval_seconds: 3 },
  });
}

async function openTerminal(): Promise<void> {
  page = await stage.open({ as: trader });
  await page.goto('/trades/spot/BTC');
  await form().locator('input').first().waitFor();
  await page.locator('[data-status=full]').waitFor();
}

async function chooseTwap(): Promise<void> {
  await page.getByRole('button', { name: 'More order types' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Stop limit' }).waitFor();
  // It is the last of seven; the first press may only bring the focus into the menu.
  const twap = page.getByRole('menuitem', { name: 'TWAP' });
  const isReached = () => hasFocus(twap);
  for (let press = 0; press < 8 && !(await isReached()); press += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await field('Duration').waitFor();
}

describe('a TWAP', () => {
  it('is entered by keys alone, says what it will do, shows its progress, and ends filled or in time', async () => {
    await openTerminal();
    await chooseTwap();
    await expect.poll(() => field('Price').inputValue()).not.toBe('');
    await field('Price').fill(((await lastPrice()) * 1.015).toFixed(1));
    await form().getByLabel('Amount in BTC').fill('0.003');
    await field('Interval').fill('5s');
    await field('Duration').fill('4s');
    await field('Duration').press('Enter');
    await form().getByText('Duration: Use 5 seconds to 24 hours').waitFor();
    expect(await dialog().count()).toBe(0);
    await expectAccessible(page);
    await field('Duration').fill('15s');
    const does = /^3 slices of about 0\.001 BTC, one every 5s, until \d\d:\d\d:\d\d$/;
    await form().getByText(does).waitFor();
    await field('Duration').press('Enter');
    await dialog().getByText(does).waitFor();
    await placeIdle();
    const password = dialog().getByLabel('Transaction password', { exact: true });
    await password.fill(TRADER.pin);
    await password.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Order created successfully' }).waitFor();

    await row(/Buy.*[12]\/3 slices, until \d\d:\d\d:\d\d/).waitFor();
    expect(
      await row('Buy')
        .getByRole('button', { name: /^Change/ })
        .count(),
    ).toBe(0);
    await row('Buy').waitFor({ state: 'detached' });
    const idle = async () =>
      (await trader.call<{ orders: Order[] }>('GET', '/api/v3/trades/open-orders')).orders.length;
    await expect.poll(idle).toBe(0);
    const path = '/api/v3/trades/order-histories?type=twap&limit=2';
    const { orders } = await trader.call<{ orders: Order[] }>('GET', path);
    expect(orders.map(({ state, filled, reason }) => [state, filled, reason])).toEqual([
      ['APPROVED', '0.00300', ''],
      ['DISSAPROVED', '0.00000', 'TIME_UP'],
    ]);
    await page.getByRole('tab', { name: 'Order history' }).press('Enter');
    await row(/Buy.*3\/3 slices.*Filled/).waitFor();
    await row(/Sell.*2\/2 slices.*Cancelled · Time is up/).waitFor();
  });

  it('can be chosen on a phone, where its menu has less room than its words take', async () => {
    page = await stage.open({ as: trader, viewport: PHONE, keeps: { preferences: { locale: 'german' } } });
    await page.goto('/trades/spot/BTC');
    await page.locator('footer').getByRole('button').first().click();
    await page.getByRole('button', { name: 'Weitere Ordertypen' }).click();
    const twap = page.getByRole('menuitem', { name: 'TWAP' });
    await twap.scrollIntoViewIfNeeded();
    await expect.poll(async () => ((await twap.boundingBox())?.y ?? PHONE.height) + 20).toBeLessThan(PHONE.height);
    await twap.click();
    await field('Dauer').waitFor();
    expect(await field('Intervall').inputValue()).toBe('1m');
  });
});
