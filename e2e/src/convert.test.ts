/** Converting in the browser: at a quoted price and at a ratio of one's own. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, expectFits } from './browser.ts';
import { balanceOf, type ConvertScreen, convertScreenOn, numberIn } from './converting.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let screen: ConvertScreen;
let complaints: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

async function begin(): Promise<void> {
  page = await stage.reuse({ as: trader, viewport: { width: 1280, height: 900 } });
  screen = convertScreenOn(page);
  complaints = complaintsOf(page);
  await screen.open();
}

it('the convert screen asks a visitor to sign in and comes back (T-convert-02)', async () => {
  const visitor = await stage.reuse();
  await visitor.goto('/wallet/convert');
  await visitor.waitForURL(/\/signin\?return=%2Fwallet%2Fconvert$/);
});

describe('the convert screen', () => {
  beforeEach(begin);

  it('has both tabs, both coins and amounts, a swap, Max, Convert and Back (T-convert-03..17) (T-convert-20)', async () => {
    for (const tab of ['Market', 'Limit']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      for (const name of ['From coin', 'From amount', 'To coin', 'To amount']) await screen.field(name).waitFor();
      for (const name of ['Swap coins', 'Max', 'Back']) await page.getByRole('button', { name, exact: true }).waitFor();
      expect(await screen.field('To amount').isEditable()).toBe(tab === 'Limit');
      await page.locator('main form').getByRole('button', { name: 'Convert' }).waitFor();
    }
    expect(await screen.field('From coin').inputValue()).toBe('USDT');
  });

  it('keeps USDT on one side, and swaps coins and amounts (T-convert-23) (T-convert-24) (T-convert-25)', async () => {
    await screen.choose('To coin', 'ETH');
    expect(await screen.field('From coin').inputValue()).toBe('USDT');
    await screen.field('From amount').fill('3000');
    await expect.poll(() => screen.field('To amount').inputValue()).not.toBe('');
    await page.getByRole('button', { name: 'Swap coins' }).click();
    // A field that coins are searched in takes its coin's name a moment after the form has it.
    await expect.poll(() => screen.field('From coin').inputValue()).toBe('ETH');
    await expect.poll(() => screen.field('To coin').inputValue()).toBe('USDT');
    expect(numberIn(await screen.field('From amount').inputValue())).toBeGreaterThan(0);
    await screen.choose('To coin', 'BTC');
    expect([await screen.field('From coin').inputValue(), await screen.field('To coin').inputValue()]).toEqual([
      'USDT',
      'BTC',
    ]);
  });

  it('keeps what is typed and says what of it is no amount, and Max fills in the balance (T-convert-09)', async () => {
    await screen.field('From amount').pressSequentially('12.50a');
    expect(await screen.field('From amount').inputValue()).toBe('12.50a');
    await page.getByText('Enter digits only, without “a”').waitFor();
    await page.getByRole('button', { name: 'Max' }).click();
    expect(numberIn(await screen.field('From amount').inputValue())).toBe(await balanceOf(trader, 'USDT'));
  });

  it('says what is missing or too much before any dialog (T-convert-28) (T-convert-31)', async () => {
    const tooMuch = page.getByRole('alert').filter({ hasText: /^Insufficient balance/ });
    // While it is typed, as more digits cannot mend it.
    await screen.field('From amount').fill('999999999');
    await tooMuch.waitFor();
    await screen.field('From amount').fill('');
    await tooMuch.waitFor({ state: 'detached' });
    await screen.submit();
    const missing = page.getByRole('alert').filter({ hasText: 'Amount is required' });
    await missing.waitFor();
    // Other coins begin anew.
    await screen.choose('To coin', 'ETH');
    await missing.waitFor({ state: 'detached' });
    await screen.choose('To coin', 'BTC');
    await screen.field('From amount').fill('999999999');
    await page
      .getByRole('alert')
      .filter({ hasText: /^Insufficient balance \([\d,.]+ USDT\)$/ })
      .waitFor();
    await screen.field('From amount').fill('0.5');
    await page
      .getByRole('alert')
      .filter({ hasText: /^Amount must be greater than minimum buy amount \(.+\)$/ })
      .waitFor();
    expect(await screen.dialog().count()).toBe(0);
    await expectAccessible(page);
  });

  it('fits a phone', async () => {
    await page.setViewportSize(PHONE);
    await screen.field('From amount').fill('100');
    await page.getByText(/^The price is held for \d+ s/).waitFor();
    await expectFits(page);
    await expectAccessible(page);
  });

  it('offers to try again when the wallet cannot be read', async () => {
    await page.route('**/api/v3/wallets/spot', (route) => route.abort());
    await page.reload();
    const again = page.locator('main').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/v3/wallets/spot');
    await again.click();
    await screen.field('From amount').waitFor();
  });
});

describe('a conversion at a quoted price', () => {
  beforeEach(begin);

  it('shows price, reference, spread and fee, and needs the transaction password (T-convert-18) (T-convert-19) (T-convert-34)', async () => {
    await screen.field('From amount').fill('1000');
    await page.getByText(/^The price is held for \d+ s/).waitFor();
    await screen.submit();
    await screen.dialog().waitFor();
    for (const name of ['You pay at most', 'Price', 'Reference price', 'Spread', 'Max. fee', 'You receive at least']) {
      await screen.dialog().getByText(name, { exact: true }).waitFor();
    }
    await screen.dialog().getByRole('button', { name: 'Cancel' }).waitFor();
    await expectAccessible(page);
    await screen.confirm();
    await screen.dialog().getByText('Password is required').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a wrong password as an alert and under its field (T-convert-36) (T-convert-37)', async () => {
    await screen.field('From amount').fill('1000');
    await screen.submit();
    await screen.password().fill('not this one');
    await screen.confirm();
    await screen.notice().getByText('Wrong transaction password').waitFor();
    await screen.dialog().locator('form').getByText('Wrong transaction password').waitFor();
  });

  it('moves at most what was shown for at least what was shown (T-convert-21) (T-convert-26)', async () => {
    const before = { usdt: await balanceOf(trader, 'USDT'), btc: await balanceOf(trader, 'BTC') };
    await screen.field('From amount').fill('1000');
    await screen.submit();
    await screen.password().fill(TRADER.pin);
    const { pay, receive } = await screen.convert(/^(Converted )?1?[\d,.]+ USDT (converted )?to [\d.]+ BTC$/);
    await screen.dialog().waitFor({ state: 'hidden' });
    const left = before.usdt - (await balanceOf(trader, 'USDT'));
    const came = (await balanceOf(trader, 'BTC')) - before.btc;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(pay + 1e-7);
    expect(came).toBeGreaterThanOrEqual(receive - 1e-7);
    expect(await screen.field('From amount').inputValue()).toBe('');
  });

  it('asks for a new price when the old one is over, and takes that (T-convert-22) (T-convert-27)', async () => {
    await screen.choose('From coin', 'ETH');
    await screen.field('From amount').fill('0.5');
    await screen.submit();
    await screen.password().fill(TRADER.pin);
    await screen.renew().waitFor({ timeout: 15_000 });
    await screen.convert(/^(Converted )?0\.5 ETH (converted )?to [\d,.]+ USDT$/);
  });

  it('tells any other answer as something that went wrong, with what the server said (T-convert-38) (T-calls-03)', async () => {
    const problem = { type: 'about:blank', title: 'x', status: 409, code: 'PRICE_MOVED', requestId: 'x' };
    const detail = 'The price has moved. Get a new one.';
    await page.route('**/api/v3/convert', (route) =>
      route.fulfill({ status: 409, json: { ...problem, detail, message: detail } }),
    );
    await screen.field('From amount').fill('1000');
    await screen.submit();
    await screen.password().fill(TRADER.pin);
    await screen.confirm();
    await screen.notice().getByText('Something went wrong').waitFor();
    await screen.notice().getByText(detail).waitFor();
    await screen.renew().waitFor();
  });
});

describe('a conversion at a ratio', () => {
  beforeEach(async () => {
    await begin();
    await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  });

  it('becomes a limit order at that price', async () => {
    await screen.field('From amount').fill('500');
    await screen.field('To amount').fill('0.006');
    await page.getByText('1 BTC = 83,333.3 USDT').waitFor();
    await screen.submit();
    await screen.password().fill(TRADER.pin);
    await screen.confirm();
    await screen.notice().getByText('Order created successfully').waitFor();
    const { orders } = await trader.call<{ orders: { final_price: string; number_of_order: string }[] }>(
      'GET',
      '/api/v3/trades/open-orders',
    );
    expect(orders).toMatchObject([{ final_price: '83333.3', number_of_order: '0.00600' }]);
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });

  it('needs both amounts (T-convert-33)', async () => {
    await screen.field('From amount').fill('500');
    await screen.field('To amount').fill('0');
    await screen.submit();
    await page.getByRole('alert').filter({ hasText: 'Amount is required' }).waitFor();
    expect(await screen.dialog().count()).toBe(0);
  });
});
