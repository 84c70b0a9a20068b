/** The Back button on a phone: what is open over the page is left, and not the page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  page = await stage.open({ as: trader, viewport: PHONE });
});
afterAll(() => stage?.close());

/** A moment later: what leads to another document would end the question with this one. */
const back = () => page.evaluate(() => void setTimeout(() => history.back(), 20));
const forward = () => page.evaluate(() => void setTimeout(() => history.forward(), 20));
const path = () => new URL(page.url()).pathname;
const dialogs = () => page.getByRole('dialog');
const menuButton = () => page.getByRole('button', { name: 'Menu', exact: true });
const chatButton = () => page.getByRole('button', { name: /^Live chat/ });

/** On the markets, after the settings. */
async function begin(): Promise<void> {
  await page.goto('/settings');
  await menuButton().click();
  await dialogs().getByRole('link', { name: 'Markets', exact: true }).click();
  await page.waitForURL('**/markets/prices');
  await dialogs().waitFor({ state: 'hidden' });
}

it('closes the menu and stays on the page; forward opens nothing, and the next Back leaves the page', async () => {
  await begin();
  await menuButton().click();
  await dialogs().waitFor();
  await back();
  await dialogs().waitFor({ state: 'hidden' });
  expect(path()).toBe('/markets/prices');
  await forward();
  await page.waitForTimeout(300);
  expect([path(), await dialogs().count()]).toEqual(['/markets/prices', 0]);
  await back();
  await page.waitForURL('**/settings');
});

it('leaves the page at once where what was open was closed by its own button', async () => {
  await begin();
  for (const button of [menuButton(), chatButton()]) {
    await button.click();
    await dialogs().waitFor();
    await page.keyboard.press('Escape');
    await dialogs().waitFor({ state: 'hidden' });
  }
  await back();
  await page.waitForURL('**/settings');
  await forward();
  await page.waitForURL('**/markets/prices');
});

it('leads from where a link of the menu leads to the page before, past what was open over it', async () => {
  await begin();
  await menuButton().click();
  await dialogs().getByRole('link', { name: 'Convert' }).click();
  await page.waitForURL('**/wallet/convert');
  await dialogs().waitFor({ state: 'hidden' });
  await back();
  await page.waitForURL('**/markets/prices');
  await back();
  await page.waitForURL('**/settings');
});

it('leaves the page at once after it was loaded anew with something open', async () => {
  await begin();
  await chatButton().click();
  await dialogs().waitFor();
  await page.reload();
  await menuButton().waitFor();
  expect(await dialogs().count()).toBe(0);
  await back();
  await page.waitForURL('**/settings');
});

it('closes the chat on the first page, which is drawn without routing', async () => {
  await page.goto('/settings');
  await page.goto('/');
  await chatButton().click();
  await dialogs().waitFor();
  await back();
  await dialogs().waitFor({ state: 'hidden' });
  expect(path()).toBe('/');
  await back();
  await page.waitForURL('**/settings');
});

it("closes one after another: a menu over the terminal's sheet, then the sheet", async () => {
  await page.goto('/settings');
  await page.goto('/trades/spot/BTC');
  await page.locator('footer').getByRole('button', { name: 'Buy' }).click();
  const sheet = dialogs().filter({ hasText: 'Sell' });
  await sheet.getByRole('button', { name: 'Order settings' }).click();
  const settings = page.getByLabel('Warn when a market order slips by more than');
  await settings.waitFor();
  await back();
  await settings.waitFor({ state: 'hidden' });
  expect(await sheet.isVisible()).toBe(true);
  await back();
  await sheet.waitFor({ state: 'hidden' });
  expect(path()).toBe('/trades/spot/BTC');
  await back();
  await page.waitForURL('**/settings');
});

it('closes a list to choose from, and then what it stands in', async () => {
  await page.goto('/settings');
  await page.goto('/account/security/account_connections');
  const options = page.getByRole('option');
  await page.getByRole('button', { name: 'Add number' }).click();
  const country = dialogs().getByRole('combobox', { name: 'Country' });
  await country.click();
  await options.first().waitFor();
  await back();
  await options.first().waitFor({ state: 'hidden' });
  expect(await dialogs().count()).toBe(1);
  await country.click();
  await page.getByRole('option', { name: /^Germany/ }).click();
  await options.first().waitFor({ state: 'hidden' });
  expect(await country.inputValue()).toBe('+49 Germany');
  await back();
  await dialogs().waitFor({ state: 'hidden' });
  expect(path()).toBe('/account/security/account_connections');
  await back();
  await page.waitForURL('**/settings');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await options.first().waitFor();
  await back();
  await options.first().waitFor({ state: 'hidden' });
  expect(path()).toBe('/settings');
});

it('keeps an address that was replaced while something was open', async () => {
  await begin();
  await chatButton().click();
  await dialogs().waitFor();
  await page.evaluate(() => history.replaceState(history.state, '', '?kept=1'));
  await back();
  await dialogs().waitFor({ state: 'hidden' });
  expect(new URL(page.url()).search).toBe('?kept=1');
  await back();
  await page.waitForURL('**/settings');
});
