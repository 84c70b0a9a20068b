/** What makes the terminal one's own: keys, palette, alerts, indicators, drawings, panels; each kept where it should be. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  page = await stage.open({ as: trader, viewport: { width: 1600, height: 1000 } });
  complaints = complaintsOf(page);
});
/** Nothing that an earlier test chose is left, on the device or the server. */
beforeEach(async () => {
  if (page.url() !== 'about:blank') {
    await page.evaluate(
      (session) => {
        localStorage.clear();
        localStorage.setItem('cambist.session', session);
      },
      JSON.stringify({ state: trader.kept, version: 0 }),
    );
  }
  const { alerts } = await trader.call<{ alerts: { id: string }[] }>('GET', '/api/v3/alerts');
  for (const { id } of alerts) await trader.call('DELETE', `/api/v3/alerts/${id}`);
  await openPair('BTC');
});
afterEach(() => expect(complaints.splice(0)).toEqual([]));
afterAll(() => stage?.close());

async function openPair(coin: string, tab = page): Promise<void> {
  await tab.goto(`/trades/spot/${coin}`);
  await tab.locator('[data-status=full]').waitFor();
}

const dialog = () => page.getByRole('dialog');

/** Whether the chart takes the key that scrolls it. */
async function scrollsChart(): Promise<boolean> {
  await page.evaluate(() => {
    const note = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'ArrowLeft') document.body.dataset.taken = String(defaultPrevented);
    };
    window.addEventListener('keydown', note);
  });
  await page.keyboard.press('Shift+ArrowLeft');
  return (await page.locator('body').getAttribute('data-taken')) === 'true';
}

it('keys choose, fill and open; a sheet names them, and they can be turned off', async () => {
  await page.keyboard.press('l');
  await page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Price', { exact: true }).waitFor();
  await page.keyboard.press('2');
  await page.locator('[data-status=full][aria-label*="5min"]').waitFor();
  expect(await scrollsChart()).toBe(true);
  await page.keyboard.press('b');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-amount'))).toBe('BUY');
  // What is typed into a field is no command.
  await page.keyboard.type('1m');
  expect(await page.getByLabel('Amount in BTC').first().inputValue()).toBe('1');
  await page.getByRole('heading', { name: 'BTC/USDT' }).click();
  await dialog().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+?');
  await dialog().getByText('Cancel all orders').waitFor();
  await dialog().getByText('Scroll the chart').waitFor();
  await expectAccessible(page);
  await dialog().getByRole('switch').click();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  expect(await scrollsChart()).toBe(false);
  await page.keyboard.press('m');
  await page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Price', { exact: true }).waitFor();
  expect(await page.getByRole('tab', { name: 'Limit', exact: true }).getAttribute('aria-selected')).toBe('true');
});

it('the command palette finds pairs, screens and actions', async () => {
  await page.keyboard.press('Control+k');
  const search = page.getByLabel('Search pairs, screens and actions');
  await search.fill('oco');
  const found = page.getByRole('dialog', { name: 'Command palette' }).getByRole('option', { selected: true });
  await expect.poll(() => found.allTextContents()).toEqual(['OCO order']);
  // Read out while the focus stays in the field.
  expect(await search.getAttribute('aria-activedescendant')).toBe(await found.getAttribute('id'));
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Take-profit price').waitFor();
  await page.keyboard.press('Control+k');
  await search.fill('ethereum');
  await expect.poll(() => found.allTextContents()).toEqual(['ETH-USDTEthereum']);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => found.allTextContents()).toEqual(['ETC-USDTEthereum Classic']);
  expect(await search.getAttribute('aria-activedescendant')).toBe(await found.getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/trades/spot/ETH');
});

const drawingTools = (tab = page) => tab.getByRole('toolbar', { name: 'Drawing tools' });

async function drawLine(coin: string, y: number, tab = page): Promise<void> {
  await drawingTools(tab).getByRole('button', { name: 'Horizontal line' }).click();
  const chart = await tab.getByRole('img', { name: new RegExp(`^Price of ${coin}`) }).boundingBox();
  await tab.mouse.move((chart?.x ?? 0) + 300, (chart?.y ?? 0) + y);
  await tab.mouse.click((chart?.x ?? 0) + 300, (chart?.y ?? 0) + y);
}

const keptOfPairs = () =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cambist.chart') ?? '{}').state.pairs as Record<string, unknown>);

it('indicators and drawings are kept for each pair', async () => {
  await page.getByRole('button', { name: 'Indicators' }).click();
  await dialog().getByRole('switch', { name: 'BOLL' }).click();
  await dialog().getByLabel('BOLL, period 1').fill('21');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Drawing tools' }).click();
  await drawLine('BTC', 120);
  await expect.poll(keptOfPairs).toMatchObject({
    'BTC-USDT': {
      indicators: [
        { name: 'VOL', params: [] },
        { name: 'BOLL', params: [21, 2] },
      ],
      drawings: [{ name: 'horizontalStraightLine', points: [{ value: expect.any(Number) }] }],
    },
  });
  await openPair('BTC');
  expect(Object.keys(await keptOfPairs())).toEqual(['BTC-USDT']);
  await drawingTools().getByRole('button', { name: 'Remove all drawings' }).click();
  await expect.poll(keptOfPairs).toMatchObject({ 'BTC-USDT': { drawings: [] } });
});

it('what is drawn in one tab stays when another draws, on the same pair and on another', async () => {
  const other = await page.context().newPage();
  await openPair('BTC', other);
  const line = { name: 'horizontalStraightLine' };
  // The tools are open in both then.
  await page.getByRole('button', { name: 'Drawing tools' }).click();
  await drawLine('BTC', 120);
  await expect.poll(keptOfPairs).toMatchObject({ 'BTC-USDT': { drawings: [line] } });
  await drawLine('BTC', 200, other);
  await expect.poll(keptOfPairs).toMatchObject({ 'BTC-USDT': { drawings: [line, line] } });
  await openPair('ETH', other);
  await drawLine('ETH', 120, other);
  await expect.poll(keptOfPairs).toMatchObject({ 'ETH-USDT': { drawings: [line] } });
  await drawLine('BTC', 160);
  await expect
    .poll(keptOfPairs)
    .toMatchObject({ 'BTC-USDT': { drawings: [line, line, line] }, 'ETH-USDT': { drawings: [line] } });
  await other.close();
});

it('the chart fills the screen and can be saved as a picture', async () => {
  await page.getByRole('button', { name: 'Full screen' }).click();
  const box = await page.getByRole('region', { name: 'Chart' }).boundingBox();
  expect([box?.width, box?.height]).toEqual([1600, 1000]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Full screen' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as image' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^BTC-USDT-.*\.png$/);
});

it('a price alert is kept on the server and told on the page when it triggers', async () => {
  await page.getByRole('button', { name: 'Price alerts' }).click();
  await dialog().getByRole('button', { name: 'Set alert' }).click();
  await dialog().getByText('Price is required').waitFor();
  const far = (Number(await lastPrice()) * 1.05).toFixed(1);
  await dialog()
    .getByLabel(/^Notify me when/)
    .fill(far);
  await dialog().getByLabel('Note').fill('far away');
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'Set alert' }).click();
  await dialog().getByRole('list', { name: 'Your alerts' }).getByText('far away').waitFor();
  const { alerts } = await trader.call<{ alerts: { note: string }[] }>('GET', '/api/v3/alerts');
  expect(alerts).toMatchObject([{ note: 'far away' }]);
  await page.keyboard.press('Escape');
  // A notice goes by itself, and it may come at once: it is looked for from now on.
  const notice = page
    .locator('[role=alert]')
    .filter({ hasText: 'next to it' })
    .getByText(/^BTC-USDT is at \d+,\d{3}\.\d$/)
    .first();
  const told = notice.waitFor({ timeout: 75_000 });
  // Nobody knows which way the market goes: one of the two is reached soon.
  await Promise.all([told, setAlert('above', 0.1), setAlert('below', -0.1)]);
  // They repeat, and so are active still.
  await page.getByRole('button', { name: 'Price alerts' }).click();
  await dialog()
    .getByText(/^Active, repeats · Triggered .* · next to it$/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
});

async function lastPrice(): Promise<string> {
  const answer = await trader.call<{ chart: { close: string } }>('GET', '/api/v3/coin-pair/current-price?symbol=BTC');
  return answer.chart.close;
}

/** An alert next to the market, which moves while it is set. */
async function setAlert(direction: 'above' | 'below', distance: number): Promise<void> {
  const price = (Number(await lastPrice()) + distance).toFixed(1);
  const alert = { symbol: 'BTC', direction, price, repeat: 'repeating', note: 'next to it' };
  await trader.call('POST', '/api/v3/alerts', alert).catch((error: Error) => {
    if (!error.message.includes('PRICE_REACHED')) throw error;
    return setAlert(direction, distance);
  });
}

it('panels are moved to a preset, arranged by hand, kept, and reset', async () => {
  await page.getByRole('button', { name: 'Layout' }).click();
  await page.getByRole('menuitem', { name: 'Book on the left' }).click();
  const left = async (panel: string) => (await page.locator(`[data-panel=${panel}]`).boundingBox())?.x ?? -1;
  await expect.poll(() => left('book')).toBeLessThan(5);
  await openPair('BTC');
  expect(await left('book')).toBeLessThan(5);
  await page.getByRole('button', { name: 'Layout' }).click();
  await page.getByRole('menuitem', { name: 'Move and resize panels' }).click();
  const card = page.locator('[data-panel=account]');
  await card.waitFor();
  const corner = page.locator('[data-panel=account] .react-resizable-handle');
  // Waits until the panels have come to rest.
  await corner.hover();
  const handle = await corner.boundingBox();
  await page.mouse.down();
  await page.mouse.move((handle?.x ?? 0) - 300, (handle?.y ?? 0) - 10, { steps: 8 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const width = async () => (await page.locator('[data-panel=account]').boundingBox())?.width ?? 0;
  await expect.poll(width).toBeLessThan(1_400);
  await page.getByRole('button', { name: 'Layout' }).click();
  await page.getByRole('menuitem', { name: 'Standard' }).click();
  await expect.poll(() => page.locator('[data-panel]').count()).toBe(0);
});
