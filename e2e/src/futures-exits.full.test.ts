/** A position in the futures terminal with take profit and stop loss, until the mark price reaches one. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { complaintsOf, expectAccessible, textUnder } from './browser.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

const WIDE = { width: 1500, height: 1000 } as const;
const ROW = 'BTC-USDT-SWAP';

let stage: Stage;
let trader: Session;

interface Positions {
  readonly positions: readonly { readonly margin: string; readonly quantity: string }[];
  readonly account: { readonly free: string; readonly order_margin: string };
}

const asked = () => trader.call<Positions>('GET', '/api/v3/futures/positions');

beforeAll(async () => {
  // Its reconciler goes round every second, so that the transfer need not wait a minute for it.
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  await trader.call('POST', '/api/v3/futures/transfer', {
    coin_name: 'USDT',
    draw_type: 'DRAW_IN',
    transfer_amount: '5000',
    transaction_password: TRADER.pin,
  });
  await vi.waitUntil(async () => Number((await asked()).account.free) === 5_000, { timeout: 30_000, interval: 500 });
}, 90_000);
afterAll(() => stage?.close());

const tab = (page: Page, list: string, name: string | RegExp) => page.getByLabel(list).getByRole('tab', { name });
const table = (page: Page) => page.getByRole('table', { name: 'Positions' });
const row = (page: Page) => table(page).getByRole('row').filter({ hasText: ROW });
const cell = (page: Page, heading: string) => textUnder(table(page), row(page), heading);
const notice = (page: Page, text: string) => page.locator('.mantine-Notification-root').filter({ hasText: text });

async function confirm(page: Page): Promise<void> {
  const password = page.getByRole('dialog').getByLabel('Transaction password', { exact: true });
  await password.fill(TRADER.pin);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}

/** Opens one position, isolated, x10. */
async function open(page: Page): Promise<void> {
  await page.getByLabel('Margin mode').getByRole('radio', { name: 'Isolated' }).click();
  const form = page.getByRole('form', { name: 'Long BTC' });
  // Until the settings of the market are there, the form says so and sends nothing.
  await expect.poll(() => form.innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
  await form.getByLabel('Total in USDT').fill('3000');
  await form.getByRole('button', { name: 'Long BTC' }).click();
  await confirm(page);
  await notice(page, 'Order created successfully').waitFor();
}

it('sets take profit and stop loss of a position, shows and changes them, and closes when the mark reaches one', async () => {
  const page = await stage.open({ as: trader, viewport: WIDE });
  const complaints = complaintsOf(page);
  await page.goto('/trades/futures/BTC');
  await open(page);
  await row(page).waitFor();
  await page.getByRole('button', { name: `TP/SL of ${ROW}` }).click();
  const dialog = page.getByRole('dialog', { name: `TP/SL of ${ROW}` });
  const mark = Number((await cell(page, 'Mark price')).replace(/,/g, ''));
  const far = { profit: (mark * 1.05).toFixed(1), stop: (mark * 0.5).toFixed(1) };
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Enter a take profit, a stop loss, or both').waitFor();
  await dialog.getByLabel('Take profit').fill(far.stop);
  await dialog.getByText('Must be above the mark price').waitFor();
  await dialog.getByRole('radio', { name: 'Index' }).check();
  await dialog.getByText('Must be above the index price').waitFor();
  await dialog.getByRole('radio', { name: 'Mark' }).check();
  await dialog.getByLabel('Take profit').fill(far.profit);
  await dialog.getByText(/≈ \+\d+\.\d{2} USDT \(\+[45]\d\.\d{2}%\)/).waitFor();
  await dialog.getByLabel('Stop loss').fill(far.stop);
  await dialog.getByText('The position would be liquidated first').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Stop loss').press('Enter');
  await confirm(page);
  const exits = () => cell(page, 'TP/SL').then((text) => text.replace(/,/g, '').split(/\s+/));
  await expect.poll(exits).toEqual([far.profit, far.stop]);
  await expectAccessible(page);

  await tab(page, 'Your lists', /^Open orders/).click();
  const order = page.getByRole('table', { name: 'Open orders' }).getByRole('row').filter({ hasText: ROW });
  await expect.poll(() => order.innerText()).toMatch(/OCO.*by the mark price.*reduce-only.*Market\s+All/s);
  await tab(page, 'Your lists', /^Positions/).click();

  // A browser complains of refusals, which may follow.
  expect(complaints).toEqual([]);

  // Near enough for the market to reach one of them soon; refused where it has meanwhile.
  const change = async (): Promise<void> => {
    const now = Number((await cell(page, 'Mark price')).replace(/,/g, ''));
    const amendment = page.getByRole('dialog', { name: 'Change order' });
    // After a refusal it stays, for another try.
    if ((await amendment.count()) === 0) await page.getByRole('button', { name: `Change Close all of ${ROW}` }).click();
    await amendment.getByLabel('Take-profit price').fill((now + 6).toFixed(1));
    await amendment.getByLabel('Stop price').fill((now - 6).toFixed(1));
    await confirm(page);
    const refusal = notice(page, 'Change failed');
    await notice(page, 'Order changed').or(refusal).first().waitFor();
    if ((await refusal.count()) === 0) return;
    await refusal.waitFor({ state: 'detached' });
    await change();
  };
  await change();
  await page.getByText('No margins. Your open positions will appear here.').waitFor({ timeout: 90_000 });
  await expect.poll(async () => (await asked()).positions).toEqual([]);
  await tab(page, 'Your lists', /^Open orders/).click();
  await page.getByText('No open orders. Your open orders will appear here.').waitFor();
  await page.context().close();
}, 180_000);
