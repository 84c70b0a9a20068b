/**
 * Minutes without network under everything that follows a stream. What the page shows afterwards is compared with a page
 * that is opened then, and what happened meanwhile has been told.
 */
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, register, TRANSACTION_PASSWORD } from './people.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

const VIEW = { width: 1600, height: 1000 };
/** The ends of two candles of a minute. */
const AWAY_MS = 125_000;

let stage: Stage;
let trader: Session;
let other: Session;

beforeAll(async () => {
  stage = await setStage();
  trader = await stage.signIn(TRADER);
  await register(stage, 'other@example.test');
  other = await stage.signIn({ username: 'other@example.test', password: PASSWORD });
  for (const [coin, amount] of [
    ['USDT', '50000'],
    ['BTC', '1'],
  ])
    await other.call('POST', '/api/dev/faucet', { coin, amount });
});
afterAll(() => stage?.close());

const pins = () =>
  new Map([
    [trader, TRADER.pin as string],
    [other, TRANSACTION_PASSWORD],
  ]);

function order(who: Session, side: 'BUY' | 'SELL', price: number, quantity = '0.01'): Promise<unknown> {
  const transaction_password = pins().get(who);
  const limit = { symbol: 'BTC-USDT', type: 'limit', side, price: String(price), quantity };
  return who.call('POST', '/api/v3/orders', { ...limit, transaction_password });
}

/** A trade that is seen in the lists of the trader, who asked for it. */
async function trade(price: number): Promise<void> {
  await order(other, 'SELL', price);
  await order(trader, 'BUY', price);
}

/** @returns how to lose and find the network of a page */
async function cable(page: Page): Promise<(isCut: boolean) => Promise<void>> {
  let cut = false;
  const lines = new Set<WebSocketRoute>();
  await page.routeWebSocket(/\/ws\/v5\//, (line) => {
    if (cut) return;
    const server = line.connectToServer();
    lines.add(line);
    line.onMessage((message) => cut || server.send(message));
    server.onMessage((message) => cut || line.send(message));
  });
  await page.route('**/api/**', (route) => (cut ? route.abort('internetdisconnected') : route.continue()));
  return async (isCut) => {
    cut = isCut;
    if (isCut) return;
    for (const line of lines) await line.close();
    lines.clear();
  };
}

async function openTerminal(page: Page): Promise<void> {
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
}

/** Where a canvas has a colour, as candles have: the lines behind them begin with the first candle that was loaded. */
function coloursOf(canvas: Element): string {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
  const places: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) places.push(at / 4);
  }
  return `${places.length} of ${width} x ${height}: ${places.join()}`;
}

/** Everything of the terminal that a stream feeds. */
async function shownOn(page: Page) {
  const tab = (name: RegExp) => page.getByLabel('Your lists').getByRole('tab', { name }).click();
  const table = async (name: string) => {
    const list = page.getByRole('table', { name });
    await list.waitFor();
    return list.innerText();
  };
  const region = (name: string) => page.getByRole('region', { name, exact: true }).innerText();
  await tab(/^Open orders/);
  const open = await table('Open orders');
  await tab(/^Order history/);
  const ended = await table('Order history');
  await tab(/^Funds/);
  const funds = await table('Funds');
  const candles = await page.locator('[data-status=full] canvas').first().evaluate(coloursOf);
  return {
    ...{ open, ended, funds, candles },
    ...{ bids: await region('Bids'), asks: await region('Asks'), trades: await region('Recent trades') },
  };
}

it('after minutes without network the terminal shows what a fresh one shows, and has told what happened', async () => {
  for (const price of [50_000, 50_100, 49_900]) await trade(price);
  await trader.call('POST', '/api/v3/alerts', { symbol: 'BTC-USDT', direction: 'above', price: '51000' });
  await order(trader, 'BUY', 49_000);
  const page = await stage.open({ as: trader, viewport: VIEW });
  const setCut = await cable(page);
  await openTerminal(page);
  const told = page.locator('.mantine-Notification-root');
  await setCut(true);
  const cutAt = Date.now();
  await page.getByTitle('Reconnecting, figures may be out of date').first().waitFor();
  // In each of the candles that end meanwhile something trades that the page does not hear of.
  for (const price of [50_200, 51_500, 49_500, 50_400]) {
    await trade(price);
    await page.waitForTimeout(AWAY_MS / 4);
  }
  await order(other, 'SELL', 49_000);
  await order(other, 'SELL', 52_000);
  await order(trader, 'BUY', 48_500);
  expect(Date.now() - cutAt).toBeGreaterThan(120_000);
  await setCut(false);
  await told.getByText(/BTC-USDT is at 51,500/).waitFor();
  await told
    .getByText(/orders filled|Order filled/)
    .first()
    .waitFor();
  const fresh = await stage.open({ as: trader, viewport: VIEW });
  await openTerminal(fresh);
  const both = async () => Promise.all([page, fresh].map(shownOn));
  await expect
    .poll(
      async () => {
        const [kept, opened] = await both();
        return JSON.stringify(kept) === JSON.stringify(opened);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
}, 300_000);
