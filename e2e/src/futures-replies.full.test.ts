/** What the screens of futures say and do for each reply of a call, and what stands in for their streams. */
import type { Page, Request, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DESK, type Session, type Stage, setStage, TRADER } from './stage.ts';

const SYMBOL = 'BTC-USDT-SWAP';
const UNLOCKED_MINUTES = 60;

let stage: Stage;
let trader: Session;

interface Positions {
  readonly positions: readonly object[];
  readonly account: { readonly free: string };
}

const asked = () => trader.call<Positions>('GET', '/api/v3/futures/positions');

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  await trader.call('POST', '/api/v3/futures/transfer', {
    ...{ coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '5000', transaction_password: TRADER.pin },
  });
  await vi.waitUntil(async () => Number((await asked()).account.free) === 5_000, { timeout: 30_000, interval: 500 });
}, 90_000);
afterAll(() => stage?.close());

const buying = (page: Page) => page.getByRole('form', { name: 'Long BTC' });
const notice = (page: Page, text: string) => page.locator('.mantine-Notification-root').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');

async function openForm(session: Session = trader, skipConfirmation = false): Promise<Page> {
  const page = await stage.open({ as: session, viewport: DESK, keeps: { preferences: { skipConfirmation } } });
  await page.goto('/trades/futures/BTC');
  await expect.poll(() => buying(page).innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
  return page;
}

/** While trading is unlocked. @param skips whether the trader has chosen to send orders without the summary */
async function openUnlocked(skips: boolean): Promise<Page> {
  const unlock = { transaction_password: TRADER.pin, minutes: UNLOCKED_MINUTES };
  const { unlocked_until } = await trader.call<{ unlocked_until: number }>('POST', '/api/v3/trading-unlock', unlock);
  return openForm({ ...trader, kept: { ...trader.kept, unlockedUntil: unlocked_until } }, skips);
}

async function order(page: Page, total: string): Promise<void> {
  await buying(page).getByLabel('Total in USDT').fill(total);
  await buying(page).getByRole('button', { name: 'Long BTC' }).click();
}

async function give(page: Page, password: string): Promise<void> {
  await dialog(page).getByLabel('Transaction password', { exact: true }).fill(password);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
}

describe('an order of a perpetual', () => {
  it('says that the transaction password is wrong, as an alert and under the field (T-futures-59) (T-futures-60)', async () => {
    const page = await openForm();
    await order(page, '500');
    await give(page, 'not this one');
    const alert = notice(page, 'Wrong transaction password');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Error!');
    await dialog(page).getByText('Wrong transaction password').waitFor();
    expect((await asked()).positions).toEqual([]);
    await page.context().close();
  });

  it('says that something went wrong for any other reply (T-futures-61)', async () => {
    const page = await openForm();
    const message = 'The price has moved.';
    const problem = { status: 422, code: 'PRICE_OUTSIDE_BAND', detail: message, message };
    await page.route('**/api/v3/orders', (route) => route.fulfill({ status: 422, json: problem }));
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    await page.reload();
    await expect.poll(() => buying(page).innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
    await order(page, '500');
    await give(page, TRADER.pin);
    await notice(page, 'Something went wrong').getByText(message).waitFor();
    await page.context().close();
  });

  it('is summed up first while trading is unlocked, for who has not chosen otherwise', async () => {
    const page = await openUnlocked(false);
    await order(page, '100');
    await dialog(page).getByText('Place orders without this summary').waitFor();
    expect(await dialog(page).getByLabel('Transaction password', { exact: true }).count()).toBe(0);
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await notice(page, 'Order created successfully').waitFor();
    await page.context().close();
    await trader.call('DELETE', '/api/v3/trading-unlock');
  });

  it('goes out at once for who has chosen so, and what is available is less afterwards (T-futures-47)', async () => {
    const page = await openUnlocked(true);
    const available = () =>
      buying(page)
        .getByText(/[\d,.]+ USDT/)
        .first()
        .innerText();
    const before = await available();
    let asksAgain = false;
    await page.exposeFunction('sawDialog', () => {
      asksAgain = true;
    });
    await page.evaluate(() => {
      const seen = new MutationObserver(() => {
        if (document.querySelector('[role=dialog]')) (window as unknown as { sawDialog: () => void }).sawDialog();
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    await order(page, '1000');
    await notice(page, 'Order created successfully').waitFor();
    await page.getByRole('table', { name: 'Positions' }).getByText(SYMBOL).waitFor();
    expect(asksAgain).toBe(false);
    await expect.poll(available).not.toBe(before);
    const amount = (text: string) => Number(text.replace(/[^\d.]/g, ''));
    expect(amount(await available())).toBeLessThan(amount(before) - 50);
    await page.context().close();
    await trader.call('DELETE', '/api/v3/trading-unlock');
  });
});

describe('closing a position', () => {
  it('that rests says success, reads the futures wallet again and goes home (T-futures-48) (T-futures-49) (T-futures-50)', async () => {
    const page = await stage.open({ as: trader, viewport: DESK });
    // By HTTP, where the answer can be another.
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    await page.route('**/api/v3/futures/close', (route) => route.fulfill({ json: { message: 'closeRequest' } }));
    await page.goto('/wallet?tab=future');
    await page.getByRole('tab', { name: 'Assets' }).click();
    await page.getByRole('table', { name: 'Assets' }).getByText('USDT', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Positions' }).click();
    // As on the terminal. Open interest is of all clients together.
    await page.getByRole('columnheader', { name: 'Amount' }).waitFor();
    await page.getByRole('button', { name: 'Close Position' }).click();
    await expect.poll(() => page.getByRole('dialog').innerText()).toMatch(/Max\. fee\s+≈ \d/);
    const again = page.waitForRequest('**/api/v2/client-margin');
    await give(page, TRADER.pin);
    await notice(page, 'Success').getByText('The order that closes the position is in the book.').waitFor();
    await again;
    await page.waitForURL(`${stage.url}/`);
    await page.goBack();
    const assets = page.getByRole('tab', { name: 'Assets' });
    await assets.waitFor();
    // At once, and not when it would be polled.
    await Promise.all([page.waitForRequest('**/api/v3/wallets/future', { timeout: 4_500 }), assets.click()]);
    await page.context().close();
  });
});

describe('an answer that is lost or comes late', () => {
  interface Sent {
    readonly keys: (string | undefined)[];
    readonly page: Page;
  }

  /** By HTTP: a page whose first call there is carried out and gets no answer. */
  async function loseFirstAnswer(path: string, as: Session): Promise<Sent> {
    const page = await stage.open({ as, viewport: DESK });
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    const keys: Sent['keys'] = [];
    await page.route(path, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.goto('/trades/futures/BTC');
    await expect.poll(() => buying(page).innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
    return { page, keys };
  }

  const mayBeDone = (page: Page) => notice(page, 'this may have been done already').waitFor();

  it('makes no second order, also for who goes away, comes back and mistypes the password', async () => {
    const { page, keys } = await loseFirstAnswer('**/api/v3/orders', trader);
    await buying(page).getByLabel('Total in USDT').fill('300');
    await buying(page).getByLabel('Total in USDT').press('Enter');
    await give(page, TRADER.pin);
    await mayBeDone(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Wallet' }).first().click();
    await page.waitForURL('**/wallet');
    await page.goBack();
    await expect.poll(() => buying(page).innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
    expect(await buying(page).getByLabel('Total in USDT').inputValue()).toBe('300');
    await buying(page).getByRole('button', { name: 'Long BTC' }).click();
    await give(page, 'mistyped');
    await dialog(page).getByText('Wrong transaction password').waitFor();
    await give(page, TRADER.pin);
    await expect.poll(() => keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
    await page.context().close();
  });

  it('closes nothing twice, also for who closes the dialog and opens it again', async () => {
    const { page, keys } = await loseFirstAnswer('**/api/v3/futures/close', trader);
    const closePart = async () => {
      await page
        .getByRole('table', { name: 'Positions' })
        .getByRole('button', { name: /^Close/ })
        .click();
      await dialog(page).getByLabel('Amount').fill('0.001');
      await dialog(page).getByRole('button', { name: 'Close Position' }).click();
      await give(page, TRADER.pin);
    };
    await closePart();
    await mayBeDone(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await closePart();
    await page.getByRole('status').getByText('Close Position Success').waitFor();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    await page.context().close();
  });

  it('says how far closing came, where several orders closed a part', async () => {
    const page = await openForm();
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    await page.route('**/api/v3/futures/close', async (route) => {
      const response = await route.fetch();
      const in_parts = { order_ids: ['1', '2'], quantity: '0.00200', filled: '0.00100', open: '0.00000', reason: '' };
      await route.fulfill({ response, json: { ...(await response.json()), in_parts } });
    });
    await page.reload();
    await page
      .getByRole('table', { name: 'Positions' })
      .getByRole('button', { name: /^Close/ })
      .click();
    await dialog(page).getByLabel('Amount').fill('0.001');
    await dialog(page).getByRole('button', { name: 'Close Position' }).click();
    await give(page, TRADER.pin);
    const told = '0.001 of 0.002 BTC was closed. The rest of your position is still open.';
    await notice(page, 'Closed in part').getByText(told).waitFor();
    expect(await page.getByRole('status').getByText('Close Position Success').count()).toBe(0);
    await page.context().close();
  });

  it('is not sent for by a second click, and leaves what is typed for another pair meanwhile', async () => {
    const page = await openUnlocked(true);
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    const answer = Promise.withResolvers<void>();
    let orders = 0;
    await page.route('**/api/v3/orders', async (route) => {
      orders += 1;
      await answer.promise;
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => buying(page).innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
    await buying(page).getByLabel('Total in USDT').fill('300');
    await buying(page).getByRole('button', { name: 'Long BTC' }).dblclick();
    const go = (path: string) =>
      page.evaluate((to) => {
        window.history.pushState({}, '', to);
        window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
      }, path);
    await go('/trades/futures/ETH');
    await page.getByRole('form', { name: 'Long ETH' }).getByLabel('Total in USDT').fill('777');
    await go('/trades/futures/BTC');
    // It is on its way still, and says so.
    await buying(page).locator('button[data-loading]').waitFor();
    await go('/trades/futures/ETH');
    const other = page.getByRole('form', { name: 'Long ETH' }).getByLabel('Total in USDT');
    await other.fill('777');
    answer.resolve();
    await notice(page, 'Order created successfully').waitFor();
    expect(await other.inputValue()).toBe('777');
    expect(orders).toBe(1);
    await page.context().close();
    await trader.call('DELETE', '/api/v3/trading-unlock');
  });

  it('leads nowhere once its dialog is closed', async () => {
    const page = await stage.open({ as: trader, viewport: DESK });
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/v3/futures/close', async (route) => {
      await answer.promise;
      await route.fulfill({ json: { message: 'closeRequest' } });
    });
    await page.goto('/wallet?tab=future');
    await page.getByRole('button', { name: 'Close Position' }).click();
    await give(page, TRADER.pin);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Assets' }).click();
    answer.resolve();
    await notice(page, 'The order that closes the position is in the book.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/wallet');
    await page.context().close();
  });
});

describe('lists of futures', () => {
  const many = (rows: readonly object[]) =>
    Array.from({ length: 21 }, (_, index) => ({ ...rows[0], id: String(index + 1) }));

  it('show 20 positions on a page, in the terminal and in the wallet (T-futures-67)', async () => {
    const page = await stage.open({ as: trader, viewport: DESK });
    // No more than one position for each market is there: the answers say otherwise, and no push contradicts them.
    await page.routeWebSocket(/\/ws\/v5\/private/, (socket) => socket.close());
    await page.route('**/api/v3/futures/positions', async (route) => {
      const answer = (await (await route.fetch()).json()) as Positions;
      await route.fulfill({ json: { ...answer, positions: many(answer.positions) } });
    });
    await page.route('**/api/v2/client-margin', async (route) => {
      const { margin } = (await (await route.fetch()).json()) as { margin: object[] };
      await route.fulfill({ json: { margin: many(margin) } });
    });
    for (const path of ['/trades/futures/BTC', '/wallet?tab=future']) {
      await page.goto(path);
      const rows = page.getByRole('table', { name: 'Positions' }).getByRole('row').filter({ hasText: SYMBOL });
      await expect.poll(() => rows.count()).toBe(20);
      await page.getByRole('button', { name: 'Next page' }).first().click();
      await expect.poll(() => rows.count()).toBe(1);
    }
    await page.context().close();
  });

  it('show 20 coins of the wallet on a page (T-wallet-future-20)', async () => {
    const page = await stage.open({ as: trader, viewport: DESK });
    await page.route('**/api/v3/wallets/future', async (route) => {
      const answer = (await (await route.fetch()).json()) as { wallet: { name: string }[] };
      const coin = answer.wallet.find(({ name }) => name === 'USDT');
      const wallet = Array.from({ length: 21 }, (_, index) => ({ ...coin, name: `C${index}` }));
      await route.fulfill({ json: { ...answer, wallet } });
    });
    await page.goto('/wallet?tab=future');
    await page.getByRole('tab', { name: 'Assets' }).click();
    const rows = page.getByRole('table', { name: 'Assets' }).getByRole('row').filter({ hasText: /C\d+/ });
    await expect.poll(() => rows.count()).toBe(20);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.context().close();
  });
});

/** From the end of each of so many answers to the next question, in milliseconds, as the browser has measured them. */
async function pausesBetween(page: Page, call: RegExp, count: number): Promise<number[]> {
  const pauses: number[] = [];
  let answeredAt = 0;
  const onFinished = (request: Request) => {
    if (!call.test(decodeURIComponent(request.url()))) return;
    const { startTime, responseEnd } = request.timing();
    if (answeredAt > 0) pauses.push(startTime - answeredAt);
    answeredAt = startTime + responseEnd;
  };
  page.on('requestfinished', onFinished);
  await expect.poll(() => pauses.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
  page.off('requestfinished', onFinished);
  return pauses.slice(0, count);
}

it('while the streams are away, trades, margins, price and volume are asked for every second (T-polling-01..04)', async () => {
  const lines = new Set<WebSocketRoute>();
  let isCut = false;
  const page = await stage.open({ as: trader, viewport: { width: 1600, height: 1000 } });
  await page.routeWebSocket(/\/ws\/v5\//, (line) => {
    if (isCut) return;
    const server = line.connectToServer();
    lines.add(line);
    line.onMessage((message) => (isCut ? undefined : server.send(message)));
    server.onMessage((message) => (isCut ? undefined : line.send(message)));
  });
  await page.goto('/trades/futures/BTC');
  await expect.poll(() => buying(page).innerText()).toMatch(/Max\.\s+0\.\d+ BTC/);
  isCut = true;
  await page.getByTitle('Reconnecting, figures may be out of date').first().waitFor({ timeout: 6_000 });
  for (const [what, call] of [
    ['trades', /api\/v5\/market\/trades/],
    ['margins', /api\/v3\/futures\/positions/],
    ['price', /api\/v3\/futures\/funding-rates/],
    ['volume', /api\/v3\/quotes\?symbols=[^,]+$/],
  ] as const) {
    const pauses = await pausesBetween(page, call, 5);
    // A timer is never early, and late by as much as the page has to do.
    expect(Math.min(...pauses), what).toBeGreaterThan(980);
    expect(pauses.toSorted((one, other) => one - other)[2], what).toBeLessThan(1_300);
  }
  await page.context().close();
});
