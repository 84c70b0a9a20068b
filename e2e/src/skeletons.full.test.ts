/** What a screen draws while its rows and figures are on their way. A chart, a camera and a redirect have a spinner: they have no rows. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { go } from './browser.ts';
import { OPERATOR, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let operator: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
  operator = await stage.signIn(OPERATOR);
});
afterAll(() => stage?.close());

const OWN = [
  ...(['/markets/prices', '/markets/trading_data', '/wallet', '/wallet?tab=spot', '/wallet?tab=future'] as const),
  ...(['/wallet/BTC', '/wallet/deposit', '/wallet/withdraw', '/wallet/transfer', '/wallet/convert'] as const),
  ...(['/history', '/account/notifications', '/futures/rules', '/futures/funding', '/futures/insurance'] as const),
  ...(['/proof', '/fee-rate', '/account/security', '/trades/spot/BTC'] as const),
];

const CONSOLE = [
  ...(['/admin/clients', '/admin/support', '/admin/content', '/admin/markets', '/admin/futures'] as const),
  ...(['/admin/treasury', '/admin/operations', '/admin/audit'] as const),
];

const bones = (page: Page) => page.locator('main [role=status] > div[aria-hidden]');

it.each([
  ['a client', OWN, () => trader],
  ['an operator', CONSOLE, () => operator],
] as const)(
  'every screen of %s has bones in the place of its rows until the answers are here (A-shell-80)',
  async (_, paths, who) => {
    const page = await stage.open({ as: who() });
    await page.goto('/about');
    await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
    const { promise: answered, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/**', async (route) => {
      await answered;
      await route.continue();
    });
    const bare: string[] = [];
    for (const path of paths) {
      await go(page, path);
      const isDrawn = await bones(page)
        .first()
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
      if (!isDrawn) bare.push(path);
      await go(page, '/about');
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
    }
    expect(bare).toEqual([]);
    release();
    for (const path of paths.slice(0, 2)) {
      await go(page, path);
      await expect.poll(() => bones(page).count()).toBe(0);
    }
    await page.context().close();
  },
);
