/** Every address in both themes, on a desk and on a phone: nothing for axe to say by WCAG 2.2 AA, nothing too wide. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESSES } from './addresses.ts';
import { expectAccessible, visit } from './browser.ts';
import { DESK, OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const DEVICES = (['dark', 'light'] as const).flatMap((scheme) =>
  [DESK, PHONE].map((viewport) => ({ scheme, viewport })),
);

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

/** One page for each device; motion is left out, since a colour that fades in has too little contrast on its way. */
function open(as?: Session): Promise<Page[]> {
  const session = as ? { as } : {};
  return Promise.all(
    DEVICES.map(({ scheme, viewport }) =>
      stage.open({ ...session, viewport, reducedMotion: 'reduce', keeps: { preferences: { scheme } } }),
    ),
  );
}

async function expectGood(page: Page, path: string): Promise<void> {
  await visit(page, path);
  await expect.poll(() => page.locator('main .mantine-Skeleton-root').count()).toBe(0);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

describe.each(['visitor', 'trader', 'operator'] as const)('for a %s', (role) => {
  let pages: Page[];

  beforeAll(async () => {
    pages = await open(role === 'visitor' ? undefined : await stage.signIn(role === 'trader' ? TRADER : OPERATOR));
  });
  afterAll(() => Promise.all(pages.map((page) => page.context().close())));

  const rooms = ['clients', 'support', 'content', 'content/faq', 'operations', 'audit'];
  const paths =
    role === 'operator'
      ? rooms.map((room) => `/admin/${room}`)
      : ADDRESSES.filter(({ guarded, lands }) => !lands && (guarded ?? false) === (role === 'trader')).map(
          ({ path }) => path,
        );

  it.each(paths)('%s', async (path) => {
    await Promise.all(pages.map((page) => expectGood(page, path)));
  });
});
