/** The first page in every language before any script has run, and for axe in both themes on a desk and on a phone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectFits } from './browser.ts';
import { DESK, PHONE, type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

/** Only what stands before the app's scripts can be seen, until they are released. */
async function holdScripts(at: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await at.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe('before any script has run', () => {
  it.each([
    ['en-US', 'en', 'Get started'],
    ['zh-CN', 'zh-Hans', '立即开始'],
    ['de-AT', 'de', 'Loslegen'],
    ['ja-JP', 'ja', '始める'],
    ['es-MX', 'es', 'Empezar'],
    ['vi-VN', 'vi', 'Bắt đầu'],
  ])('the first screen stands, in the language of a browser in %s', async (locale, tag, words) => {
    const still = await stage.open({ javaScriptEnabled: false, locale });
    await still.goto('/');
    expect(await still.locator('html').getAttribute('lang')).toBe(tag);
    expect(await still.getByRole('link', { name: words }).isVisible()).toBe(true);
    await still.context().close();
  });

  it.each(['de-DE'])('the page comes alive in its place, to a browser in %s', async (locale) => {
    const other = await stage.open({ locale });
    const release = await holdScripts(other);
    await other.goto('/', { waitUntil: 'commit' });
    await other.getByRole('banner').evaluate((bar) => bar.setAttribute('data-drawn', ''));
    release();
    await other.getByRole('link', { name: /BTC/ }).first().waitFor();
    expect(await other.locator('[data-drawn]').count()).toBe(1);
    await other.context().close();
  });
});

describe('for everybody', () => {
  it.each([
    ['dark', DESK, 'en-US'],
    ['light', DESK, 'en-US'],
    ['dark', PHONE, 'de-DE'],
    ['light', PHONE, 'ja-JP'],
  ] as const)('axe finds nothing in the %s theme, and nothing runs over', async (scheme, viewport, locale) => {
    const other = await stage.open({ viewport, locale, keeps: { preferences: { scheme } } });
    await other.goto('/');
    await other.locator('details').first().waitFor();
    await other.locator('article').first().waitFor();
    await expectAccessible(other);
    await expectFits(other);
    await other.context().close();
  });
});
