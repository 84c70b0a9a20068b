/** The first page in a real browser: what stands on it, where it leads, and in which language it comes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, go } from './browser.ts';
import { type Stage, setStage, TRADER } from './stage.ts';

interface Pair {
  readonly coin: string;
  readonly type: string;
  readonly close: string;
  readonly increase_in_value: string;
}

let stage: Stage;
let page: Page;
let complaints: string[];
let pairs: readonly Pair[];

/** The figures arrive last; everything else is drawn before them. */
const figuresCome = (at: Page) =>
  at.getByRole('region', { name: 'Most traded' }).getByRole('link', { name: /\$/ }).first().waitFor();

/** Loads the first page. */
const load = async (at: Page) => {
  await at.goto('/');
  await figuresCome(at);
};

/** Shows the first page in the app that is open. */
const home = async (hash = '') => {
  await go(page, `/${hash}`);
  await figuresCome(page);
};

/** Loads the first page on another page of the same device, and closes that afterwards. */
async function withOther(
  prepare: (other: Page) => Promise<unknown>,
  look: (other: Page) => Promise<void>,
): Promise<void> {
  // A page with live figures costs CPU time until it is closed.
  await go(page, '/about');
  const other = await page.context().newPage();
  await prepare(other);
  await load(other);
  await look(other);
  await other.unrouteAll({ behavior: 'ignoreErrors' });
  await other.close();
}

const region = (name: string) => page.getByRole('region', { name });

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  page = await stage.open();
  complaints = complaintsOf(page);
  pairs = (await stage.call<{ coinpair: Pair[] }>('GET', '/api/v1/home/coins')).coinpair;
  await load(page);
});

afterAll(() => stage?.close());

describe('the headline', () => {
  it('counter counts, as of now, and says that it is a sample (A-counter-01, A-counter-02)', async () => {
    const counter = page.locator('p', { hasText: 'users have joined' });
    const shown = Number(((await counter.locator('span').first().textContent()) ?? '').replace(/,/g, ''));
    const elapsed = Date.now() - Date.UTC(2024, 10, 12);
    const expected = 8_140_681 + 12 * Math.floor(elapsed / 30_000) - 300 * Math.floor(elapsed / 3_600_000);
    expect(Math.abs(shown - expected)).toBeLessThanOrEqual(300);
    expect(await region('In figures').getByText('Sample').count()).toBe(1);
  });

  it('states what is computed of the exchange, and no sample stands beside it', async () => {
    const facts = page.getByLabel('This exchange right now');
    const shown = async () => (await facts.locator('div').allInnerTexts()).map((text) => text.split('\n'));
    const computed = [
      ['Pairs', String(pairs.length)],
      ['24h volume (USDT)', expect.stringMatching(/^[\d.]+[KMB]$/)],
      ['Maker / taker fee', '0.08% / 0.10%'],
    ];
    await expect.poll(async () => (await shown()).slice(0, 3)).toEqual(computed);
    const hero = page.locator('section').filter({ has: page.getByRole('heading', { level: 1 }) });
    expect(await hero.getByText('Sample').count()).toBe(0);
    // The announcement that is there before the operator has stated one is a sample.
    expect(await page.getByRole('complementary', { name: 'Announcement' }).count()).toBe(0);
  });

  it.each([
    ['a quiet hour', '12.0', ['Order acknowledged\n3.1 ms']],
    ['an hour in which the machine was busy', '820.0', []],
  ])('says of %s how long an order took, or nothing', async (_hour, p99_ms, said) => {
    const visitor = await stage.reuse();
    await visitor.route('**/api/v3/exchange-figures', async (route) => {
      const response = await route.fetch();
      const acknowledgement = { orders: 40, p50_ms: '3.1', p99_ms };
      await route.fulfill({ response, json: { ...(await response.json()), acknowledgement } });
    });
    await visitor.goto('/');
    const facts = visitor.getByLabel('This exchange right now');
    await expect.poll(async () => (await facts.locator('div').allInnerTexts()).slice(3)).toEqual(said);
  });

  it('lets visitors in (A-landing-20, A-landing-21)', async () => {
    const main = page.getByRole('main');
    expect(await main.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/signin');
    expect(await main.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup');
    expect(await main.getByRole('link', { name: 'Get started' }).getAttribute('href')).toBe('/signup');
  });

  it('states the claims, each with its mark (A-landing-10..14)', async () => {
    const claims = region('In figures').locator('p');
    const figures = await claims.locator('span:first-child').allTextContents();
    for (const claim of ['350+', '140 million', '180+', '1 USD']) expect(figures).toContain(claim);
    // One mark for all of them, at the title.
    expect(await region('In figures').getByText('Sample').count()).toBe(1);
  });
});

describe('the market', () => {
  const signed = /^[+−]?\d+\.\d{2}%$/;

  it('lists the four most traded coins with price and change (A-landing-23..25, A-landing-52)', async () => {
    const rows = region('Most traded').getByRole('link').filter({ hasNotText: 'View All Coins' });
    expect(await rows.count()).toBe(4);
    for (const [index, pair] of pairs.slice(0, 4).entries()) {
      const cells = (await rows.nth(index).innerText()).split('\n').map((cell) => cell.trim());
      expect(cells[0]).toBe(pair.coin);
      const price = Number(cells.find((cell) => cell.startsWith('$'))?.replace(/[$,]/g, ''));
      // The market moves while the test reads.
      expect(Math.abs(price / Number(pair.close) - 1)).toBeLessThan(0.05);
      expect(cells.at(-1)).toMatch(signed);
    }
  });

  it('View All Coins leads to the trading data (A-landing-26)', async () => {
    await region('Most traded').getByRole('link', { name: 'View All Coins' }).click();
    await page.waitForURL('**/markets/trading_data');
    await home();
  });

  it('shows popular coins with price, signed change and the real line of the day (A-markets-42, A-landing-08, A-landing-27..30)', async () => {
    const rows = region('Popular coins').getByRole('link');
    const main = pairs.filter(({ type }) => type === 'MAIN').slice(0, 5);
    // These come with an answer of their own.
    await expect.poll(() => rows.count()).toBe(main.length);
    for (const [index, pair] of main.entries()) {
      const text = await rows.nth(index).innerText();
      expect(text).toContain(pair.coin);
      expect(text).toMatch(/\$[\d,]+\.\d{2,}/);
      expect(text).toMatch(/[+−]?\d+\.\d{2}%/);
      const points = (await rows.nth(index).locator('polyline').getAttribute('points'))?.split(' ') ?? [];
      expect(points.length).toBe(24);
    }
  });

  it('writes prices as dollars and changes with their sign (A-landing-24, A-landing-25, A-landing-28, A-landing-29, A-landing-52)', async () => {
    const figures = [
      ['1234.5', '1.2345'],
      ['0.5', '-2.5000'],
      ['20', '0.0000'],
      ['3', '12.0000'],
    ] as const;
    const prepare = async (other: Page) => {
      // Without the stream the rows show what the call said.
      await other.routeWebSocket('**/ws/v5/public', (socket) => void socket.close());
      await other.route('**/api/v1/home/coins*', async (route) => {
        const answer = await route.fetch();
        const { coinpair } = (await answer.json()) as { coinpair: Pair[] };
        const four = figures.map(([close, increase_in_value], index) => {
          return { ...coinpair[index], close, increase_in_value, type: 'MAIN', price_scale: 2 };
        });
        await route.fulfill({ response: answer, json: { coinpair: four } });
      });
    };
    await withOther(prepare, async (other) => {
      for (const name of ['Most traded', 'Popular coins']) {
        const rows = other.getByRole('region', { name }).getByRole('link').filter({ hasText: '$' });
        const shown = async () => (await rows.allInnerTexts()).map((row) => row.split(/\s+/).slice(-2));
        await expect.poll(shown).toEqual([
          ['$1,234.50', '+1.23%'],
          ['$0.50', '−2.50%'],
          ['$20.00', '0.00%'],
          ['$3.00', '+12.00%'],
        ]);
      }
    });
    await home();
  });

  it('a popular coin leads to its spot market (A-landing-31)', async () => {
    await region('Popular coins').getByRole('link').first().click();
    await page.waitForURL(`**/trades/spot/${pairs[0]?.coin}`);
    await home();
  });

  it('the tile shows the whole market five at a time (A-landing-51)', async () => {
    const tile = region('The whole market');
    const names = () => tile.getByRole('link').allInnerTexts();
    const first = await names();
    expect(first.length).toBe(5);
    await tile.getByRole('button', { name: 'Next page' }).click();
    const second = await names();
    expect(second.length).toBe(5);
    expect(second).not.toEqual(first);
  });
});

describe('ways from here', () => {
  it.each([
    ['[A-landing-32]', 'region', 'Quick Actions', 'Deposit', '/wallet/deposit'],
    ['[A-landing-33]', 'region', 'Quick Actions', 'Withdraw', '/wallet/withdraw'],
    ['[A-landing-36]', 'navigation', 'Payments', 'P2P', '/p2p'],
    ['[A-landing-37]', 'navigation', 'Payments', 'Pay', '/account/pay'],
    ['[A-landing-38]', 'navigation', 'Payments', 'Gift Card', '/gift'],
    ['[A-landing-39]', 'navigation', 'Payments', 'Pool', '/pool'],
    ['[A-landing-40]', 'navigation', 'Your account', 'Task Center', '/account/tasks'],
    ['[A-landing-41]', 'navigation', 'Your account', 'Reward Center', '/account/rewards'],
    ['[A-landing-42]', 'navigation', 'Your account', 'Pay', '/account/pay'],
    ['[A-landing-43]', 'navigation', 'Your account', 'Notifications', '/account/notifications'],
  ] as const)('%s in the %s %s, %s leads to %s', async (_id, role, group, name, path) => {
    const link = page.getByRole(role, { name: group }).getByRole('link', { name: new RegExp(`^${name}`) });
    expect(await link.getAttribute('href')).toBe(path);
  });

  it('Help opens the live chat, which Escape closes (A-landing-34)', async () => {
    await region('Quick Actions').getByRole('button', { name: /^Help/ }).click();
    const chat = page.getByRole('dialog', { name: 'Live chat' });
    await chat.waitFor();
    await page.keyboard.press('Escape');
    await chat.waitFor({ state: 'hidden' });
  });

  it('the second Deposit opens all ways to fund an account (A-landing-35)', async () => {
    await region('Quick Actions')
      .getByRole('button', { name: /^Deposit/ })
      .click();
    await page.getByRole('dialog', { name: 'Fund your account' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows the terminal as it is, in the theme of the page, and fetches no other picture', async () => {
    const picture = region('The trading terminal').locator('img:visible');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1440);
    const scheme = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => /terminal-(\w+)\.webp/.exec(name)?.[1] ?? []),
    );
    expect(fetched).toEqual([scheme]);
  });

  it('the Daily Rebate says how it works (A-landing-05..07)', async () => {
    const banner = region('Promotions').getByRole('article').filter({ hasText: 'Daily Rebate' });
    const button = banner.getByRole('link', { name: 'SEE HOW IT WORKS', exact: true });
    expect(await button.getAttribute('href')).toBe('/account/rewards');
  });

  it('marks the sample chart and the game as what they are (A-landing-15, A-landing-16)', async () => {
    const cards = region('Promotions').getByRole('article');
    const chart = cards.filter({ hasText: 'A plan over one year' });
    expect(await chart.getByText('Sample', { exact: true }).isVisible()).toBe(true);
    expect(await chart.locator('polyline').count()).toBe(1);
    const game = cards.filter({ hasText: 'Mining & Guess' });
    expect(await game.getByText('Sample', { exact: true }).isVisible()).toBe(true);
    expect(await game.getByText('Coming Soon').isVisible()).toBe(true);
  });

  it.each([
    ['[A-landing-01] [A-calls-09]', 'Android', '/api/v3/download-apk'],
    ['[A-landing-02] [A-calls-10]', 'iOS', '/api/v3/download-ios'],
  ] as const)(
    '%s offers the app for %s, with a code to scan, and leads to a page that installs it',
    async (_id, name, path) => {
      const app = region('Your exchange in your pocket');
      const link = app.getByRole('link', { name, exact: true });
      expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([path, '_blank']);
      await app.getByRole('button', { name: `QR code for ${name}` }).click();
      await app.getByRole('img', { name: `QR code for the ${name} app` }).waitFor();
      const answer = await fetch(stage.url + path, { redirect: 'manual' });
      expect(answer.headers.get('location')).toBe('/install');
    },
  );

  it('answers four questions, one at a time (A-landing-03, A-landing-04)', async () => {
    const questions = region('Questions').locator('details');
    expect(await questions.count()).toBe(4);
    await questions.nth(0).locator('summary').click();
    expect(await questions.nth(0).locator('p').isVisible()).toBe(true);
    await questions.nth(2).locator('summary').click();
    expect(await questions.nth(0).locator('p').isVisible()).toBe(false);
    expect(await questions.nth(2).locator('p').isVisible()).toBe(true);
  });

  it('a hash leads to the end of the page (A-landing-18)', async () => {
    await go(page, '/about');
    await home('#bottom');
    await expect
      .poll(() => page.evaluate(() => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2))
      .toBe(true);
    await home();
  });
});

describe('news', () => {
  const item = (number: number) => ({
    id: `n${number}`,
    title: `News ${number}`,
    url: number === 1 ? 'https://example.test/one' : `/about?${number}`,
    body: `Body ${number}`,
    imageurl: '/favicon.svg',
    published_at: 1_760_000_000_000,
    pinned: false,
    source: '',
  });

  it('shows the first six, each with title, text, picture and link (A-landing-09, A-landing-22, A-landing-44..48)', async () => {
    const eight = { newsfeed: { Data: [1, 2, 3, 4, 5, 6, 7, 8].map(item) } };
    const prepare = (other: Page) => other.route('**/api/v3/news?*', (route) => route.fulfill({ json: eight }));
    await withOther(prepare, async (other) => {
      const articles = other.getByRole('region', { name: 'News' }).getByRole('article');
      await articles.first().waitFor();
      expect(await articles.count()).toBe(6);
      const first = articles.first();
      expect(await first.getByRole('link', { name: 'News 1' }).getAttribute('href')).toBe('https://example.test/one');
      expect(await first.getByText('Body 1').isVisible()).toBe(true);
      expect(await first.locator('img').getAttribute('src')).toBe('/favicon.svg');
    });
  });

  it('is left out, and only logged, where it cannot be had (A-landing-50)', async () => {
    let logged: string[] = [];
    const prepare = async (other: Page) => {
      logged = complaintsOf(other);
      await other.route('**/api/v3/news?*', (route) => route.fulfill({ status: 400, json: {} }));
    };
    await withOther(prepare, async (other) => {
      await other.getByRole('region', { name: 'News' }).waitFor({ state: 'detached' });
      expect(logged.some((text) => text.includes('The news could not be loaded'))).toBe(true);
      expect(await other.getByRole('alert').count()).toBe(0);
    });
  });
});

describe('while the stream is down', () => {
  it('reads the coins again every 4 s (A-polling-02)', async () => {
    const times: number[] = [];
    const prepare = async (other: Page) => {
      await other.routeWebSocket('**/ws/v5/public', (socket) => void socket.close());
      await other.route('**/api/v1/home/coins*', async (route) => {
        times.push(Date.now());
        await route.fallback();
      });
    };
    await withOther(prepare, async () => {
      await expect.poll(() => times.length, { timeout: 25_000 }).toBeGreaterThanOrEqual(4);
      const [before = 0, after = 0] = times.slice(-2);
      expect(after - before).toBeGreaterThan(3_800);
      expect(after - before).toBeLessThan(6_000);
    });
  });
});

describe('a client', () => {
  it('is checked when the page loads and every five minutes, and sees what serves clients (A-polling-08, A-polling-09)', async () => {
    const own = await stage.open({ as: await stage.signIn(TRADER) });
    await own.clock.install();
    let checks = 0;
    // Answers: a question whose answer is under way would be asked again on a clock that leaps.
    own.on('requestfinished', (request) => {
      if (request.url().includes('/api/v3/account-client')) checks += 1;
    });
    await load(own);
    await expect.poll(() => checks).toBe(1);
    await own.clock.fastForward(280_000);
    expect(checks).toBe(1);
    await own.clock.fastForward(21_000);
    await expect.poll(() => checks).toBe(2);
    const main = own.getByRole('main');
    expect(await main.getByRole('link', { name: 'Go to wallet' }).isVisible()).toBe(true);
    expect(await main.getByRole('link', { name: 'Get started' }).count()).toBe(0);
    await own.context().close();
  });
});

/** Only what stands before the app's scripts can be seen, until they are released. */
async function holdScripts(at: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await at.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe('before any script has run', () => {
  it.each([
    ['zh-TW', 'zh-Hant', '立即開始'],
    ['fr-FR', 'en', 'Get started'],
  ])('the first screen stands, in the language of a browser in %s', async (locale, tag, words) => {
    const still = await stage.open({ javaScriptEnabled: false, locale });
    await still.goto('/');
    expect(await still.locator('html').getAttribute('lang')).toBe(tag);
    expect(await still.getByRole('link', { name: words }).isVisible()).toBe(true);
    await still.context().close();
  });

  it('says that the page depends on the language', async () => {
    const answer = await fetch(stage.url, { headers: { 'accept-language': 'ja;q=0.4, de-CH;q=0.9, *;q=0.1' } });
    expect(answer.headers.get('vary')).toContain('accept-language');
    expect(await answer.text()).toContain('<html lang="de"');
  });

  it.each([
    ['a chosen language', 'preferences', { locale: 'vi' }, 'Bắt đầu'],
    ['a session', 'session', { token: 'spent' }, undefined],
  ])('%s hides what was drawn for others', async (_what, name, state, words) => {
    const other = await stage.reuse({ keeps: { [name]: state } });
    const release = await holdScripts(other);
    await other.goto('/', { waitUntil: 'commit' });
    const drawn = other.getByText('Get started');
    await drawn.waitFor({ state: 'attached' });
    // Nothing is painted before the style sheet is there, which hides it.
    await drawn.waitFor({ state: 'hidden' });
    release();
    if (words) await other.getByRole('link', { name: words }).waitFor();
  });

  it('the page comes alive in its place', async () => {
    const other = await stage.reuse();
    const release = await holdScripts(other);
    await other.goto('/', { waitUntil: 'commit' });
    await other.getByRole('banner').evaluate((bar) => bar.setAttribute('data-drawn', ''));
    release();
    await other.getByRole('link', { name: /BTC/ }).first().waitFor();
    expect(await other.locator('[data-drawn]').count()).toBe(1);
  });

  it('a button that is pressed does what it says as soon as it can', async () => {
    const hasty = await stage.reuse();
    const release = await holdScripts(hasty);
    await hasty.goto('/', { waitUntil: 'commit' });
    await hasty.getByRole('button', { name: 'Language' }).click();
    release();
    await hasty.getByRole('menuitem', { name: 'Deutsch' }).waitFor();
  });
});

it('nothing has made the browser complain', () => {
  expect(complaints).toEqual([]);
});
