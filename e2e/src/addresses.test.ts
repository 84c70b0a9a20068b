/**
 * Every address of the product, as a visitor, a trader and the operator meet it on the way through the app. Axe reads each
 * screen once, and nothing is too wide. `addresses.full.test.ts` loads them all, in both themes and every size.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from './addresses.cases.ts';
import { CASES, expectAddress, openTour, ROOMS, rolesAt, type Tour, untilLoaded, viewerOf } from './addresses.ts';
import { expectAccessible, expectFits, visit, walk } from './browser.ts';
import { ROLES } from './roles.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
let tour: Tour;

beforeAll(async () => {
  stage = await setStage();
  tour = await openTour(stage);
});

afterAll(() => stage?.close());

async function expectGood(page: Page, isNew: boolean): Promise<void> {
  await untilLoaded(page);
  if (isNew) await expectAccessible(page);
  await expectFits(page);
}

const isTerminal = ({ path }: Address) => path.startsWith('/trades/');
// Last, since a page fetches the terminal once: every other screen is opened without it.
const cases = [...CASES.filter((one) => !isTerminal(one)), ...CASES.filter(isTerminal)];

describe('every address, under one layout (A-shell-01, A-shell-03, A-shell-66, A-shell-76..78, T-routes-02, T-routes-04)', () => {
  it.each(cases)('$path shows its screen, with what should stand around it $ids', async (address) => {
    await Promise.all(rolesAt(address).map((role) => expectAddress(tour, role, address, walk)));
    if (address.lands === undefined) await expectGood(tour.pages[viewerOf(address)], !address.repeats);
  });

  it.each(ROOMS)('/admin/%s is good to look at', async (room, title) => {
    const page = tour.pages.operator;
    await walk(page, `/admin/${room}`);
    await expect.poll(() => page.title()).toBe(`${title} | Cambist`);
    await page.getByRole('main').getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await expectGood(page, true);
  });

  it('fetches the terminal and the chart on no other screen, and on the terminal', () => {
    expect([...tour.heavy].filter((path) => !path.startsWith('/trades/'))).toEqual([]);
    expect(tour.heavy).toContain('/trades/spot');
  });
});

describe('an address that is loaded, in history mode (T-routes-05)', () => {
  it('is answered with 200, whichever it is', async () => {
    const statuses = CASES.map(async ({ path }) => [path, (await fetch(stage.url + path)).status]);
    expect(await Promise.all(statuses)).toEqual(CASES.map(({ path }) => [path, 200]));
  });

  const loaded = [
    '/',
    '/signin',
    '/signup/ABC123',
    '/markets',
    '/markets/prices',
    '/trades/spot',
    '/wallet',
    '/wallet?tab=spot',
    '/account/security/anti_phishing',
    '/verification/overview',
    '/legal-center/terms',
    '/p2p',
  ];

  it.each(CASES.filter(({ path }) => loaded.includes(path)))('$path shows its screen', async (address) => {
    await expectAddress(tour, viewerOf(address), address, visit);
  });

  it('/wallet sends a visitor to sign in', async () => {
    const wallet = CASES.filter(({ path }) => path === '/wallet');
    for (const address of wallet) await expectAddress(tour, 'visitor', address, visit);
  });

  it('/admin/clients shows its room', async () => {
    const page = tour.pages.operator;
    await visit(page, '/admin/clients');
    await page.getByRole('heading', { level: 1, name: 'Clients', exact: true }).waitFor();
  });

  it('says so, with status and title, where there is nothing', async () => {
    const page = tour.pages.visitor;
    await page.goto('/nothing-here');
    await page.getByText("This page doesn't exist").waitFor();
    expect(await page.title()).toBe('Not found | Cambist');
  });
});

it('makes no browser complain', () => {
  expect(tour.complaints).toEqual([]);
});

it('carries the token in every call of who is signed in, and none in those of a visitor (A-calls-01, T-calls-02)', () => {
  for (const role of ROLES) {
    const own = tour.calls.filter((call) => call.role === role);
    expect(new Set(own.map(({ path }) => path)).size).toBeGreaterThan(10);
    const wrong = own.filter(({ token }) => (role === 'visitor') === /^Bearer \S+$/.test(token ?? ''));
    expect(wrong).toEqual([]);
  }
});
