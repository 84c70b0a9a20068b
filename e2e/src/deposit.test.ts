/** Deposits in the browser: a newcomer's way from the address to the balance, and the histories. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { newPerson, type Person, personAgain } from './people.ts';
import { PHONE, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let person: Person;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  // Blocks come when a test wants them.
  stage = await setStage({ MARKET: 'simulated', DEVELOPMENT_BLOCK_SECONDS: '0' });
  person = await newPerson(stage, 'depositor');
  page = person.page;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  complaints = complaintsOf(page);
});
afterAll(() => stage?.close());

const form = (on = page) => on.getByRole('region', { name: 'Deposit', exact: true });
const recent = (on = page) => on.getByRole('region', { name: 'Recent Deposits' });
const rows = (on = page) => on.locator('main table tbody tr');
const details = (on = page) => on.getByRole('dialog', { name: 'Deposit details' });
const generate = () => form().getByRole('button', { name: 'Generate Address' });
const networks = () => form().locator('fieldset label').allInnerTexts();
const mine = (network: string, blocks: number) => person.call('POST', '/api/dev/chains/mine', { network, blocks });

async function addressOn(network: string): Promise<string> {
  const path = `/api/v3/fetch/address?wallet_type=${network}`;
  return (await person.call<{ wallet: { wallet_address: string } }>('GET', path)).wallet.wallet_address;
}

async function send(coin: string, network: string, amount: string): Promise<void> {
  const address = await addressOn(network);
  await person.call('POST', '/api/dev/chains/send', { network, coin, address, amount });
}

async function chooseCoin(coin: string): Promise<void> {
  await form().getByRole('combobox', { name: 'Coin' }).click();
  await page.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).click();
}

/** The value beside a name in a list of facts. */
const fact = (within: Locator, name: string) =>
  within
    .locator('dl > div')
    .filter({ has: within.page().getByText(name, { exact: true }) })
    .locator('dd');

describe('what can be deposited', () => {
  it('a visitor signs in first, and comes back (T-deposit-02)', async () => {
    const visitor = await stage.open();
    await visitor.goto('/wallet/deposit');
    await visitor.waitForURL(/\/signin\?return=%2Fwallet%2Fdeposit$/);
    await visitor.context().close();
  });

  it('four coins, each by its own networks, and of several networks none is taken for granted (T-deposit-01) (T-deposit-03) (T-deposit-04) (T-deposit-39) (T-deposit-40) (T-deposit-41)', async () => {
    await page.goto('/wallet/deposit');
    const three = [/^Tron \(TRC20\)/, /^Ethereum \(ERC20\)/, /^BNB Smart Chain \(BEP20\)/].map((name) =>
      expect.stringMatching(name),
    );
    await form().getByText('Choose a network to see your USDT address.').waitFor();
    expect(await networks()).toEqual(three);
    await form().getByRole('combobox', { name: 'Coin' }).click();
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toHaveLength(4);
    await page.keyboard.press('Escape');
    await chooseCoin('USDC');
    await form().getByText('Choose a network to see your USDC address.').waitFor();
    expect(await networks()).toEqual(three);
    await chooseCoin('BTC');
    await generate().waitFor();
    expect(await networks()).toEqual([expect.stringContaining('(BTC)')]);
    expect(new URL(page.url()).search).toBe('?coin=BTC');
    // As other screens lead here.
    await page.goto('/wallet/deposit?coin=ETH');
    await generate().waitFor();
    expect(await networks()).toEqual([expect.stringContaining('(ERC20)')]);
  });

  it('the network decides the confirmations and asks for its address; both minimums are there (T-deposit-09) (T-deposit-10) (T-deposit-30) (T-deposit-31) (T-deposit-34) (T-deposit-35) (T-deposit-36) (T-deposit-37) (T-deposit-38)', async () => {
    const figures = async () => {
      const [minimum, least, credited, unlocked] = await Promise.all(
        ['Minimum deposit', 'Network minimum', 'Confirmations to be credited', 'Confirmations to withdraw'].map(
          (name) => fact(form(), name).innerText(),
        ),
      );
      return { minimum, least, credited, unlocked };
    };
    await form().locator('summary').click();
    expect(await figures()).toMatchObject({ minimum: '0.0013 ETH', least: '0.000000001 ETH' });
    await chooseCoin('BTC');
    await expect.poll(figures).toMatchObject({ minimum: '0.0013 BTC', least: '0.001 BTC' });
    await chooseCoin('USDT');
    const asked = page.waitForRequest(/fetch\/address\?wallet_type=BEP20/);
    await form().getByText('BNB Smart Chain (BEP20)').click();
    await asked;
    await form().locator('summary').click();
    expect(await figures()).toEqual({ minimum: '1 USDT', least: '0.01 USDT', credited: '15', unlocked: '15' });
    await form().getByText('Ethereum (ERC20)').click();
    await expect.poll(figures).toEqual({ minimum: '1 USDT', least: '0.01 USDT', credited: '6', unlocked: '64' });
    await chooseCoin('USDC');
    await form().getByText('Tron (TRC20)').click();
    await expect.poll(figures).toMatchObject({ minimum: '1 USDC', least: '0.01 USDC', credited: '1' });
  });
});

describe('the address', () => {
  it('is made when it is asked for, and shown to scan, to compare and to copy (T-deposit-05) (T-deposit-06) (T-deposit-07) (T-deposit-08)', async () => {
    await page.goto('/wallet/deposit?coin=ETH');
    await generate().click();
    const shown = form().locator('[data-address]');
    await shown.waitFor();
    const address = await addressOn('ERC20');
    expect(address).toMatch(/^0x[\dA-Fa-f]{40}$/);
    expect(await shown.textContent()).toBe(address);
    await form().getByRole('img', { name: 'QR code of the address' }).waitFor();
    await form()
      .getByText(/^Send only ETH on Ethereum \(ERC20\) to this address\./)
      .waitFor();
    await expectAccessible(page);
  });

  it('says that it was copied, or could not be, for two seconds each (T-deposit-32) (T-deposit-33) (T-display-12)', async () => {
    const { page: other } = await personAgain(stage, person.email);
    await other.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await other.clock.install();
    await other.goto('/wallet/deposit?coin=ETH');
    const button = (name: string) => form(other).getByRole('button', { name, exact: true });
    await button('Copy address').click();
    await button('Copied!').waitFor();
    expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(await addressOn('ERC20'));
    await other.clock.runFor(2_100);
    await button('Copy address').waitFor();
    await other.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
    });
    await button('Copy address').click();
    const notice = other.getByText('Unable to copy address to clipboard.', { exact: true });
    await notice.waitFor();
    await other.clock.runFor(1_500);
    expect(await notice.count()).toBe(1);
    await other.clock.runFor(1_000);
    await notice.waitFor({ state: 'detached' });
    await other.context().close();
  });

  it('networks of one kind share it, and it comes back with the last coin and network', async () => {
    await page.goto('/wallet/deposit');
    await chooseCoin('USDT');
    await form().getByText('BNB Smart Chain (BEP20)').click();
    const address = await form().locator('[data-address]').textContent();
    expect(address).toMatch(/^0x/);
    await page.goto('/wallet/deposit');
    await form().getByText('Your USDT address on BNB Smart Chain (BEP20)').waitFor();
    expect(await form().locator('[data-address]').textContent()).toBe(address);
    expect(complaints).toEqual([]);
  });
});

describe('a deposit', () => {
  const row = (amount: string) => rows().filter({ hasText: amount });

  it('grows by its confirmations from the moment that the network has it (T-deposit-11) (T-deposit-13) (T-deposit-29) (T-display-08)', async () => {
    await page.goto('/wallet/deposit?coin=ETH');
    await recent()
      .getByText(/^No deposits yet\./)
      .waitFor();
    const card = page.getByRole('region', { name: 'Test network' });
    await card.getByRole('textbox', { name: 'Amount' }).fill('0.75');
    await card.getByRole('button', { name: 'Send ETH here' }).click();
    await card.getByText(/1 pending\.$/).waitFor();
    await card.getByRole('button', { name: 'Mine a block' }).click();
    await row('0.750').getByText('Pending', { exact: true }).waitFor();
    await row('0.750').getByText('1 of 6 confirmations').waitFor();
    await row('0.750').click();
    await details().getByText('0.75', { exact: false }).first().waitFor();
    await mine('ERC20', 2);
    await details().getByText('3 of 6 confirmations').waitFor();
    expect(await details().getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3');
    await details().getByRole('button', { name: 'Copy Transaction' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0x[\da-f]{64}$/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
  });

  it('says Deposit Success on whatever page is open, and is in the wallet (A-notifications-12)', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Wallet' }).click();
    await page.waitForURL(/\/wallet$/);
    await page.locator('main h1').waitFor();
    await mine('ERC20', 3);
    const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'Deposit Success' });
    await notice.getByText(/^0\.75(0*) ETH has arrived in your spot wallet\.$/).waitFor();
    await page
      .locator('main')
      .getByText(/^0\.75(0*)$/)
      .first()
      .waitFor();
  });

  it('is completed, and can be withdrawn once it is deep enough (T-deposit-28)', async () => {
    await page.goto('/wallet/deposit?coin=ETH');
    await row('0.750').getByText('Completed', { exact: true }).waitFor();
    await row('0.750').getByText('6 of 64 confirmations').waitFor();
    // By the keyboard.
    await row('0.750').getByRole('button', { name: 'Details of 0.750 ETH' }).press('Enter');
    const step = (name: string) => details().getByRole('listitem').filter({ hasText: name });
    await step('Credited to your spot wallet').getByText('Done', { exact: true }).waitFor({ state: 'attached' });
    await mine('ERC20', 58);
    await step('Available to withdraw').getByText('Done', { exact: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    expect(
      await row('0.750')
        .getByText(/confirmations/)
        .count(),
    ).toBe(0);
  });

  it('that is too small or taken back says so, and not that it is on its way', async () => {
    await send('ETH', 'ERC20', '0.0012');
    await mine('ERC20', 1);
    await row('0.001').getByText('Below minimum', { exact: true }).waitFor();
    await send('ETH', 'ERC20', '0.375');
    await mine('ERC20', 1);
    await row('0.375').getByText('1 of 6 confirmations').waitFor();
    await person.call('POST', '/api/dev/chains/reorganize', { network: 'ERC20', depth: 1, payments: 'DROP' });
    await row('0.375').getByText('Reversed', { exact: true }).waitFor();
    await row('0.375').click();
    await details().getByText('Reversed: its block is no longer part of the chain').waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });
});
