/**
 * Every address of the product, loaded as a visitor, a trader and the operator. Its screen is looked at in both themes, on a desk
 * and on a phone: nothing for axe to say by WCAG 2.2 AA, nothing too wide, also in the narrowest window that it asks for.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, expectAddress, openTour, ROOMS, rolesAt, type Tour, untilLoaded, viewerOf } from './addresses.ts';
import { expectAccessible, expectFits, visit } from './browser.ts';
import { DESK, PHONE, type Stage, setStage } from './stage.ts';

/** Of WCAG's reflow: a desk at 400 % is one as well. */
const NARROWEST = { width: 320, height: 568 };

let stage: Stage;
let tour: Tour;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  tour = await openTour(stage);
});

afterAll(() => stage?.close());

/** What is open, in both themes: only the colours are others in the second one. */
async function expectAccessibleInThemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await switchTheme(page);
  await expectAccessible(page, 'color-contrast');
  await switchTheme(page);
}

/** As Mantine does it. */
function switchTheme(page: Page): Promise<void> {
  return page.locator('html').evaluate((html) => {
    html.dataset.mantineColorScheme = html.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  });
}

/** What is open, as each device and theme show it: both are a matter of style sheets alone. */
async function expectGood(page: Page): Promise<void> {
  await untilLoaded(page);
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    await expectAccessibleInThemes(page);
    await expectFits(page);
  }
  await page.setViewportSize(NARROWEST);
  await expectFits(page);
  await page.setViewportSize(DESK);
}

describe('every address that is loaded', () => {
  it.each(CASES)('$path shows its screen, with what should stand around it $ids', async (address) => {
    await Promise.all(rolesAt(address).map((role) => expectAddress(tour, role, address, visit)));
    if (address.lands === undefined) await expectGood(tour.pages[viewerOf(address)]);
  });

  it.each(ROOMS)('/admin/%s is good to look at', async (room) => {
    await visit(tour.pages.operator, `/admin/${room}`);
    await expectGood(tour.pages.operator);
  });

  it('makes no browser complain', () => {
    expect(tour.complaints).toEqual([]);
  });

  it('fetches the terminal and the chart on no other screen, and on the terminal', () => {
    expect([...tour.heavy].filter((path) => !path.startsWith('/trades/'))).toEqual([]);
    expect(tour.heavy).toContain('/trades/spot');
  });
});
