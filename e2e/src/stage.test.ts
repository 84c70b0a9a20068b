/** The shared page of a stage: what one test leaves on it, the next one does not find. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { go } from './browser.ts';
import { DESK, PHONE, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/** Requests that a listener of an earlier test was called for. */
let heard = 0;

/** Everything that a test can leave behind. */
async function leaveTraces(page: Page): Promise<void> {
  await page.goto('/signin');
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here');
    sessionStorage.setItem('left', 'here');
    await cookieStore.set('left', 'here');
    await caches.open('left');
    await new Promise((resolve) => {
      indexedDB.open('left').onsuccess = resolve;
    });
  });
  await page.route('**/api/**', (route) => route.abort());
  page.on('request', () => {
    heard += 1;
  });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(PHONE);
  await page.context().newPage();
  await page.context().setOffline(true);
}

const tracesOn = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: sessionStorage.length,
    cookies: document.cookie,
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    isReduced: matchMedia('(prefers-reduced-motion: reduce)').matches,
    width: innerWidth,
  }));

describe('the shared page', () => {
  it('is reset to a fresh device', async () => {
    await leaveTraces(await stage.reuse());
    const page = await stage.reuse();
    heard = 0;
    expect(await tracesOn(page)).toEqual({
      local: ['cambist.preferences'],
      session: 0,
      cookies: '',
      caches: [],
      databases: [],
      isReduced: false,
      width: DESK.width,
    });
    expect(page.context().pages()).toEqual([page]);
    await page.goto('/signin');
    await page.getByRole('textbox', { name: 'Email', exact: true }).waitFor();
    expect(heard).toBe(0);
  });

  it('is another one after a test that moved its clock', async () => {
    const page = await stage.reuse();
    await page.clock.install({ time: 0 });
    await page.goto('/signin');
    const next = await stage.reuse();
    expect(await next.evaluate(() => Date.now())).toBeGreaterThan(Date.now() - 60_000);
  });

  it('is signed in as it is asked to be, and out again', async () => {
    const page = await stage.reuse({ as: await stage.signIn(TRADER) });
    await page.goto('/profile');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/profile');
    const next = await stage.reuse();
    await next.goto('/profile');
    await next.waitForURL('**/signin**');
  });

  it('goes to another address without a load', async () => {
    const page = await stage.reuse();
    await page.goto('/signin');
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await go(page, '/markets/prices');
    await page.getByRole('heading', { level: 1, name: 'Markets' }).waitFor();
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  });
});
