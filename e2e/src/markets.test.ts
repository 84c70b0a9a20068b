/** The market lists in a real browser: what they show, how they are searched, sorted, starred and kept fresh. */
import type { Page, ViewportSize } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, go } from './browser.ts';
import { DESK, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

interface Pair {
  readonly coin: string;
  readonly coin_pair_name: string;
  readonly type: string;
  readonly consensus: string | null;
  readonly close: string;
  readonly increase_in_value: string;
  readonly price_scale: number;
}

let stage: Stage;
let trader: Session;
let page: Page;
let isLoaded = false;
let pairs: readonly Pair[];

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  pairs = await readPairs('/api/v3/all-pairs');
});
afterEach(({ task }) => {
  // A failed test can leave anything behind.
  if (task.result?.state === 'fail') isLoaded = false;
});

afterAll(() => stage?.close());

async function readPairs(path: string): Promise<readonly Pair[]> {
  return (await stage.call<{ coinpair: Pair[] }>('GET', path)).coinpair;
}

/** Shows a list anew in the app, which is loaded once. */
async function open(list: string, viewport: ViewportSize = DESK): Promise<void> {
  if (isLoaded) {
    await go(page, '/about');
    await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
    await page.setViewportSize(viewport);
    await go(page, `/markets/${list}`);
  } else {
    page = await stage.reuse({ as: trader, viewport });
    await load(list);
    isLoaded = true;
  }
}

/** Shows a list with a new load of the app, so that every call is made. */
const load = (list: string) => page.goto(`/markets/${list}`);

const rows = () => page.locator('main tbody tr');
const rowOf = (coin: string) =>
  rows()
    .filter({ has: page.getByRole('link', { name: coin, exact: false }) })
    .first();

async function coinsShown(): Promise<string[]> {
  await rows().first().waitFor();
  return rows().evaluateAll((all) => all.map((row) => row.querySelector('a > span > span')?.textContent ?? ''));
}

interface Channels {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

function channels(colour: string): Channels {
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  return { red, green, blue };
}

const isGrey = (colour: Channels | undefined) => {
  const all = Object.values(colour ?? { red: 0, green: 255 });
  return Math.max(...all) - Math.min(...all) < 40;
};

const staleBadge = () => page.getByTitle('Reconnecting, figures may be out of date');

const numberOf = (text: string) => Number(text.replace(/[$,%+]/g, '').replace('−', '-'));

async function column(index: number): Promise<number[]> {
  const texts = await rows().evaluateAll((all, at) => all.map((row) => row.children[at]?.textContent ?? ''), index);
  return texts.map(numberOf);
}

describe('a market list', () => {
  it('shows 30 rows with name, price in dollars, change and volume (A-markets-01, A-markets-10..13, A-markets-48, A-markets-52)', async () => {
    await open('prices');
    expect(await coinsShown()).toHaveLength(30);
    const headings = await page.locator('main thead th').allInnerTexts();
    expect(headings.map((text) => text.trim())).toEqual([
      'Favorite',
      'Name',
      'Price',
      '24h Change',
      'Last 24 h',
      '24h Volume (USDT)',
    ]);
    expect(pairs.every((pair) => pair.coin_pair_name.endsWith('USDT'))).toBe(true);
    await page.getByRole('button', { name: 'Next page' }).click();
    expect(await coinsShown()).toHaveLength(pairs.length - 30);
    await expectAccessible(page);
  });

  it('writes prices as $0,0.00 with as many decimals as the tick needs, and changes with four (A-markets-50, A-markets-51, T-display-10)', async () => {
    await open('prices');
    const bitcoin = rowOf('BTC');
    expect(await bitcoin.locator('td').nth(2).textContent()).toMatch(/^\$\d{2,3},\d{3}\.\d{2}$/);
    expect(await bitcoin.locator('td').nth(3).textContent()).toMatch(/^[+−]?\d+\.\d{4}%$/);
    expect(await rowOf('SHIB').locator('td').nth(2).textContent()).toMatch(/^\$0\.\d{8}$/);
  });

  it('sorts by any column, downwards, upwards, and back (A-markets-08)', async () => {
    await open('prices');
    const before = await coinsShown();
    const heading = page.getByRole('columnheader', { name: 'Price' });
    await heading.getByRole('button').click();
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    const down = await column(2);
    expect(down).toEqual([...down].sort((a, b) => b - a));
    await heading.getByRole('button').click();
    const up = await column(2);
    expect(up).toEqual([...up].sort((a, b) => a - b));
    await heading.getByRole('button').click();
    expect((await coinsShown()).slice(0, 3)).toEqual(before.slice(0, 3));
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    const names = await coinsShown();
    expect(names).toEqual([...names].sort((a, b) => b.localeCompare(a)));
  });

  it('finds any part of a name, in whatever case (A-markets-07, A-markets-45)', async () => {
    await open('prices');
    // In the name of its pair, and in no coin's full name.
    await page.getByLabel('Search markets').fill('bAr');
    expect(await coinsShown()).toEqual(['HBAR']);
  });

  it('says when there is nothing, and offers to subscribe (A-markets-17, A-markets-18)', async () => {
    await open('prices');
    await page.getByLabel('Search markets').fill('no such coin');
    await page.getByText('No Records Found', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Subscribe Now' }).click();
    await page.waitForURL('**/wallet/simple_earn');
  });

  it('keeps its tabs while it is empty, and while it cannot be read and can be tried again', async () => {
    const tabs = page.getByRole('navigation', { name: 'Market lists' });
    await open('prices');
    await page.getByLabel('Search markets').fill('no such coin');
    await page.getByText('No Records Found', { exact: true }).waitFor();
    expect((await tabs.boundingBox())?.height).toBeGreaterThan(30);
    await page.route('**/api/v3/pow-coins*', (route) => route.fulfill({ status: 503, json: {} }));
    await tabs.getByRole('link', { name: 'POW' }).click();
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.getByRole('alert').getByText('The list of markets could not be loaded.').waitFor();
    expect((await tabs.boundingBox())?.height).toBeGreaterThan(30);
    await page.unroute('**/api/v3/pow-coins*');
    await page.getByLabel('Search markets').fill('');
    await again.click();
    await rows().first().waitFor();
  });

  it('leads to the spot screen of the coin (A-markets-27)', async () => {
    await open('prices');
    await rowOf('ETH').locator('td').nth(2).click();
    await page.waitForURL('**/trades/spot/ETH');
  });

  it('becomes cards on a very small screen (A-markets-09)', async () => {
    await open('prices');
    await rows().first().waitFor();
    await page.setViewportSize(PHONE);
    const cards = page.getByRole('list', { name: 'All' }).getByRole('listitem');
    await cards.first().waitFor();
    expect(await cards.count()).toBe(30);
    expect(await rows().count()).toBe(0);
  });

  it('lets the client choose how many rows, down to five or all of them', async () => {
    await open('prices');
    await rows().first().waitFor();
    await page.getByRole('combobox', { name: 'Rows per page' }).click();
    await page.getByRole('option', { name: '5 rows' }).click();
    await expect.poll(() => rows().count()).toBe(5);
  });
});

describe('each list', () => {
  it.each([
    ['[A-markets-02]', 'pos', (pair: Pair) => pair.consensus === 'pos'],
    ['[A-markets-03] [A-polling-06]', 'pow', (pair: Pair) => pair.consensus === 'pow'],
  ] as const)('%s %s holds the coins that are kept so', async (_ids, list, belongs) => {
    await open(list);
    const expected = pairs.filter(belongs).map(({ coin }) => coin);
    expect([...(await coinsShown())].sort()).toEqual([...expected].sort());
    expect(expected.length).toBeGreaterThan(4);
  });

  it('innovation has the coins that are no main coins, five at a time (A-markets-04, A-markets-49)', async () => {
    await open('innovation');
    const shown = await coinsShown();
    expect(shown).toHaveLength(5);
    const mainCoins = pairs.filter(({ type }) => type === 'MAIN').map(({ coin }) => coin);
    expect(shown.filter((coin) => mainCoins.includes(coin))).toEqual([]);
    expect(await page.getByRole('button', { name: 'Next page' }).isEnabled()).toBe(true);
  });

  it('a star makes a favourite, which the favourites then list (A-markets-05, A-markets-19..21, A-markets-43, A-markets-44)', async () => {
    await open('favorites');
    await page.getByText('No Records Found').waitFor();
    await open('prices');
    const star = page.getByRole('button', { name: 'Favorite SOL-USDT' });
    await star.waitFor();
    expect(await page.getByRole('button', { name: /^Favorite / }).count()).toBe(30);
    const colour = () => star.evaluate((button) => getComputedStyle(button).color);
    expect(isGrey(channels(await colour()))).toBe(true);
    await star.click();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    const yellow = channels(await colour());
    expect(Math.min(yellow.red, yellow.green)).toBeGreaterThan(yellow.blue + 60);
    await page.getByRole('link', { name: 'Favorites', exact: true }).click();
    await expect.poll(coinsShown).toEqual(['SOL']);
    await page.getByRole('button', { name: 'Favorite SOL-USDT' }).click();
    await page.getByText('No Records Found').waitFor();
  });

  it('sends a visitor who stars to sign in, and back', async () => {
    const visitor = await stage.open();
    await visitor.goto('/markets/prices');
    await visitor.getByRole('button', { name: 'Favorite BTC-USDT' }).click();
    await visitor.waitForURL('**/signin?return=%2Fmarkets%2Fprices');
    await visitor.context().close();
  });
});

describe('the trading-data page', () => {
  it('has its tab, the last of the row, in the window of a phone', async () => {
    await open('trading_data', PHONE);
    const tabs = page.getByRole('navigation', { name: 'Market lists' });
    const rightEnd = async (name: string) => {
      const box = await tabs.getByRole('link', { name, exact: true }).boundingBox();
      return box === null ? Number.NaN : box.x + box.width;
    };
    await expect.poll(() => rightEnd('Trading data')).toBeLessThanOrEqual(PHONE.width);
    await tabs.getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL('**/markets/prices');
    await expect.poll(() => rightEnd('All')).toBeGreaterThan(0);
  });

  it('leads who comes back to where they were in a list, and not to the tabs above it', async () => {
    await open('prices', PHONE);
    await page.getByRole('link', { name: /BTC/ }).first().waitFor();
    await page.evaluate(() => window.scrollTo(0, 400));
    const down = () => page.evaluate(() => window.scrollY);
    expect(await down()).toBe(400);
    await page.locator('main').getByRole('link', { name: /DOGE/ }).first().click();
    await page.waitForURL('**/trades/spot/**');
    await page.goBack();
    await page.waitForURL('**/markets/prices');
    await page.getByRole('link', { name: /DOGE/ }).first().waitFor();
    await expect.poll(down).toBe(400);
  });

  it('groups the coins in columns (A-markets-06, A-markets-22, A-markets-24)', async () => {
    await open('trading_data');
    for (const [label, type] of [
      ['Main coins', 'MAIN'],
      ['Ethereum ecosystem', 'ETH'],
      ['Other coins', 'ALT'],
    ] as const) {
      const group = page.getByRole('region', { name: label });
      await group.locator('tbody tr').first().waitFor();
      const coins = await group.locator('tbody a > span > span:first-child').allInnerTexts();
      const expected = pairs.filter((pair) => pair.type === type).map(({ coin }) => coin);
      expect(coins.sort()).toEqual(expected.sort());
    }
  });

  it('shows the groups in tabs where there is no room for columns (A-markets-23)', async () => {
    await open('trading_data', { width: 1024, height: 768 });
    await page.getByRole('region', { name: 'Main coins' }).waitFor();
    expect(await page.getByRole('region').count()).toBe(1);
    await page.getByText('Other coins', { exact: true }).click();
    await page.getByRole('region', { name: 'Other coins' }).getByText('DOGE', { exact: true }).waitFor();
  });

  it('says when no coin is found (A-markets-26)', async () => {
    await open('trading_data');
    await page.getByRole('region', { name: 'Main coins' }).locator('tbody tr').first().waitFor();
    await page.getByLabel('Search markets').fill('no such coin');
    await expect.poll(() => page.getByText('No coins found', { exact: true }).count()).toBe(3);
  });
});

describe('fresh figures', () => {
  it('come by the stream while it is up', async () => {
    await open('prices');
    await rows().first().waitFor();
    expect(await staleBadge().count()).toBe(0);
    const prices = () => column(2);
    const before = await prices();
    await expect.poll(async () => (await prices()).join() !== before.join(), { timeout: 15_000 }).toBe(true);
  });
});

describe('without the stream', () => {
  /** Streams stay silent and time can be moved, so these tests have a device of their own. Each loads the app. */
  beforeAll(async () => {
    await page?.context().close();
    page = await stage.open({ as: trader });
    await page.routeWebSocket('**/ws/**', () => undefined);
    await page.clock.install();
  });
  beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  it('colours a rise green, a fall red, and no change grey (A-markets-14..16)', async () => {
    const changes = ['1.5000', '-2.2500', '0.0000'];
    await page.route('**/api/v3/all-pairs*', async (route) => {
      const answer = await route.fetch();
      const { coinpair } = (await answer.json()) as { coinpair: Pair[] };
      const three = changes.map((change, index) => ({ ...coinpair[index], increase_in_value: change }));
      await route.fulfill({ response: answer, json: { coinpair: three } });
    });
    await load('prices');
    await rows().nth(2).waitFor();
    const colours = await rows().evaluateAll((all) =>
      all.map((row) => getComputedStyle(row.children[3]?.querySelector('span') as Element).color),
    );
    const token = (name: string) =>
      page.evaluate((variable) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(${variable})`;
        return getComputedStyle(probe).color;
      }, name);
    expect(colours).toEqual([await token('--up'), await token('--down'), await token('--text-2')]);
    const [rise, fall, none] = colours.map(channels);
    expect(rise?.green).toBeGreaterThan((rise?.red ?? 0) + 40);
    expect(fall?.red).toBeGreaterThan((fall?.green ?? 0) + 40);
    expect(isGrey(none)).toBe(true);
  });

  it('draws bones in the place of its rows until they are here', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v3/all-pairs*', async (route) => {
      await held;
      await route.continue();
    });
    await load('prices');
    const bones = page.locator('main [role=status] > div');
    await expect.poll(() => bones.count()).toBe(30);
    expect((await bones.first().boundingBox())?.height).toBeGreaterThan(20);
    release();
    await rows().first().waitFor();
    expect(await bones.count()).toBe(0);
  });

  it('shows 20 coins to a table, and the rest on the next page (A-markets-25)', async () => {
    await page.route('**/api/v3/all-pairs*', async (route) => {
      const answer = await route.fetch();
      const { coinpair } = (await answer.json()) as { coinpair: Pair[] };
      const all = coinpair.slice(0, 25).map((pair) => ({ ...pair, type: 'ETH' }));
      await route.fulfill({ response: answer, json: { coinpair: all } });
    });
    await load('trading_data');
    const group = page.getByRole('region', { name: 'Ethereum ecosystem' });
    await expect.poll(() => group.locator('tbody tr').count()).toBe(20);
    await group.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => group.locator('tbody tr').count()).toBe(5);
  });

  it('are read again every 20 s, or every 50 s for the other lists, while it is down (A-polling-05, A-polling-07)', async () => {
    for (const [list, call, everyMs] of [
      ['prices', 'all-pairs', 20_000],
      ['pow', 'pow-coins', 50_000],
    ] as const) {
      let reads = 0;
      await page.route(`**/api/v3/${call}*`, (route) => {
        reads += 1;
        return route.continue();
      });
      await load(list);
      await rows().first().waitFor();
      // The stream is found silent after three seconds; until then the list waits as if it were up.
      await page.clock.runFor(4_000);
      const begin = reads;
      await page.clock.runFor(everyMs - 3_000);
      expect(reads).toBe(begin);
      await page.clock.runFor(4_000);
      await expect.poll(() => reads).toBe(begin + 1);
      await page.unrouteAll();
    }
  });

  it('only logs a failed reading, and leaves the rows as they were (A-markets-47)', async () => {
    await load('prices');
    await rows().first().waitFor();
    const shown = await coinsShown();
    const logged = complaintsOf(page);
    let refused = 0;
    await page.route('**/api/v3/all-pairs*', async (route) => {
      refused += 1;
      await route.fulfill({ status: 503, json: {} });
    });
    const failures = () => logged.filter((text) => /pairs all .*could not be loaded/.test(text)).length;
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000);
        return failures();
      })
      .toBeGreaterThan(0);
    // A server that is away is asked once more before the reading has failed.
    expect(refused).toBeGreaterThanOrEqual(2);
    expect(await coinsShown()).toEqual(shown);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0);
  });

  it('says that prices may be old while the stream is away', async () => {
    await load('prices');
    await rows().first().waitFor();
    await page.clock.runFor(4_000);
    await staleBadge().waitFor();
  });

  it('500 pairs scroll with only the rows in view drawn', async () => {
    await page.route('**/api/v3/all-pairs*', async (route) => {
      const answer = await route.fetch();
      const { coinpair } = (await answer.json()) as { coinpair: Pair[] };
      const many = Array.from({ length: 500 }, (_, index) => ({
        ...coinpair[index % coinpair.length],
        coin: `C${index}`,
        pair_name: `C${index}-USDT`,
      }));
      await route.fulfill({ response: answer, json: { coinpair: many } });
    });
    await load('prices');
    await rows().first().waitFor();
    await page.getByRole('combobox', { name: 'Rows per page' }).click();
    await page.getByRole('option', { name: 'Everything' }).click();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(500 * 50);
    expect(await rows().count()).toBeLessThan(60);
    await page.evaluate(() => window.scrollTo(0, 500 * 53));
    await page.getByText('C499', { exact: true }).waitFor();
    expect(await rows().count()).toBeLessThan(60);
  });
});
