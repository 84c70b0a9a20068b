/** What a page reads, by the browser's own log: each list once, whether its answer or its stream comes first. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { framesOf } from './frames.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

const PAGES = ['/trades/spot/BTC', '/trades/futures/BTC', '/wallet', '/wallet/USDT', '/history', '/notifications'];
const LISTS =
  /^\/api\/v3\/(trades|futures\/(positions|settings)|notifications|check-notification|support|transfers|.*-history)/;
/** Longer than any answer is held up here, and shorter than the wallet waits before it asks again by itself. */
const QUIET_MS = 3_000;

let stage: Stage;
let trader: Session;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  await trader.call('POST', '/api/v3/trading-unlock', { transaction_password: TRADER.pin, minutes: 60 });
});
afterEach(() => page.context().close());
afterAll(() => stage?.close());

/** Own readings, by their address. */
async function openPage(): Promise<Map<string, number>> {
  page = await stage.open({ as: trader, serviceWorkers: 'block' });
  const asked = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.headers().authorization === undefined || !pathname.startsWith('/api/')) return;
    asked.set(pathname + search, (asked.get(pathname + search) ?? 0) + 1);
  });
  return asked;
}

const repeated = (asked: Map<string, number>) => [...asked].filter(([, count]) => count > 1);
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const begun = (frames: ReturnType<typeof framesOf>) =>
  expect.poll(() => frames.heard.filter(({ event }) => event === 'subscribe').length).toBeGreaterThan(4);

describe.each(PAGES)('%s asks for nothing twice', (path) => {
  it('as it opens', async () => {
    const asked = await openPage();
    const frames = framesOf(page);
    await page.goto(path);
    await begun(frames);
    await page.waitForTimeout(QUIET_MS);
    expect(asked.size).toBeGreaterThan(5);
    expect(repeated(asked)).toEqual([]);
  });

  it('nor where its answers come after the stream has begun', async () => {
    const asked = await openPage();
    const frames = framesOf(page);
    await page.route(/\/api\/v3\//, async (route) => {
      const answer = await route.fetch();
      await later(700);
      await route.fulfill({ response: answer });
    });
    await page.goto(path);
    await begun(frames);
    await page.waitForTimeout(QUIET_MS);
    expect(asked.size).toBeGreaterThan(5);
    expect(repeated(asked)).toEqual([]);
  });
});

/** Private sockets that can be cut; while they are, none comes through. */
async function cuttable(): Promise<{ cut(): Promise<void>; restore(): void }> {
  let isCut = false;
  const lines = new Set<{ close(): Promise<void> }>();
  await page.routeWebSocket(/\/ws\/v5\/private/, (line) => {
    if (isCut) return void line.close();
    lines.add(line);
    const server = line.connectToServer();
    line.onMessage((message) => server.send(message));
    server.onMessage((message) => line.send(message));
  });
  return {
    async cut() {
      isCut = true;
      for (const line of lines) await line.close();
      lines.clear();
    },
    restore() {
      isCut = false;
    },
  };
}

describe('a terminal whose private stream is lost for a while', () => {
  const openRows = () => page.getByRole('table', { name: 'Open orders' }).getByRole('button', { name: /^Cancel / });

  async function enter() {
    await trader.call('POST', '/api/v3/orders/cancel-all', {});
    const asked = await openPage();
    const line = await cuttable();
    const frames = framesOf(page);
    await page.goto('/trades/spot/BTC');
    await page.getByText('No open orders').waitFor();
    await begun(frames);
    await page.waitForTimeout(1_000);
    asked.clear();
    const backAgain = async () => {
      const before = frames.sent.filter(({ op }) => op === 'subscribe').length;
      line.restore();
      await expect.poll(() => frames.sent.filter(({ op }) => op === 'subscribe').length).toBeGreaterThan(before);
      await page.waitForTimeout(1_500);
    };
    return { asked, line, backAgain };
  }

  const lists = (asked: Map<string, number>) => [...asked.keys()].filter((path) => LISTS.test(path));

  it('reads no list again where nothing has changed', async () => {
    const { asked, line, backAgain } = await enter();
    await line.cut();
    await page.waitForTimeout(1_500);
    await backAgain();
    expect(lists(asked)).toEqual([]);
  });

  it('reads once what has changed meanwhile, and shows it', async () => {
    const { asked, line, backAgain } = await enter();
    await line.cut();
    const { chart } = await trader.call<{ chart: { close: string } }>(
      'GET',
      '/api/v3/coin-pair/current-price?symbol=BTC',
    );
    const price = String(Math.round(Number(chart.close) * 0.95));
    const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price, quantity: '0.001' };
    await trader.call('POST', '/api/v3/orders', order);
    await backAgain();
    await expect.poll(() => openRows().count()).toBe(1);
    const read = lists(asked).toSorted();
    expect(read).toEqual(['/api/v3/trades/funds', '/api/v3/trades/open-orders?market=spot&limit=500']);
    expect(repeated(asked)).toEqual([]);
  });
});
