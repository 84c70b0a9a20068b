/** What coins have cost and gained, in the wallet and under the terminal. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, expectFits } from './browser.ts';
import { OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const REALIZED = 'Realized P/L (all wallets)';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  const market = { type: 'market', transaction_password: TRADER.pin };
  await trader.call('POST', '/api/v3/orders', { ...market, symbol: 'SOL', side: 'BUY', quantity: '10' });
  await trader.call('POST', '/api/v3/orders', { ...market, symbol: 'SOL', side: 'SELL', quantity: '4' });
  page = await stage.open({ as: trader, viewport: { width: 1280, height: 900 } });
  complaints = complaintsOf(page);
});
afterAll(() => stage?.close());

interface Cost {
  readonly name: string;
  readonly average_cost: string;
  readonly realized: string;
}
const costOf = async (coin: string) =>
  (await trader.call<{ coins: Cost[] }>('GET', '/api/v3/wallets/cost-basis')).coins.find(({ name }) => name === coin)!;
const cut = (value: string) => value.replace('-', '−').replace(/(\.\d\d)\d*$/, '$1');
const cells = (name: string) => page.getByRole('row', { name: new RegExp(name) }).getByRole('cell');
/** The figure of a row below a heading. */
async function figure(row: string, heading: string): Promise<string> {
  const headings = await page.getByRole('columnheader').allInnerTexts();
  return cells(row).nth(headings.indexOf(heading)).innerText();
}

it('the wallet says what each coin has cost, gains now and has gained, and follows the next trade', async () => {
  await page.goto('/wallet?tab=spot');
  await page.getByText(/^Average cost and realized P\/L are in USDT, by weighted average/).waitFor();
  const { average_cost: average, realized } = await costOf('SOL');
  await expect.poll(() => figure('SOL', 'Avg. cost')).toBe(cut(average));
  expect(await figure('SOL', 'Unrealized P/L')).toMatch(/^[+−]?[\d,]+\.\d\d\s+[+−]?\d+\.\d\d%$/);
  expect(await figure('SOL', REALIZED)).toMatch(/^[+−]?\d+\.\d\d\s+Today [+−]?\d+\.\d\d$/);
  for (const heading of ['Avg. cost', 'Unrealized P/L', REALIZED]) expect(await figure('USDT', heading)).toBe('–');
  // Given by the faucet at the price of that moment, and never sold.
  expect(await figure('ETH', 'Avg. cost')).toMatch(/^[\d,]+\.\d\d$/);
  expect(await figure('ETH', REALIZED)).toBe('0.00');
  await expectAccessible(page);
  const order = { symbol: 'SOL', side: 'SELL', type: 'market', quantity: '1', transaction_password: TRADER.pin };
  await trader.call('POST', '/api/v3/orders', order);
  await expect.poll(async () => (await costOf('SOL')).realized).not.toBe(realized);
  const next = Number((await costOf('SOL')).realized);
  const sign = next > 0 ? '+' : '−';
  await expect
    .poll(async () => (await figure('SOL', REALIZED)).split(/\s/)[0])
    .toBe(`${sign}${Math.abs(next).toFixed(2)}`);
});

it('a phone has the figures on cards, here and under the terminal', async () => {
  await page.setViewportSize(PHONE);
  const card = page.getByRole('list', { name: 'Coins' }).getByRole('listitem').filter({ hasText: 'Solana' });
  for (const title of ['Avg. cost', 'Unrealized P/L', REALIZED]) await card.getByText(title, { exact: true }).waitFor();
  await expectFits(page);
  await page.goto('/trades/spot/SOL');
  await page
    .getByRole('radio', { name: 'Funds' })
    .or(page.getByText('Funds', { exact: true }))
    .first()
    .click();
  const funds = page.getByRole('list', { name: 'Funds' }).getByRole('listitem').filter({ hasText: 'Solana' });
  for (const title of ['Avg. cost', 'Unrealized P/L', REALIZED])
    await funds.getByText(title, { exact: true }).waitFor();
  await funds.getByText(/%$/).waitFor();
  await expectFits(page);
  expect(complaints).toEqual([]);
});

it('a coin whose market has ended has neither a value nor a gain, in any list: nothing says that it is worth nothing', async () => {
  const { call } = await stage.signIn(OPERATOR);
  await call('POST', '/api/v3/step-up', { purpose: 'markets', transaction_password: OPERATOR.pin });
  await call('POST', '/api/v3/admin/markets/SOL-USDT/delist', { confirm: 'SOL-USDT', reason: 'A test' });
  await page.setViewportSize({ width: 1440, height: 900 });
  const lists = { '/wallet': 'Portfolio', '/wallet?tab=spot': 'Coins', '/trades/spot/ETH': 'Funds' };
  for (const [address, name] of Object.entries(lists)) {
    await page.goto(address);
    if (name === 'Funds') await page.getByText('Funds', { exact: true }).first().click();
    const table = page.getByRole('table', { name });
    const row = table.getByRole('row', { name: /Solana/ });
    await row.waitFor();
    const headings = (await table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
    const cell = (heading: string) => row.getByRole('cell').nth(headings.indexOf(heading)).innerText();
    await expect.poll(() => cell('Avg. cost'), { message: name }).toMatch(/^[\d,]+\.\d\d$/);
    expect(await cell('Unrealized P/L'), name).toBe('–');
    expect(await cell('Value (USDT)'), name).toMatch(/^–\s*No market prices this coin$/);
  }
  await page.goto('/wallet');
  await page.getByText('PNL leaves out SOL: cost or price is not known.').waitFor();
  await page.goto('/wallet/SOL');
  await page.getByText('No market prices this coin').waitFor({ state: 'attached' });
});
