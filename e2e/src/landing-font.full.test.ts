/** The first page while its font is on the way: what stands in for it is as wide and high. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ MARKET: 'none' });
});
afterAll(() => stage?.close());

it.each([
  ['en-US', 390],
  ['en-US', 1440],
  ['de-DE', 390],
  ['es-ES', 390],
  ['vi-VN', 1440],
])('the heading stays as it is when the font comes (%s, %i px)', async (locale, width) => {
  const page = await stage.open({ locale, viewport: { width, height: 844 } });
  const font = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await font.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  await expect.poll(() => page.evaluate(() => document.fonts.status)).toBe('loading');
  const before = await heading.boundingBox();
  font.resolve();
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.fonts.check('680 40px "Inter Variable"'))).toBe(true);
  expect(await heading.boundingBox()).toEqual(before);
  await page.context().close();
});
