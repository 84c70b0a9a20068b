/** The order ticket, filled in by hand: numbers as people write them, prices that are far off, and keys alone. */
import type { Page, ViewportSize } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, hasFocus } from './browser.ts';
import { DESK, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

/** The terminal with its figures, for a device on which nothing was chosen but what is given. */
async function openTicket(viewport: ViewportSize = DESK, preferences: object = {}): Promise<void> {
  page = await stage.open({ as: trader, viewport, keeps: { preferences } });
  await page.goto('/trades/spot/BTC');
  if (viewport === PHONE) await page.locator('footer').getByRole('button').first().click();
  await price().or(form().locator('input')).first().waitFor();
  if (viewport !== PHONE) await page.locator('[data-status=full]').waitFor();
}

const form = () => page.getByRole('form').first();
const price = () => form().getByLabel('Price', { exact: true });
const amount = () => form().getByLabel('Amount in BTC');
const button = () => form().getByRole('button', { name: 'Buy BTC' });
const dialog = () => page.getByRole('dialog', { name: 'Buy BTC' });
const chooseLimit = () => page.getByRole('tab', { name: 'Limit', exact: true }).click();

async function lastPrice(): Promise<number> {
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  return Number(answer.chart.close);
}

const numberIn = (text: string) => Number(text.replaceAll(',', ''));
const grouped = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 1 });

/** From the clipboard, as a client does. */
async function paste(text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+V');
}

describe('a typed number', () => {
  it('means what it says in the language of the reader, is grouped when it is left, and keeps the caret', async () => {
    await openTicket();
    await chooseLimit();
    for (const [typed, shown] of [
      ['92,098.8', '92,098.8'],
      ['92.098,8', '92,098.8'],
      ['90,000', '90,000'],
      ['９０，０００．５', '90,000.5'],
    ] as const) {
      await price().fill(typed);
      expect(await price().inputValue()).toBe(typed);
      await price().blur();
      expect(await price().inputValue()).toBe(shown);
    }
    // Inside of a grouped number the groups go with the first change, and the caret stays where it is.
    await price().focus();
    await price().evaluate((field: HTMLInputElement) => field.setSelectionRange(3, 3));
    await page.keyboard.type('12');
    expect(await price().inputValue()).toBe('9012000.5');
    expect(await price().evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(4);
  });

  it('stays as it was typed when it is no number, and the form says what to change about it', async () => {
    await openTicket();
    await chooseLimit();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    for (const [typed, problem] of [
      ['1e9', 'Write it out: 1,000,000,000'],
      ['-1', 'Enter a number without a minus'],
      ['5 BTC', 'Enter digits only, without “BTC”'],
    ] as const) {
      await amount().fill('');
      await page.keyboard.type(typed);
      expect(await amount().inputValue()).toBe(typed);
      await form().getByText(problem).waitFor();
      await amount().blur();
      expect(await amount().inputValue()).toBe(typed);
    }
    await page.keyboard.press('Escape');
  });

  it('is refused with words where it could mean two numbers or is finer than the step, and nothing is sent', async () => {
    await openTicket();
    await chooseLimit();
    await amount().fill('0.01');
    await price().fill('');
    await price().focus();
    await paste('90.000');
    await form().getByText('90,000 or 90? Enter it without separators.').waitFor();
    expect(await price().getAttribute('aria-invalid')).toBe('true');
    const described = await price().getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(/^90,000 or 90\?/);
    await page.keyboard.press('Enter');
    expect(await dialog().count()).toBe(0);
    expect(await price().inputValue()).toBe('90.000');
    await price().fill('91000');
    await amount().fill('0.0000001');
    await amount().blur();
    await form().getByText('Enter a multiple of 0.00001').waitFor();
    await button().click();
    expect(await dialog().count()).toBe(0);
    await expectAccessible(page);
  });

  it('is read by the rules of German in German', async () => {
    await openTicket(DESK, { locale: 'german' });
    await page.getByRole('tab', { name: 'Limit', exact: true }).click();
    const field = page.getByRole('form').first().getByLabel('Preis', { exact: true });
    await field.fill('90.000');
    await field.blur();
    expect(await field.inputValue()).toBe('90.000');
    await field.fill('92098,8');
    await field.blur();
    expect(await field.inputValue()).toBe('92.098,8');
  });

  it('is stepped by tick and lot with keys and buttons', async () => {
    await openTicket();
    await chooseLimit();
    await price().fill('90000');
    for (const [key, value] of [
      ['ArrowUp', '90,000.1'],
      ['Shift+ArrowUp', '90,001.1'],
      ['PageDown', '89,991.1'],
      ['ArrowDown', '89,991.0'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await price().inputValue()).toBe(value);
    }
    await price().blur();
    await form().getByRole('button', { name: 'Increase' }).first().click();
    expect(await price().inputValue()).toBe('89,991.1');
    await amount().focus();
    await page.keyboard.press('ArrowUp');
    expect(await amount().inputValue()).toBe('0.00001');
    await page.keyboard.press('Shift+ArrowDown');
    expect(numberIn(await amount().inputValue())).toBe(0);
  });
});

describe('the ticket', () => {
  it.each([DESK, PHONE])(
    'keeps everything in its place when something is wrong or another type is chosen (%o)',
    async (viewport) => {
      await openTicket(viewport);
      await chooseLimit();
      await expect.poll(() => price().inputValue()).not.toBe('');
      const places = async () =>
        Promise.all(
          [price(), amount(), button()].map((one) => one.evaluate((element) => element.getBoundingClientRect().y)),
        );
      const before = await places();
      await button().click();
      await form().getByText('Amount is required').waitFor();
      expect(await places()).toEqual(before);
      await price().fill('1');
      await amount().fill('0.01');
      await button().click();
      await form()
        .getByText(/^Use a price from/)
        .waitFor();
      expect(await places()).toEqual(before);
      const buttonAt = before[2];
      for (const type of ['Market', 'Limit']) {
        await page.getByRole('tab', { name: type, exact: true }).click();
        await expect.poll(() => button().evaluate((element) => element.getBoundingClientRect().y)).toBe(buttonAt);
      }
      for (const type of ['OCO', 'Trailing stop', 'Stop limit', 'Stop market']) {
        await page.getByRole('button', { name: 'More order types' }).click();
        await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).click();
        await page.getByRole('menu').waitFor({ state: 'hidden' });
        await expect.poll(() => button().evaluate((element) => element.getBoundingClientRect().y)).toBe(buttonAt);
      }
    },
  );

  it('begins a limit order at the last price, which then stays, and takes the best bid or ask', async () => {
    // Wide enough for the list of markets.
    await openTicket({ width: 1600, height: 900 });
    await chooseLimit();
    await expect.poll(() => price().inputValue()).not.toBe('');
    const first = await price().inputValue();
    expect(Math.abs(numberIn(first) / (await lastPrice()) - 1)).toBeLessThan(0.01);
    const shown = await page.title();
    // The market goes on; the form does not.
    await expect.poll(() => page.title(), { timeout: 30_000 }).not.toBe(shown);
    expect(await price().inputValue()).toBe(first);
    await form().getByRole('button', { name: 'Bid' }).click();
    const bid = numberIn(await price().inputValue());
    await form().getByRole('button', { name: 'Ask' }).click();
    expect(numberIn(await price().inputValue())).toBeGreaterThan(bid * 0.999);
    await price().fill('');
    await price().blur();
    expect(await price().inputValue()).toBe('');
    await page.getByLabel('Search markets').fill('ETH');
    await page.getByRole('region', { name: 'Markets' }).getByRole('link', { name: /^ETH/ }).click();
    const other = page.getByRole('form', { name: 'Buy ETH' }).getByLabel('Price', { exact: true });
    await expect
      .poll(async () => numberIn(await other.inputValue().catch(() => '')), { timeout: 30_000 })
      .toBeGreaterThan(0);
    expect(numberIn(await other.inputValue())).toBeLessThan(bid / 2);
  });

  it('refuses a price outside the band with the band, and asks again about one far through the market', async () => {
    await openTicket();
    await chooseLimit();
    const last = await lastPrice();
    await amount().fill('0.001');
    await price().fill(String(Math.round(last * 10)));
    await button().click();
    const words = form().getByText(/^Use a price from [\d,.]+ to [\d,.]+, within 10% of the reference price$/);
    await words.waitFor();
    expect(await dialog().count()).toBe(0);
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0);
    const far = Math.round(last * 1.05);
    await price().fill(String(far));
    await button().click();
    await dialog()
      .getByText(`above the market. The order can fill immediately at up to ${grouped(far)}.`)
      .waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await price().fill(String(Math.round(last * 0.95)));
    await button().click();
    await dialog().waitFor();
    expect(await dialog().getByRole('alert').count()).toBe(0);
  });

  it('places an order by keys alone, and goes to what is missing', async () => {
    await openTicket();
    await chooseLimit();
    await expect.poll(() => price().inputValue()).not.toBe('');
    await price().focus();
    await page.keyboard.type(String(Math.round((await lastPrice()) * 0.95)));
    await price().selectText();
    await page.keyboard.type(String(Math.round((await lastPrice()) * 0.95)));
    await page.keyboard.press('Enter');
    await form().getByText('Amount is required').waitFor();
    expect(await hasFocus(amount())).toBe(true);
    await page.keyboard.type('0.001');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    const password = dialog().getByLabel('Transaction password', { exact: true });
    await expect.poll(() => hasFocus(password)).toBe(true);
    await page.keyboard.type(TRADER.pin);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Order created successfully' }).waitFor();
    await dialog().waitFor({ state: 'hidden' });
    expect(await amount().inputValue()).toBe('');
    expect(await hasFocus(amount())).toBe(true);
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });

  it('takes Enter once however long it is held, and has the focus again when the order is not confirmed', async () => {
    await openTicket();
    await chooseLimit();
    await price().fill(String(Math.round((await lastPrice()) * 0.95)));
    await amount().fill('0.001');
    await button().press('Enter');
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(button())).toBe(true);
    await page.keyboard.press('Enter');
    await dialog().getByLabel('After this order, on this device').selectOption({ index: 1 });
    await dialog().getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Order created successfully' }).waitFor();
    await expect.poll(() => hasFocus(button())).toBe(true);
    const openOrders = async () => {
      const { orders } = await trader.call<{ orders: object[] }>('GET', '/api/v3/trades/open-orders?symbol=BTC');
      return orders.length;
    };
    expect(await openOrders()).toBe(1);

    // Unlocked, the button that confirms has the focus at once: a key that is still down would press it.
    await amount().fill('0.001');
    await button().focus();
    const confirm = dialog().getByRole('button', { name: 'Confirm' });
    await page.keyboard.down('Enter');
    await expect.poll(() => hasFocus(confirm)).toBe(true);
    for (let times = 0; times < 3; times += 1) await page.keyboard.down('Enter');
    await page.waitForTimeout(300);
    expect(await confirm.isVisible()).toBe(true);
    expect(await openOrders()).toBe(1);
    await page.keyboard.up('Enter');
    await page.keyboard.down('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(openOrders).toBe(2);
    await page.keyboard.up('Enter');
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });

  it('stays to be confirmed after a double click, and is left by a click beside it', async () => {
    await openTicket();
    await chooseLimit();
    await price().fill(String(Math.round((await lastPrice()) * 0.95)));
    await amount().fill('0.001');
    // As fast as a hand: the dialog is there before the second click, which falls beside it.
    await button().click();
    await dialog().waitFor();
    const { x, y } = (await button().boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.waitForTimeout(300);
    expect(await dialog().isVisible()).toBe(true);
    await page.mouse.click(x + 5, y + 5);
    await dialog().waitFor({ state: 'hidden' });
  });
});

describe('take profit, stop loss and a visible amount', () => {
  it('go with an order by keys alone, are confirmed in amounts, and refused where they cannot be', async () => {
    await openTicket();
    await chooseLimit();
    await expect.poll(() => price().inputValue()).not.toBe('');
    // Percents of it are whole numbers.
    const below = Math.round((await lastPrice()) * 0.0095) * 100;
    await price().fill(String(below));
    await amount().fill('0.001');
    const part = form().getByRole('button', { name: 'Take profit / Stop loss' });
    expect(await part.getAttribute('aria-expanded')).toBe('false');
    await part.press('Enter');
    const profit = form().getByLabel('Take profit', { exact: true });
    const stop = form().getByLabel('Stop loss', { exact: true });
    await profit.fill(String(below - 10));
    await profit.press('Enter');
    await form().getByText('Take profit: Must be above the order price').waitFor();
    expect(await dialog().count()).toBe(0);
    await expectAccessible(page);
    await form().getByRole('button', { name: 'Iceberg' }).press('Enter');
    const visible = form().getByLabel('Visible amount', { exact: true });
    await visible.fill('0.001');
    await form().getByRole('button', { name: '%', exact: true }).press('Enter');
    expect(await profit.inputValue()).toBe('');
    await profit.fill('10');
    await stop.fill('4');
    await stop.press('Enter');
    await form().getByText('Visible amount: Must be less than the amount').waitFor();
    await visible.fill('0.0004');
    await visible.press('Enter');
    await dialog().getByText('0.00040 BTC', { exact: true }).waitFor();
    await dialog()
      .getByText(`${grouped(below * 1.1)} USDT (+10.00%)`)
      .waitFor();
    await dialog()
      .getByText(`${grouped(below * 0.96)} USDT (−4.00%)`)
      .waitFor();
    const password = dialog().getByLabel('Transaction password', { exact: true });
    await password.fill(TRADER.pin);
    await password.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Order created successfully' }).waitFor();
    await expect.poll(() => stop.inputValue()).toBe('');
    const exits = { take_profit_price: (below * 1.1).toFixed(1), stop_price: (below * 0.96).toFixed(1) };
    const { orders } = await trader.call<{ orders: object[] }>('GET', '/api/v3/trades/open-orders?symbol=BTC');
    expect(orders).toMatchObject([{ visible_quantity: '0.00040', exits }]);
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
  });
});

describe('a market that pauses', () => {
  it('closes the form with the reason and the time that is left, and opens it again', async () => {
    page = await stage.open({ as: trader, viewport: DESK });
    let end = '';
    // What the stream says of a market whose price has come to the end of its band.
    await page.routeWebSocket(/ws\/v5\/public/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (String(message) === 'pong') return socket.send(message);
        const push = JSON.parse(String(message)) as { arg?: { channel: string }; data?: Record<string, string>[] };
        if (push.arg?.channel === 'tickers') for (const row of push.data ?? []) row.pauseEnd = end;
        socket.send(JSON.stringify(push));
      });
    });
    await page.goto('/trades/spot/BTC');
    await page.locator('[data-status=full]').waitFor();
    expect(await button().isEnabled()).toBe(true);
    end = String(Date.now() + 290_000);
    await form()
      .getByText(
        /^BTC-USDT pauses, since its price has moved to the end of its band\. Trading goes on in 00:04:\d\d\.$/,
      )
      .waitFor();
    expect(await button().isDisabled()).toBe(true);
    expect(await amount().isDisabled()).toBe(true);
    await expectAccessible(page);
    end = '';
    await expect.poll(() => button().isEnabled(), { timeout: 10_000 }).toBe(true);
  });
});
