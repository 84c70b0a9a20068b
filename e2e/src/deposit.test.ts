/** Deposits in the browser: a newcomer's way from the address to the balance, and the histories. */
import { isFullSuite } from '@cambist/server/test/suite.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, expectFits, go, walk } from './browser.ts';
import { addressOn, details, fact, form, mine, recent, rows, send, statesOf } from './depositing.ts';
import { newPerson, PASSWORD, type Person, personAgain, TRANSACTION_PASSWORD } from './people.ts';
import { PHONE, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  // Blocks come when a test wants them.
  stage = await setStage({ DEVELOPMENT_BLOCK_SECONDS: '0' });
});
afterAll(() => stage?.close());

const generate = (page: Page) => form(page).getByRole('button', { name: 'Generate Address' });
const networks = (page: Page) => form(page).locator('fieldset label').allInnerTexts();

async function chooseCoin(page: Page, coin: string): Promise<void> {
  await form(page).getByRole('combobox', { name: 'Coin' }).click();
  await page.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).click();
}

/** Opens the screen as a link from another one does: nothing that was chosen there is left but what it keeps. */
async function reopen(page: Page, search: string): Promise<void> {
  await walk(page, '/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor();
  await go(page, `/wallet/deposit${search}`);
}

it('a visitor signs in first, and comes back (T-deposit-02)', async () => {
  const visitor = await stage.reuse();
  await visitor.goto('/wallet/deposit');
  await visitor.waitForURL(/\/signin\?return=%2Fwallet%2Fdeposit$/);
});

describe('what can be deposited', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await newPerson(stage, 'chooser', 'reuse'));
  });

  it('four coins, each by its own networks, and of several networks none is taken for granted (T-deposit-01) (T-deposit-03) (T-deposit-04) (T-deposit-39) (T-deposit-40) (T-deposit-41)', async () => {
    await walk(page, '/wallet/deposit?coin=USDT');
    const three = [/^Tron \(TRC20\)/, /^Ethereum \(ERC20\)/, /^BNB Smart Chain \(BEP20\)/].map((name) =>
      expect.stringMatching(name),
    );
    await form(page).getByText('Choose a network to see your USDT address.').waitFor();
    expect(await networks(page)).toEqual(three);
    await form(page).getByRole('combobox', { name: 'Coin' }).click();
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toHaveLength(4);
    await page.keyboard.press('Escape');
    await chooseCoin(page, 'USDC');
    await form(page).getByText('Choose a network to see your USDC address.').waitFor();
    expect(await networks(page)).toEqual(three);
    await chooseCoin(page, 'BTC');
    await generate(page).waitFor();
    expect(await networks(page)).toEqual([expect.stringMatching(/^Bitcoin\b/)]);
    expect(new URL(page.url()).search).toBe('?coin=BTC');
    // As other screens lead here.
    await go(page, '/wallet/deposit?coin=ETH');
    await generate(page).waitFor();
    expect(await networks(page)).toEqual([expect.stringContaining('(ERC20)')]);
  });

  it('the network decides the confirmations and asks for its address; both minimums are there (T-deposit-09) (T-deposit-10) (T-deposit-30) (T-deposit-31) (T-deposit-34) (T-deposit-35) (T-deposit-36) (T-deposit-37) (T-deposit-38)', async () => {
    const figures = async () => {
      const [minimum, least, credited, unlocked] = await Promise.all(
        ['Minimum deposit', 'Network minimum', 'Confirmations to be credited', 'Confirmations to withdraw'].map(
          (name) => fact(form(page), name).innerText(),
        ),
      );
      return { minimum, least, credited, unlocked };
    };
    const network = (name: string) => form(page).getByText(name, { exact: true }).click();
    const open = () => form(page).locator('summary').click();
    await reopen(page, '?coin=ETH');
    await open();
    await expect.poll(figures).toMatchObject({ minimum: '0.0013 ETH', least: '0.000000001 ETH' });
    await chooseCoin(page, 'BTC');
    await expect.poll(figures).toMatchObject({ minimum: '0.0013 BTC', least: '0.001 BTC' });
    await reopen(page, '?coin=USDC');
    await network('Tron (TRC20)');
    await open();
    await expect.poll(figures).toMatchObject({ minimum: '1 USDC', least: '0.01 USDC', credited: '20' });
    await reopen(page, '?coin=USDT');
    const asked = page.waitForRequest(/fetch\/address\?wallet_type=BEP20/);
    await network('BNB Smart Chain (BEP20)');
    await asked;
    await open();
    await expect.poll(figures).toEqual({ minimum: '1 USDT', least: '0.01 USDT', credited: '15', unlocked: '15' });
    await network('Ethereum (ERC20)');
    await expect.poll(figures).toEqual({ minimum: '1 USDT', least: '0.01 USDT', credited: '6', unlocked: '64' });
  });
});

describe('the address', () => {
  let person: Person;
  let page: Page;

  beforeEach(async () => {
    person = person ? await personAgain(stage, person.email, 'reuse') : await newPerson(stage, 'addressee', 'reuse');
    page = person.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  it('is made when it is asked for, and shown to scan, to compare and to copy (T-deposit-05) (T-deposit-06) (T-deposit-07) (T-deposit-08)', async () => {
    await page.goto('/wallet/deposit?coin=ETH');
    await generate(page).click();
    const shown = form(page).locator('[data-address]');
    await shown.waitFor();
    const address = await addressOn(person, 'ERC20');
    expect(address).toMatch(/^0x[\dA-Fa-f]{40}$/);
    expect(await shown.textContent()).toBe(address);
    // As it is selected and copied by hand.
    const selected = shown.evaluate((element) => {
      getSelection()?.selectAllChildren(element);
      return getSelection()?.toString();
    });
    expect(await selected).toBe(address);
    await form(page).getByRole('img', { name: 'QR code of the address' }).waitFor();
    await form(page)
      .getByText(/^Send only ETH on Ethereum \(ERC20\) to this address\./)
      .waitFor();
    await form(page).getByRole('button', { name: 'Copy address' }).click();
    await form(page).getByRole('button', { name: 'Copied!' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await expectAccessible(page);
  });

  it('says that it was copied, or could not be, for two seconds each (T-deposit-32) (T-deposit-33) (T-display-12)', async () => {
    await addressOn(person, 'ERC20');
    await page.clock.install();
    await page.goto('/wallet/deposit?coin=ETH');
    const button = (name: string) => form(page).getByRole('button', { name, exact: true });
    await button('Copy address').click();
    await button('Copied!').waitFor();
    await page.clock.runFor(1_000);
    expect(await button('Copied!').count()).toBe(1);
    await page.clock.runFor(1_100);
    await button('Copy address').waitFor();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
    });
    await button('Copy address').click();
    const notice = page.getByText('Unable to copy address to clipboard.', { exact: true });
    await notice.waitFor();
    await page.clock.runFor(1_500);
    expect(await notice.count()).toBe(1);
    await page.clock.runFor(1_000);
    await notice.waitFor({ state: 'detached' });
  });

  it('comes back with the last coin and network, and networks of one kind share it', async () => {
    const address = await addressOn(person, 'ERC20');
    await page.goto('/wallet/deposit?coin=USDT');
    await form(page).getByText('BNB Smart Chain (BEP20)', { exact: true }).click();
    await form(page).locator('[data-address]').waitFor();
    await reopen(page, '');
    await form(page).getByText('Your USDT address on BNB Smart Chain (BEP20)').waitFor();
    expect(await form(page).locator('[data-address]').textContent()).toBe(address);
  });
});

describe('a deposit', () => {
  let person: Person;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    person = await newPerson(stage, 'depositor', 'reuse');
    page = person.page;
    complaints = complaintsOf(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  const row = (amount: string) => rows(page).filter({ hasText: amount });

  it('grows by its confirmations, says Deposit Success on whatever page is open, and ends up in the wallet (T-deposit-11) (T-deposit-13) (T-deposit-28) (T-deposit-29) (T-display-08) (A-notifications-12)', async () => {
    await page.goto('/wallet/deposit?coin=ETH');
    await recent(page)
      .getByText(/^No deposits yet\./)
      .waitFor();
    await generate(page).click();
    const card = page.getByRole('region', { name: 'Test network' });
    await card.getByRole('textbox', { name: 'Amount' }).fill('0.75');
    await card.getByRole('button', { name: 'Send ETH here' }).click();
    await card.getByText(/1 pending\.$/).waitFor();
    await card.getByRole('button', { name: 'Mine a block' }).click();
    await row('0.750').getByText('Pending', { exact: true }).waitFor();
    await row('0.750').getByText('1 of 6 confirmations').waitFor();

    await row('0.750').click();
    await mine(person, 'ERC20', 2);
    await details(page).getByText('3 of 6 confirmations').waitFor();
    expect(await details(page).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3');
    await details(page).getByRole('button', { name: 'Copy Transaction' }).click();
    await details(page).getByRole('button', { name: 'Copied!' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0x[\da-f]{64}$/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await details(page).waitFor({ state: 'detached' });

    await page.getByRole('banner').getByRole('link', { name: 'Wallet' }).click();
    await page.waitForURL(/\/wallet$/);
    await page.locator('main h1').waitFor();
    await mine(person, 'ERC20', 3);
    const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'Deposit Success' });
    await notice.getByText(/^0\.750* ETH has arrived in your spot wallet\.$/).waitFor();
    await go(page, '/wallet?tab=spot');
    await rows(page)
      .filter({ hasText: 'ETH' })
      .getByText(/^0\.750*$/)
      .first()
      .waitFor();

    await go(page, '/wallet/deposit');
    await row('0.750').getByText('Completed', { exact: true }).waitFor();
    await row('0.750').getByText('6 of 64 confirmations').waitFor();
    // By the keyboard.
    await row('0.750').getByRole('button', { name: 'Details of 0.750 ETH' }).press('Enter');
    const step = (name: string) => details(page).getByRole('listitem').filter({ hasText: name });
    await step('Credited to your spot wallet').getByText('Done', { exact: true }).waitFor({ state: 'attached' });
    await mine(person, 'ERC20', 58);
    await step('Available to withdraw').getByText('Done', { exact: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    expect(
      await row('0.750')
        .getByText(/confirmations/)
        .count(),
    ).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('that is too small or taken back says so, and not that it is on its way', async () => {
    await send(person, 'ETH', 'ERC20', '0.0012');
    await mine(person, 'ERC20', 1);
    await expect.poll(() => statesOf(person)).toContain('BELOW_MINIMUM');
    await walk(page, '/wallet/deposit');
    await row('0.001').getByText('Below minimum', { exact: true }).waitFor();
    await send(person, 'ETH', 'ERC20', '0.375');
    await mine(person, 'ERC20', 1);
    await row('0.375').getByText('1 of 6 confirmations').waitFor();
    const replace = { network: 'ERC20', depth: 1, payments: 'DROP' };
    await person.call('POST', '/api/dev/chains/reorganize', replace);
    await row('0.375').getByText('Reversed', { exact: true }).waitFor();
    await row('0.375').click();
    await details(page).getByText('Reversed: its block is no longer part of the chain').waitFor();
  });
});

describe('without the stream', () => {
  it('deposits are read every five seconds', async () => {
    const person = await newPerson(stage, 'unconnected');
    const { page } = person;
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    await page.goto('/wallet/deposit?coin=ETH');
    await page.getByText('Reconnecting, figures may be out of date').first().waitFor();
    await send(person, 'ETH', 'ERC20', '0.125');
    await mine(person, 'ERC20', 1);
    await expect.poll(() => statesOf(person)).toEqual(['SEEN']);
    const soon = { timeout: 15_000 };
    await rows(page).first().getByText('1 of 6 confirmations').waitFor(soon);
    await mine(person, 'ERC20', 5);
    await rows(page).first().getByText('Completed').waitFor(soon);
    await page.context().close();
  });
});

describe('the chains of development', () => {
  it('show their blocks and what waits, and do what is asked', async () => {
    const person = await newPerson(stage, 'miner', 'reuse');
    const { page } = person;
    const address = await addressOn(person, 'BEP20');
    await page.goto('/dev/chain?network=BEP20');
    await page.getByLabel('Coin', { exact: true }).selectOption('USDC');
    await page.getByLabel('Amount').fill('12.5');
    await page.getByLabel('To address').fill(address);
    await page.getByRole('button', { name: 'Send' }).click();
    const waiting = (count: number) => page.getByRole('region', { name: `Waiting for a block (${count})` });
    await waiting(1).getByText('12.5').waitFor();
    await page.getByRole('button', { name: 'Mine 1', exact: true }).click();
    const newest = page.getByRole('table', { name: 'Blocks' }).locator('tbody tr').first();
    await newest.getByText(address).waitFor();
    await waiting(0).waitFor();
    await page.getByLabel('Blocks to replace').fill('1');
    await page.getByRole('button', { name: 'Reorganize, drop payments' }).click();
    await newest.getByText(address).waitFor({ state: 'detached' });
    expect(await page.getByRole('table', { name: 'Blocks' }).getByText(address).count()).toBe(0);
    await expectAccessible(page);
  });
});

describe('on a phone', () => {
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    person = await newPerson(stage, 'caller', 'reuse');
    page = person.page;
    await page.setViewportSize(PHONE);
    await send(person, 'ETH', 'ERC20', '0.625');
    await mine(person, 'ERC20', 6);
  });

  it('the network is chosen in a dialog that says how long it takes, and deposits are cards of two lines (T-deposit-14)', async () => {
    await page.goto('/wallet/deposit?coin=USDC');
    await form(page).getByRole('button', { name: 'Network Choose Network' }).click();
    const choice = page.getByRole('dialog', { name: 'Choose Network' });
    expect(await choice.getByRole('button', { name: /Confirmations/ }).allInnerTexts()).toEqual([
      expect.stringMatching(/^Tron \(TRC20\)\s+Arrives in about 2 min\s+Confirmations: 20$/),
      expect.stringMatching(/^Ethereum \(ERC20\)\s+Arrives in about 4–5 min\s+Confirmations: 6$/),
      expect.stringMatching(/^BNB Smart Chain \(BEP20\)\s+Arrives in about 4–5 min\s+Confirmations: 15$/),
    ]);
    await expectAccessible(page);
    await choice.getByRole('button', { name: /^Ethereum/ }).click();
    await choice.waitFor({ state: 'detached' });
    await form(page).locator('[data-address]').waitFor();
    const card = recent(page).getByRole('listitem').filter({ hasText: '0.625 ETH' });
    await card.getByText('Completed').waitFor();
    await card.getByText(/^ERC20 · /).waitFor();
    // All of it is the button.
    await card.click({ position: { x: 200, y: 50 } });
    await details(page).getByText('Available to withdraw').waitFor();
    await page.keyboard.press('Escape');
    await expectFits(page);
  });

  it.each([
    ['PAUSED', 'Ethereum (ERC20) deposits are paused', /another network/],
    ['BEHIND', 'Ethereum (ERC20) is running behind', /no need to send it again/],
    ['SPLIT', 'Ethereum (ERC20) nodes disagree on the latest blocks', /wait before you send/],
    ['AWAY', 'Ethereum (ERC20) cannot be reached right now', /no need to send it again/],
  ])('a network that is %s says so, and what to do', async (trouble, title, advice) => {
    await page.route('**/api/v3/deposit-networks', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ body: (await answer.text()).replaceAll('"trouble":null', `"trouble":"${trouble}"`) });
    });
    await page.goto('/wallet/deposit?coin=ETH');
    await form(page).getByRole('alert').filter({ hasText: title }).getByText(advice).waitFor();
    await page.unroute('**/api/v3/deposit-networks');
  });

  it('what cannot be read is tried again when the client says so', async () => {
    await page.route(/deposit-(networks|history)/, (route) => route.abort());
    await page.goto('/wallet/deposit?coin=ETH');
    const again = page.locator('main').getByRole('button', { name: 'Try again' });
    await expect.poll(() => again.count()).toBe(2);
    await page.unroute(/deposit-(networks|history)/);
    await again.last().click();
    await recent(page).getByRole('listitem').first().waitFor();
    // One answer says that the server is back: what else had failed is read by itself.
    await form(page).getByText('Minimum deposit').waitFor();
  });

  /** Of texts longer than in English; `npm test` looks at one of them. */
  const languages = [
    ['german', 'Letzte Einzahlungen', 'Verlauf'],
    ['spanish', 'Depósitos recientes', 'Historial'],
  ] as const;

  it.each(isFullSuite ? languages : languages.slice(0, 1))(
    'nothing is wider than the screen in %s',
    async (locale, deposits, history) => {
      const as = await stage.signIn({ username: person.email, password: PASSWORD });
      const other = await stage.reuse({ as, viewport: PHONE, keeps: { preferences: { locale } } });
      for (const [path, heading] of [
        ['/wallet/deposit?coin=ETH', deposits],
        ['/history', history],
      ] as const) {
        await walk(other, path);
        await other.getByRole('heading', { name: heading }).waitFor();
        await other.getByRole('listitem').filter({ hasText: '0,625 ETH' }).first().waitFor();
        await expectFits(other);
      }
    },
  );
});

describe('the histories', () => {
  it('deposits are ten a page, newest first, and follow the stream (T-histories-01..05) (T-deposit-12)', async () => {
    const person = await newPerson(stage, 'saver', 'reuse');
    const { page } = person;
    for (let at = 1; at <= 12; at += 1) await send(person, 'BTC', 'BTC', `0.${10 + at}`);
    await mine(person, 'BTC', 6);
    await expect.poll(() => statesOf(person)).toEqual(Array.from({ length: 12 }, () => 'UNLOCKED'));
    await page.goto('/history');
    await expect.poll(() => rows(page).filter({ hasText: 'Completed' }).count()).toBe(10);
    const tabs = page.getByRole('tab');
    expect(await tabs.allInnerTexts()).toEqual(['Deposit', 'Withdrawal', 'Buy', 'Sell']);
    expect(await tabs.first().getAttribute('aria-selected')).toBe('true');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await go(page, '/wallet/deposit');
    await recent(page).waitFor();
    await expect.poll(() => rows(page).count()).toBe(10);
    await go(page, '/history');
    await page.getByRole('tab').first().waitFor();
    await rows(page).first().waitFor();
    await send(person, 'BTC', 'BTC', '0.5');
    await mine(person, 'BTC', 1);
    await rows(page).first().getByText('0.500').waitFor();
    await rows(page).first().getByText('1 of 6 confirmations').waitFor();
    await expectAccessible(page);
  });

  /** Somebody who takes the other side of the trader's orders: no market is simulated here. */
  async function restOrders(): Promise<void> {
    const { call } = await newPerson(stage, 'maker', 'reuse');
    await call('POST', '/api/dev/faucet', { coin: 'BTC', amount: '0.1' });
    await call('POST', '/api/dev/faucet', { coin: 'USDT', amount: '1000' });
    const order = { symbol: 'BTC-USDT', type: 'limit', transaction_password: TRANSACTION_PASSWORD };
    await call('POST', '/api/v3/orders', { ...order, side: 'SELL', quantity: '0.1', price: '91260' });
    await call('POST', '/api/v3/orders', { ...order, side: 'BUY', quantity: '0.01', price: '91240' });
  }

  it('bought and sold have their own, filled or cancelled (T-histories-03) (T-histories-04) (T-histories-05) (T-histories-06) (T-histories-07) (T-histories-08) (T-histories-09) (T-histories-10) (T-histories-11) (T-histories-12) (T-histories-13) (T-spot-95)', async () => {
    await restOrders();
    const trader = await stage.signIn(TRADER);
    const password = { transaction_password: TRADER.pin };
    const order = { symbol: 'BTC-USDT', type: 'market', quantity: '0.001' };
    const buys = Array.from({ length: 11 }, () => ({ ...order, side: 'BUY' }));
    await trader.call('POST', '/api/v3/orders/batch', { orders: buys, ...password });
    await trader.call('POST', '/api/v3/orders', { ...order, side: 'SELL', quantity: '0.002', ...password });
    const { buy } = await trader.call<{ buy: { final_price: string }[] }>('GET', '/api/v3/buy-history');
    const away = (share: number) => (Number(buy[0]?.final_price) * share).toFixed(1);
    const resting = { symbol: 'BTC-USDT', type: 'limit', quantity: '0.003' };
    const page = await stage.reuse({ as: trader });
    const complaints = complaintsOf(page);
    const list = rows(page);
    await page.goto('/history');
    const choose = async (name: string) => {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.getByRole('table', { name }).waitFor();
    };
    await choose('Buy');
    await expect.poll(() => list.count()).toBe(10);
    expect(await list.filter({ hasText: 'Filled' }).count()).toBe(10);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => list.count()).toBe(1);
    await choose('Sell');
    expect(await list.allInnerTexts()).toEqual([
      expect.stringMatching(/^BTC-USDT\s+[\d,.]+\s+0\.0020*\s[\s\S]*Filled$/),
    ]);

    // Orders that come and end while the list is open.
    await trader.call('POST', '/api/v3/orders', { ...resting, side: 'SELL', price: away(1.05), ...password });
    await list.first().getByText('Pending').waitFor();
    await trader.call('POST', '/api/v3/orders', { ...resting, side: 'BUY', price: away(0.95), ...password });
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
    await list.first().getByText('Cancelled').waitFor();

    // And as the calls tell them.
    type Record = { state: string; number_of_order: string };
    const { sell } = await trader.call<{ sell: Record[] }>('GET', '/api/v3/sell-history');
    expect(sell.map(({ state, number_of_order }) => [state, number_of_order])).toEqual([
      ['DECLINED', '0.00300'],
      ['APPROVED', '0.00200'],
    ]);
    for (const tab of ['sell', 'buy']) {
      await page.goto(`/history?tab=${tab}`);
      await list.first().getByText('Cancelled').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('show what was there the last time until they are read, and nothing of who has signed out (T-histories-14)', async () => {
    const { page } = await newPerson(stage, 'newcomer', 'reuse');
    await page.goto('/history?tab=buy');
    await page.getByText(/^No buy orders yet\./).waitFor();
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('kept')));
    await expect.poll(kept).toEqual(['cambist.kept.buy-history']);
    await page.getByRole('tab', { name: 'Sell' }).click();
    await expect.poll(kept).toContain('cambist.kept.sell-history');
    await page.route(/\/api\/v3\/(buy|sell)-history/, (route) => route.abort());
    for (const side of ['sell', 'buy']) {
      await page.goto(`/history?tab=${side}`);
      await page.getByText(new RegExp(`^No ${side} orders yet\\.`)).waitFor();
    }
    await page.getByRole('tab', { name: 'Withdrawal' }).click();
    await page.getByText(/^No withdrawals yet\./).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/signin');
    await expect.poll(kept).toEqual([]);
  });
});
