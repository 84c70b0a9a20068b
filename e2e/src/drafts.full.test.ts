/** What was typed into a form about money outlives a reload and a look at another screen, and goes with a logout. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPerson, TRANSACTION_PASSWORD } from './people.ts';
import { DESK, type Session, type Stage, setStage, TRADER } from './stage.ts';
import { address, amount, fill, form, TRON } from './withdrawing.ts';

let stage: Stage;
let trader: Session;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  page = await stage.open({ as: trader, viewport: DESK });
});
afterAll(() => stage?.close());

const field = (name: string) => page.locator('main form').getByRole('textbox', { name, exact: true });

/** To another screen by a link, and back. */
async function lookElsewhere(path: string): Promise<void> {
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await page.waitForURL('**/markets/prices');
  await page.goBack();
  await page.waitForURL(`**${path}`);
}

async function expectKept(path: string, check: () => Promise<void>): Promise<void> {
  await page.reload();
  await check();
  await lookElsewhere(path);
  await check();
}

it('a transfer keeps wallets, coin and amount until it is made, and another coin has its own', async () => {
  await page.goto('/wallet/transfer?coin=BTC');
  await page.getByText('Spot – Funding').click();
  await field('Amount').fill('0.25');
  await expectKept('/wallet/transfer?coin=BTC', async () => {
    await expect.poll(() => field('Amount').inputValue()).toBe('0.25');
    expect(await page.locator('main form').getByLabel('To', { exact: true }).inputValue()).toBe('Funding wallet');
  });
  await page.goto('/wallet/transfer?coin=ETH');
  await field('Amount').waitFor();
  expect(await field('Amount').inputValue()).toBe('');
  await page.goto('/wallet/transfer?coin=BTC');
  await page.locator('main form').getByRole('button', { name: 'Transfer', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm transfer' });
  await dialog.getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(TRADER.pin);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.waitForURL('**/wallet');
  await page.goto('/wallet/transfer?coin=BTC');
  await field('Amount').waitFor();
  expect(await field('Amount').inputValue()).toBe('');
});

it('a conversion keeps its tab, coins and both amounts', async () => {
  await page.goto('/wallet/convert');
  await page
    .getByRole('tab', { name: 'Limit' })
    .or(page.getByText('Limit', { exact: true }))
    .first()
    .click();
  await field('From amount').fill('120');
  await field('To amount').fill('0.002');
  await expectKept('/wallet/convert', async () => {
    await expect.poll(() => field('From amount').inputValue()).toBe('120');
    expect(await field('To amount').inputValue()).toBe('0.002');
  });
});

it('a withdrawal keeps address and amount with its coin, and a logout forgets them', async () => {
  const person = await newPerson(stage, 'draft');
  page = person.page;
  await page.goto('/wallet/withdraw?coin=USDT');
  await form(page).locator('fieldset label').filter({ hasText: 'Tron (TRC20)' }).click();
  await fill(page, TRON, '12.5');
  await expectKept('/wallet/withdraw?coin=USDT', async () => {
    await expect.poll(() => amount(page).inputValue()).toBe('12.5');
    expect(await address(page).inputValue()).toBe(TRON);
  });
  await page.goto('/wallet/withdraw?coin=BTC');
  await address(page).waitFor();
  expect(await address(page).inputValue()).toBe('');
  expect(await page.evaluate(() => sessionStorage.getItem('cambist.drafts'))).toContain('12.5');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/signin');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('cambist.drafts'))).not.toContain('12.5');
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(TRANSACTION_PASSWORD);
});
