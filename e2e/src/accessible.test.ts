/** Every address in both themes, on a desk and on a phone: nothing for axe to say by WCAG 2.2 AA, nothing too wide. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESSES } from './addresses.cases.ts';
import { expectAccessible, expectFits, visit } from './browser.ts';
import { DESK, OPERATOR, PHONE, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

/** Opens the address once, and looks at it as each device and theme show it: both are a matter of style sheets alone. */
async function expectGood(page: Page, path: string): Promise<void> {
  await page.setViewportSize(DESK);
  await visit(page, path);
  // Nothing is awaited any more.
  await expect.poll(() => page.locator('main').getByText('Loading...').count()).toBe(0);
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page);
    await switchTheme(page);
    // Only the colours are others there.
    await expectAccessible(page, 'color-contrast');
    await switchTheme(page);
    await expectFits(page);
  }
}

/** As Mantine does it. */
function switchTheme(page: Page): Promise<void> {
  return page.locator('html').evaluate((html) => {
    html.dataset.mantineColorScheme = html.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  });
}

const screens = ADDRESSES.filter(({ lands }) => !lands);
const PATHS = {
  visitor: screens.filter(({ guarded }) => !guarded).map(({ path }) => path),
  trader: screens.filter(({ guarded }) => guarded).map(({ path }) => path),
  operator: ['clients', 'support', 'content', 'content/faq', 'markets', 'futures', 'operations', 'audit'].map(
    (room) => `/admin/${room}`,
  ),
} as const;

describe.each(['visitor', 'trader', 'operator'] as const)('for a %s', (role) => {
  let page: Page;

  beforeAll(async () => {
    const session = role === 'visitor' ? {} : { as: await stage.signIn(role === 'trader' ? TRADER : OPERATOR) };
    // A colour that fades in has too little contrast on its way.
    page = await stage.open({ ...session, reducedMotion: 'reduce' });
  });
  afterAll(() => page.context().close());

  it.each(PATHS[role])('%s', (path) => expectGood(page, path));
});
