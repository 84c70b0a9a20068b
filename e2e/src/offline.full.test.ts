/** The connection goes while the page is still being made: the screen stays, and what is missing comes by itself. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const OFFLINE = 'You are offline. Figures may be out of date';
const MISSING = 'This part could not be loaded.';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

/** A first visit, of which nothing has been kept on the device. */
async function firstVisit(path: string, as?: Session): Promise<Page> {
  const page = await stage.open({ serviceWorkers: 'block', viewport: DESK, ...(as ? { as } : {}) });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  return page;
}

/** A mark that a reload would wipe out. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { kept: true }));
const isSamePage = (page: Page) => page.evaluate(() => 'kept' in window);
const bids = (page: Page) => page.getByRole('region', { name: 'Bids' }).getByRole('button').first();

describe('a connection that goes in the first seconds', () => {
  it('right after the document has come, says why nothing is there, and goes on from there when it is back', async () => {
    const page = await stage.open({ serviceWorkers: 'block', locale: 'de-AT', as: trader });
    // Only the document and the few bytes that it names came before the connection went.
    await page.route(/\/assets\/(react|start|screens)-/, (route) => route.abort('internetdisconnected'));
    await page.goto('/trades/spot/BTC', { waitUntil: 'domcontentloaded' });
    await page.getByText('Die Börse ist nicht erreichbar').waitFor();
    await mark(page);
    await page.unrouteAll();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.locator('[data-status=full]').waitFor();
    expect(await page.getByText('Die Börse ist nicht erreichbar').count()).toBe(0);
    expect(await isSamePage(page)).toBe(true);
    await page.context().close();
  });

  it('at the first moments of the first page, keeps it, and leads on when the connection is back', async () => {
    const page = await firstVisit('/');
    await page.context().setOffline(true);
    await mark(page);
    const headline = page.getByRole('heading', { level: 1 });
    // The app has come, or begins without a connection, or has not come yet: each says what is the matter.
    await page
      .getByText(/^You are offline/)
      .or(page.locator('#late:not([hidden])'))
      .first()
      .waitFor();
    expect(await headline.isVisible()).toBe(true);
    await page.context().setOffline(false);
    // It goes when the app has come.
    await page.locator('#late').waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Markets' }).click();
    await page.getByRole('status', { name: 'Loading...' }).waitFor();
    expect(await headline.isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.waitForURL('**/markets/prices');
    await page.getByRole('main').getByRole('link', { name: /BTC/ }).first().waitFor();
    expect(await page.getByText(OFFLINE).count()).toBe(0);
    expect(await isSamePage(page)).toBe(true);
    await page.context().close();
  });

  it('or the first file of the program does not come, begins by itself once it is there', async () => {
    const page = await stage.open({ serviceWorkers: 'block', locale: 'de-AT', as: trader });
    await page.route(/\/assets\/fetch-.*\.js/, (route) => route.fulfill({ status: 502 }));
    await page.goto('/wallet', { waitUntil: 'domcontentloaded' });
    await page.getByText('Die Börse ist nicht erreichbar').waitFor();
    await page.unrouteAll();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Die Börse ist nicht erreichbar').count()).toBe(0);
    await page.context().close();
  });

  it('or answers come from what stands before the server, draws nothing without its style sheets', async () => {
    const page = await stage.open({ serviceWorkers: 'block', viewport: DESK, as: trader });
    const isAway = (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '502 Bad Gateway' });
    // The page's own.
    await page.route(/\/assets\/index-.*\.css/, isAway);
    await page.goto('/wallet', { waitUntil: 'domcontentloaded' });
    await page.locator('#late:not([hidden])').waitFor();
    await page.unrouteAll();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByRole('heading', { level: 1, name: 'Total balance' }).waitFor();
    await page.locator('#late').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toContain('Inter');
    // And those of a part.
    await page.route(/\/assets\/.*\.css/, isAway);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trade' }).click();
    const missing = page.getByRole('status').filter({ hasText: MISSING });
    await missing.waitFor();
    await page.unrouteAll();
    await missing.getByRole('button', { name: 'Try again' }).click();
    await bids(page).waitFor();
    expect(await bids(page).evaluate((row) => getComputedStyle(row).contain)).toBe('size layout');
    await page.context().close();
  });

  it('while an order is written, keeps the terminal and what was typed, and asks to confirm when it is back', async () => {
    const page = await firstVisit('/trades/spot/BTC', trader);
    await mark(page);
    const form = page.getByRole('form', { name: 'Buy BTC' });
    await form.waitFor();
    await bids(page).waitFor();
    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await form.getByLabel('Amount in BTC').fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    const missing = page.getByRole('status').filter({ hasText: MISSING });
    await missing.getByRole('button', { name: 'Try again' }).click();
    // It is still away, so the part is still missing and everything else is still there.
    await missing.waitFor();
    expect(await bids(page).isVisible()).toBe(true);
    // However often it has failed meanwhile, no release is what keeps it away.
    for (let failures = 0; failures < 3; failures += 1) {
      await Promise.all([
        page.waitForEvent('requestfailed', (request) => request.url().includes('confirm-dialog')),
        missing.getByRole('button', { name: 'Try again' }).click(),
      ]);
    }
    await page.route(/\/assets\/confirm-dialog-/, (route) => route.abort('connectionreset'));
    await page.context().setOffline(false);
    await page.getByText(OFFLINE).waitFor({ state: 'hidden' });
    for (let failures = 0; failures < 3; failures += 1) {
      await Promise.all([
        page.waitForEvent('requestfailed', (request) => request.url().includes('confirm-dialog')),
        missing.getByRole('button', { name: 'Try again' }).click(),
      ]);
    }
    await missing.waitFor();
    // Nor does one where what stands before the server answers in its place.
    await page.unrouteAll();
    await page.route(/\/assets\/confirm-dialog-/, (route) => route.fulfill({ status: 502 }));
    await Promise.all([
      page.waitForResponse((response) => response.status() === 502),
      missing.getByRole('button', { name: 'Try again' }).click(),
    ]);
    await page.waitForTimeout(200);
    await missing.waitFor();
    // One does where the server has the file no more.
    await page.unrouteAll();
    await page.route(/\/assets\/confirm-dialog-/, (route) => route.fulfill({ status: 404 }));
    await missing.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').filter({ hasText: 'A newer version is available.' }).waitFor();
    await page.unrouteAll();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByRole('dialog', { name: 'Buy BTC' }).waitFor();
    await missing.waitFor({ state: 'hidden' });
    expect(await form.getByLabel('Amount in BTC').inputValue()).toBe('0.01');
    expect(await isSamePage(page)).toBe(true);
    await page.context().close();
  });

  it('before a screen has been fetched, shows the gap in its place, under the bar', async () => {
    const page = await firstVisit('/settings', trader);
    await page.setViewportSize(PHONE);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await mark(page);
    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await page.evaluate(() => window.history.pushState({}, '', '/wallet'));
    await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate', { state: {} })));
    await page.getByRole('main').getByText(MISSING).waitFor();
    expect(await page.getByRole('banner').isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    expect(await isSamePage(page)).toBe(true);
    await page.context().close();
  });
});

describe('an order without a connection', () => {
  it('fails at once and is not sent later by itself', async () => {
    const page = await firstVisit('/trades/spot/BTC', trader);
    await bids(page).waitFor();
    const form = page.getByRole('form', { name: 'Buy BTC' });
    await form.getByLabel('Amount in BTC').fill('0.02');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buy BTC' });
    await dialog.getByLabel('Transaction password', { exact: true }).fill(TRADER.pin);
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    // The button would go on turning if the order waited for the connection.
    await expect.poll(() => dialog.locator('[data-loading]').count()).toBe(0);
    let orders = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && /order|unlock/.test(request.url())) orders += 1;
    });
    await page.context().setOffline(false);
    await page.getByText(OFFLINE).waitFor({ state: 'hidden' });
    await bids(page).waitFor();
    expect(orders).toBe(0);
    await page.context().close();
  });
});
