/** Every type of order in the futures terminal, from its form: triggered, in slices, in parts, and alerts beside them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { complaintsOf, expectAccessible, expectFits } from './browser.ts';
import { DESK, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const SYMBOL = 'BTC-USDT-SWAP';

interface Order {
  readonly id: string;
  readonly type: string;
  readonly visible_quantity?: string;
  readonly trigger: { readonly kind: string; readonly trigger_by: string; readonly stop_price: string } | null;
}

interface Positions {
  readonly positions: readonly { readonly quantity: string }[];
  readonly account: { readonly free: string };
}

let stage: Stage;
let trader: Session;
let page: Page;

const asked = () => trader.call<Positions>('GET', '/api/v3/futures/positions');
const openOrders = async () =>
  (await trader.call<{ orders: Order[] }>('GET', '/api/v3/trades/open-orders?market=futures')).orders;
const form = () => page.getByRole('form', { name: 'Long BTC' });
const dialog = () => page.getByRole('dialog');
const notice = (text: string) => page.getByRole('alert').filter({ hasText: text });
const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  await trader.call('POST', '/api/v3/futures/transfer', {
    ...{ coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '5000', transaction_password: TRADER.pin },
  });
  await vi.waitUntil(async () => Number((await asked()).account.free) === 5_000, { timeout: 60_000, interval: 500 });
  page = await stage.open({ as: trader, viewport: { ...DESK, height: 1_200 } });
  await page.goto('/trades/futures/BTC');
  await form()
    .getByText(/^0\.\d+ BTC$/)
    .waitFor();
  await page.getByRole('tab', { name: 'Open orders' }).click();
}, 120_000);
afterAll(() => stage?.close());

async function choose(type: string): Promise<void> {
  await page.getByRole('button', { name: 'More order types' }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).click();
}

/** A price near the market, by what the exchange says. */
async function price(factor: number): Promise<string> {
  type Rate = { readonly mark_price: string };
  const { mark_price: mark } = await trader.call<Rate>('GET', `/api/v3/futures/funding-rates?symbol=${SYMBOL}&limit=1`);
  return (Number(mark) * factor).toFixed(1);
}

/** Presses the button of a form, reads what is asked, and confirms. */
async function send(said: readonly RegExp[], side = form(), button = 'Long BTC'): Promise<void> {
  const before = new Set((await openOrders()).map(({ id }) => id));
  await side.getByRole('button', { name: button }).click();
  for (const text of said) await expect.poll(() => dialog().innerText()).toMatch(text);
  await expectAccessible(page);
  await dialog().getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
  await dialog().getByRole('button', { name: 'Confirm' }).click();
  await dialog().waitFor({ state: 'detached' });
  // Others may end meanwhile, as a TWAP does with its last slice.
  await expect.poll(async () => (await openOrders()).filter(({ id }) => !before.has(id))).toHaveLength(1);
}

describe('an order of the futures terminal', () => {
  it('waits for the price that was chosen, on the right side of it, and needs nothing until then', async () => {
    const complaints = complaintsOf(page);
    await choose('Stop market');
    await form().getByRole('radio', { name: 'Index' }).check();
    await form()
      .getByLabel('Stop price')
      .fill(await price(0.9));
    await form().getByLabel('Total in USDT').fill('2000');
    await form().getByText('Cost when triggered').waitFor();
    await form().getByRole('button', { name: 'Long BTC' }).click();
    await form().getByText('Must be above the index price').waitFor();
    await form()
      .getByLabel('Stop price')
      .fill(await price(1.2));
    await send([/Triggered by\s+Index price/, /Cost when triggered/, /Stop price/]);
    expect((await openOrders())[0]?.trigger).toMatchObject({ kind: 'stop_market', trigger_by: 'index' });
    expect((await asked()).account.free).toMatch(/^5000(\.0+)?$/);
    await row(/Stop market/).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a part of itself at a time', async () => {
    await page.getByLabel('Order type').getByRole('tab', { name: 'Limit' }).click();
    await form().getByRole('button', { name: 'Iceberg' }).click();
    await form()
      .getByLabel('Price', { exact: true })
      .fill(await price(0.97));
    await form().getByLabel('Total in USDT').fill('2000');
    await form().getByLabel('Visible amount').fill('0.002');
    await send([/Visible amount\s+0\.00200 BTC/, /Time in force\s+Good till cancelled/]);
    expect((await openOrders()).map(({ visible_quantity: visible }) => visible)).toContain('0.00200');
    await form().getByRole('button', { name: 'Iceberg' }).click();
  });

  it('opens a position slice by slice', async () => {
    await choose('TWAP');
    await form()
      .getByLabel('Price', { exact: true })
      .fill(await price(1.03));
    await form().getByLabel('Total in USDT').fill('600');
    await form().getByRole('textbox', { name: 'Interval' }).fill('4s');
    await form().getByRole('textbox', { name: 'Duration' }).fill('12s');
    await form()
      .getByText(/^3 slices of about 0\.00\d+ BTC, one every 4s, until /)
      .waitFor();
    await send([/Schedule\s+3 slices/]);
    await row(/[12]\/3 slices/).waitFor();
    await expect.poll(async () => (await asked()).positions.length, { timeout: 20_000 }).toBe(1);
  });

  it('is told once to be above what there is while that moves with the position, with its button where it was', async () => {
    await page.getByLabel('Order type').getByRole('tab', { name: 'Market' }).click();
    const amount = form().getByLabel('Total in USDT');
    const place = () => form().getByRole('button', { name: 'Long BTC' }).boundingBox();
    const before = await place();
    await amount.fill('9000000');
    const tooMuch = form().getByText(/^Insufficient balance/);
    const announced = page.locator('p.visually-hidden[aria-live=polite]');
    await expect.poll(() => announced.innerText()).toMatch(/^Insufficient balance/);
    const told = await announced.innerText();
    expect(await place()).toEqual(before);
    await expect.poll(() => tooMuch.innerText(), { timeout: 20_000 }).not.toBe(told);
    expect(await announced.innerText()).toBe(told);
    expect(await form().getByRole('alert').count()).toBe(0);
    // The slider is at its end already.
    await form().getByRole('slider').press('End');
    await tooMuch.waitFor({ state: 'detached' });
    await amount.fill('9000000');
    await tooMuch.waitFor();
    const rail = await form().getByRole('slider').boundingBox();
    await page.mouse.click((rail?.x ?? 0) + (rail?.width ?? 0) - 12, (rail?.y ?? 0) + 12);
    await tooMuch.waitFor({ state: 'detached' });
    await amount.fill('');
    await expect.poll(() => announced.innerText()).toBe('');
  });

  it('closes what is open by a trailing stop, as the form says', async () => {
    await choose('Trailing stop');
    const sell = page.getByRole('form', { name: 'Short BTC' });
    await sell.getByLabel('Reduce only').check();
    await sell.getByRole('radio', { name: 'Last' }).check();
    await sell.getByRole('slider').press('End');
    await send([/Trailing distance\s+1%/, /Triggered by\s+Last price/, /Reduce only/], sell, 'Close long BTC');
    expect((await openOrders())[0]?.trigger).toMatchObject({ kind: 'trailing_stop', trigger_by: 'last' });
    await sell.getByLabel('Reduce only').uncheck();
  });
});

it('tells when a perpetual reaches a price', async () => {
  await page.getByRole('button', { name: 'Price alerts' }).click();
  await dialog()
    .getByLabel(`Notify me when ${SYMBOL} reaches`)
    .fill(await price(1.1));
  await dialog().getByRole('button', { name: 'Set alert' }).click();
  await notice('Alert set').waitFor();
  await dialog().getByRole('list', { name: 'Your alerts' }).getByText(SYMBOL).waitFor();
  await page.keyboard.press('Escape');
});

it('keeps its form within a phone, whatever the type', async () => {
  const phone = await stage.open({ as: trader, viewport: PHONE, keeps: { preferences: { locale: 'german' } } });
  await phone.goto('/trades/futures/BTC');
  await phone.getByRole('button', { name: 'Weitere Ordertypen' }).click();
  await phone.getByRole('menuitem', { name: /^OCO/ }).click();
  const choice = phone.getByRole('radiogroup', { name: 'Ausgelöst durch' }).first();
  await choice.waitFor();
  await expectFits(phone);
  expect(await choice.evaluate((list) => list.scrollWidth - list.clientWidth)).toBeLessThanOrEqual(0);
  await phone.context().close();
});
