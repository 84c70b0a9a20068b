/** The futures terminal through the life of a position, and the wallet's tab beside it. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { complaintsOf, dismissNotices, expectAccessible, expectFits, go, roomFor, textUnder } from './browser.ts';
import { enterAs, operatorOf } from './people.ts';
import { DESK, OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const WIDE = { width: 1500, height: 1000 } as const;
const ROW = 'BTC-USDT-SWAP';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];
let isLoaded = false;

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
afterEach(({ task }) => {
  // A failed test can leave anything behind.
  if (task.result?.state === 'fail') isLoaded = false;
});
afterAll(() => stage?.close());

/** Shows the trader a new screen in the app, which is loaded once. */
async function show(path: string, viewport: { width: number; height: number } = DESK): Promise<void> {
  if (isLoaded) {
    await go(page, '/about');
    await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
    await dismissNotices(page);
    await page.setViewportSize(viewport);
    await go(page, path);
  } else {
    page = await stage.reuse({ as: trader, viewport });
    complaints = complaintsOf(page);
    await page.goto(path);
    isLoaded = true;
  }
  complaints.length = 0;
}

const tab = (list: string, name: string | RegExp) => page.getByLabel(list).getByRole('tab', { name });
const figure = (title: RegExp) => page.locator('dl > div').filter({ has: page.locator('dt', { hasText: title }) });
const table = () => page.getByRole('table', { name: 'Positions' });
const row = () => table().getByRole('row').filter({ hasText: ROW });
const cell = (heading: string) => textUnder(table(), row(), heading);
const notice = (text: string) => page.locator('.mantine-Notification-root').filter({ hasText: text });
/** Stays in the panel of the positions. */
const closed = () => page.getByRole('status').locator('div').filter({ hasText: 'Close Position Success' });

async function confirm(): Promise<void> {
  const password = page.getByRole('dialog').getByLabel('Transaction password', { exact: true });
  await password.fill(TRADER.pin);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}

/** Whether the figures of the one position fit each other, all of one moment, and its income is not nothing. */
async function figuresFit(): Promise<Readonly<Record<string, boolean>>> {
  const cells = (await row().getByRole('cell').allInnerTexts()).slice(1, 5).join('\n').split('\n');
  const numbers = cells.map((text) => Number(text.replace('−', '-').replace(/[^\d.-]/g, '')));
  const [amount = 0, total = 0, margin = 0, , income = 0, rate = 0, opening = 0, mark = 0] = numbers;
  const near = (one: number, other: number) => Math.abs(one - other) < 0.02;
  return {
    income: near(income, (mark - opening) * amount),
    total: near(total, margin + income),
    rate: near(rate, (income / margin) * 100),
    moved: Math.abs(rate) > 0.04,
  };
}

/** How far the income that the wallet's dialog estimates is from what its price gives, in USDT. */
async function estimateGap(): Promise<number> {
  const open = (
    await trader.call<{ positions: { quantity: string; cost: string }[] }>('GET', '/api/v3/futures/positions')
  ).positions[0];
  const text = (await page.getByRole('dialog').innerText()).replaceAll(',', '').replaceAll('−', '-');
  const [, price, income] = /≈ ([\d.]+)\s+Est\. realized income\s+≈ ([-+\d.]+) USDT/.exec(text) ?? [];
  return Math.abs(Number(open?.quantity) * Number(price) - Number(open?.cost) - Number(income));
}

/** Opens one position, isolated, x10. */
async function open(): Promise<void> {
  await page.getByLabel('Margin mode').getByRole('radio', { name: 'Isolated' }).click();
  const form = page.getByRole('form', { name: 'Long BTC' });
  // Until the settings of the market are there, the form says so and sends nothing.
  await expect.poll(() => form.innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
  await form.getByLabel('Total in USDT').fill('3000');
  await form.getByRole('button', { name: 'Long BTC' }).click();
  await confirm();
  await notice('Order created successfully').waitFor();
}

describe('the futures terminal', () => {
  it('asks a visitor to sign in and comes back (T-futures-01)', async () => {
    const visitor = await stage.open();
    await visitor.goto('/trades/futures/ETH');
    await visitor.waitForURL(/\/signin\?return=%2Ftrades%2Ffutures%2FETH$/);
    await enterAs(visitor, TRADER);
    await visitor.waitForURL('**/trades/futures/ETH');
    await visitor.context().close();
  });

  it('shows the market by mark, index and funding beside the parts of the spot terminal (T-futures-02) (T-futures-03) (T-futures-04) (T-futures-05) (T-futures-06) (T-futures-07) (T-futures-08) (T-futures-09) (T-futures-28)', async () => {
    await show('/trades/futures', WIDE);
    await page.getByRole('heading', { level: 1, name: 'BTC/USDT' }).waitFor();
    const header = page.getByRole('button', { name: 'Choose a pair' }).locator('..');
    await expect.poll(() => header.innerText()).toMatch(/\d{2,3},\d{3}\.\d{2}\s+[+−]\d+\.\d{4}%/);
    await expect.poll(() => figure(/^Mark price$/).innerText()).toMatch(/\d{2,3},\d{3}\.\d/);
    await expect.poll(() => figure(/^Index price$/).innerText()).toMatch(/\d{2,3},\d{3}\.\d/);
    expect(await figure(/^Funding/).innerText()).toMatch(/[+−]?\d\.\d{4}% \/ \d{2}:\d{2}:\d{2}/);
    expect(await page.getByRole('textbox', { name: 'Search markets' }).getAttribute('placeholder')).toBe('Search coin');
    await page.getByRole('group', { name: 'Timeframe' }).getByRole('button', { name: '5min' }).waitFor();
    await page.getByRole('region', { name: 'Order book' }).getByText('Spread').waitFor();
    await page.getByRole('region', { name: 'Order form' }).waitFor();
    expect(await tab('Your lists', /^Positions/).getAttribute('aria-selected')).toBe('true');
    await page.getByText('No margins. Your open positions will appear here.').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('offers short positions until the operator switches them off in the form (T-futures-44)', async () => {
    await show('/trades/futures/BTC', WIDE);
    const form = page.getByRole('form', { name: 'Short BTC' });
    await expect.poll(() => form.getByRole('button', { name: 'Short BTC' }).isEnabled()).toBe(true);
    const operator = await stage.open({ as: await stage.signIn(OPERATOR) });
    await operator.goto('/admin/futures');
    await operator.getByRole('button', { name: 'Switch off' }).click();
    const dialog = operator.getByRole('dialog', { name: 'Switch SELL EMPTY off in the form?' });
    await dialog.getByLabel('Reason').fill('No short positions here');
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await operator.getByText('SELL EMPTY is off in the form').waitFor();
    await expectAccessible(operator);
    await operator.context().close();
    await page.reload();
    await form.getByText('This exchange does not offer short positions here.').waitFor();
    expect(await form.getByRole('button', { name: 'Short BTC' }).isDisabled()).toBe(true);
    expect(await form.getByLabel('Total in USDT').isDisabled()).toBe(true);
    const buying = page.getByRole('form', { name: 'Long BTC' });
    expect(await buying.getByRole('button', { name: 'Long BTC' }).isEnabled()).toBe(true);
    const { call } = await operatorOf(stage);
    await call('POST', '/api/v3/admin/futures/form', { sells_empty: true, reason: 'Short positions are back' });
  });

  it('chooses a coin by name, price and change, and book, price and form follow it (T-futures-29) (T-futures-30)', async () => {
    await show('/trades/futures');
    await page.getByRole('button', { name: 'Choose a pair' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose a pair' });
    await picker.getByRole('columnheader').first().waitFor();
    const titles = await picker.getByRole('columnheader').allInnerTexts();
    expect(titles).toEqual(['Name', 'Price', '24h Change']);
    expect(await picker.getByRole('navigation').count()).toBe(0);
    await picker.getByPlaceholder('Search coin').fill('eth');
    await picker.getByRole('link', { name: /ETH/ }).click();
    await page.waitForURL('**/trades/futures/ETH');
    await page.getByRole('heading', { level: 1, name: 'ETH/USDT' }).waitFor();
    await page.getByRole('form', { name: 'Long ETH' }).waitFor();
  });

  it('the picker has pairs of spot too, and the favourites of both', async () => {
    await show('/trades/futures/BTC');
    await page.getByRole('button', { name: 'Choose a pair' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose a pair' });
    const view = (name: string) => picker.getByRole('radiogroup').getByText(name, { exact: true }).click();
    const star = (pair: string) => picker.getByRole('button', { name: `Favorite ${pair}`, exact: true });
    await star('ETH-USDT-SWAP').click();
    await view('Spot');
    await star('BTC-USDT').click();
    await view('Favorites');
    await expect.poll(() => picker.locator('tbody tr').count()).toBe(2);
    await star('BTC-USDT').click();
    await star('ETH-USDT-SWAP').click();
    await picker.getByText('No favorites yet.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('begins with x10 of x10, x15 and x20, counts in USDT, and has both sides and the ticks (T-futures-43) (T-futures-63) (T-futures-64) (T-futures-65) (T-futures-66)', async () => {
    await show('/trades/futures/BTC');
    const leverage = page.getByRole('group', { name: 'Leverage' });
    await leverage.getByRole('button', { name: 'x10', pressed: true }).waitFor();
    expect(await leverage.getByRole('button').allInnerTexts()).toEqual(['x10', 'x15', 'x20', '…']);
    const form = page.getByRole('form', { name: 'Long BTC' });
    await form.getByRole('button', { name: 'USDT', pressed: true }).waitFor();
    for (const tick of ['0%', '25%', '50%', '75%', '100%'])
      await form.getByRole('button', { name: tick, exact: true }).waitFor();
    await page.getByRole('form', { name: 'Short BTC' }).waitFor();
    // The documented name of the type is in the order's details.
    await form.getByLabel('Total in USDT').fill('3000');
    await form.getByRole('button', { name: 'Long BTC' }).click();
    const details = page.getByRole('dialog', { name: 'Long BTC' });
    await details.getByText('Market · BUY MORE').waitFor();
    await details.getByRole('button', { name: 'Cancel' }).click();
    await form.getByLabel('Total in USDT').fill('');
    await leverage.getByRole('button', { name: 'Other leverage' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leverage of BTC-USDT-SWAP' });
    await dialog.getByRole('textbox', { name: 'Leverage' }).fill('101');
    await dialog.getByText('Use a whole number from 1 to 100').waitFor();
    await dialog.getByRole('textbox', { name: 'Leverage' }).fill('12');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await leverage.getByText('x12').waitFor();
    await leverage.getByRole('button', { name: 'x10' }).click();
    await leverage.getByRole('button', { name: 'x10', pressed: true }).waitFor();
  });

  it('changes the leverage while an order is open, and what the order reserves with it, below a chart of 45 %', async () => {
    await show('/trades/futures/BTC', WIDE);
    await expect.poll(() => figure(/^Mark price$/).innerText()).toMatch(/\d{2,3},\d{3}\.\d/);
    const mark = Number((await figure(/^Mark price$/).innerText()).replace(/[^\d.]/g, ''));
    const limit = { symbol: ROW, side: 'BUY', type: 'limit', quantity: '0.01', price: (mark * 0.95).toFixed(0) };
    await trader.call('POST', '/api/v3/orders', { ...limit, transaction_password: TRADER.pin });
    const reserved = async () => Number((await asked()).account.order_margin);
    const before = await reserved();
    const leverage = page.getByRole('group', { name: 'Leverage' });
    await leverage.getByRole('button', { name: 'Other leverage' }).click();
    const dialog = page.getByRole('dialog', { name: `Leverage of ${ROW}` });
    await dialog.getByText('The margin that your open orders in BTC-USDT-SWAP reserve changes').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Leverage' }).fill('5');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await leverage.getByText('x5', { exact: true }).waitFor();
    // Twice the margin, and the same fee.
    const value = Number(limit.quantity) * Number(limit.price);
    expect(await reserved()).toBeCloseTo(before + value / 10, 2);
    await leverage.getByRole('button', { name: 'x10' }).click();
    await expect.poll(reserved).toBeCloseTo(before, 2);
    // A window of 1440 × 900 has room for the chart, both forms and the first order.
    await page.setViewportSize(DESK);
    await tab('Your lists', /^Open orders/).click();
    expect(await roomFor(page, 'Open orders')).toEqual({ chart: expect.closeTo(0.45, 2), row: true });
    await tab('Your lists', /^Positions/).click();
    await trader.call('POST', '/api/v3/orders/cancel-all', { market: 'futures' });
    expect(complaints).toEqual([]);
  });

  it('refuses an amount that is missing, too small or more than there is (T-futures-57) (T-futures-58)', async () => {
    await show('/trades/futures/BTC');
    const form = page.getByRole('form', { name: 'Short BTC' });
    const send = () => form.getByRole('button', { name: 'Short BTC' }).click();
    await expect.poll(() => form.innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
    const tooMuch = form.getByText(/Insufficient balance \([\d.,]+ USDT\)/);
    // While it is typed, as more digits cannot mend it.
    await form.getByLabel('Total in USDT').fill('9000000');
    await tooMuch.waitFor();
    await form.getByLabel('Total in USDT').fill('');
    await tooMuch.waitFor({ state: 'detached' });
    await send();
    await form.getByText('Amount is required').waitFor();
    await form.getByLabel('Total in USDT').fill('0.5');
    await form.getByText(/Amount (is required|must be greater than minimum sell amount \([\d.,]+ USDT\))/).waitFor();
    await form.getByLabel('Total in USDT').fill('9000000');
    await tooMuch.waitFor();
  });

  it('opens a position, values it at each mark, adds margin and closes it (T-futures-16) (T-futures-17) (T-futures-18) (T-futures-19) (T-futures-20) (T-futures-21) (T-futures-22) (T-futures-23) (T-futures-24) (T-futures-25) (T-futures-46) (T-futures-55)', async () => {
    await show('/trades/futures/BTC');
    await open();
    await row().waitFor();
    const titles = await table().getByRole('columnheader').allInnerTexts();
    expect(titles.flatMap((text) => text.split('\n')).slice(0, 13)).toEqual([
      ...['Pair', 'Amount', 'Total asset', 'Margin', 'Top up', 'Income', 'Rate of return', 'Opening price'],
      ...['Mark price', 'Est. liquidation price', 'Risk', 'ADL', 'TP/SL'],
    ]);
    expect(await cell('Pair')).toMatch(/BTC-USDT-SWAP\s+Long\s+#\d+ x10 Isolated$/);
    // Nothing is behind the buttons, which stay at the end of what is seen.
    const beside = table().locator('..');
    expect(await beside.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    expect(Number(await cell('Margin'))).toBeCloseTo(300, -1);
    expect(await cell('Rate of return')).toMatch(/%$/);
    expect(await cell('Risk')).toMatch(/^\d+\.\d%$/);
    const fitting = { income: true, total: true, rate: true, moved: true };
    await expect.poll(() => figuresFit(), { timeout: 30_000 }).toEqual(fitting);
    const mark = await cell('Mark price');
    await expect.poll(() => cell('Mark price')).not.toBe(mark);

    const end = await cell('Est. liquidation price');
    await page.getByRole('button', { name: 'Change the margin of BTC-USDT-SWAP' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Amount' }).fill('100');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await notice('The margin of BTC-USDT-SWAP was changed.').waitFor();
    await expect.poll(() => cell('Top up')).toBe('100.00');
    expect(Number((await cell('Est. liquidation price')).replace(/,/g, ''))).toBeLessThan(
      Number(end.replace(/,/g, '')) - 1_000,
    );

    await page.getByRole('button', { name: 'Close position BTC-USDT-SWAP' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close position BTC-USDT-SWAP' });
    await dialog.getByRole('button', { name: '50%' }).click();
    const half = await dialog.getByLabel('Amount', { exact: true }).inputValue();
    await dialog.getByRole('button', { name: 'Close Position' }).click();
    const before = (await asked()).positions[0]?.quantity;
    const fee = dialog.locator('dl > div').filter({ hasText: 'Max. fee' }).locator('dd');
    await expect.poll(() => fee.innerText()).toMatch(/^≈ \d+\.\d+ USDT$/);
    await confirm();
    // What was closed, not all that was open.
    await closed().getByText(`BTC-USDT-SWAP · ${half} BTC`).waitFor();
    await expect.poll(async () => Number((await asked()).positions[0]?.quantity)).toBeCloseTo(Number(before) / 2, 4);
    await page.getByRole('button', { name: 'Close position BTC-USDT-SWAP' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Position' }).click();
    await confirm();
    await page.getByText('No margins. Your open positions will appear here.').waitFor();
    await tab('Your lists', 'Position changes').click();
    await page.getByRole('table', { name: 'Position changes' }).getByText('Trade').first().waitFor();
    await tab('Your lists', 'Position history').click();
    const [newest] = (await trader.call<{ closed: { net: string }[] }>('GET', '/api/v3/futures/history/closed')).closed;
    const closedRow = page.getByRole('table', { name: 'Position history' }).locator('tbody tr').first();
    await closedRow.getByText('Long x10').waitFor();
    expect(await closedRow.innerText()).toContain(Math.abs(Number(newest?.net)).toFixed(2).slice(0, -1));
    expect(complaints).toEqual([]);
  });

  it('keeps the notice of a close in the positions panel until it is dismissed (T-futures-56)', async () => {
    await show('/trades/futures/BTC');
    await tab('Your lists', 'Positions').click();
    await open();
    await row().waitFor();
    const earlier = await closed().count();
    // From here on the page's timers are the test's.
    await page.clock.install();
    await page.getByRole('button', { name: 'Close position BTC-USDT-SWAP' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Position' }).click();
    await confirm();
    const kept = Math.min(earlier + 1, 3);
    await expect.poll(() => closed().count()).toBe(kept);
    expect(await notice('Close Position Success').count()).toBe(0);
    await go(page, '/about');
    // No timer of it is left, however long it takes.
    await page.clock.runFor(3_600_000);
    await page.clock.resume();
    await go(page, '/trades/futures/BTC');
    await expect.poll(() => closed().count()).toBe(kept);
    for (let left = kept; left > 0; left--) await closed().first().getByRole('button', { name: 'Dismiss' }).click();
    await closed().waitFor({ state: 'detached' });
  });

  it('stacks everything on a phone, with a toggle between form and book (T-futures-10) (T-futures-11)', async () => {
    await show('/trades/futures/BTC', PHONE);
    await tab('Shown', 'Buy/Sell').waitFor();
    await page.getByRole('form', { name: 'Long BTC' }).waitFor();
    await tab('Side', 'Short').click();
    await page.getByRole('form', { name: 'Short BTC' }).waitFor();
    await tab('Shown', 'Order Books').click();
    await page.getByText('Spread').waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    await expectFits(page);
    await expectAccessible(page);
  });
});

describe('the wallet’s Future tab', () => {
  it('shows the margin total, positions to close and coins (T-wallet-future-01) (T-wallet-future-02) (T-wallet-future-03) (T-wallet-future-04)', async () => {
    await trader.call('POST', '/api/v3/orders', {
      ...{ symbol: ROW, side: 'BUY', type: 'market', quantity: '0.01', transaction_password: TRADER.pin },
    });
    await show('/wallet?tab=future');
    await page.getByRole('link', { name: 'Transfer', exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Futures wallet' }).innerText())
      .toMatch(/[45],\d{3}\.\d{2} USDT/);
    await row().waitFor();
    await expectAccessible(page);
    await tab('Shown', 'Assets').click();
    await page.getByRole('table', { name: 'Assets' }).getByText('USDT', { exact: true }).waitFor();
    await tab('Shown', 'Positions').click();
    await page.getByRole('button', { name: 'Close Position' }).click();
    await expect.poll(() => page.getByRole('dialog').innerText()).toMatch(/Price\s+Best available ≈ [\d,]+\.\d/);
    expect(await estimateGap()).toBeLessThan(0.01);
    await confirm();
    await closed().first().waitFor();
    await page.getByText('No margins. Your open positions will appear here.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('has Convert and Transfer on a phone, and keeps its last answer (T-wallet-future-05) (T-wallet-future-06) (T-wallet-future-21) (A-account-state-32)', async () => {
    await show('/wallet?tab=future', PHONE);
    const wallet = page.getByRole('region', { name: 'Futures wallet' });
    for (const [name, path] of [
      ['Convert', '/wallet/convert'],
      ['Transfer', '/wallet/transfer'],
    ] as const)
      expect(await wallet.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path);
    await expectFits(page);
    await tab('Shown', 'Assets').click();
    await page.getByRole('list', { name: 'Assets' }).getByText('USDT', { exact: true }).waitFor();
    await page.route('**/api/v3/wallets/future', (route) => route.abort());
    await page.reload();
    await tab('Shown', 'Assets').click();
    await page.getByRole('list', { name: 'Assets' }).getByText('USDT', { exact: true }).waitFor();
  });
});
