/** What the suites of addresses share: whose pages open them, and what each of them shows. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ADDRESSES, type Address, FOOTERS, SIDEBARS } from './addresses.cases.ts';
import { pageOf, ROLES, type Role } from './roles.ts';
import type { Stage } from './stage.ts';

export const ROOMS = [
  ['clients', 'Clients'],
  ['support', 'Support'],
  ['content', 'Content'],
  ['content/faq', 'Questions'],
  ['markets', 'Pairs'],
  ['futures', 'Futures'],
  ['operations', 'Operations'],
  ['audit', 'Audit log'],
] as const;

/** The addresses with all ids that their titles cite. */
export const CASES = ADDRESSES.map((one) => ({
  ...one,
  ids: `${one.ids} ${FOOTERS[one.path] ?? ''} ${SIDEBARS[one.path] ?? ''}`,
}));

export interface Tour {
  readonly pages: Readonly<Record<Role, Page>>;
  readonly complaints: string[];
  /** Calls of the product's own interface, and whether they carried a token. */
  readonly calls: { role: Role; path: string; token: string | undefined }[];
  /** Screens that fetched the terminal or the chart. */
  readonly heavy: Set<string>;
}

export const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Opens a page for each role and records what the pages ask for and complain about. */
export async function openTour(stage: Stage): Promise<Tour> {
  const pages = {} as Record<Role, Page>;
  const tour: Tour = { pages, complaints: [], calls: [], heavy: new Set() };
  for (const role of ROLES) {
    // A colour that fades in has too little contrast on its way.
    const page = await pageOf(stage, role, { reducedMotion: 'reduce' });
    page.on('pageerror', (error) => tour.complaints.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/\/(terminal|chart-library)-[^/]+\.js$/.test(pathname)) tour.heavy.add(pathOf(page));
      if (!pathname.startsWith('/api/')) return;
      tour.calls.push({ role, path: pathname, token: request.headers().authorization });
    });
    pages[role] = page;
  }
  return tour;
}

/** Only what is somebody's own can look otherwise to an operator than to a trader. */
export const rolesAt = ({ guarded = false, frame = false }: Address): readonly Role[] =>
  guarded && !frame ? ROLES : ['visitor', 'trader'];

/** The role whose page shows the screen of an address. */
export const viewerOf = ({ guarded = false }: Address): Role => (guarded ? 'trader' : 'visitor');

/** Opens an address as one of the roles, and checks where it ends and what it shows. */
export async function expectAddress(
  { pages }: Tour,
  role: Role,
  address: Address,
  open: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const { path, lands = path.replace(/\?.*/, ''), guarded = false } = address;
  const page = pages[role];
  await open(page, path);
  const isSentAway = guarded && role === 'visitor';
  const end = isSentAway ? '/signin' : lands;
  await expect.poll(() => `${role} ${pathOf(page)}`).toBe(`${role} ${end}`);
  if (isSentAway) await expect.poll(() => page.title()).toBe('Log in | Cambist');
  else await expectScreen(page, role, address);
  // Who is signed in waits for a page of their own, unseen.
  await expect.poll(() => page.locator('header').first().isVisible()).toBe(true);
  await expectAround(page, end);
}

/** The screen of the address: its title, its heading, and whether it is a frame. */
async function expectScreen(
  page: Page,
  role: Role,
  { heading, title = heading, frame = false }: Address,
): Promise<void> {
  // The terminal's title begins with a price.
  const wanted = new RegExp(title ? `^([\\d.,]+ )?${title} \\| Cambist$` : '^Cambist$');
  // Operators have no wallet and no orders: what such a screen refuses them is not in its title and its heading.
  await expect.poll(() => page.title()).toMatch(role === 'operator' ? /.+ \| Cambist$/ : wanted);
  if (heading && role !== 'operator')
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  // It is a screen of its own under the one layout, not the page for addresses that are not there.
  expect(await page.getByText("This page doesn't exist").count()).toBe(0);
  await expect.poll(() => page.locator('[data-frame]').count()).toBe(frame ? 1 : 0);
}

/** The footer and the sidebar by the lists of the specification, the ground, and the live chat. */
async function expectAround(page: Page, path: string): Promise<void> {
  await expect.poll(() => page.getByRole('contentinfo').count()).toBe(path in FOOTERS ? 1 : 0);
  const sidebar = page.getByRole('navigation', { name: 'Account', exact: true });
  // It is fetched beside the page.
  await expect.poll(() => sidebar.isVisible()).toBe(path in SIDEBARS);
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  await expect.poll(scheme).toBe(path.startsWith('/sign') ? 'light' : 'dark');
  expect(await page.getByRole('button', { name: /^Live chat/ }).isVisible()).toBe(true);
}

/** Nothing is awaited any more. */
export const untilLoaded = (page: Page) =>
  expect.poll(() => page.locator('main').getByText('Loading...').count()).toBe(0);
