/** The spot screen with every length of candles, and for axe in both themes at three widths. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

it('candles of every other length are drawn as well, and the last one chosen is kept', async () => {
  const page = await stage.reuse({ viewport: { width: 1600, height: 1000 } });
  await page.goto('/trades/spot/BTC');
  const more = page.getByRole('combobox', { name: 'More timeframes' });
  for (const name of ['3min', '15min', '30min', '2hr', '6hr', '12hr', '1W', '1M']) {
    await more.selectOption(name);
    await page.locator(`[data-status=full][aria-label="Price of BTC-USDT, ${name} candles"]`).waitFor();
  }
  await page.reload();
  await page.locator('[data-status=full][aria-label="Price of BTC-USDT, 1M candles"]').waitFor();
  expect(await more.inputValue()).toBe('1M');
  const frames = page.getByRole('group', { name: 'Timeframe' });
  expect(await frames.locator('[aria-pressed=true]').count()).toBe(0);
});

it.each(['dark', 'light'] as const)('axe finds nothing in the %s theme', async (scheme) => {
  const page = await stage.reuse({ keeps: { preferences: { scheme } } });
  for (const width of [390, 1024, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/trades/spot/BTC');
    await page.locator('[data-status=full]').waitFor();
    await expectAccessible(page);
  }
});
