/** The chart of the terminal: how its height is shared, own orders on it, and changing them by dragging. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
beforeEach(async () => {
  await trader.call('POST', '/api/v3/orders/cancel-all', {});
});
afterAll(() => stage?.close());

const DAY_MS = 86_400_000;
/** What a wide chart leaves free behind its newest candle. */
const FREE_PX = 120;

const PANES = ['VOL', 'MACD', 'RSI', 'KDJ', 'WR', 'CCI'];

/** What the device keeps of a chart with so many panes, and with the drawing tools open. */
function keptChart(names: readonly string[]): object {
  const indicators = names.map((name) => ({ name, params: name === 'VOL' ? [] : [6, 12, 24] }));
  return { pairs: { 'BTC-USDT': { indicators, drawings: [] } }, showOrders: true, showTools: true };
}

const chartOf = (page: Page) => page.getByRole('img', { name: /^Price of BTC-USDT/ });

async function openChart(keeps: Readonly<Record<string, object>> = {}): Promise<Page> {
  const page = await stage.open({ as: trader, viewport: { width: 1600, height: 1000 }, keeps });
  await page.goto('/trades/spot/BTC');
  await page.locator('[data-status=full]').waitFor();
  return page;
}

/** Runs in the page: free pixels between the newest candle and the right edge of the pane that it is drawn in. */
function freeAfterCandles(chart: Element): number {
  const style = getComputedStyle(document.documentElement);
  const brush = document.createElement('canvas').getContext('2d');
  if (!brush) throw new Error('This browser draws nothing');
  const colours = ['--up', '--down'].map((name) => {
    brush.fillStyle = style.getPropertyValue(name).trim();
    brush.fillRect(0, 0, 1, 1);
    return [...brush.getImageData(0, 0, 1, 1).data];
  });
  // The first canvas is that of the candles; a body or a wick is higher than the lines that cross the pane.
  const canvas = chart.querySelector('canvas');
  const { width = 0, height = 0 } = canvas ?? {};
  const pixels = width * height === 0 ? undefined : canvas?.getContext('2d')?.getImageData(0, 0, width, height).data;
  for (let x = width - 1; pixels && x >= 0; x -= 1) {
    for (const [red = 0, green = 0, blue = 0] of colours) {
      let run = 0;
      for (let y = 0; y < height; y += 1) {
        const at = (y * width + x) * 4;
        const near = (offset: number, value: number) => Math.abs((pixels[at + offset] ?? 0) - value) < 12;
        run = (pixels[at + 3] ?? 0) > 200 && near(0, red) && near(1, green) && near(2, blue) ? run + 1 : 0;
        if (run >= 4) return width - 1 - x;
      }
    }
  }
  return -1;
}

describe('many indicators', () => {
  it('leave half of the chart to the price and its newest candle in view; what has no room is named', async () => {
    const page = await openChart({ chart: keptChart(PANES) });
    await page.getByRole('toolbar', { name: 'Drawing tools' }).waitFor();
    await page.getByText(/^No room for .*CCI: make the chart larger/).waitFor();
    const chart = chartOf(page);
    const priceShare = () =>
      chart.evaluate((element) => {
        const [price] = element.querySelectorAll('canvas');
        return (price?.getBoundingClientRect().height ?? 0) / (element.getBoundingClientRect().height - 26);
      });
    await expect.poll(priceShare).toBeGreaterThanOrEqual(0.49);
    await expect.poll(() => chart.evaluate(freeAfterCandles)).toBeGreaterThanOrEqual(60);
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await page.getByText(/^No room for/).waitFor({ state: 'hidden' });
    expect(await priceShare()).toBeGreaterThanOrEqual(0.49);
    await page.context().close();
  });
});

describe('own orders on the chart', () => {
  let page: Page;

  beforeAll(async () => {
    page = await openChart();
  });
  beforeEach(async () => {
    await page.goto('/trades/spot/BTC');
    await page.locator('[data-status=full]').waitFor();
  });

  const dialog = () => page.getByRole('dialog');
  /** Whether the field groups its digits or not. */
  const numberIn = async (field: string) =>
    Number((await dialog().getByLabel(field, { exact: true }).inputValue()).replaceAll(',', ''));

  it('a line is dragged to a new price, which is confirmed', async () => {
    const { side, price } = await restingInView();
    await placed('/api/v3/orders', { side, type: 'limit', price: String(price), quantity: '0.01' });
    await dragLine(side === 'BUY' ? 30 : -30);
    await dialog().getByText('Change order').waitFor();
    const wanted = await numberIn('Price');
    expect(side === 'BUY' ? price - wanted : wanted - price).toBeGreaterThan(0);
    await confirm();
    const [order] = await openOrders();
    expect(Number(order?.final_price)).toBeCloseTo(wanted, 1);
  });

  it('the stop of an OCO takes its limit price along, and both are shown before they are sent', async () => {
    const { side: away, price } = await restingInView();
    // A stop is where a resting order of the other side would be.
    const [side, apart, profit] = away === 'SELL' ? ['BUY', 40, 0.8] : ['SELL', -40, 1.2];
    await placed('/api/v3/orders/conditional', {
      kind: 'oco',
      side: String(side),
      quantity: '0.01',
      stop_price: String(price),
      stop_limit_price: String(price + Number(apart)),
      take_profit_price: String(Math.round(price * Number(profit))),
    });
    await dragLine(side === 'SELL' ? 30 : -30);
    const stop = await numberIn('Stop price');
    const limit = await numberIn('Stop limit price');
    expect(side === 'SELL' ? price - stop : stop - price).toBeGreaterThan(0);
    expect(limit - stop).toBeCloseTo(Number(apart), 1);
    await confirm();
    const [order] = await openOrders();
    expect(Number(order?.trigger?.stop_price)).toBeCloseTo(stop, 1);
    expect(Number(order?.trigger?.stop_limit_price)).toBeCloseTo(limit, 1);
  });

  it('five at one price have one tag, which opens the list of orders', async () => {
    const { side, price } = await restingInView();
    const order = { side, type: 'limit', price: String(price), quantity: '0.001' };
    for (let count = 0; count < 5; count += 1) await placed('/api/v3/orders', order);
    const tab = (name: RegExp) => page.getByLabel('Your lists').getByRole('tab', { name });
    await tab(/^Open orders \(5\)/).waitFor();
    await tab(/^Funds/).click();
    const { width = 0 } = (await chartOf(page).boundingBox()) ?? {};
    // Beside the axis, where the tags are; the tag is higher than its line.
    const { x, y } = await lineAt(width - 90);
    await page.mouse.click(x, y + 6);
    await expect.poll(() => tab(/^Open orders/).getAttribute('aria-selected')).toBe('true');
    expect(await dialog().count()).toBe(0);
  });

  it('a change that is refused keeps its dialog and what was typed, for another try', async () => {
    const { side, price } = await restingInView();
    await placed('/api/v3/orders', { side, type: 'limit', price: String(price), quantity: '0.001' });
    await page.getByRole('button', { name: /^Change / }).click();
    const amount = dialog().getByLabel('Amount', { exact: true });
    // More than anybody has here.
    await amount.fill('900');
    await dialog().getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Change failed').waitFor();
    expect(await amount.inputValue()).toBe('900');
    await amount.fill('0.002');
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await dialog().waitFor({ state: 'hidden' });
    const [order] = await openOrders();
    expect(Number(order?.number_of_order)).toBe(0.002);
  });

  async function confirm(): Promise<void> {
    await dialog().getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await dialog().waitFor({ state: 'hidden' });
  }

  function placed(path: string, order: Readonly<Record<string, string>>): Promise<unknown> {
    return trader.call('POST', path, { symbol: 'BTC-USDT', ...order, transaction_password: TRADER.pin });
  }

  interface OpenOrder {
    readonly final_price: string;
    readonly number_of_order: string;
    readonly trigger?: { readonly stop_price: string; readonly stop_limit_price: string };
  }

  async function openOrders(): Promise<readonly OpenOrder[]> {
    return (await trader.call<{ orders: OpenOrder[] }>('GET', '/api/v3/trades/open-orders')).orders;
  }

  /**
   * A side and a price that the market does not reach while the line is looked for, and that move the chart's scale as
   * little: inside of what the last hour saw, at the end that is further away.
   */
  async function restingInView(): Promise<{ side: 'BUY' | 'SELL'; price: number }> {
    const path = '/api/v5/market/candles?instId=BTC-USDT&bar=1m&limit=60';
    const candles = (await trader.call<{ data: string[][] }>('GET', path)).data;
    const last = Number(candles[0]?.[4]);
    const high = Math.max(...candles.map(([, , top]) => Number(top)));
    const low = Math.min(...candles.map(([, , , bottom]) => Number(bottom)));
    return high - last > last - low
      ? { side: 'SELL', price: Math.round(high) }
      : { side: 'BUY', price: Math.round(low) };
  }

  /** The market moves the chart's scale, and with it the line: a hand that finds nothing looks for it again. */
  async function dragLine(by: number): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await drag(await lineAt(300), by);
      const asked = dialog().waitFor({ timeout: 3000 });
      if (await asked.then(() => true).catch(() => false)) return;
    }
    throw new Error('No line follows the hand');
  }

  /** The chart follows a hand once a frame. */
  const nextFrame = () =>
    page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));

  async function drag({ x, y }: { readonly x: number; readonly y: number }, by: number): Promise<void> {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 10; step += 1) {
      await page.mouse.move(x, y + (by * step) / 10);
      await nextFrame();
    }
    await page.mouse.up();
  }

  /** Where the order's line is, so far from the left: the chart shows a hand over what can be dragged. */
  async function lineAt(fromLeft: number): Promise<{ x: number; y: number }> {
    const chart: Locator = chartOf(page);
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart has no place on the page');
    const x = box.x + fromLeft;
    const cursors = () =>
      chart.evaluate((element) => [...element.querySelectorAll<HTMLElement>('*')].map(({ style }) => style.cursor));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      // A quick hand passes over a line between two frames of a busy machine.
      const isSlow = attempt > 1;
      for (let y = box.y; y < box.y + box.height; y += 2) {
        await page.mouse.move(x, y);
        if (isSlow) await nextFrame();
        if (!(await cursors()).includes('pointer')) continue;
        // The hand may be that of a place before.
        await nextFrame();
        if ((await cursors()).includes('pointer')) return { x, y };
      }
    }
    throw new Error('No line can be dragged');
  }
});

describe('the times of the chart', () => {
  it.each([
    ['1min', 'Asia/Tokyo', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, '+09:00'],
    // A day begins at midnight UTC: in New York it would have the date of the day before.
    ['1D', 'America/New_York', /^\d{4}-\d{2}-\d{2}$/, 'Z'],
  ] as const)(
    'are those of trades and orders beside it, and a candle of %s has its own day in %s',
    async (timeframe, timezoneId, shape, offset) => {
      const page = await stage.open({ as: trader, viewport: { width: 1600, height: 1000 }, timezoneId });
      await page.addInitScript((name) => {
        sessionStorage.setItem('cambist.timeframe', name);
        const written: string[] = Object.assign(window, { written: [] }).written;
        const write = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
          written.push(text);
          write.call(this, text, ...rest);
        };
      }, timeframe);
      await page.goto('/trades/spot/BTC');
      await page.locator('[data-status=full]').waitFor();
      const box = await chartOf(page).boundingBox();
      if (!box) throw new Error('There is no chart');
      const width = await chartOf(page).evaluate((chart) => chart.querySelector('canvas')?.width ?? 0);
      // Where it is and not where it is seen: in the first hours of a day its candle is too small to be found.
      const newest = width - FREE_PX - 4;
      const pointed = async () => {
        await page.mouse.move(box.x + newest + 2, box.y + 100);
        await page.mouse.move(box.x + newest - 2, box.y + 100);
        const texts = await page.evaluate(() => (window as unknown as { written: string[] }).written);
        return texts.findLast((text) => shape.test(text)) ?? '';
      };
      await expect.poll(pointed).toMatch(shape);
      const [day, time = '00:00'] = (await pointed()).split(' ');
      const age = Date.now() - Date.parse(`${day}T${time}${offset}`);
      expect(Math.abs(age)).toBeLessThan(timeframe === '1D' ? DAY_MS : DAY_MS / 24);
      await page.context().close();
    },
  );
});
