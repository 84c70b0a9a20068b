/** The truth of the streams: what the terminal says and does while they are cut, and what it knows afterwards. */
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let requests: { path: string; query: string; at: number }[];

/** Cables that can be pulled: a cut one is silent in both directions and takes no new connection. */
const cables = { cut: false, lines: new Set<WebSocketRoute>() };

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
beforeEach(async () => {
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
  cables.cut = false;
  cables.lines.clear();
  page = await stage.open({ as: trader, viewport: { width: 1600, height: 1000 } });
  requests = [];
  page.on('request', (request) => {
    const { pathname: path, search } = new URL(request.url());
    requests.push({ path, query: decodeURIComponent(search), at: Date.now() });
  });
  await page.routeWebSocket(/\/ws\/v5\//, (line) => {
    if (cables.cut) return;
    const server = line.connectToServer();
    cables.lines.add(line);
    line.onMessage((message) => {
      if (!cables.cut) server.send(message);
    });
    server.onMessage((message) => {
      if (!cables.cut) line.send(message);
    });
  });
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

const badges = () => page.getByTitle('Reconnecting, figures may be out of date');
const callsTo = (path: RegExp, since: number) => requests.filter((call) => call.at >= since && path.test(call.path));

async function placeLimit(price: number): Promise<string> {
  const answer = await trader.call<{ order: { id: string } }>('POST', '/api/v3/orders', {
    symbol: 'BTC-USDT',
    side: 'BUY',
    type: 'limit',
    price: String(price),
    quantity: '0.01',
    transaction_password: TRADER.pin,
  });
  return answer.order.id;
}

/** @returns when the streams fell silent, once the page says so */
async function cutCables(): Promise<number> {
  // A stream that a busy machine held up a moment ago may show it still.
  await expect.poll(() => badges().count()).toBe(0);
  cables.cut = true;
  const cutAt = Date.now();
  await badges().first().waitFor({ timeout: 5_000 });
  return cutAt;
}

it('a silent stream shows its badge within three seconds, and the documented polling stands in, never two at once (T-polling-05..07, T-polling-09, T-udf-feed-69..71)', async () => {
  const cutAt = await cutCables();
  // The watch looks twice a second.
  expect(Date.now() - cutAt).toBeLessThan(3_800);
  await expectPolling(cutAt);
});

it('the book that is polled has prices, amounts and the last price (T-orderbook-trades-12..14)', async () => {
  await cutCables();
  const answer = await page.waitForResponse(/\/api\/v2\/recent-trades/, { timeout: 12_000 });
  const { orders } = (await answer.json()) as { orders: { asks: unknown[]; bids: unknown[]; price: string } };
  const level = {
    unit_price: expect.stringMatching(/^\d+\.\d$/),
    number_of_order: expect.stringMatching(/^\d+\.\d{5}$/),
  };
  expect([orders.asks[0], orders.bids[0]]).toEqual([level, level]);
  expect(orders.price).toMatch(/^\d+\.\d$/);
});

async function expectPolling(cutAt: number): Promise<void> {
  const since = Date.now();
  await page.waitForTimeout(11_500);
  const seconds = (Date.now() - since) / 1_000;
  const trades = callsTo(/api\/v5\/market\/trades/, since).length;
  expect(trades).toBeGreaterThan(seconds * 0.6);
  expect(trades).toBeLessThan(seconds * 1.2);
  const candles = callsTo(/api\/v3\/history/, since).length;
  expect(candles).toBeGreaterThan(seconds * 3);
  expect(candles).toBeLessThan(seconds * 10.5);
  // Once at the cut, then every ten seconds.
  expect(callsTo(/api\/v2\/recent-trades/, cutAt).length).toBeGreaterThanOrEqual(2);
  expect(callsTo(/api\/v2\/recent-trades/, cutAt).length).toBeLessThanOrEqual(4);
  // The pair on screen every ten seconds, all others once a minute.
  const quotes = requests.filter((call) => call.at >= cutAt && /api\/v3\/quotes/.test(call.path));
  const others = quotes.filter((call) => call.query.includes(','));
  expect(others).toHaveLength(1);
  expect(quotes.length - others.length).toBeGreaterThanOrEqual(2);
  expect(quotes.length - others.length).toBeLessThanOrEqual(4);
}

it('prices still move while the stream is away', async () => {
  await cutCables();
  const first = page.getByRole('region', { name: 'Recent trades' }).getByRole('button').first();
  const before = await first.innerText();
  await expect.poll(() => first.innerText(), { timeout: 10_000 }).not.toBe(before);
});

it('what happened meanwhile to the own orders is there when the stream is back, and the polling ends', async () => {
  await cutCables();
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  await placeLimit(Math.round(Number(answer.chart.close) * 0.95));
  cables.cut = false;
  for (const line of cables.lines) await line.close();
  await expect.poll(() => badges().count(), { timeout: 15_000 }).toBe(0);
  await page.getByRole('table', { name: 'Open orders' }).getByText('Limit').waitFor();
  const since = Date.now();
  await page.waitForTimeout(3_000);
  expect(callsTo(/market\/trades|v3\/history|v2\/recent-trades|quotes/, since)).toEqual([]);
});

it('an order at market is asked about again where the market has moved since, and says when its figures may be old', async () => {
  const shifted = (price: string) => (Number(price) * 1.01).toFixed(1);
  await page.route(/\/api\/v2\/recent-trades/, async (route) => {
    type Level = { readonly unit_price: string };
    const { orders, ...rest } = await (await route.fetch()).json();
    const side = (levels: Level[]) => levels.map((level) => ({ ...level, unit_price: shifted(level.unit_price) }));
    await route.fulfill({ json: { ...rest, orders: { ...orders, asks: side(orders.asks), bids: side(orders.bids) } } });
  });
  const form = page.getByRole('form', { name: 'Buy BTC' });
  const dialog = page.getByRole('dialog', { name: 'Buy BTC' });
  const sum = async () => {
    await form.getByLabel('Amount in BTC').fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await dialog.getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
  };
  const confirm = () => dialog.getByRole('button', { name: 'Confirm' }).click();
  await sum();
  expect(await dialog.getByRole('alert').count()).toBe(0);
  const [book] = await Promise.all([page.waitForResponse(/\/api\/v2\/recent-trades/), cutCables()]);
  await book.finished();
  const since = Date.now();
  const placed = () => callsTo(/^\/api\/v3\/orders$/, since).length;
  // The book of the answer is published with the next frame.
  await page.waitForTimeout(500);
  await confirm();
  await dialog.getByText(/^The price has moved from [\d,.]+ to [\d,.]+ since this was shown/).waitFor();
  expect(placed()).toBe(0);
  await confirm();
  await dialog.waitFor({ state: 'hidden' });
  expect(placed()).toBe(1);
  await sum();
  await dialog.getByText('Reconnecting, figures may be out of date').waitFor();
});

it('a hole in the numbers of the book is mended by itself', async () => {
  const other = await stage.open({ viewport: { width: 1600, height: 1000 } });
  const subscriptions: string[] = [];
  let dropped = 0;
  await other.routeWebSocket(/\/ws\/v5\/public/, (line) => {
    const server = line.connectToServer();
    line.onMessage((message) => {
      const text = String(message);
      if (text.includes('"books"') && text.includes('"op":"subscribe"')) subscriptions.push(text);
      server.send(message);
    });
    server.onMessage((message) => {
      const isUpdate = String(message).includes('"channel":"books"') && String(message).includes('"update"');
      if (isUpdate && subscriptions.length === 1 && dropped === 0) {
        dropped += 1;
        return;
      }
      line.send(message);
    });
  });
  await other.goto('/trades/spot/BTC');
  await expect.poll(() => subscriptions.length).toBe(2);
  expect(dropped).toBe(1);
  const best = other.getByRole('region', { name: 'Bids' });
  await best.getByRole('button').first().waitFor();
  await other.context().close();
});

it('nothing is polled and no socket stays open after the screen was left (T-polling-08, T-external-feed-10)', async () => {
  await cutCables();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Convert' }).click();
  await page.waitForURL('**/wallet/convert');
  await page.waitForTimeout(1_500);
  const since = Date.now();
  await page.waitForTimeout(3_000);
  expect(callsTo(/market\/trades|v3\/history|v2\/recent-trades|quotes/, since)).toEqual([]);
});
