/** Orders by the private socket: an order reaches the screen once and without a list being read; HTTP stands in. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Frames, framesOf } from './frames.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let frames: Frames;
let requests: { method: string; path: string; key: string | undefined }[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  await trader.call('POST', '/api/v3/trading-unlock', { transaction_password: TRADER.pin, minutes: 60 });
});
beforeEach(async () => {
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
  const kept = { ...trader.kept, unlockedUntil: Date.now() + 3_000_000 };
  page = await stage.open({ as: { ...trader, kept }, viewport: { width: 1600, height: 1000 } });
  frames = framesOf(page);
  requests = [];
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key'];
    requests.push({ method: request.method(), path: new URL(request.url()).pathname, key });
  });
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

const LISTS = /open-orders|order-histories|trades\/funds/;
const rows = () => page.getByRole('table', { name: 'Open orders' }).getByRole('button', { name: /^Cancel / });
const noticed = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
const placing = () => frames.sent.filter(({ op }) => op === 'place') as { key: string; args: object }[];
const posted = () => requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/v3/orders'));

async function enter(): Promise<void> {
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  await page.getByText('No open orders').waitFor();
}

/** A limit order far below the market. */
async function placeLimit(): Promise<void> {
  const { chart } = await trader.call<{ chart: { close: string } }>(
    'GET',
    '/api/v3/coin-pair/current-price?symbol=BTC',
  );
  const form = page.getByRole('form', { name: 'Buy BTC' });
  await page.getByRole('tab', { name: 'Limit', exact: true }).first().click();
  await form.getByLabel('Price', { exact: true }).fill(String(Math.round(Number(chart.close) * 0.95)));
  await form.getByLabel('Amount in BTC').fill('0.001');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await noticed('Order created successfully');
}

it('placing, and cancelling, goes by the socket, shows the order once and reads no list', async () => {
  await enter();
  await expect.poll(() => frames.heard.filter(({ event }) => event === 'subscribe').length).toBeGreaterThan(3);
  await page.waitForTimeout(1_000);
  requests.length = 0;
  await placeLimit();
  await expect.poll(() => rows().count()).toBe(1);
  await page.waitForTimeout(1_500);
  expect(await rows().count()).toBe(1);
  expect(placing()).toHaveLength(1);
  await rows().click();
  await noticed('Order cancelled');
  await expect.poll(() => rows().count()).toBe(0);
  expect(posted()).toEqual([]);
  expect(requests.filter(({ path }) => LISTS.test(path))).toEqual([]);
});

it('goes by HTTP while the private socket is not up', async () => {
  await page.routeWebSocket(/\/ws\/v5\/private/, () => undefined);
  await enter();
  await placeLimit();
  await expect.poll(() => rows().count()).toBe(1);
  expect(placing()).toEqual([]);
  expect(posted()).toEqual([{ method: 'POST', path: '/api/v3/orders', key: expect.any(String) }]);
});

it('is asked again by HTTP under the same key when the answer is lost, and is one order', async () => {
  const sent: { op?: string; key?: string }[] = [];
  await page.routeWebSocket(/\/ws\/v5\/private/, (line) => {
    const server = line.connectToServer();
    line.onMessage((message) => {
      sent.push(JSON.parse(String(message).replace(/^ping$/, '{}')) as { op?: string });
      server.send(message);
    });
    server.onMessage((message) => {
      const lost = String(message).includes('"op":"place"') || String(message).includes('"channel":"orders"');
      if (!lost || String(message).includes('"event"')) line.send(message);
    });
  });
  await enter();
  await expect.poll(() => sent.some(({ op }) => op === 'subscribe')).toBe(true);
  await page.waitForTimeout(1_000);
  await placeLimit();
  await expect.poll(() => rows().count()).toBe(1);
  const asked = sent.filter(({ op }) => op === 'place');
  expect(asked).toHaveLength(1);
  expect(posted()).toEqual([{ method: 'POST', path: '/api/v3/orders', key: asked[0]?.key }]);
  const { orders } = await trader.call<{ orders: unknown[] }>('GET', '/api/v3/trades/open-orders');
  expect(orders).toHaveLength(1);
});
