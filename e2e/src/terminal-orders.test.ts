/** Orders on the terminal, as the demo trader gives them: every type, the password and its lock, changes and ends. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, dismissNotices, expectAccessible, go, hasFocus, roomFor } from './browser.ts';
import { type Frames, framesOf } from './frames.ts';
import { DESK, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];
let frames: Frames;
let isLoaded = false;

const WIDE = { width: 1600, height: 1000 };

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
/** The app is loaded once; each test begins with a new terminal and no orders. */
beforeEach(async () => {
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
  if (isLoaded) {
    await leave();
    await go(page, '/trades/spot/BTC');
  } else {
    page = await stage.reuse({ as: trader, viewport: WIDE });
    complaints = complaintsOf(page);
    frames = framesOf(page);
    await page.goto('/trades/spot/BTC');
    isLoaded = true;
  }
  await page.locator('[data-status=full]').waitFor();
  await tab(/^Open orders/).click();
  complaints.length = 0;
});
afterEach(({ task }) => {
  // A failed test can leave anything behind.
  if (task.result?.state === 'fail') isLoaded = false;
});
afterAll(() => stage?.close());

/** Closes the terminal with its dialogs and notices, for a screen that costs nothing. */
async function leave(): Promise<void> {
  await go(page, '/about');
  await page.locator('[data-status=full]').waitFor({ state: 'detached' });
  await dismissNotices(page);
}

const form = (side: 'Buy' | 'Sell') => page.getByRole('form', { name: `${side} BTC` });
const submit = (side: 'Buy' | 'Sell') =>
  form(side)
    .getByRole('button', { name: `${side} BTC` })
    .click();
const amount = (side: 'Buy' | 'Sell') => form(side).getByLabel('Amount in BTC');
const dialog = () => page.getByRole('dialog');
const list = (name: string) => page.getByRole('table', { name });
const tab = (name: string | RegExp) => page.getByLabel('Your lists').getByRole('tab', { name });

async function confirm(password: string = TRADER.pin): Promise<void> {
  await dialog().getByLabel('Transaction password', { exact: true }).fill(password);
  await dialog().getByRole('button', { name: 'Confirm' }).click();
}

/** One order given past the page. */
function placed(order: Readonly<Record<string, string>>): Promise<unknown> {
  return trader.call('POST', '/api/v3/orders', { symbol: 'BTC-USDT', ...order, transaction_password: TRADER.pin });
}

/** BTC that can be sold. */
async function available(): Promise<number> {
  const { funds } = await trader.call<{ funds: { coin: { name: string }; wallet_balance: string }[] }>(
    'GET',
    '/api/v3/trades/funds',
  );
  return Number(funds.find(({ coin }) => coin.name === 'BTC')?.wallet_balance);
}

/** So many limit orders that rest below the market. */
async function resting(count: number): Promise<void> {
  const price = Math.round((await lastPrice()) * 0.95).toString();
  for (let index = 0; index < count; index += 1) {
    await placed({ side: 'BUY', type: 'limit', price, quantity: '0.001' });
  }
}

async function lastPrice(): Promise<number> {
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  return Number(answer.chart.close);
}

async function chooseType(name: string): Promise<void> {
  await page.getByRole('button', { name: 'More order types' }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
}

async function fill(fields: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await fields.getByLabel(label, { exact: true }).fill(value);
}

describe('a market order', () => {
  it('is checked before the dialog opens (T-spot-102)', async () => {
    const tooMuch = form('Buy').getByText(/^Insufficient balance/);
    // While it is typed, as more digits cannot mend it.
    await amount('Buy').fill('99');
    await tooMuch.waitFor();
    await amount('Buy').fill('');
    await tooMuch.waitFor({ state: 'detached' });
    await submit('Buy');
    await form('Buy').getByText('Amount is required').waitFor();
    // Another unit begins anew.
    await form('Buy').getByRole('button', { name: 'Total', exact: true }).click();
    await form('Buy').getByText('Amount is required').waitFor({ state: 'detached' });
    await form('Buy').getByRole('button', { name: 'AMOUNT' }).click();
    expect(await dialog().count()).toBe(0);
    await amount('Buy').fill('99');
    await form('Buy')
      .getByText(/^Insufficient balance \(100,000 USDT\)$/)
      .waitFor();
  });

  it('says what it will do, and needs the transaction password (T-spot-44, T-spot-94, T-spot-103, T-spot-115, T-spot-119)', async () => {
    // The estimate is of the book as it is when the dialog opens.
    await page.locator('section[aria-label=Asks][aria-busy=false]').waitFor();
    await amount('Buy').fill('0.02');
    await submit('Buy');
    await dialog().getByText('Est. average price').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).waitFor();
    const since = frames.sent.length;
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await dialog().getByText('Password is required').waitFor();
    // What the page subscribes to meanwhile is no order.
    expect(frames.sent.slice(since).filter(({ op }) => op !== 'subscribe' && op !== 'unsubscribe')).toEqual([]);
    await expectAccessible(page);
  });

  it('shows the reply wrong_transaction_password as an alert, and under the field (T-spot-107, T-spot-120, T-spot-121)', async () => {
    await amount('Buy').fill('0.02');
    await submit('Buy');
    await confirm('wrong one');
    await page.getByRole('alert').filter({ hasText: 'Wrong transaction password' }).waitFor();
    await dialog().locator('form').getByText('Wrong transaction password').waitFor();
    const reply = frames.heard.findLast(({ op }) => op === 'place');
    expect(reply).toMatchObject({ status: 200, body: { message: 'wrong_transaction_password' } });
  });

  it('succeeds with the notice, for three seconds, a closed dialog and new balances (T-spot-01, T-spot-71, T-spot-104..106, T-spot-123, T-display-11)', async () => {
    const before = await available();
    await amount('Buy').fill('0.02');
    await submit('Buy');
    await confirm();
    const notice = page.getByRole('alert').filter({ hasText: 'Order created successfully' });
    await notice.waitFor();
    const shownAt = Date.now();
    expect(await notice.innerText()).toMatch(/^Success\n/);
    await dialog().waitFor({ state: 'hidden' });
    // 0.02 less a fee of 0.1 %.
    await form('Sell')
      .getByText((before + 0.01998).toFixed(8).slice(0, 7))
      .first()
      .waitFor();
    await notice.waitFor({ state: 'hidden' });
    expect(Date.now() - shownAt).toBeGreaterThan(2_000);
    expect(Date.now() - shownAt).toBeLessThan(4_500);
  });

  it('shows any other answer as something that went wrong, with the words of the server (T-calls-03, T-spot-122)', async () => {
    // What the dialog was opened for is spent before it is confirmed.
    const all = Math.floor((await available()) * 1000) / 1000;
    await amount('Sell').fill('0.01');
    await submit('Sell');
    await dialog().waitFor();
    const price = String(Math.round((await lastPrice()) * 1.05));
    await placed({ side: 'SELL', type: 'limit', price, quantity: String(all) });
    await confirm();
    const words = /Insufficient balance \([\d.,]+ BTC\)/;
    const alert = page.getByRole('alert').filter({ hasText: words });
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^Something went wrong\n/);
  });

  it('is in the histories as filled, and its coin among the funds (T-spot-22, T-spot-23, T-spot-96, T-display-06)', async () => {
    await placed({ side: 'BUY', type: 'market', quantity: '0.01' });
    await tab('Order history').click();
    await list('Order history').getByText('Filled', { exact: true }).last().waitFor();
    await tab('Trade history').click();
    await list('Trade history').getByText('BTC-USDT').first().waitFor();
    await tab('Funds').click();
    await list('Funds').getByText('Bitcoin').waitFor();
    const bitcoin = await list('Funds')
      .getByRole('row', { name: /Bitcoin/ })
      .getByRole('cell')
      .allInnerTexts();
    expect(bitcoin[3]).toMatch(/^[\d,]+\.\d{2}$/);
    await tab(/^Open orders/).click();
  });
});

describe('the lists of the account', () => {
  it('leave the chart 45 % of a window of 1440 × 900, which shows the first order too, whatever its type', async () => {
    await resting(1);
    await page.setViewportSize(DESK);
    await chooseType('OCO');
    expect(await roomFor(page, 'Open orders')).toEqual({ chart: expect.closeTo(0.45, 2), row: true });
    await page.getByRole('tab', { name: 'Market', exact: true }).click();
    expect(await roomFor(page, 'Open orders')).toEqual({ chart: expect.closeTo(0.45, 2), row: true });
    await page.setViewportSize(WIDE);
  });

  it('show five rows, or ten when that is chosen, and the rest on further pages (A-shell-84, T-spot-24)', async () => {
    await resting(11);
    await tab(/^Open orders/).click();
    const rows = list('Open orders').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10');
    await expect.poll(() => rows.count()).toBe(10);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('5');
  });

  it('show balances of coins in four decimals, rounded down, as the wallet does (T-display-05)', async () => {
    const exact = { available: '1.23456789', held: '0.00019999' };
    await leave();
    const other = await page.context().newPage();
    // What the stream says of balances is not rewritten.
    await other.routeWebSocket('**/ws/v5/private', (socket) => socket.close());
    const rewrite = (path: string, list: string, change: object) =>
      other.route(path, async (route) => {
        const response = await route.fetch();
        // A refusal, as of a page that asks too often, has no list.
        if (!response.ok()) return route.fulfill({ response });
        const answer = (await response.json()) as Record<string, object[]>;
        const rows = answer[list]?.map((row) => ({ ...row, ...change }));
        await route.fulfill({ json: { ...answer, [list]: rows } });
      });
    const { available: free, held } = exact;
    await rewrite('**/api/v3/trades/funds*', 'funds', { wallet_balance: free, freeze_balance: held });
    await rewrite('**/api/v3/wallets/spot*', 'wallet', { coin_value: free, freeze_value: held });
    const balances = async (table: string) => {
      const cells = other
        .getByRole('table', { name: table })
        .getByRole('row', { name: /Bitcoin/ })
        .getByRole('cell');
      await cells.first().waitFor();
      return (await cells.allInnerTexts()).slice(1, 3);
    };
    await other.goto('/trades/spot/BTC');
    await other.getByLabel('Your lists').getByRole('tab', { name: 'Funds' }).click();
    expect(await balances('Funds')).toEqual(['1.2345', '0.0001']);
    await go(other, '/wallet?tab=spot');
    expect(await balances('Coins')).toEqual(['1.2345', '0.0001']);
    // The wallet asks again and again: what is being rewritten now ends with the page.
    await other.unrouteAll({ behavior: 'ignoreErrors' });
    await other.close();
  });
});

describe('the lock of this device', () => {
  it('stays open for the minutes that were chosen, and closes when it is told', async () => {
    await amount('Buy').fill('0.001');
    await submit('Buy');
    await dialog().getByLabel('After this order, on this device').selectOption('15');
    await confirm();
    await dialog().waitFor({ state: 'hidden' });
    await amount('Buy').fill('0.001');
    await submit('Buy');
    await dialog().getByRole('button', { name: 'Confirm' }).waitFor();
    expect(await dialog().getByLabel('Transaction password', { exact: true }).count()).toBe(0);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Order settings, unlocked' }).click();
    await page.getByRole('button', { name: 'Lock now' }).click();
    await page.keyboard.press('Escape');
    await amount('Buy').fill('0.001');
    await submit('Buy');
    await dialog().getByLabel('Transaction password', { exact: true }).waitFor();
  });
});

describe('orders that rest and wait', () => {
  async function place(side: 'Buy' | 'Sell', values: Readonly<Record<string, string>>): Promise<void> {
    await fill(form(side), values);
    await amount(side).fill('0.01');
    await submit(side);
    await confirm();
    await dialog().waitFor({ state: 'hidden' });
  }

  it.each([
    ['Good till cancelled', 'GTC'],
    ['Post only', 'POST_ONLY'],
  ])('a limit order, %s', async (label, force) => {
    await page.getByRole('tab', { name: 'Limit', exact: true }).click();
    await page.getByLabel('Time in force').selectOption({ label });
    const price = Math.round((await lastPrice()) * 0.95).toString();
    await place('Buy', { Price: price });
    const { orders } = await trader.call<{ orders: { time_in_force: string; state: string }[] }>(
      'GET',
      '/api/v3/trades/open-orders',
    );
    expect(orders[0]).toMatchObject({ time_in_force: force, state: 'PENDING' });
    await list('Open orders').getByText('Limit').first().waitFor();
  });

  it('an order that must fill at once tells that it could not', async () => {
    const price = Math.round((await lastPrice()) * 0.95).toString();
    await page.getByRole('tab', { name: 'Limit', exact: true }).click();
    await page.getByLabel('Time in force').selectOption({ label: 'Immediate or cancel' });
    await place('Buy', { Price: price });
    await page.getByRole('alert').getByText('Not filled').waitFor();
    await page.getByLabel('Time in force').selectOption({ label: 'Fill or kill' });
    await fill(form('Buy'), { Price: price });
    await amount('Buy').fill('0.01');
    await submit('Buy');
    await confirm();
    await page.getByRole('alert').getByText('The book cannot fill this order completely now.').waitFor();
  });

  it.each([
    ['Stop limit', 'Sell', { 'Stop price': 0.95, Price: 0.945 }, 'stop_limit'],
    ['Stop market', 'Buy', { 'Stop price': 1.05 }, 'stop_market'],
    ['Take profit limit', 'Sell', { 'Take-profit price': 1.05, Price: 1.045 }, 'take_profit_limit'],
    ['OCO', 'Sell', { 'Take-profit price': 1.05, 'Stop price': 0.95, 'Stop limit price': 0.945 }, 'oco'],
    ['Trailing stop', 'Sell', { 'Trailing distance': undefined }, 'trailing_stop'],
  ] as const)('%s waits in the list with its trigger', async (name, side, shares, kind) => {
    const last = await lastPrice();
    await chooseType(name);
    const prices = Object.entries(shares).map(([label, share]) => [
      label,
      share === undefined ? '5' : Math.round(last * share).toString(),
    ]);
    await place(side, Object.fromEntries(prices) as Record<string, string>);
    const { orders } = await trader.call<{ orders: { trigger?: { kind: string; status: string } }[] }>(
      'GET',
      '/api/v3/trades/open-orders',
    );
    expect(orders[0]?.trigger).toMatchObject({ kind, status: 'untriggered' });
    await list('Open orders').getByText(name, { exact: true }).first().waitFor();
  });

  it('changes an order once, and says so, where the first answer was lost', async () => {
    await resting(1);
    // By HTTP, in a page of its own: what stands in for a socket stays.
    await leave();
    const other = await page.context().newPage();
    await other.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    let sent = 0;
    await other.route('**/api/v3/orders/*', async (route) => {
      sent += 1;
      if (sent > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await other.goto('/trades/spot/BTC');
    await other.getByRole('button', { name: /^Change Buy/ }).click();
    const form = other.getByRole('dialog');
    await form.getByLabel('Amount', { exact: true }).fill('0.0007');
    await form.getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
    await form.getByRole('button', { name: 'Confirm' }).click();
    const notice = (text: string) => other.locator('.mantine-Notification-root').filter({ hasText: text });
    await notice('this may have been done already').waitFor();
    await form.getByRole('button', { name: 'Confirm' }).click();
    await notice('Order changed').waitFor();
    await other.close();
  });

  it('changes the price of an order in place, says what it was, and warns of and refuses a price as the form does', async () => {
    await resting(1);
    await list('Open orders')
      .getByRole('button', { name: /^Change Buy/ })
      .click();
    const price = dialog().getByLabel('Price', { exact: true });
    const last = await lastPrice();
    await price.fill(Math.round(last * 1.06).toString());
    await dialog()
      .getByRole('alert')
      .filter({ hasText: /^Your price is \d\.\d\d% above the market\. The order can fill immediately/ })
      .waitFor();
    await price.fill(Math.round(last * 1.3).toString());
    await confirm();
    await dialog()
      .getByText(/^Use a price from [\d,.]+ to [\d,.]+, within 10% of the reference price$/)
      .waitFor();
    await expectAccessible(page);
    const target = Math.round(last * 0.94).toString();
    await price.fill(target);
    await confirm();
    await dialog().waitFor({ state: 'hidden' });
    const shown = Number(target).toLocaleString('en-US', { minimumFractionDigits: 1 });
    await list('Open orders').getByText(shown).waitFor();
  });

  it('cancels one order with a double click, and refuses nothing (T-spot-97)', async () => {
    await resting(2);
    const rows = list('Open orders').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    await rows
      .first()
      .getByRole('button', { name: /^Cancel/ })
      .dblclick();
    await page.getByRole('alert').filter({ hasText: 'Order cancelled' }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await page.getByText('Cancellation failed').count()).toBe(0);
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });

  it('names the coins of what is changed, and begins with the price', async () => {
    await resting(1);
    await list('Open orders')
      .getByRole('button', { name: /^Change/ })
      .click();
    const fields = dialog().locator('form');
    await expect.poll(() => hasFocus(fields.getByLabel('Price', { exact: true }))).toBe(true);
    expect(await fields.getByText('USDT', { exact: true }).count()).toBe(1);
    expect(await fields.getByText('BTC', { exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });

  it('cancels everything at once, after saying how much (T-spot-97, T-display-02)', async () => {
    await resting(3);
    await expect.poll(() => list('Open orders').locator('tbody tr').count()).toBe(3);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await dialog().getByRole('button', { name: 'Cancel 3 orders' }).click();
    await list('Open orders').waitFor({ state: 'hidden' });
    await page.getByText('No open orders. Your open orders will appear here.').waitFor();
    await tab('Order history').click();
    await list('Order history').getByText('Cancelled', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
