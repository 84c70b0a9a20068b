/** Hedge mode, exits of an entry and fixed terms in the futures terminal. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { complaintsOf, expectAccessible, hasFocus, textUnder } from './browser.ts';
import { operatorOf } from './people.ts';
import { DESK, OPERATOR, type Session, type Stage, setStage, TRADER } from './stage.ts';

interface Positions {
  readonly positions: readonly { readonly side: string; readonly position_side?: string }[];
  readonly account: { readonly free: string };
}

let stage: Stage;
let trader: Session;

const asked = () => trader.call<Positions>('GET', '/api/v3/futures/positions');
const sides = async () => (await asked()).positions.map(({ side }) => side);

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  await trader.call('POST', '/api/v3/futures/transfer', {
    ...{ coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '5000', transaction_password: TRADER.pin },
  });
  await vi.waitUntil(async () => Number((await asked()).account.free) === 5_000, { timeout: 60_000, interval: 500 });
}, 120_000);
afterAll(() => stage?.close());

const notice = (page: Page, text: string) => page.locator('.mantine-Notification-root').filter({ hasText: text });
const form = (page: Page, coin: string) => page.getByRole('form', { name: `Long ${coin}` });
const table = (page: Page) => page.getByRole('table', { name: 'Positions' });
const rows = (page: Page, symbol: string) => table(page).getByRole('row').filter({ hasText: symbol });

async function open(coin: string): Promise<Page> {
  const page = await stage.open({ as: trader, viewport: { ...DESK, height: 1_200 } });
  await page.goto(`/trades/futures/${coin}`);
  await expect.poll(() => form(page, coin).innerText()).toMatch(new RegExp(`Max\\.\\s+[\\d,.]+ ${coin}`));
  return page;
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole('dialog').getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}

async function buy(page: Page, coin: string, total: string): Promise<void> {
  await form(page, coin).getByLabel('Total in USDT').fill(total);
  await form(page, coin)
    .getByRole('button', { name: `Long ${coin}` })
    .click();
  await confirm(page);
  await notice(page, 'Order created successfully').waitFor();
}

describe('hedge mode', () => {
  it('has a long and a short side by side, each closed by itself', async () => {
    const page = await open('BTC');
    const complaints = complaintsOf(page);
    const mode = page.getByRole('button', { name: 'One-way' });
    await mode.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(mode)).toBe(true);
    await mode.click();
    const dialog = page.getByRole('dialog', { name: 'Position mode of BTC-USDT-SWAP' });
    await dialog.getByRole('radio', { name: 'Hedge' }).check();
    await dialog.getByText('A long and a short side by side').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Hedge' }).waitFor();
    await buy(page, 'BTC', '1000');
    const short = { name: 'BTC-USDT-SWAP', delegate_type: 'SELL_EMPTY', margin: '50', leverage: '10' };
    await trader.call('POST', '/api/v2/buy-more', { ...short, transaction_password: TRADER.pin });
    await expect.poll(() => rows(page, 'BTC-USDT-SWAP').count()).toBe(2);
    expect((await sides()).sort()).toEqual(['long', 'short']);
    const operator = await stage.open({ as: await stage.signIn(OPERATOR) });
    await operator.goto('/admin/futures');
    const largest = operator.getByRole('table', { name: 'Largest positions' });
    for (const side of ['Long', 'Short']) await largest.getByText(`BTC-USDT-SWAP ${side} · Hedge mode`).waitFor();
    await operator.context().close();
    await rows(page, 'BTC-USDT-SWAP').filter({ hasText: 'Long' }).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Position' }).click();
    await confirm(page);
    await page.getByRole('status').getByText('Close Position Success').waitFor();
    await expect.poll(sides).toEqual(['short']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('exits of an entry', () => {
  it('are entered with the order and stand beside the position', async () => {
    const page = await open('ETH');
    await form(page, 'ETH').getByRole('button', { name: 'Take profit / Stop loss' }).click();
    await form(page, 'ETH').getByRole('button', { name: '%', exact: true }).click();
    await form(page, 'ETH').getByLabel('Take profit', { exact: true }).fill('20');
    await form(page, 'ETH').getByLabel('Stop loss', { exact: true }).fill('5');
    await buy(page, 'ETH', '500');
    const exits = () => textUnder(table(page), rows(page, 'ETH-USDT-SWAP'), 'TP/SL');
    await expect.poll(exits).toMatch(/[\d,]+\.\d+\s+[\d,]+\.\d+/);
    await page.context().close();
  });
});

describe('a fixed term', () => {
  it('is chosen on one card, and closing before its end says what is missing (T-futures-51) (T-futures-52) (T-futures-53) (T-futures-54) (T-futures-62)', async () => {
    const page = await open('SOL');
    await form(page, 'SOL').getByRole('button', { name: 'Fixed term' }).click();
    await form(page, 'SOL').getByLabel('Total in USDT').fill('400');
    await form(page, 'SOL').getByRole('button', { name: '7 days' }).click();
    await form(page, 'SOL').getByText('Opening costs 0.05%').waitFor();
    await form(page, 'SOL').getByRole('button', { name: 'Long SOL' }).click();
    await form(page, 'SOL')
      .getByText(/Target income: At least \d+\.\d{2} USDT/)
      .waitFor();
    await form(page, 'SOL').getByLabel('Target income', { exact: true }).fill('30');
    await form(page, 'SOL').getByLabel('Floor of total assets', { exact: true }).fill('10');
    await expectAccessible(page);
    await buy(page, 'SOL', '400');
    await rows(page, 'SOL-USDT-SWAP').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Position' }).click();
    await confirm(page);
    const dialog = page.getByRole('dialog', { name: 'This position has a fixed term' });
    await dialog.getByText('Remaining days: 7').waitFor();
    const text = await dialog.innerText();
    expect(text).toMatch(/Target income\s+30\.00 USDT/);
    expect(text).toMatch(/Floor of total assets\s+10\.00 USDT/);
    expect(text).toMatch(/End date\s+\S+/);
    expect(text).toContain('once its income is at or above 30.00 USDT, or its total assets are at or below 10.00 USDT');
    expect(text).toContain('After the term ends you can close it at any time. Liquidation may occur then');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'OK' }).click();
    expect(await sides()).toContain('long');
    // The wallet closes by the documented call, and answers alike.
    await page.goto('/wallet?tab=future');
    await rows(page, 'SOL-USDT-SWAP').getByRole('button', { name: 'Close Position' }).click();
    await confirm(page);
    await dialog.getByText('Remaining days: 7').waitFor();
    expect(await dialog.innerText()).toBe(text);
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/wallet');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await notice(page, 'The order that closes the position').count()).toBe(0);
    // Who has left before the answer is told all the same. Without its socket the page calls.
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    await page.reload();
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    await page.route('**/api/v3/futures/close*', async (route) => {
      await left;
      await route.continue();
    });
    await rows(page, 'SOL-USDT-SWAP').getByRole('button', { name: 'Close Position' }).click();
    const asked = page.waitForRequest('**/api/v3/futures/close*');
    await confirm(page);
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    leave();
    await notice(page, 'This position has a fixed term')
      .getByText(/30\.00 USDT/)
      .waitFor();
    await page.context().close();
  });
});

describe('reversing', () => {
  it('makes a short of a long only where short positions are offered', async () => {
    const page = await open('XRP');
    await buy(page, 'XRP', '50');
    const { call } = await operatorOf(stage);
    const offer = (isOn: boolean) =>
      call('POST', '/api/v3/admin/futures/form', { sells_empty: isOn, reason: 'What the form offers' });
    await offer(false);
    await page.reload();
    const reverse = page.getByRole('button', { name: 'Reverse position XRP-USDT-SWAP' });
    const dialog = page.getByRole('dialog', { name: 'Reverse position XRP-USDT-SWAP' });
    const confirmed = dialog.getByRole('button', { name: 'Reverse', exact: true });
    await reverse.click();
    await dialog.getByText('This exchange does not offer short positions here.').waitFor();
    expect(await confirmed.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await offer(true);
    await page.reload();
    await reverse.click();
    await expect.poll(() => confirmed.isDisabled()).toBe(false);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await confirmed.click();
    await confirm(page);
    await notice(page, 'Your position in XRP-USDT-SWAP was reversed.').waitFor();
    await rows(page, 'XRP-USDT-SWAP').filter({ hasText: 'Short' }).waitFor();
    await page.context().close();
  });
});
