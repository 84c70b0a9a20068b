/**
 * Every address of the product, as a visitor, a trader and the operator meet it. Its screen is looked at in both themes, on a desk
 * and on a phone: nothing for axe to say by WCAG 2.2 AA, nothing too wide, also in the narrowest window that it asks for.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESSES, type Address } from './addresses.cases.ts';
import { expectAccessible, expectFits, visit } from './browser.ts';
import { pageOf, ROLES, type Role } from './roles.ts';
import { DESK, PHONE, type Stage, setStage } from './stage.ts';

let stage: Stage;
const pages = {} as Record<Role, Page>;
const complaints: string[] = [];
/** Calls of the product's own interface, and whether they carried a token. */
const calls: { role: Role; path: string; token: string | undefined }[] = [];
/** Screens that fetched the terminal or the chart. */
const heavy = new Set<string>();

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  for (const role of ROLES) {
    // A colour that fades in has too little contrast on its way.
    const page = await pageOf(stage, role, { reducedMotion: 'reduce' });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/\/(terminal|chart-library)-[^/]+\.js$/.test(pathname)) heavy.add(pathOf(page));
      if (!pathname.startsWith('/api/')) return;
      calls.push({ role, path: pathname, token: request.headers().authorization });
    });
    pages[role] = page;
  }
});

afterAll(() => stage?.close());

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
  // Screens of our own, for everyone.
  '/futures/rules': '',
  '/futures/funding': '',
  '/futures/insurance': '',
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

/** The footer and the sidebar, by the lists above, the ground, and the live chat. */
async function expectAround(page: Page, path: string): Promise<void> {
  expect(await page.getByRole('contentinfo').count()).toBe(path in FOOTERS ? 1 : 0);
  const sidebar = page.getByRole('navigation', { name: 'Account', exact: true });
  // It is fetched beside the page.
  await expect.poll(() => sidebar.isVisible()).toBe(path in SIDEBARS);
  const scheme = await page.locator('html').getAttribute('data-mantine-color-scheme');
  expect(scheme).toBe(path.startsWith('/sign') ? 'light' : 'dark');
  expect(await page.getByRole('button', { name: /^Live chat/ }).isVisible()).toBe(true);
}

/** Of WCAG's reflow: a desk at 400 % is one as well. */
const NARROWEST = { width: 320, height: 568 };

const pathOf = (page: Page) => new URL(page.url()).pathname;

/** The screen of the address: its heading and no frame, or a frame alone. */
async function expectScreen(page: Page, { heading, title, frame = false }: Address): Promise<void> {
  // It is a screen of its own under the one layout, not the page for addresses that are not there.
  expect(await page.getByText("This page doesn't exist").count()).toBe(0);
  if (heading) await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  if (title) await expect.poll(() => page.title()).toBe(`${title} | Cambist`);
  await expect.poll(() => page.locator('[data-frame]').count()).toBe(frame ? 1 : 0);
}

/** What is open, as each device and theme show it: both are a matter of style sheets alone. */
async function expectGood(page: Page): Promise<void> {
  // Nothing is awaited any more.
  await expect.poll(() => page.locator('main').getByText('Loading...').count()).toBe(0);
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page);
    await switchTheme(page);
    // Only the colours are others there.
    await expectAccessible(page, 'color-contrast');
    await switchTheme(page);
    await expectFits(page);
  }
  await page.setViewportSize(NARROWEST);
  await expectFits(page);
  await page.setViewportSize(DESK);
}

/** As Mantine does it. */
function switchTheme(page: Page): Promise<void> {
  return page.locator('html').evaluate((html) => {
    html.dataset.mantineColorScheme = html.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  });
}

describe('every address, in history mode and under one layout (A-shell-01, A-shell-03, A-shell-66, A-shell-76..78, T-routes-02, T-routes-04, T-routes-05)', () => {
  const cases = ADDRESSES.map((one) => ({
    ...one,
    ids: `${one.ids} ${FOOTERS[one.path] ?? ''} ${SIDEBARS[one.path] ?? ''}`,
  }));

  it.each(cases)('$path shows its screen, with what should stand around it $ids', async (address) => {
    const { path, lands = path.replace(/\?.*/, ''), guarded = false, frame = false } = address;
    // Only what is somebody's own can look otherwise to an operator than to a trader.
    const roles = guarded && !frame ? ROLES : (['visitor', 'trader'] as const);
    const visits = roles.map(async (role) => {
      const page = pages[role];
      await visit(page, path);
      const isSentAway = guarded && role === 'visitor';
      const end = isSentAway ? '/signin' : lands;
      expect(`${role} ${pathOf(page)}`).toBe(`${role} ${end}`);
      // Operators have no wallet and no orders: what such a screen refuses them is not its heading.
      if (!isSentAway) await expectScreen(page, role === 'operator' ? { ...address, heading: '' } : address);
      // Who is signed in waits for a page of their own, unseen.
      await expect.poll(() => page.locator('header').first().isVisible()).toBe(true);
      await expect.poll(() => page.title()).toMatch(end === '/' ? /Cambist/ : /.+ \| Cambist$/);
      await expectAround(page, end);
    });
    await Promise.all(visits);
    if (address.lands === undefined) await expectGood(pages[guarded ? 'trader' : 'visitor']);
  });

  const rooms = ['clients', 'support', 'content', 'content/faq', 'markets', 'futures', 'operations', 'audit'];

  it.each(rooms)('/admin/%s is good to look at', async (room) => {
    await visit(pages.operator, `/admin/${room}`);
    await expectGood(pages.operator);
  });

  it('says so, with status and title, where there is nothing', async () => {
    const page = pages.visitor;
    await page.goto('/nothing-here');
    await page.getByText("This page doesn't exist").waitFor();
    expect(await page.title()).toBe('Not found | Cambist');
  });

  it('makes no browser complain', () => {
    expect(complaints).toEqual([]);
  });

  it('fetches the terminal and the chart on no other screen, and on the terminal', () => {
    expect([...heavy].filter((path) => !path.startsWith('/trades/'))).toEqual([]);
    expect(heavy).toContain('/trades/spot');
  });

  it('carries the token in every call of who is signed in, and none in those of a visitor (A-calls-01, T-calls-02)', () => {
    for (const role of ROLES) {
      const own = calls.filter((call) => call.role === role);
      expect(new Set(own.map(({ path }) => path)).size).toBeGreaterThan(10);
      const wrong = own.filter(({ token }) => (role === 'visitor') === /^Bearer \S+$/.test(token ?? ''));
      expect(wrong).toEqual([]);
    }
  });
});
