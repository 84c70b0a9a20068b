/** The spot screen as it is seen: header, lists, chart, book, trades, form, and its three widths. */
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { amountOf, complaintsOf, expectAccessible, go } from './browser.ts';
import { candleShare, dashedRows } from './dashes.ts';
import { PHONE, type Stage, setStage } from './stage.ts';

const WIDE = { width: 1600, height: 1000 };

let stage: Stage;
let page: Page;
let complaints: string[];
/** Paths of all requests since the app was loaded. */
let asked: string[];
let isLoaded = false;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
beforeEach(async () => {
  if (isLoaded) {
    await page.evaluate(() => [localStorage, sessionStorage].map((all) => all.clear()));
    await page.setViewportSize(WIDE);
    return;
  }
  page = await stage.reuse({ viewport: WIDE });
  complaints = complaintsOf(page);
  asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
});
afterEach(({ task }) => {
  // A failed test can leave anything behind.
  if (task.result?.state === 'fail' || complaints.length > 0) isLoaded = false;
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(() => stage?.close());

const textsOf = (page: Page, selector: string) => page.locator(selector).allInnerTexts();

/** What stands beside a title in a list of figures. */
const figureOf = (page: Page, title: string) =>
  page
    .locator('dl > div', { has: page.getByText(title, { exact: true }) })
    .locator('dd')
    .innerText();

const bitcoin = async () =>
  (await stage.call<{ coin_profile: Record<string, string> }>('GET', '/api/v3/coin-profile?name=BTC')).coin_profile;

/** Shows a pair in the app, which is loaded once. The screen of the same pair stays as it is. */
async function openTerminal(path = '/trades/spot/BTC'): Promise<void> {
  const coin = path.split('/').at(-1);
  await (isLoaded ? go(page, path) : page.goto(path));
  isLoaded = true;
  await page.getByRole('heading', { name: `${coin}/USDT` }).waitFor();
  await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
}

async function openChart(name: 'Chart' | 'Daily' | 'Overview'): Promise<void> {
  await openTerminal();
  await page.getByRole('tab', { name, exact: true }).click();
}

describe('addresses and header', () => {
  it('brings nothing that floats over it or needs a session before it is asked for', async () => {
    await openTerminal();
    expect(asked.some((path) => /\/terminal-[^/]+\.js$/.test(path))).toBe(true);
    expect(asked.filter((path) => /\/(floating|controls|entry|watch|positions)-[^/]+\.js$/.test(path))).toEqual([]);
  });

  it('shows the coin of the address, at both addresses (T-spot-03..05)', async () => {
    await openTerminal();
    await page.getByRole('form', { name: 'Buy BTC' }).waitFor();
    await openTerminal('/trades/trade-chart/ETH');
    await page.getByRole('form', { name: 'Buy ETH' }).waitFor();
  });

  it('shows high, low and both volumes of the last 24h as the exchange has them (T-spot-10..13)', async () => {
    await openTerminal();
    const shown = async (title: string) => amountOf(await figureOf(page, title));
    const differences = async () => {
      const path = '/api/v5/market/ticker?instId=BTC-USDT';
      const [day] = (await stage.call<{ data: Record<string, string>[] }>('GET', path)).data;
      const pairs = [
        [await shown('24h high'), Number(day?.high24h)],
        [await shown('24h low'), Number(day?.low24h)],
        // Volumes are shown to three figures, and grow while they are read.
        [await shown('24h volume (BTC)'), Number(day?.vol24h)],
        [await shown('24h volume (USDT)'), Number(day?.volCcy24h)],
      ] as const;
      return pairs.map(([seen, real], index) => (index < 2 ? seen === real : Math.abs(seen / real - 1) < 0.02));
    };
    await expect.poll(differences).toEqual([true, true, true, true]);
    expect(await shown('24h high')).toBeGreaterThan(await shown('24h low'));
    expect(await shown('24h volume (USDT)')).toBeGreaterThan(1_000 * (await shown('24h volume (BTC)')));
  });

  it('shows price and change in four decimals, live (T-spot-08, T-spot-09, T-display-04, T-external-feed-09)', async () => {
    await openTerminal();
    const header = page
      .locator('div')
      .filter({ has: page.getByRole('heading', { name: 'BTC/USDT' }) })
      .last();
    const text = (await header.locator('xpath=..').locator('xpath=..').innerText()).replaceAll('\n', ' ');
    expect(text).toMatch(/\d{1,3}(,\d{3})*\.\d{1,2} [+−]\d+\.\d{4}%/);
    const before = await page.title();
    await page.waitForFunction((title) => document.title !== title, before);
    expect(await page.title()).toContain('BTC-USDT | Cambist');
  });
});

describe('markets list and picker', () => {
  it('finds pairs by a part of their name, in any case (T-spot-14, T-spot-15)', async () => {
    await openTerminal();
    const markets = page.getByRole('region', { name: 'Markets' });
    await markets.getByLabel('Search markets').fill('tc-us');
    await expect.poll(() => markets.getByRole('link').count()).toBeGreaterThan(0);
    const found = await markets.getByRole('link').allInnerTexts();
    expect(found.every((text) => /tc\b/i.test(text.split('\n')[0] ?? ''))).toBe(true);
    expect(found.some((text) => text.startsWith('BTC'))).toBe(true);
    await markets.getByLabel('Search markets').fill('');
  });

  it('picking goes to the address of the coin without USDT, and the screen starts anew (T-spot-06)', async () => {
    await openTerminal();
    await page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Amount in BTC').fill('1.5');
    await page.getByLabel('Search markets').fill('LTC');
    await page.getByRole('region', { name: 'Markets' }).getByRole('link', { name: /^LTC/ }).click();
    await page.waitForURL('**/trades/spot/LTC');
    await page.getByRole('heading', { name: 'LTC/USDT' }).waitFor();
    expect(await page.getByRole('form', { name: 'Buy LTC' }).getByLabel('Amount in LTC').inputValue()).toBe('');
    await page.getByLabel('Search markets').fill('');
  });

  it('the picker has a search, three columns and twenty rows a page (T-spot-40..42)', async () => {
    await openTerminal();
    await page.getByRole('button', { name: /BTC\/USDT/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('table').waitFor();
    expect(await dialog.getByRole('columnheader').allInnerTexts()).toEqual(['Name', 'Price', '24h Change']);
    expect(await dialog.locator('tbody tr').count()).toBe(20);
    await dialog.getByRole('button', { name: 'Next page' }).click();
    await dialog.getByLabel('Search pairs').fill('eth-');
    await expect.poll(() => dialog.locator('tbody tr').count()).toBe(1);
    await dialog.getByRole('link', { name: /^ETH/ }).click();
    await page.waitForURL('**/trades/spot/ETH');
  });
});

describe('chart and overview', () => {
  it('candles in the dark theme, and the timeframe that was chosen is kept for the session (T-spot-16, T-spot-27, T-chart-08, T-chart-09)', async () => {
    await openChart('Chart');
    await page.getByRole('img', { name: 'Price of BTC-USDT, 1min candles' }).locator('canvas').first().waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await page.getByRole('group', { name: 'Timeframe' }).getByRole('button', { name: '4hr' }).click();
    await page.locator('[data-status=full][aria-label*="4hr"]').waitFor();
  });

  it.each([
    ['1min', '/api/v3/history', '(T-chart-01, T-chart-07)'],
    ['5min', '/api/v3/history/five-min', '(T-chart-02, T-udf-feed-08)'],
    ['1hr', '/api/v3/history/one-hour', '(T-chart-03)'],
    ['4hr', '/api/v3/history/four-hour', '(T-chart-04, T-udf-feed-10)'],
    ['1D', '/api/v3/history/one-day', '(T-chart-05)'],
  ])('%s can be chosen: its candles are read from %s, and again after a reload %s', async (name, path) => {
    await openChart('Chart');
    const frames = page.getByRole('group', { name: 'Timeframe' });
    const full = page.locator(`[data-status=full][aria-label="Price of BTC-USDT, ${name} candles"]`);
    if (name === '1min') await frames.getByRole('button', { name: '1D', exact: true }).click();
    const isAsked = (request: Request) => new URL(request.url()).pathname === path;
    const [answered] = await Promise.all([
      page.waitForRequest(isAsked),
      frames.getByRole('button', { name, exact: true }).click(),
    ]);
    expect((await answered.response())?.status()).toBe(200);
    await full.waitFor();
    expect(await frames.locator('[aria-pressed=true]').allInnerTexts()).toEqual([name]);
    await Promise.all([page.waitForRequest(isAsked), page.reload()]);
    await full.waitFor();
  });

  it('the timeframe of one pair is that of another, and of a reload (T-chart-06)', async () => {
    await openChart('Chart');
    await page.getByRole('group', { name: 'Timeframe' }).getByRole('button', { name: '4hr' }).click();
    await openTerminal('/trades/trade-chart/ETH');
    await page.locator('[data-status=full][aria-label="Price of ETH-USDT, 4hr candles"]').waitFor();
    await page.reload();
    await page.locator('[data-status=full][aria-label="Price of ETH-USDT, 4hr candles"]').waitFor();
  });

  it('the daily view shows the last twenty daily candles (T-chart-10, T-chart-12)', async () => {
    const bars = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/v3/history/one-day');
    await openChart('Daily');
    const { t: times } = (await (await bars).json()) as { t: number[] };
    expect(times.length).toBeGreaterThanOrEqual(20);
    expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 86_400)).toBe(true);
    await page.locator('[data-status=full][aria-label="Price of BTC-USDT, the last 20 daily candles"]').waitFor();
    // A candle has a twentieth of the width, less the space between two.
    const share = () => page.getByRole('region', { name: 'Chart' }).evaluate(candleShare);
    await expect.poll(share, { timeout: 20_000 }).toBeGreaterThan(0.6 / 20);
    expect(await share()).toBeLessThan(1 / 20);
  });

  it('the daily view draws the last close as a dashed line across the chart (T-chart-11)', async () => {
    await openChart('Daily');
    await page.locator('[data-status=full][aria-label="Price of BTC-USDT, the last 20 daily candles"]').waitFor();
    // The chart begins in the style of its library, so a line counts only when it stays.
    const lines = async () => (await page.getByRole('region', { name: 'Chart' }).evaluate(dashedRows)).length;
    const lasting = async () => {
      const first = await lines();
      await page.waitForTimeout(500);
      return [first, await lines()];
    };
    // Each look reads all pixels twice, which takes seconds on a busy machine.
    await expect.poll(lasting, { timeout: 40_000 }).toEqual([1, 1]);
  });

  it('the overview shows the highest and the lowest price that the coin ever had (T-spot-54, T-spot-55)', async () => {
    await openChart('Overview');
    await page.getByText('Historical high', { exact: true }).waitFor();
    const profile = await bitcoin();
    const [high, low] = [await figureOf(page, 'Historical high'), await figureOf(page, 'Historical low')].map(amountOf);
    // Shown to three figures.
    expect((high ?? 0) / Number(profile.all_time_high)).toBeCloseTo(1, 1);
    expect((low ?? 0) / Number(profile.all_time_low)).toBeCloseTo(1, 1);
    expect(high).toBeGreaterThan(low ?? 0);
  });

  it('the overview tells of the coin, and what the latest trades were (T-spot-47..53, T-spot-56, T-spot-58)', async () => {
    await openChart('Overview');
    const panel = page.getByRole('region', { name: 'Chart' });
    await panel.getByText('Ranking').waitFor();
    const titles = await panel.locator('dt').allInnerTexts();
    expect(titles.slice(0, 9)).toEqual([
      'Ranking',
      'Market cap',
      'Market dominance',
      'Circulating supply',
      'Maximum supply',
      'Total',
      'Issue date',
      'Historical high',
      'Historical low',
    ]);
    const profile = await bitcoin();
    const [rank, cap = '', dominance = '', circulating, supply, all, issued] = await panel
      .locator('dd')
      .allInnerTexts();
    expect(rank).toBe('No. 1');
    // They move with the price.
    expect(cap).toMatch(/^\$/);
    expect(amountOf(cap) / Number(profile.market_cap)).toBeCloseTo(1, 1);
    expect(dominance).toMatch(/%$/);
    expect(Number.parseFloat(dominance) / Number(profile.market_dominance)).toBeCloseTo(1, 1);
    for (const [shown = '', real] of [
      [circulating, profile.circulating_supply],
      [supply, profile.max_supply],
      [all, profile.total_supply],
    ])
      expect(amountOf(shown) / Number(real)).toBeCloseTo(1, 2);
    expect(supply).not.toBe(all);
    expect(issued).toBe(profile.issue_date);
    await panel.getByText(/Bitcoin is/).waitFor();
    const pie = panel.getByRole('region', { name: 'Trading data' });
    const shares = await pie.locator('dd:nth-of-type(1)').allInnerTexts();
    expect(shares.reduce((sum, share) => sum + Number.parseFloat(share), 0)).toBeCloseTo(100, 0);
  });

  it('what is not known of a coin is N/A (T-spot-57)', async () => {
    await page.route('**/api/v3/coin-profile*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { coin_profile: Record<string, unknown> };
      const unknown = Object.fromEntries(Object.keys(answer.coin_profile).map((key) => [key, null]));
      await route.fulfill({ json: { coin_profile: { ...unknown, name: 'SOL' } } });
    });
    await openTerminal('/trades/spot/SOL');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('Ranking').waitFor();
    expect(new Set((await textsOf(page, 'dl dd')).filter((text) => text === 'N/A')).size).toBe(1);
    expect((await textsOf(page, 'dl dd')).filter((text) => text === 'N/A').length).toBeGreaterThanOrEqual(9);
    await page.unroute('**/api/v3/coin-profile*');
  });
});

describe('book and trades', () => {
  it('shows asks in red above the last price and bids in green below, five levels at least (T-orderbook-trades-01..03, T-external-feed-04, T-external-feed-08)', async () => {
    await openTerminal();
    const [asks, bids] = [page.getByRole('region', { name: 'Asks' }), page.getByRole('region', { name: 'Bids' })];
    const [above, below] = [await asks.boundingBox(), await bids.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
    for (const side of [asks, bids]) expect(await side.getByRole('button').count()).toBeGreaterThanOrEqual(5);
    const cells = await asks.getByRole('button').last().locator('> span').allInnerTexts();
    expect(cells[0]).toMatch(/^[\d,]+\.\d$/);
    expect(cells[1]).toMatch(/^\d+\.\d{5}$/);
    const colours = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return { up: style.getPropertyValue('--green').trim(), down: style.getPropertyValue('--red').trim() };
    });
    expect(colours).toEqual({ up: '#31c48d', down: '#f7727c' });
    const price = asks.getByRole('button').last().locator('> span').first();
    const colourOf = (cell: Locator) => cell.evaluate((element) => getComputedStyle(element).color);
    expect(await colourOf(price)).toBe('rgb(247, 114, 124)');
    expect(await colourOf(bids.getByRole('button').first().locator('> span').first())).toBe('rgb(49, 196, 141)');
    const last = page.getByText(/^Spread /).locator('xpath=preceding-sibling::*');
    const middle = await last.boundingBox();
    expect(middle?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    expect((middle?.y ?? 0) + (middle?.height ?? 0)).toBeLessThan((below?.y ?? 0) + 1);
    const isLast = () =>
      last.evaluate((cell) => document.title.startsWith(`${cell.textContent} `) && /\d/.test(cell.textContent ?? ''));
    await expect.poll(isLast).toBe(true);
    const before = await bids.innerText();
    await expect.poll(() => bids.innerText()).not.toBe(before);
  });

  it('shows one side alone, twice as deep, and sums and average up to the level under the pointer', async () => {
    await openTerminal();
    const [asks, bids] = [page.getByRole('region', { name: 'Asks' }), page.getByRole('region', { name: 'Bids' })];
    const both = await bids.getByRole('button').count();
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Price step/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Bids only');
    await asks.waitFor({ state: 'detached' });
    await expect.poll(() => bids.getByRole('button').count()).toBeGreaterThan(both);
    await bids.getByRole('button').nth(4).hover();
    const sums = page.getByRole('tooltip').locator('dd');
    await sums.first().waitFor();
    // Both are of one moment when nothing came in between.
    const isSame = () =>
      bids.evaluate((side) => {
        const digits = (text: string | null | undefined) => Number((text ?? '').replaceAll(',', ''));
        const rows = [...side.querySelectorAll('button')]
          .slice(0, 5)
          .map((row) => [...row.querySelectorAll(':scope > span')]);
        const [price, size] = [...document.querySelectorAll('[role=tooltip] dd')].map((cell) =>
          digits(cell.textContent),
        );
        const [best, worst] = [rows[0], rows[4]].map((cells) => digits(cells?.[0]?.firstChild?.textContent));
        const within = Number(price) <= Number(best) && Number(price) >= Number(worst);
        return within && Math.abs(digits(rows[4]?.[2]?.textContent) - Number(size)) < 1e-5;
      });
    await expect.poll(isSame).toBe(true);
    await choose('Both sides');
    await asks.waitFor();
  });

  it('shows with each level the sum up to it, and its percent of what the side has (T-orderbook-trades-07, T-orderbook-trades-08)', async () => {
    await openTerminal();
    const differences = (name: string) =>
      page.getByRole('region', { name }).evaluate((side) => {
        const rows = [...side.querySelectorAll('button')].map((row) =>
          [...row.querySelectorAll(':scope > span')].map((cell) =>
            Number.parseFloat(cell.textContent?.replaceAll(',', '') ?? ''),
          ),
        );
        // From the best price outwards.
        if (side.getAttribute('aria-label') === 'Asks') rows.reverse();
        const sizes = rows.map(([, size = 0]) => size);
        const sums = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
        const whole = sums.at(-1) ?? 0;
        return {
          rows: rows.length,
          sum: Math.max(...rows.map(([, , sum = 0], at) => Math.abs(sum - (sums[at] ?? 0)))),
          percent: Math.max(...rows.map(([, size = 0, , percent = 0]) => Math.abs(percent - (size / whole) * 100))),
        };
      });
    for (const name of ['Asks', 'Bids']) {
      const { rows, sum, percent } = await differences(name);
      expect([rows >= 5, sum < 1e-4, percent < 0.6]).toEqual([true, true, true]);
    }
  });

  it('says that it loads until the book is here (T-orderbook-trades-09)', async () => {
    // A routed socket stays routed, so it needs a page of its own.
    const other = await page.context().newPage();
    await other.routeWebSocket(/\/ws\/v5\/public/, () => undefined);
    await other.goto('/trades/spot/BTC');
    await other.getByRole('region', { name: 'Asks' }).getByText('Loading...').waitFor({ state: 'attached' });
    await other.close();
  });

  it('a hundred trades are fetched and fifty shown (T-spot-19, T-external-feed-06, T-orderbook-trades-10, T-orderbook-trades-11, T-orderbook-trades-17..19)', async () => {
    const limits: string[] = [];
    let newest: { side: string; sz: string; ts: string } | undefined;
    // A young market has not had a hundred trades yet; older ones are put behind the real answer.
    await page.route('**/api/v5/market/trades*', async (route) => {
      limits.push(new URL(route.request().url()).searchParams.get('limit') ?? '');
      const answer = (await (await route.fetch()).json()) as { data: { tradeId: string }[] };
      newest = answer.data[0] as unknown as typeof newest;
      const older = Array.from({ length: 100 }, (_, index) => ({ ...answer.data[0], tradeId: `-${index}`, ts: '1' }));
      await route.fulfill({ json: { ...answer, data: [...answer.data, ...older].slice(0, 100) } });
    });
    // Nothing read the trades of this pair before.
    await openTerminal('/trades/spot/XRP');
    const trades = page.getByRole('region', { name: 'Recent trades' });
    // Only those in view are drawn; there is room for all that are shown.
    const rows = trades.getByRole('button');
    const list = rows.first().locator('..');
    await expect.poll(() => list.evaluate(({ scrollHeight }) => scrollHeight / 24)).toBe(50);
    expect(await rows.count()).toBeLessThan(50);
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const below = async (locator: Locator) => {
      const box = await locator.boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0));
    };
    await expect.poll(() => below(rows.last())).toBe(await below(list));
    // Once more where the stream began after the answer: it says nothing of trades before.
    expect([...new Set(limits)]).toEqual(['100']);
    expect(newest).toMatchObject({ side: expect.stringMatching(/^(buy|sell)$/), sz: expect.any(String) });
    expect(Math.abs(Date.now() - Number(newest?.ts))).toBeLessThan(120_000);
    await page.unroute('**/api/v5/market/trades*');
  });

  it('a click on a price fills the form with a limit order at it', async () => {
    await openTerminal();
    const row = page.getByRole('region', { name: 'Bids' }).getByRole('button').nth(3);
    await row.click();
    const price = page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Price', { exact: true });
    expect(await price.inputValue()).toMatch(/^\d{1,3}(,\d{3})*\.\d$/);
    await page.getByRole('tab', { name: 'Depth' }).click();
    await page.getByRole('img', { name: 'Depth of BTC-USDT' }).waitFor();
    await page.getByRole('tab', { name: 'Order book' }).click();
  });
});

describe('the order form', () => {
  it('has both sides, amount or total, ticks and buttons of percent (T-spot-33, T-spot-36, T-spot-38, T-spot-39)', async () => {
    await openTerminal();
    for (const side of ['Buy BTC', 'Sell BTC']) {
      const form = page.getByRole('form', { name: side });
      await form.getByRole('slider').waitFor();
      for (const unit of ['AMOUNT', 'Total']) await form.getByRole('button', { name: unit, exact: true }).waitFor();
      for (const tick of ['0%', '25%', '50%', '75%', '100%']) {
        await form.getByRole('button', { name: tick, exact: true }).waitFor();
      }
    }
  });

  it('a visitor looks on; nothing of an account is asked for, and ordering leads to the sign-in (T-spot-116..118)', async () => {
    await openTerminal();
    expect(asked).toContain('/api/v5/market/trades');
    expect(asked.filter((path) => /open-orders|order-histories|getOrder|funds/.test(path))).toEqual([]);
    await page.getByRole('link', { name: 'Log in to buy BTC' }).click();
    await page.waitForURL('**/signin**');
  });
});

describe('widths', () => {
  it('below 1450 px book and trades share a panel with a toggle (T-spot-25, T-spot-26)', async () => {
    await openTerminal();
    await page.getByRole('region', { name: 'Recent trades' }).waitFor();
    await page.setViewportSize({ width: 1449, height: 900 });
    const shared = page.getByRole('region', { name: 'Order book and trades' });
    await shared.getByRole('region', { name: 'Bids' }).waitFor();
    expect(await page.getByRole('region', { name: 'Recent trades' }).count()).toBe(0);
    await shared.getByRole('tab', { name: 'Trades' }).click();
    await shared.getByText('Time').filter({ visible: true }).waitFor();
    expect(await shared.getByRole('region', { name: 'Bids' }).count()).toBe(0);
    await page.setViewportSize({ width: 1450, height: 900 });
    await page.getByRole('region', { name: 'Recent trades' }).waitFor();
  });

  it('a phone has tabs, a footer with Buy and Sell, and the form in a sheet from below (T-spot-27..32)', async () => {
    await openTerminal();
    await page.setViewportSize(PHONE);
    const tabs = page.getByRole('tablist', { name: 'Shown' });
    await tabs.waitFor();
    expect((await tabs.getByRole('tab').allInnerTexts()).slice(0, 4)).toEqual([
      'Chart',
      'Order book',
      'Trades',
      'Overview',
    ]);
    await tabs.getByRole('tab', { name: 'Order book' }).click();
    await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
    await tabs.getByRole('tab', { name: 'Trades' }).click();
    await page.getByText('Bought at').first().waitFor({ state: 'attached' });
    await tabs.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('Ranking').waitFor();
    const footer = page.locator('footer');
    await footer.getByRole('button', { name: 'Sell' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('form', { name: 'Sell BTC' }).waitFor();
    await sheet.getByRole('tab', { name: 'Buy' }).click();
    await sheet.getByRole('form', { name: 'Buy BTC' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  it('axe finds nothing on a wide desk', async () => {
    await openChart('Chart');
    await page.locator('[data-status=full]').waitFor();
    await expectAccessible(page);
  });
});
