/** How the chart is drawn: kinds, scale, another pair in percent, and the legend of indicators; all kept on the device. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

const loaded = (page: Page) => page.locator('[data-status=full]').waitFor();

/** Pixels of the colours of candles, or of one of them, in the pane of prices. */
function candlePixels(page: Page, names = ['--up', '--down']): Promise<number> {
  return page.locator('[data-status=full]').evaluate((chart, wanted) => {
    const style = getComputedStyle(document.documentElement);
    const brush = document.createElement('canvas').getContext('2d');
    const canvas = chart.querySelector('canvas');
    const { width = 0, height = 0 } = canvas ?? {};
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, width, height).data;
    if (!brush || !pixels) return -1;
    const colours = wanted.map((name) => {
      brush.fillStyle = style.getPropertyValue(name).trim();
      brush.fillRect(0, 0, 1, 1);
      return [...brush.getImageData(0, 0, 1, 1).data];
    });
    let found = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      const isOne = ([red, green, blue]: number[]) =>
        pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue && pixels[at + 3] === 255;
      if (colours.some(isOne)) found += 1;
    }
    return found;
  }, names);
}

const kept = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cambist.chart') ?? '{}').state as Record<string, unknown>);

it('candles become a line or computed ones, on a logarithmic scale or in percent beside another pair, and stay so', async () => {
  const page = await stage.open();
  const complaints = complaintsOf(page);
  await page.goto('/trades/spot/BTC');
  await loaded(page);
  await expect.poll(() => candlePixels(page)).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Chart type and scale' }).click();
  const kind = page.getByLabel('Chart type', { exact: true });
  await kind.selectOption('Line');
  await expect.poll(() => candlePixels(page)).toBeLessThan(100);
  await kind.selectOption('Heikin-Ashi');
  await expect.poll(() => candlePixels(page)).toBeGreaterThan(500);
  await expectAccessible(page);
  await page.getByLabel('Scale', { exact: true }).selectOption('Logarithmic');
  const asked = page.waitForRequest((request) => /history\?.*symbol=ETH-USDT/.test(request.url()));
  await page.getByLabel('Compare with', { exact: true }).selectOption('ETH-USDT');
  await asked;
  expect(await page.getByLabel('Scale', { exact: true }).isDisabled()).toBe(true);
  const chosen = { kind: 'heikin-ashi', logarithmic: true, compared: { 'BTC-USDT': 'ETH-USDT' } };
  expect(await kept(page)).toMatchObject(chosen);

  const askedAgain = page.waitForRequest((request) => /history\?.*symbol=ETH-USDT/.test(request.url()));
  await page.reload();
  await Promise.all([loaded(page), askedAgain]);
  await page.getByRole('button', { name: 'Chart type and scale' }).click();
  expect(await kind.inputValue()).toBe('heikin-ashi');
  expect(await page.getByLabel('Compare with', { exact: true }).inputValue()).toBe('ETH-USDT');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('rising candles are hollow as a kind of their own, and where more contrast is asked for', async () => {
  const page = await stage.open();
  await page.goto('/trades/spot/BTC');
  await loaded(page);
  const rising = () => candlePixels(page, ['--up']);
  const falling = () => candlePixels(page, ['--down']);
  await expect.poll(rising).toBeGreaterThan(500);
  const [filled, others] = [await rising(), await falling()];
  const isHollow = async () => (await rising()) < filled * 0.8 && (await falling()) > others * 0.9;
  await page.getByRole('button', { name: 'Chart type and scale' }).click();
  const kind = page.getByLabel('Chart type', { exact: true });
  await kind.selectOption('Hollow candles');
  await expect.poll(isHollow).toBe(true);
  expect(await kept(page)).toMatchObject({ kind: 'hollow' });
  await kind.selectOption('Candles');
  await expect.poll(isHollow).toBe(false);
  await page.emulateMedia({ contrast: 'more' });
  await expect.poll(isHollow).toBe(true);
  await page.emulateMedia({ contrast: 'no-preference' });
  await expect.poll(isHollow).toBe(false);
  await page.context().close();
});

it('each indicator has its name and its values under the pointer, settings beside it, and a way to remove it', async () => {
  const page = await stage.open({
    keeps: {
      chart: {
        pairs: {
          'BTC-USDT': {
            indicators: [
              { name: 'VOL', params: [] },
              { name: 'BOLL', params: [20, 2] },
            ],
            drawings: [],
          },
        },
      },
    },
  });
  await page.goto('/trades/spot/BTC');
  await loaded(page);
  const pane = await page.locator('[data-status=full] canvas').first().boundingBox();
  const point = (across: number) => [(pane?.x ?? 0) + across, (pane?.y ?? 0) + (pane?.height ?? 0) - 20] as const;
  await page.mouse.move(...point(500));
  const row = (name: RegExp) =>
    page.getByRole('list', { name: 'Indicators on the chart' }).getByRole('listitem').filter({ hasText: name });
  await row(/^VOL/).waitFor();
  const bands = row(/^BOLL/);
  expect(await bands.innerText()).toMatch(/^BOLL 20, 2\s+UP [\d,.]+\s+MID [\d,.]+\s+DN [\d,.]+/);
  await page.mouse.move(...point(200));
  const left = await bands.innerText();
  await page.mouse.move(...point(560));
  await expect.poll(() => bands.innerText()).not.toBe(left);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Settings of BOLL' }).click();
  await page.getByLabel('BOLL, period 1').fill('21');
  await row(/^BOLL 21, 2/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove VOL' }).click();
  await row(/^VOL/).waitFor({ state: 'hidden' });
  expect(await kept(page)).toMatchObject({
    pairs: { 'BTC-USDT': { indicators: [{ name: 'BOLL', params: [21, 2] }] } },
  });
  await page.context().close();
});

it('of a perpetual the chart draws the mark or the index instead of its trades, and keeps the choice', async () => {
  const page = await stage.open({ as: await stage.signIn(TRADER) });
  const complaints = complaintsOf(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const subscribed: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => subscribed.push(String(payload))));
  await page.goto('/trades/futures/BTC');
  await loaded(page);
  await page.getByRole('button', { name: 'Chart type and scale' }).click();
  const price = page.getByRole('dialog', { name: 'Chart type and scale' }).getByLabel('Price', { exact: true });
  const pictureOf = (name: RegExp) => page.getByRole('img', { name });
  await pictureOf(/^Price of BTC-USDT-SWAP, /).waitFor();
  for (const [name, channel] of [
    ['mark', '"channel":"mark-price-candle1m","instId":"BTC-USDT-SWAP"'],
    ['index', '"channel":"index-candle1m","instId":"BTC-USDT"'],
  ] as const) {
    await price.selectOption(name);
    await expect.poll(() => asked.some((url) => url.includes(`&price=${name}`))).toBe(true);
    await expect.poll(() => subscribed.some((text) => text.includes(channel))).toBe(true);
    await pictureOf(name === 'mark' ? /^Mark price of BTC-USDT-SWAP, / : /^Index price of BTC-USDT-SWAP, /).waitFor();
    await loaded(page);
  }
  expect((await kept(page)).price).toBe('index');
  await page.reload();
  await loaded(page);
  await expect.poll(() => candlePixels(page)).toBeGreaterThan(5);
  await page.goto('/trades/spot/BTC');
  await loaded(page);
  await page.getByRole('button', { name: 'Chart type and scale' }).click();
  await page.getByLabel('Chart type', { exact: true }).waitFor();
  expect(await price.count()).toBe(0);
  await pictureOf(/^Price of BTC-USDT, /).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});
