/** Converting in the browser: at a quoted price and at a ratio of one's own. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { complaintsOf, expectAccessible, expectFits } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

const field = (name: string) => page.getByRole(name.endsWith('coin') ? 'combobox' : 'textbox', { name, exact: true });
const choose = async (name: string, coin: string) => {
  await field(name).click();
  await field(name).fill(coin);
  await page.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).click();
};
const submit = () => page.locator('main form').getByRole('button', { name: 'Convert' }).click();
const dialog = () => page.getByRole('dialog', { name: 'Confirm conversion' });
const password = () => dialog().getByLabel('Transaction password', { exact: true });
const renew = () => dialog().getByRole('button', { name: 'Get a new price' });
const notice = () => page.locator('.mantine-Notification-root');

/** Confirms what the dialog shows. A price is held for ten seconds only: when they are over, the next one is confirmed. */
async function confirm(): Promise<void> {
  const button = dialog().getByRole('button', { name: 'Confirm', exact: true });
  await vi.waitFor(
    async () => {
      if (await renew().isVisible()) await renew().click({ timeout: 1_000 });
      await button.click({ timeout: 1_000 });
    },
    { timeout: 30_000 },
  );
}

/** Confirms until it is converted: a market that moved by more than the margin refuses, and offers its new price. */
async function convert(converted: RegExp): Promise<{ pay: number; receive: number }> {
  const done = notice().getByText(converted);
  const shown = async (name: string) => {
    const line = dialog().locator('dl > div', { has: page.getByText(name, { exact: true }) });
    return numberIn(await line.locator('dd').innerText());
  };
  for (;;) {
    if (await renew().isVisible()) await renew().click();
    await renew().waitFor({ state: 'hidden' });
    const limits = { pay: await shown('You pay at most'), receive: await shown('You receive at least') };
    await dialog()
      .getByRole('button', { name: 'Confirm', exact: true })
      .click({ timeout: 5_000 })
      .catch(async () => renew().waitFor());
    await done.or(renew()).first().waitFor();
    if (!(await renew().isVisible())) return limits;
  }
}
const balanceOf = async (coin: string) => {
  const answer = await trader.call<{ wallet: { wallet_balance: string } }>(
    'GET',
    `/api/v3/wallet-balance?name=${coin}`,
  );
  return Number(answer.wallet.wallet_balance);
};
const numberIn = (text: string) => Number(text.replace(/,/g, '').match(/\d+(\.\d+)?/)?.[0]);

async function open(): Promise<void> {
  await page.goto('/wallet/convert');
  await page.locator('main form').waitFor();
}

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

beforeEach(async () => {
  await page?.context().close();
  page = await stage.open({ as: trader, viewport: { width: 1280, height: 900 } });
  complaints = complaintsOf(page);
  await open();
});

describe('the convert screen', () => {
  it('asks a visitor to sign in and comes back (T-convert-02)', async () => {
    const visitor = await stage.open();
    await visitor.goto('/wallet/convert');
    await visitor.waitForURL(/\/signin\?return=%2Fwallet%2Fconvert$/);
    await visitor.context().close();
  });

  it('has both tabs, both coins and amounts, a swap, Max, Convert and Back (T-convert-03..17) (T-convert-20)', async () => {
    for (const tab of ['Market', 'Limit']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      for (const name of ['From coin', 'From amount', 'To coin', 'To amount']) await field(name).waitFor();
      for (const name of ['Swap coins', 'Max', 'Back']) await page.getByRole('button', { name, exact: true }).waitFor();
      expect(await field('To amount').isEditable()).toBe(tab === 'Limit');
      await page.locator('main form').getByRole('button', { name: 'Convert' }).waitFor();
    }
    expect(await field('From coin').inputValue()).toBe('USDT');
  });

  it('keeps USDT on one side, and swaps coins and amounts (T-convert-23) (T-convert-24) (T-convert-25)', async () => {
    await choose('To coin', 'ETH');
    expect(await field('From coin').inputValue()).toBe('USDT');
    await field('From amount').fill('3000');
    await expect.poll(() => field('To amount').inputValue()).not.toBe('');
    await page.getByRole('button', { name: 'Swap coins' }).click();
    // A field that coins are searched in takes its coin's name a moment after the form has it.
    await expect.poll(() => field('From coin').inputValue()).toBe('ETH');
    await expect.poll(() => field('To coin').inputValue()).toBe('USDT');
    expect(numberIn(await field('From amount').inputValue())).toBeGreaterThan(0);
    await choose('To coin', 'BTC');
    expect([await field('From coin').inputValue(), await field('To coin').inputValue()]).toEqual(['USDT', 'BTC']);
  });

  it('takes only digits and a dot, and Max fills in the balance (T-convert-32) (T-convert-09)', async () => {
    await field('From amount').pressSequentially('1a2-.50');
    expect(await field('From amount').inputValue()).toBe('12.50');
    await page.getByRole('button', { name: 'Max' }).click();
    expect(numberIn(await field('From amount').inputValue())).toBe(await balanceOf('USDT'));
  });

  it('says what is missing or too much before any dialog (T-convert-28) (T-convert-31)', async () => {
    const tooMuch = page.getByRole('alert').filter({ hasText: /^Insufficient balance/ });
    // While it is typed, as more digits cannot mend it.
    await field('From amount').fill('999999999');
    await tooMuch.waitFor();
    await field('From amount').fill('');
    await tooMuch.waitFor({ state: 'detached' });
    await submit();
    const missing = page.getByRole('alert').filter({ hasText: 'Amount is required' });
    await missing.waitFor();
    // Other coins begin anew.
    await choose('To coin', 'ETH');
    await missing.waitFor({ state: 'detached' });
    await choose('To coin', 'BTC');
    await field('From amount').fill('999999999');
    await page
      .getByRole('alert')
      .filter({ hasText: /^Insufficient balance \([\d,.]+ USDT\)$/ })
      .waitFor();
    await field('From amount').fill('0.5');
    await page
      .getByRole('alert')
      .filter({ hasText: /^Amount must be greater than minimum buy amount \(.+\)$/ })
      .waitFor();
    expect(await dialog().count()).toBe(0);
    await expectAccessible(page);
  });

  it('fits a phone', async () => {
    await page.setViewportSize(PHONE);
    await field('From amount').fill('100');
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
    await field('From amount').waitFor();
  });
});

describe('a conversion at a quoted price', () => {
  it('shows price, reference, spread and fee, and needs the transaction password (T-convert-18) (T-convert-19) (T-convert-34)', async () => {
    await field('From amount').fill('1000');
    await page.getByText(/^The price is held for \d+ s/).waitFor();
    await submit();
    await dialog().waitFor();
    for (const name of ['You pay at most', 'Price', 'Reference price', 'Spread', 'Max. fee', 'You receive at least']) {
      await dialog().getByText(name, { exact: true }).waitFor();
    }
    await dialog().getByRole('button', { name: 'Cancel' }).waitFor();
    await expectAccessible(page);
    await confirm();
    await dialog().getByText('Password is required').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a wrong password as an alert and under its field (T-convert-36) (T-convert-37)', async () => {
    await field('From amount').fill('1000');
    await submit();
    await password().fill('not this one');
    await confirm();
    await notice().getByText('Wrong transaction password').waitFor();
    await dialog().locator('form').getByText('Wrong transaction password').waitFor();
  });

  it('moves at most what was shown for at least what was shown (T-convert-21) (T-convert-26)', async () => {
    const before = { usdt: await balanceOf('USDT'), btc: await balanceOf('BTC') };
    await field('From amount').fill('1000');
    await submit();
    await password().fill(TRADER.pin);
    const { pay, receive } = await convert(/^(Converted )?1?[\d,.]+ USDT (converted )?to [\d.]+ BTC$/);
    await dialog().waitFor({ state: 'hidden' });
    const left = before.usdt - (await balanceOf('USDT'));
    const came = (await balanceOf('BTC')) - before.btc;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(pay + 1e-7);
    expect(came).toBeGreaterThanOrEqual(receive - 1e-7);
    expect(await field('From amount').inputValue()).toBe('');
  });

  it('asks for a new price when the old one is over, and takes that (T-convert-22) (T-convert-27)', async () => {
    await choose('From coin', 'ETH');
    await field('From amount').fill('0.5');
    await submit();
    await password().fill(TRADER.pin);
    await renew().waitFor({ timeout: 15_000 });
    await convert(/^(Converted )?0\.5 ETH (converted )?to [\d,.]+ USDT$/);
  });

  it('is made once when its answer is lost, however late it is confirmed again', async () => {
    const before = await balanceOf('USDT');
    let isLost = false;
    await page.route('**/api/v3/convert', async (route) => {
      const response = await route.fetch();
      if (isLost || !response.ok()) return route.fulfill({ response });
      isLost = true;
      return route.abort();
    });
    await field('From amount').fill('1000');
    await submit();
    await password().fill(TRADER.pin);
    const unheard = dialog().getByText(/may have been done already/);
    for (;;) {
      await confirm();
      await unheard.or(renew()).first().waitFor();
      if (await unheard.isVisible()) break;
      await renew().click();
      await renew().waitFor({ state: 'hidden' });
    }
    // Longer than a price is held: another one would be another conversion.
    await page.waitForTimeout(11_000);
    expect(await renew().count()).toBe(0);
    await confirm();
    await notice()
      .getByText(/^(Converted )?1?[\d,.]+ USDT (converted )?to [\d.]+ BTC$/)
      .waitFor();
    await dialog().waitFor({ state: 'hidden' });
    expect(before - (await balanceOf('USDT'))).toBeLessThan(1100);
  });

  it('tells any other answer as something that went wrong, with what the server said (T-convert-38) (T-calls-03)', async () => {
    const problem = { type: 'about:blank', title: 'x', status: 409, code: 'PRICE_MOVED', requestId: 'x' };
    const detail = 'The price has moved. Get a new one.';
    await page.route('**/api/v3/convert', (route) =>
      route.fulfill({ status: 409, json: { ...problem, detail, message: detail } }),
    );
    await field('From amount').fill('1000');
    await submit();
    await password().fill(TRADER.pin);
    await confirm();
    await notice().getByText('Something went wrong').waitFor();
    await notice().getByText(detail).waitFor();
    await renew().waitFor();
  });
});

describe('a conversion at a ratio', () => {
  beforeEach(() => page.getByRole('tab', { name: 'Limit', exact: true }).click());

  it('becomes a limit order at that price', async () => {
    await field('From amount').fill('500');
    await field('To amount').fill('0.006');
    await page.getByText('1 BTC = 83,333.3 USDT').waitFor();
    await submit();
    await password().fill(TRADER.pin);
    await confirm();
    await notice().getByText('Order created successfully').waitFor();
    const { orders } = await trader.call<{ orders: { final_price: string; number_of_order: string }[] }>(
      'GET',
      '/api/v3/trades/open-orders',
    );
    expect(orders).toMatchObject([{ final_price: '83333.3', number_of_order: '0.00600' }]);
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });

  it('needs both amounts (T-convert-33)', async () => {
    await field('From amount').fill('500');
    await field('To amount').fill('0');
    await submit();
    await page.getByRole('alert').filter({ hasText: 'Amount is required' }).waitFor();
    expect(await dialog().count()).toBe(0);
  });
});
