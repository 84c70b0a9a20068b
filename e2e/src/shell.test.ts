/** The shell and every address of the product, as a visitor, a trader and the operator meet them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@cambist/server/test/postgres-server.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, sessionOf } from './browser.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

type Role = 'visitor' | 'trader' | 'operator';

let directory: string;
let server: ServerProcess;
let browser: Browser;
const pages = {} as Record<Role, Page>;
const complaints: string[] = [];

async function contextOf(role: Role): Promise<BrowserContext> {
  const session =
    role === 'visitor'
      ? undefined
      : await sessionOf(server.url, `${role}@cambist.test`, role === 'trader' ? 'trade-the-demo' : 'operate-the-demo');
  return browser.newContext({ viewport: DESK, ...(session ? { storageState: session } : {}) });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cambist-shell-'));
  server = await startServerProcess({ DATA_DIR: directory, MARKET: 'simulated', PORT: String(await freePort()) });
  browser = await launchChromium();
  for (const role of ['visitor', 'trader', 'operator'] as const) {
    const page = await (await contextOf(role)).newPage();
    page.setDefaultTimeout(5_000);
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    pages[role] = page;
  }
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface Address {
  readonly ids: string;
  readonly path: string;
  /** Where it ends when it is another spelling. */
  readonly lands?: string;
  /** A visitor is asked to sign in first. */
  readonly guarded?: boolean;
}

const address = (ids: string, path: string, more: Partial<Address> = {}): Address => ({ ids, path, ...more });
const own = (ids: string, path: string, more: Partial<Address> = {}): Address =>
  address(ids, path, { guarded: true, ...more });

const ADDRESSES: readonly Address[] = [
  address('[T-routes-07] [A-landing-17] [A-landing-49]', '/'),
  address('[T-routes-60] [A-shell-11]', '/home', { lands: '/' }),
  address('[T-routes-46]', '/signin'),
  address('[T-routes-47]', '/signup'),
  address('[T-routes-47]', '/signup/ABC123'),
  address('[T-routes-22] [A-markets-46]', '/markets', { lands: '/markets/prices' }),
  address('[T-routes-23] [A-markets-01]', '/markets/prices'),
  address('[T-routes-24] [A-markets-02]', '/markets/pos'),
  address('[T-routes-25] [A-markets-03]', '/markets/pow'),
  address('[T-routes-26] [A-markets-04]', '/markets/innovation'),
  address('[T-routes-27] [A-markets-05]', '/markets/favorites'),
  address('[A-markets-06]', '/markets/trading_data'),
  address('[T-routes-28]', '/trades/spot'),
  address('[T-routes-28]', '/trades/spot/ETH'),
  address('[T-routes-30]', '/trades/trade-chart'),
  address('[T-routes-30]', '/trades/trade-chart/ETH'),
  own('[T-routes-29] [T-routes-03]', '/trades/futures'),
  own('[T-routes-29]', '/trades/futures/ETH'),
  own('[T-routes-31]', '/wallet'),
  own('[T-routes-32]', '/wallet/deposit'),
  own('[T-routes-33]', '/wallet/withdraw'),
  own('[T-routes-34]', '/wallet/convert'),
  own('[T-routes-35]', '/wallet/transfer'),
  own('[T-routes-37]', '/wallet/transactions'),
  own('[T-routes-38]', '/wallet/earn'),
  own('[T-routes-39]', '/wallet/simple_earn'),
  own('[T-routes-40]', '/wallet/auto_invest'),
  own('[T-routes-41]', '/wallet/analysis'),
  own('[T-routes-42]', '/wallet/stake'),
  own('[T-routes-43]', '/wallet/miner'),
  own('[T-routes-44]', '/wallet/live'),
  own('[T-routes-45]', '/wallet/BTC'),
  own('[T-routes-36]', '/history'),
  own('[T-routes-20]', '/profile'),
  own('[T-routes-55]', '/fee-rate'),
  own('[T-routes-21]', '/account/verify'),
  own('[T-routes-51]', '/verification', { lands: '/verification/overview' }),
  own('[T-routes-52]', '/verification/overview'),
  own('[T-routes-53]', '/verification/kyc'),
  own('[T-routes-54]', '/tier-verification'),
  own('[T-routes-14]', '/account/security'),
  own('[A-shell-12]', '/security', { lands: '/account/security' }),
  ...['/account', '/account/security'].flatMap((parent) => [
    own('[T-routes-15]', `${parent}/change_password`),
    own('[T-routes-16]', `${parent}/change_transaction_password`),
    own('[T-routes-17]', `${parent}/account_connections`),
    own('[T-routes-18]', `${parent}/anti_phishing`),
    own('[T-routes-19]', `${parent}/app_authorization`),
  ]),
  own('[T-routes-08]', '/account/referral'),
  own('[T-routes-12]', '/account/rewards'),
  own('[A-shell-12]', '/rewards', { lands: '/account/rewards' }),
  own('[T-routes-11]', '/account/tasks'),
  own('[A-shell-12]', '/tasks', { lands: '/account/tasks' }),
  own('[T-routes-10]', '/account/notifications'),
  own('[A-shell-12]', '/notifications', { lands: '/account/notifications' }),
  own('[T-routes-09]', '/account/pay'),
  own('[A-shell-08] [A-shell-12]', '/pay', { lands: '/account/pay' }),
  own('[A-shell-12]', '/payments', { lands: '/account/pay' }),
  address('[T-routes-13]', '/settings'),
  address('[T-routes-57] [A-legal-info-01]', '/about'),
  address('[T-routes-56] [A-legal-info-02]', '/contactus'),
  address('[T-routes-48]', '/legal-center', { lands: '/legal-center/terms' }),
  address('[T-routes-49] [A-legal-info-03] [A-legal-info-05]', '/legal-center/terms'),
  address('[T-routes-50] [A-legal-info-04] [A-legal-info-05]', '/legal-center/privacy'),
  address('[T-routes-58] [A-shell-04]', '/page-unavailable'),
  address('[A-shell-07]', '/p2p', { lands: '/page-unavailable' }),
  address('[A-shell-09]', '/gift', { lands: '/page-unavailable' }),
  address('[A-shell-10]', '/pool', { lands: '/page-unavailable' }),
  address('', '/install'),
];

/** The exact lists of the specification: the footer and the sidebar are on these addresses and on no others. */
const FOOTERS: Readonly<Record<string, string>> = {
  '/': '[A-shell-56]',
  '/about': '[A-shell-57]',
  '/account/referral': '[A-shell-58]',
  '/account/security': '[A-shell-59]',
  '/markets/trading_data': '[A-shell-60]',
  '/legal-center/terms': '[A-shell-61]',
  '/legal-center/privacy': '[A-shell-61]',
  '/verification/overview': '[A-shell-62]',
  '/markets/prices': '[A-shell-63]',
  '/markets/pos': '[A-shell-63]',
  '/markets/pow': '[A-shell-63]',
  '/markets/innovation': '[A-shell-63]',
  '/markets/favorites': '[A-shell-63]',
  '/wallet/simple_earn': '[A-shell-64]',
  '/tier-verification': '[A-shell-65]',
};

const SIDEBARS: Readonly<Record<string, string>> = {
  '/profile': '[A-shell-68]',
  '/wallet': '[A-shell-69]',
  '/fee-rate': '[A-shell-70]',
  '/account/referral': '[A-shell-71]',
  '/account/rewards': '[A-shell-72]',
  '/account/security': '[A-shell-73]',
  '/verification/overview': '[A-shell-74]',
  '/verification/kyc': '[A-shell-75]',
};

/** Opens an address and waits until its screen is there. */
async function visit(page: Page, path: string): Promise<void> {
  const answer = await page.goto(server.url + path);
  expect(answer?.status()).toBe(200);
  await page.locator('main').locator('h1, h2, form, table, p').first().waitFor({ state: 'attached' });
}

/** The footer, the sidebar and the ground, by the lists above. */
async function expectAround(page: Page, path: string): Promise<void> {
  expect(await page.getByRole('contentinfo').count()).toBe(path in FOOTERS ? 1 : 0);
  const sidebar = page.getByRole('navigation', { name: 'Account', exact: true });
  // It is fetched beside the page.
  await expect.poll(() => sidebar.isVisible()).toBe(path in SIDEBARS);
  const scheme = await page.locator('html').getAttribute('data-mantine-color-scheme');
  expect(scheme).toBe(path.startsWith('/sign') ? 'light' : 'dark');
}

const pathOf = (page: Page) => new URL(page.url()).pathname;

describe('every address [T-routes-01] [T-routes-02] [T-routes-04] [T-routes-05] [A-shell-01] [A-shell-02] [A-shell-03] [A-shell-66] [A-shell-76] [A-shell-78]', () => {
  const cases = ADDRESSES.map((one) => ({
    ...one,
    ids: `${one.ids} ${FOOTERS[one.path] ?? ''} ${SIDEBARS[one.path] ?? ''}`,
  }));

  it.each(cases)(
    '$ids $path is there, with what should stand around it',
    async ({ path, lands = path, guarded = false }) => {
      const visits = (['visitor', 'trader', 'operator'] as const).map(async (role) => {
        const page = pages[role];
        await visit(page, path);
        const end = guarded && role === 'visitor' ? '/signin' : lands;
        expect(`${role} ${pathOf(page)}`).toBe(`${role} ${end}`);
        // It is a screen of its own under the one layout, not the page for addresses that are not there.
        expect(await page.getByText('There is nothing at this address').count()).toBe(0);
        // Who is signed in waits for a page of their own, unseen.
        await expect.poll(() => page.locator('header').first().isVisible()).toBe(true);
        await expect.poll(() => page.title()).toMatch(end === '/' ? /Cambist/ : /.+ \| Cambist$/);
        await expectAround(page, end);
      });
      await Promise.all(visits);
    },
  );

  it('[A-shell-80] says so, with status and title, where there is nothing', async () => {
    const page = pages.visitor;
    await page.goto(`${server.url}/nothing-here`);
    await page.getByText('There is nothing at this address').waitFor();
    expect(await page.title()).toBe('Not found | Cambist');
  });

  it('none of them made the browser complain', () => {
    expect(complaints).toEqual([]);
  });
});
describe('smaller screens', () => {
  afterAll(() => pages.trader.setViewportSize(DESK));

  it('[A-shell-26] [A-shell-67] [A-shell-79] drops the sidebar on smaller screens, and folds the menus into one on a phone', async () => {
    const page = pages.trader;
    await visit(page, '/wallet');
    const sidebar = page.getByRole('navigation', { name: 'Account', exact: true });
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await sidebar.isVisible()).toBe(false);
    await page.setViewportSize(PHONE);
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('dialog').getByRole('navigation', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Futures' }).click();
    await page.waitForURL('**/trades/futures');
    await menu.waitFor({ state: 'hidden' });
  });
});

describe('the top bar', () => {
  const entries = [
    ['[A-shell-13]', 'Markets', '/markets/prices'],
    ['[A-shell-14]', 'Convert', '/wallet/convert'],
    ['[A-shell-15]', 'Trade', '/trades/spot'],
    ['[A-shell-16]', 'Futures', '/trades/futures'],
  ] as const;

  it.each(entries)('%s leads to %s', async (_id, name, path) => {
    const page = pages.trader;
    await visit(page, '/settings');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    await page.waitForURL(`**${path}`);
  });

  it.each([
    ['[A-shell-17] [A-shell-18]', 'Simple Earn', '/wallet/simple_earn'],
    ['[A-shell-17] [A-shell-19]', 'Auto Invest', '/wallet/auto_invest'],
  ] as const)('%s has %s in its Earn menu', async (_id, name, path) => {
    const page = pages.trader;
    await visit(page, '/settings');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Earn' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.waitForURL(`**${path}`);
  });

  it('[A-shell-20] [A-shell-21] [A-shell-22] [A-shell-23] [A-shell-81] shows visitors the ways in, and clients their wallet and account', async () => {
    await visit(pages.visitor, '/settings');
    const bar = pages.visitor.locator('header').first();
    expect(await bar.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/signin?return=%2Fsettings');
    expect(await bar.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup');
    expect(await bar.getByRole('button', { name: 'Account menu' }).count()).toBe(0);
    await visit(pages.trader, '/settings');
    const own = pages.trader.locator('header').first();
    expect(await own.getByRole('link', { name: 'Wallet' }).getAttribute('href')).toBe('/wallet');
    expect(await own.getByRole('button', { name: 'Account menu' }).isVisible()).toBe(true);
    expect(await own.getByRole('link', { name: 'Login' }).count()).toBe(0);
  });

  it('[A-shell-24] [A-shell-25] shows a code to scan for Android, or for iOS', async () => {
    const page = pages.trader;
    await visit(page, '/settings');
    await page.getByRole('button', { name: 'Download the app' }).click();
    const android = page.getByRole('img', { name: 'Code that leads to the Android app' });
    await android.waitFor();
    const drawn = await android.innerHTML();
    await page.getByText('iOS', { exact: true }).last().click();
    const ios = page.getByRole('img', { name: 'Code that leads to the iOS app' });
    await ios.waitFor();
    expect(await ios.innerHTML()).not.toBe(drawn);
    await page.keyboard.press('Escape');
  });
});

describe('the account menu', () => {
  const menuOf = async (page: Page) => {
    await visit(page, '/settings');
    await page.getByRole('button', { name: 'Account menu' }).click();
    return page.getByRole('menu', { name: 'Account menu' });
  };

  it('[A-shell-27] [A-shell-28] [A-shell-29] says who it is, whether verified, and the level', async () => {
    const menu = await menuOf(pages.trader);
    await menu.getByText('trader@cambist.test').waitFor();
    expect(await menu.getByText('Unverified', { exact: true }).isVisible()).toBe(true);
    expect(await menu.getByText('NO_BADGE', { exact: true }).isVisible()).toBe(true);
  });

  it('[A-shell-30] shows a level by its name, with a crown', async () => {
    const page = await (await contextOf('trader')).newPage();
    await page.route('**/api/v3/account-client', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { client: object };
      await route.fulfill({ response: answer, json: { client: { ...json.client, membership_level: 'GOLD' } } });
    });
    const menu = await menuOf(page);
    const badge = menu.getByText('GOLD', { exact: true }).locator('..');
    await badge.waitFor();
    expect(await badge.locator('svg.tabler-icon-crown').count()).toBe(1);
    await page.context().close();
  });

  it.each([
    ['[A-shell-31]', 'Profile', '/profile'],
    ['[A-shell-32]', 'Fee Rates', '/fee-rate'],
    ['[A-shell-33]', 'Wallet', '/wallet'],
    ['[A-shell-34]', 'Rewards Center', '/account/rewards'],
    ['[A-shell-35]', 'Referral', '/account/referral'],
    ['[A-shell-36]', 'Security', '/account/security'],
    ['[A-shell-37]', 'Verification', '/verification/overview'],
  ] as const)('%s %s leads to %s', async (_id, name, path) => {
    const menu = await menuOf(pages.trader);
    await menu.getByRole('menuitem', { name, exact: true }).click();
    await pages.trader.waitForURL(`**${path}`);
  });

  it('[A-shell-38] Help opens the live chat', async () => {
    const menu = await menuOf(pages.trader);
    await menu.getByRole('menuitem', { name: 'Help' }).click();
    await pages.trader.getByRole('dialog', { name: 'Live chat' }).waitFor();
  });

  it('[A-shell-39] Logout ends the session and leads to sign-in', async () => {
    const page = await (await contextOf('trader')).newPage();
    const menu = await menuOf(page);
    await menu.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('**/signin');
    await page.goto(`${server.url}/wallet`);
    await page.waitForURL('**/signin?return=%2Fwallet');
    await page.context().close();
  });
});

describe('the fund dialog', () => {
  it.each([
    ['[A-shell-41] [A-shell-42]', 'Deposit Crypto', '/wallet/deposit', false],
    ['[A-shell-43] [A-shell-45]', 'P2P Trading', '/page-unavailable', true],
    ['[A-shell-44] [A-shell-45]', 'Buy Crypto', '/page-unavailable', true],
  ] as const)('%s %s leads to %s', async (_ids, name, path, soon) => {
    const page = pages.trader;
    await visit(page, '/settings');
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    const way = page.getByRole('dialog', { name: 'Fund your account' }).getByRole('link', { name });
    await way.waitFor();
    expect(await way.getByText('Coming Soon').count()).toBe(soon ? 1 : 0);
    await way.click();
    await page.waitForURL(`**${path}`);
  });

  it('[A-shell-05] [A-shell-06] [T-routes-61] [T-routes-62] the page that it leads to says so, and leads back to the wallet', async () => {
    const page = pages.trader;
    await visit(page, '/page-unavailable');
    await page.getByText('This Service is not yet available in your Country', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to wallet' }).click();
    await page.waitForURL('**/wallet');
  });
});

describe('the footer', () => {
  const links = [
    ['[A-shell-47]', 'Markets', '/markets/prices'],
    ['[A-shell-48]', 'Trade', '/trades/spot'],
    ['[A-shell-49]', 'Futures', '/trades/futures'],
    ['[A-shell-50]', 'Wallet', '/wallet'],
    ['[A-shell-51]', 'About', '/about'],
    ['[A-shell-52]', 'Terms of use', '/legal-center/terms'],
    ['[A-shell-53]', 'Privacy policy', '/legal-center/privacy'],
    ['[A-shell-54]', 'Android', '/api/v3/download-apk'],
    ['[A-shell-55]', 'iOS', '/api/v3/download-ios'],
  ] as const;

  it(`[A-shell-46] ${links.map(([id]) => id).join(' ')} says who we are, and leads on`, async () => {
    await visit(pages.visitor, '/about');
    const footer = pages.visitor.getByRole('contentinfo');
    await expect.poll(async () => (await footer.locator('p').first().textContent())?.length).toBeGreaterThan(40);
    for (const [, name, path] of links) {
      expect(await footer.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path);
    }
  });
});

describe('the announcement', () => {
  it('[A-shell-40] runs along the top and tells of an airdrop, until it is closed', async () => {
    const page = await (await contextOf('visitor')).newPage();
    await visit(page, '/markets/prices');
    const band = page.getByRole('complementary', { name: 'Announcement' });
    await band.getByText(/airdrop/i).waitFor();
    const where = () => band.locator('p').evaluate((text) => text.getBoundingClientRect().left);
    const before = await where();
    await page.waitForTimeout(400);
    expect(await where()).toBeLessThan(before);
    await band.getByRole('button', { name: 'Close the announcement' }).click();
    await band.waitFor({ state: 'hidden' });
    await visit(page, '/markets/pos');
    expect(await band.count()).toBe(0);
    await page.context().close();
  });
});
