/** A browser that keeps nothing, as with all cookies blocked, or whose storage is full: a visit goes on as on any other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enterAs } from './people.ts';
import { type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

function forbid(): void {
  const get = () => {
    throw new DOMException('Denied', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get });
}

function fill(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };
}

it.each([
  ['forbidden', forbid],
  ['full', fill],
])('with a storage that is %s one signs in, trades and logs out', async (_name, spoil) => {
  const page = await stage.open({ serviceWorkers: 'block' });
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(spoil);
  await page.goto('/signin');
  await enterAs(page, TRADER);
  await page.waitForURL('**/wallet');

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Markets' }).click();
  await page.waitForURL('**/markets/prices');
  // By its address: the wallet, which may still be there, has links of the same name.
  await page.locator('main a[href="/trades/spot/BTC"]').first().click();
  await page.waitForURL('**/trades/spot/BTC');
  await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
  const form = page.getByRole('form', { name: 'Buy BTC' });
  await form.getByLabel('Amount in BTC').fill('0.001');
  await form.getByRole('button', { name: /Buy BTC/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Buy BTC' });
  await dialog.getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => form.getByLabel('Amount in BTC').inputValue()).toBe('');

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/signin');
  await page.getByRole('textbox', { name: 'Email', exact: true }).waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});
