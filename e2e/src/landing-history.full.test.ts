/** A visit that begins on the first page, which stands still until routing has come: where the history leads. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DESK, type Stage, setStage } from './stage.ts';

let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});

beforeEach(async () => {
  page = await stage.open({ serviceWorkers: 'block', viewport: DESK });
  await page.goto('/');
  await isAlive();
});

afterAll(() => stage?.close());

const isAlive = () =>
  page.getByRole('region', { name: 'Most traded' }).getByRole('link', { name: /\$/ }).first().waitFor();
const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const markets = () => page.getByRole('navigation', { name: 'Market lists' }).waitFor();
const scrolled = () => page.evaluate(() => Math.round(scrollY));

it('is followed back and forward, and a place that is come back to is where it was left', async () => {
  await page.evaluate(() => scrollTo(0, 700));
  // Not by the mouse, for which the page would be scrolled to the link.
  await link('Markets').evaluate((element: HTMLElement) => element.click());
  await markets();
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await isAlive();
  await expect.poll(scrolled).toBe(700);

  // The first page again, with an entry of the history before it and one after it.
  await page.reload();
  await isAlive();
  await expect.poll(scrolled).toBe(700);
  await page.evaluate(() => void Object.assign(window, { kept: true }));
  await page.goForward();
  await markets();
  expect(new URL(page.url()).pathname).toBe('/markets/prices');
  await page.goBack();
  await isAlive();
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);

  // Any other page that is reloaded stays where it was, too.
  await link('Markets').evaluate((element: HTMLElement) => element.click());
  await markets();
  await page.getByRole('main').getByRole('link', { name: /BTC/ }).first().waitFor();
  await page.evaluate(() => scrollTo(0, 100));
  await page.reload();
  await markets();
  await expect.poll(scrolled).toBe(100);

  // An address that is typed opens at its top.
  await page.goto('/legal-center/terms');
  await page.getByRole('contentinfo').waitFor();
  expect(await scrolled()).toBe(0);
  await page.context().close();
});

it('goes to the last of several places that were asked for while routing was on its way, and stays put until then', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/screens-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => scrollTo(0, 500));
  for (const name of ['Convert', 'Markets']) await link(name).evaluate((element: HTMLElement) => element.click());
  await page.getByRole('status', { name: 'Loading...' }).waitFor();
  expect(await scrolled()).toBe(500);
  release();
  await markets();
  expect(new URL(page.url()).pathname).toBe('/markets/prices');
  await page.goBack();
  await isAlive();
  expect(await scrolled()).toBe(500);
  await page.context().close();
});
