/** Deposits in the browser: a newcomer's way from the address to the balance, and the histories. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { newPerson, type Person } from './people.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let person: Person;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  person = await newPerson(stage, 'depositor');
  page = person.page;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  complaints = complaintsOf(page);
});
afterAll(() => stage?.close());

const form = (on = page) => on.getByRole('region', { name: 'Deposit', exact: true });
const recent = () => page.getByRole('region', { name: 'Recent Deposits' });
const rows = (on = page) => on.locator('main table tbody tr');
const dialog = (name: string, on = page) => on.getByRole('dialog', { name });
const notice = () => page.locator('.mantine-Notification-root');
const mine = (network: string, blocks: number) =>
  person.call('POST', '/api/dev/chains/mine', { network, blocks });

async function chooseCoin(coin: string): Promise<void> {
  await form().getByRole('combobox', { name: 'Coin' }).click();
  await page.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).click();
}

/** Of a form that is there. */
const networks = () => form().getByRole('radio').evaluateAll((radios) => radios.map((radio) => radio.parentElement?.firstElementChild?.nextElementSibling?.textContent));

describe('what can be deposited', () => {
  it('a visitor signs in first, and comes back (T-deposit-02)', async () => {
    const visitor = await stage.open();
    await visitor.goto('/wallet/deposit');
    await visitor.waitForURL(/\/signin\?return=%2Fwallet%2Fdeposit$/);
    await visitor.context().close();
  });

  it('four coins, each by its networks, and no network is taken for granted where there are several (T-deposit-01) (T-deposit-03) (T-deposit-04) (T-deposit-39) (T-deposit-40) (T-deposit-41)', async () => {
    await page.goto('/wallet/deposit');
    await form().getByText('Choose a network to see your USDT address.').waitFor();
    const stable = ['Tron (TRC20)', 'Ethereum (ERC20)', 'BNB Smart Chain (BEP20)'].map((name) => expect.stringMatching(name.slice(-6)));
    expect(await networks()).toEqual(stable);
    await form().getByRole('combobox', { name: 'Coin' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(4);
    await page.keyboard.press('Escape');
    await chooseCoin('USDC');
    await form().getByText('Choose a network to see your USDC address.').waitFor();
    expect(await networks()).toEqual(stable);
    await chooseCoin('BTC');
    await form().getByRole('button', { name: 'Generate Address' }).waitFor();
    expect(await networks()).toHaveLength(1);
    await page.waitForURL(/coin=BTC$/);
    await page.goto('/wallet/deposit?coin=eth');
    await form().getByRole('button', { name: 'Generate Address' }).waitFor();
    expect(await networks()).toEqual([expect.stringContaining('ERC20')]);
  });
});
