/** The wallet: its tabs, what everything is worth, each coin on a page of its own, and the eye that covers amounts. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, expectFits, go } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';
import { installWallet } from './wallet-extension.ts';

const SIZE = { width: 1440, height: 1000 };

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

const market = { type: 'market', transaction_password: TRADER.pin };
const buy = (symbol: string, quantity: string) =>
  trader.call('POST', '/api/v3/orders', { ...market, symbol, side: 'BUY', quantity });

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated', TRANSFER_CONFIRMATIONS: '1' });
  trader = await stage.signIn(TRADER);
  await buy('SOL', '10');
  const { chart } = await trader.call<{ chart: { close: string } }>(
    'GET',
    '/api/v3/coin-pair/current-price?symbol=SOL',
  );
  const price = String(Math.ceil(Number(chart.close) * 1.05));
  await trader.call('POST', '/api/v3/orders', {
    ...market,
    symbol: 'SOL',
    side: 'SELL',
    type: 'limit',
    price,
    quantity: '1',
  });
  for (let count = 0; count < 21; count += 1) await buy('ADA', '40');
  const moved = { from: 'SPOT', to: 'FUTURE', coin: 'ADA', amount: '100', transaction_password: TRADER.pin };
  await trader.call('POST', '/api/v3/transfers', moved);
  page = await stage.open({ as: trader, viewport: SIZE });
  complaints = complaintsOf(page);
}, 120_000);
afterAll(() => stage?.close());

const region = (name: string) => page.getByRole('region', { name, exact: true });
const tabs = () => page.getByRole('navigation', { name: 'Wallet' }).getByRole('link');
const href = (link: Locator) => link.getAttribute('href');
const address = () => new URL(page.url()).pathname + new URL(page.url()).search;
const numberIn = (text: string) =>
  Number(
    text
      .replaceAll(',', '')
      .replace('−', '-')
      .replace(/[^\d.-]/g, ''),
  );

interface Overview {
  readonly overviewTotal: string;
  readonly futureTotal: string;
}
const overview = () => trader.call<Overview>('GET', '/api/v3/overview');
const total = async () => Number((await overview()).overviewTotal);
/** Prices move while a test looks. */
const expectNear = (shown: number, exact: number) => expect(Math.abs(shown - exact) / exact).toBeLessThan(0.02);

describe('the overview', () => {
  it('has the total in four currencies with four decimals, and keeps the choice (T-wallet-overview-06, T-wallet-overview-07, T-display-07, T-external-feed-02)', async () => {
    await page.goto('/wallet');
    const sum = region('Total balance');
    await sum.getByText(/^[\d,]+\.\d{4}$/).waitFor();
    const menu = sum.getByRole('combobox', { name: 'Currency of the total' });
    expect(await menu.getByRole('option').allInnerTexts()).toEqual(['USDT', 'USDC', 'BTC', 'ETH']);
    expectNear(numberIn(await sum.getByText(/^[\d,]+\.\d{4}$/).innerText()), await total());
    const asked = page.waitForRequest((request) => request.url().includes('instId=BTC-USD-SWAP'));
    await menu.selectOption('BTC');
    await asked;
    const inBitcoin = async () => numberIn(await sum.getByText(/^\d+\.\d{4}$/).innerText());
    await sum.getByText(/^\d\.\d{4}$/).waitFor();
    const { data } = await trader.call<{ data: { last: string }[] }>(
      'GET',
      '/api/v5/market/ticker?instId=BTC-USD-SWAP',
    );
    expectNear(await inBitcoin(), (await total()) / Number(data[0]!.last));
    expect(await page.evaluate(() => localStorage.getItem('cambist.wallet-currency'))).toContain('"BTC"');
    await menu.selectOption('USDC');
    await sum.getByText(/^[\d,]{6,}\.\d{4}$/).waitFor();
    await menu.selectOption('USDT');
  });

  it('leads to deposits, withdrawals, transfers and the history, and has a card for each account (T-wallet-overview-08..13, T-wallet-overview-15..18)', async () => {
    const links = async (name: string) =>
      Object.fromEntries(
        await Promise.all(
          (await region(name).getByRole('link').all()).map(async (link) => [await link.innerText(), await href(link)]),
        ),
      ) as Record<string, string>;
    const ways = { Deposit: '/wallet/deposit', Withdraw: '/wallet/withdraw', Transfer: '/wallet/transfer' };
    expect(await links('Total balance')).toEqual({ ...ways, History: '/history' });
    expect(await links('Total Balance (USDT)')).toEqual(ways);
    expectNear(
      numberIn(
        await region('Total Balance (USDT)')
          .getByText(/^[\d,]+\.\d{4}$/)
          .innerText(),
      ),
      await total(),
    );
    expect(await links('Wallets')).toMatchObject({
      ...{ Spot: '/wallet?tab=spot', Future: '/wallet?tab=future', Earn: '/wallet?tab=earn' },
    });
    const spot = region('Wallets').getByRole('article', { name: 'Spot wallet' });
    expectNear(numberIn(/^[\d,]+\.\d\d(?= USDT$)/m.exec(await spot.innerText())![0]), await total());
    const future = region('Wallets').getByRole('article', { name: 'Futures wallet' });
    const { futureTotal } = await overview();
    expect(Number(futureTotal)).toBeGreaterThan(1);
    expectNear(numberIn(/^[\d,]+\.\d\d(?= USDT$)/m.exec(await future.innerText())![0]), Number(futureTotal));
    const earn = region('Wallets').getByRole('article', { name: 'Earn' });
    expect((await earn.innerText()).split(/\s+/)).toEqual(expect.arrayContaining(['0.00', 'USDT']));
  });

  it('lists all coins by value, says which part of the whole each is, and what they have gained (T-wallet-overview-19..22, T-wallet-overview-28..31)', async () => {
    const portfolio = page.getByRole('table', { name: 'Portfolio' });
    await portfolio.getByRole('row', { name: /Solana/ }).waitFor();
    const rows = portfolio.getByRole('row').filter({ has: page.getByRole('cell') });
    const values = (await Promise.all((await rows.all()).map((row) => row.getByRole('cell').nth(2).innerText()))).map(
      numberIn,
    );
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual(values.toSorted((left, right) => right - left));
    const shares = page.getByRole('table', { name: 'Asset Distribution' }).getByRole('row');
    const parts = (await shares.allInnerTexts()).flatMap((text) => /([\d.]+)%/.exec(text)?.[1] ?? []).map(Number);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeGreaterThan(99);
    // The ring has a slice for each line beside it.
    expect(await region('Asset Distribution').locator('svg circle').count()).toBe(parts.length);
    const pnl = region('Asset Distribution').getByText('PNL').locator('..');
    await expect.poll(() => pnl.innerText()).toMatch(/^PNL\s+[+−]?[\d,]+\.\d\d\s+[+−]?\d+\.\d\d%$/);
    const gained = await trader.call<{ spotProfit: string }>('GET', '/api/v3/coin-spot-pnl');
    // Within what a moving price does to two hundred thousand.
    const shown = numberIn((await pnl.innerText()).split(/\s+/)[1]!);
    expect(Math.abs(shown - Number(gained.spotProfit))).toBeLessThan((await total()) / 50);
  });

  it('draws what everything was worth on each day, of 7, 30 or 90 of them (T-wallet-overview-23)', async () => {
    const days = page.getByRole('table', { name: 'Estimated Balance' }).getByRole('rowheader');
    await expect.poll(() => days.count()).toBe(31);
    for (const [range, count] of [
      ['7D', 8],
      ['90D', 91],
    ] as const) {
      await region('Estimated Balance').getByText(range, { exact: true }).click();
      await expect.poll(() => days.count()).toBe(count);
    }
    const cells = await page.getByRole('table', { name: 'Estimated Balance' }).getByRole('cell').allInnerTexts();
    // A new account had nothing on the days before.
    expect(numberIn(cells[0]!)).toBe(0);
    expectNear(numberIn(cells.at(-1)!), await total());
    await expectAccessible(page);
  });

  it('has tabs that the address names, and the browser leads back (T-wallet-overview-01..05)', async () => {
    expect(await tabs().allInnerTexts()).toEqual(['Overview', 'Spot', 'Earn', 'Future', 'Web3']);
    for (const [tab, heading] of [
      ['Web3', 'Web3'],
      ['Earn', 'Earn'],
      ['Future', 'Futures wallet'],
      ['Spot', 'Spot wallet'],
    ] as const) {
      await tabs().filter({ hasText: tab }).click();
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      expect(address()).toBe(`/wallet?tab=${tab.toLowerCase()}`);
      expect(await tabs().filter({ hasText: tab }).getAttribute('aria-current')).toBe('page');
    }
    await page.goBack();
    await page.getByRole('tab', { name: 'Assets' }).click();
    await page
      .getByRole('table', { name: 'Assets' })
      .getByRole('row', { name: /Cardano/ })
      .waitFor();
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Spot wallet' }).waitFor();
  });
});

describe('the spot tab', () => {
  it('lists thirty coins a page, finds one, and leads to its market, a transfer and its page (T-wallet-spot-01..08, T-wallet-spot-10, T-wallet-spot-11)', async () => {
    const table = page.getByRole('table', { name: 'Coins' });
    const rows = table.getByRole('row').filter({ has: page.getByRole('cell') });
    await rows.first().waitFor();
    expect((await table.getByRole('columnheader').allInnerTexts()).slice(0, 3)).toEqual([
      ...['Name', 'Available', 'In orders'],
    ]);
    expect(await rows.count()).toBeLessThan(30);
    await page.getByRole('checkbox', { name: 'Hide small balances' }).uncheck();
    await expect.poll(() => rows.count()).toBe(30);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => rows.count()).toBe(6);
    await page.getByRole('textbox', { name: 'Search coins' }).fill('solan');
    await expect.poll(() => rows.count()).toBe(1);
    const row = rows.first();
    expect(await row.getByRole('cell').nth(1).innerText()).toMatch(/^8\.99/);
    expect(await row.getByRole('cell').nth(2).innerText()).toBe('1.0000');
    expect(await href(row.getByRole('link', { name: 'Trade' }))).toBe('/trades/spot/SOL');
    expect(await href(row.getByRole('link', { name: 'Transfer' }))).toBe('/wallet/transfer?coin=SOL');
    expect(await href(row.getByRole('link', { name: 'View' }))).toBe('/wallet/SOL');
    await row.getByRole('link', { name: 'View' }).click();
    await page.getByRole('heading', { level: 1, name: /SOL/ }).waitFor();
    expect(address()).toBe('/wallet/SOL');
  });
});

describe('the page of a coin', () => {
  const history = () =>
    page.getByRole('table', { name: 'History' }).getByRole('row').filter({ hasNotText: 'Movement' });

  it('says what there is, what it has cost, and where its chart is (T-single-coin-01..04)', async () => {
    const facts = region('Balance');
    await facts.getByText('Spot balance').waitFor();
    const fact = async (name: string) =>
      await facts
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .innerText();
    const answer = await trader.call<Record<string, string>>('GET', '/api/v3/wallet-single-coin?name=SOL');
    expect(Number(await fact('Spot balance'))).toBe(Number(answer.balance));
    expect(Number(await fact('Available'))).toBe(Number(answer.available_balance));
    expect(Number(await fact('Unavailable'))).toBe(1);
    expect(await fact('Avg. cost')).toMatch(/^[\d,]+\.\d\d$/);
    expect(await fact('Unrealized P/L')).toMatch(/%$/);
    const tile = page.getByRole('link', { name: 'Trade SOL' });
    expect(await href(tile)).toBe('/trades/trade-chart/SOL');
    expect(await tile.innerText()).toMatch(/SOL\/USDT/);
    await buy('SOL', '1');
    // By the private stream, not by asking again.
    await expect.poll(() => fact('Spot balance')).toBe('10.989');
    await expectAccessible(page);
  });

  it('lists deposits alone, and says that there are no withdrawals yet (T-single-coin-06)', async () => {
    await page.getByRole('tab', { name: 'Withdraw' }).click();
    await page.getByText('Your withdrawals of this coin will be listed here.').waitFor();
    const { wallet } = await trader.call<{ wallet: { wallet_address: string } }>('POST', '/api/v3/generate-wallet', {
      wallet_type: 'ERC20',
    });
    const sent = { network: 'ERC20', coin: 'ETH', address: wallet.wallet_address, amount: '0.75' };
    await trader.call('POST', '/api/dev/chains/send', sent);
    await go(page, '/wallet/ETH');
    await page.getByRole('heading', { level: 1, name: /ETH/ }).waitFor();
    await page.getByRole('tab', { name: 'Deposit' }).click();
    await history().filter({ hasText: '+0.75' }).waitFor({ timeout: 30_000 });
    expect(await history().count()).toBe(1);
    await page.getByRole('tab', { name: 'All' }).click();
    await history().filter({ hasText: '+0.75' }).waitFor();
  });

  it('lists twenty movements a page of trades, transfers and deposits; another name is no coin (T-single-coin-05, T-single-coin-08)', async () => {
    await go(page, '/wallet/ada');
    await expect.poll(() => history().count()).toBe(20);
    expect(await history().first().innerText()).toMatch(/^Transfer/);
    expect(await history().nth(1).innerText()).toMatch(/^Buy ADA\/USDT\s+\+39\.9/);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => history().count()).toBeGreaterThanOrEqual(2);
    expect(await history().count()).toBeLessThan(20);
    await go(page, '/wallet/NOPE');
    await page.getByText('There is no coin called NOPE here.').waitFor();
    await page.getByRole('link', { name: 'Go to wallet' }).click();
    await page.getByRole('table', { name: 'Coins' }).waitFor();
    // That it was refused is said by the browser, and by the page with the name.
    expect(complaints.filter((text) => !/404|NOPE/.test(text))).toEqual([]);
  });

  it('has a statement: each movement with its cause and the balance after it, by wallet and date, also as a file', async () => {
    await go(page, '/wallet/ADA');
    await page.getByRole('tab', { name: 'Statement' }).click();
    const lines = page.getByRole('table', { name: 'Statement' }).locator('tbody tr');
    await expect.poll(() => lines.count()).toBe(20);
    const cells = (row: number) => lines.nth(row).getByRole('cell').allInnerTexts();
    const place = async () => (await lines.allInnerTexts()).findIndex((text) => text.startsWith('To another'));
    const at = await place();
    const [moved, bought] = [await cells(at), await cells(at + 1)];
    expect(moved[0]).toMatch(/^To another of your wallets\s+Entry \d+$/);
    expect(moved[1]).toBe('−100');
    expect(bought[0]).toMatch(/^Buy ADA\/USDT\s+Trade \d+$/);
    expect(bought[1]).toMatch(/^\+39\.9\d*\s+Fee: 0\.0\d+ ADA$/);
    // The line below has the balance before.
    expect(numberIn(moved[2]!)).toBeCloseTo(numberIn(bought[2]!) - 100, 6);
    expect(await page.getByText(/^Balance now/).innerText()).toContain((await cells(0))[2]);
    await buy('ADA', '40');
    // By the private stream.
    await expect.poll(place).toBe(at + 1);
    const wallet = page.getByRole('combobox', { name: 'Wallet' });
    await wallet.selectOption('FUTURE');
    await expect
      .poll(async () => lines.allInnerTexts())
      .toEqual([expect.stringMatching(/^From another of your wallets/)]);
    await wallet.selectOption('FUNDING');
    await page.getByText('Nothing has moved this coin in this wallet yet.').waitFor();
    await wallet.selectOption('SPOT');
    await lines.first().waitFor();
    await expectAccessible(page);
    await page.getByLabel('To date').fill('2024-01-31');
    await page.getByText('Nothing moved this coin in this wallet on these dates.').waitFor();
    await page.getByLabel('From date').fill('2024-02-01');
    await page.getByText('Before the first date').waitFor();
    expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
    await page.getByLabel('To date').fill('');
    await lines.first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('cambist-spot-ada.csv');
    const file = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(file[0]).toBe('time,wallet,coin,cause,pair,reference,amount,fee,balance,id');
    expect(file.slice(1).filter((line) => line.includes(',wallet-transfer,'))).toHaveLength(1);
    expect(file.slice(1).filter((line) => line.includes(',SPOT,ADA,trade,ADA-USDT,'))).toHaveLength(file.length - 2);
    // Dates that were not read yet, so nothing is there to be shown in its place.
    await page.route('**/api/v3/statement?**', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByLabel('From date').fill('2024-03-01');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/api/v3/statement?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await lines.first().waitFor();
    await page.setViewportSize(PHONE);
    await page.getByRole('list', { name: 'Statement' }).getByText('To another of your wallets').waitFor();
    await expectFits(page);
    await page.setViewportSize(SIZE);
  }, 60_000);
});

describe('the eye', () => {
  /** Amounts of the person; prices and percentages stay. */
  const AMOUNT = /\d[\d,]*\.\d{2,}(?!\d*%)/;

  it('covers all amounts, here, on the page of a coin and under the terminal, on this device until it is opened', async () => {
    await go(page, '/wallet');
    await page.getByRole('table', { name: 'Portfolio' }).waitFor();
    await page.getByRole('button', { name: 'Hide balances' }).click();
    for (const name of [
      'Total balance',
      'Wallets',
      'Total Balance (USDT)',
      'Asset Distribution',
      'Estimated Balance',
    ]) {
      await expect.poll(() => region(name).innerText(), { message: name }).not.toMatch(AMOUNT);
    }
    expect(await region('Total balance').innerText()).toContain('Hidden');
    await page
      .getByRole('table', { name: 'Portfolio' })
      .getByRole('link', { name: /Solana/ })
      .click();
    await region('Balance').getByText('Spot balance').waitFor();
    const balance = region('Balance').locator('dd').first();
    expect(await balance.innerText()).toContain('••••••');
    expect(await balance.innerText()).not.toMatch(/\d/);
    await go(page, '/trades/spot/SOL');
    await page.getByLabel('Your lists').getByRole('tab', { name: 'Funds' }).click();
    const funds = page.getByRole('table', { name: 'Funds' }).getByRole('row', { name: /Solana/ });
    await funds.waitFor();
    expect(await funds.getByRole('cell').nth(1).innerText()).toContain('••••••');
    expect(await funds.getByRole('cell').nth(1).innerText()).not.toMatch(/\d/);
    await go(page, '/wallet');
    await page.getByRole('button', { name: 'Show balances' }).click();
    await region('Total balance')
      .getByText(/^[\d,]+\.\d{4}$/)
      .waitFor();
  });
});

describe('on a phone', () => {
  it('a row of the overview leads to its tab, coins are cards, and nothing is wider than the screen, also in German (T-wallet-overview-14, T-wallet-spot-09)', async () => {
    await page.setViewportSize(PHONE);
    await go(page, '/wallet');
    for (const account of ['Spot wallet', 'Earn', 'Futures wallet']) {
      await tabs().filter({ hasText: 'Overview' }).click();
      const row = region('Wallets').getByRole('article', { name: account });
      await row.scrollIntoViewIfNeeded();
      const box = (await row.boundingBox())!;
      // Far from the words: the whole row is the way.
      await page.mouse.click(box.x + box.width / 2, box.y + box.height - 6);
      await page.getByRole('heading', { level: 1, name: account, exact: true }).waitFor();
    }
    await page.getByRole('tab', { name: 'Assets' }).click();
    await page.getByRole('list', { name: 'Assets' }).getByText('Cardano').waitFor();
    await tabs().filter({ hasText: 'Spot' }).click();
    const cards = page.getByRole('list', { name: 'Coins' }).getByRole('listitem');
    await cards.filter({ hasText: 'Solana' }).getByRole('link', { name: 'View' }).waitFor();
    expect(await page.getByRole('table', { name: 'Coins' }).count()).toBe(0);
    await expectFits(page);
    const phone = await stage.reuse({ as: trader, viewport: PHONE, keeps: { preferences: { locale: 'german' } } });
    await phone.goto('/wallet');
    await phone.getByRole('navigation').getByRole('link', { name: 'Web3' }).waitFor();
    await phone.getByRole('list', { name: /Port/ }).waitFor();
    await expectFits(phone);
    await phone.getByRole('list', { name: /Port/ }).getByRole('link').first().click();
    await phone.getByRole('tab').first().waitFor();
    await expectFits(phone);
  });
});

it('a visitor is asked to sign in, and nothing of a wallet is read (T-wallet-overview-32)', async () => {
  const visitor = await stage.reuse();
  const asked: string[] = [];
  visitor.on('request', (request) => {
    if (/\/api\/v3\/(overview|wallet|coin-spot)/.test(request.url())) asked.push(request.url());
  });
  await visitor.goto('/wallet?tab=spot');
  await visitor.waitForURL('**/signin?return=%2Fwallet%3Ftab%3Dspot');
  await visitor.getByRole('heading', { level: 1 }).waitFor();
  expect(asked).toEqual([]);
});

describe('the Web3 tab', () => {
  it('connects a wallet of one’s own, and shows its address, its ETH and its history, also after a reload (T-wallet-web3-01..04, T-calls-43)', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const send = (coin: string, amount: string) =>
      trader.call('POST', '/api/dev/chains/send', { network: 'ERC20', coin, address: account.address, amount });
    await send('ETH', '1.5');
    await send('USDT', '250');
    await trader.call('POST', '/api/dev/chains/mine', { network: 'ERC20', blocks: 1 });
    const own = await stage.open({ as: trader, viewport: { width: 1280, height: 900 } });
    await installWallet(own, account);
    await own.goto('/wallet?tab=web3');
    await own.getByRole('button', { name: 'Connect to wallet' }).click();
    const choice = own.getByRole('dialog', { name: 'Connect to wallet' });
    await choice.getByRole('button', { name: 'Test Wallet' }).click();
    const shown = async () => {
      await own.getByText('1.5000 ETH').waitFor();
      await own.getByText(account.address).waitFor();
      const rows = own.getByRole('table', { name: 'History' }).locator('tbody tr');
      await rows.filter({ hasText: 'ETH' }).filter({ hasText: '+1.5000' }).waitFor();
      await rows.filter({ hasText: 'USDT' }).filter({ hasText: '+250.0000' }).waitFor();
    };
    await shown();
    await expectAccessible(own);
    await own.reload();
    await shown();
    await own.getByRole('button', { name: 'Disconnect' }).click();
    await own.getByRole('button', { name: 'Connect to wallet' }).waitFor();
    await own.context().close();
  });
});
