/** The shell around every screen, as a visitor and a trader meet it. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, go, visit, walk } from './browser.ts';
import { DESK, OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

interface StoredBanners {
  readonly version: number;
  readonly content: { readonly items: readonly object[] };
}

let stage: Stage;
let session: Session;
/** Has the app open from test to test; the shared page of the stage is for whoever else there is. */
let trader: Page;

/** An announcement of the operator's own, before any page reads what there is. */
async function announce(): Promise<void> {
  const { call } = await stage.signIn(OPERATOR);
  const path = '/api/v3/admin/content/banners';
  const { version, content } = await call<StoredBanners>('GET', path);
  const items = content.items.map((item) => ({ ...item, sample: false }));
  await call('POST', path, { based_on: version, content: { ...content, items } });
}

beforeAll(async () => {
  stage = await setStage();
  await announce();
  session = await stage.signIn(TRADER);
  trader = await stage.open({ as: session });
});

afterAll(() => stage?.close());

/** The screen where most tests of the shell begin. */
async function openSettings(page: Page): Promise<void> {
  await walk(page, '/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor();
}

describe('smaller screens', () => {
  afterAll(() => trader.setViewportSize(DESK));

  it('drops the sidebar on smaller screens, and folds the menus into one on a phone (A-shell-26, A-shell-67, A-shell-79)', async () => {
    const page = trader;
    await walk(page, '/wallet');
    const sidebar = page.getByRole('navigation', { name: 'Account', exact: true });
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await sidebar.isVisible()).toBe(false);
    await page.setViewportSize(PHONE);
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('dialog').getByRole('navigation', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Futures' }).click();
    await page.waitForURL('**/trades/futures');
    await menu.waitFor({ state: 'hidden' });
  });
});

describe('in the system’s own colors, as with high contrast', () => {
  it('shows switches, and which of several is chosen', async () => {
    const page = trader;
    await page.emulateMedia({ forcedColors: 'active' });
    const look = (one: Element) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(one);
      return { backgroundColor, borderTopWidth };
    };
    await openSettings(page);
    const order = page.getByRole('switch', { name: 'Show a summary before each order' });
    const track = page.locator('.mantine-Switch-track').first();
    const on = await track.evaluate(look);
    expect(on.borderTopWidth).toBe('1px');
    await order.evaluate((element: HTMLElement) => element.click());
    await expect.poll(async () => (await track.evaluate(look)).backgroundColor).not.toBe(on.backgroundColor);
    await order.evaluate((element: HTMLElement) => element.click());
    await go(page, '/wallet');
    const tab = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).first();
    const [chosen, other] = [await tab('Overview').evaluate(look), await tab('Web3').evaluate(look)];
    expect(chosen.backgroundColor).not.toBe(other.backgroundColor);
    await page.emulateMedia({ forcedColors: 'none' });
  });
});

describe('the top bar', () => {
  const entries = [
    ['[A-shell-13]', 'Markets', '/markets/prices'],
    ['[A-shell-14]', 'Convert', '/wallet/convert'],
    ['[A-shell-15]', 'Trade', '/trades/spot'],
    ['[A-shell-16]', 'Futures', '/trades/futures'],
  ] as const;

  it.each(entries)('%s leads to %s', async (_id, name, path) => {
    const page = trader;
    await openSettings(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    await page.waitForURL(`**${path}`);
  });

  it.each([
    ['[A-shell-17] [A-shell-18]', 'Simple Earn', '/wallet/simple_earn'],
    ['[A-shell-17] [A-shell-19]', 'Auto Invest', '/wallet/auto_invest'],
  ] as const)('%s has %s in its Earn menu', async (_id, name, path) => {
    const page = trader;
    await openSettings(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Earn' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.waitForURL(`**${path}`);
  });

  it('shows visitors the ways in, and clients their wallet and account (A-shell-21..23, A-shell-81)', async () => {
    const visitor = await stage.reuse();
    await openSettings(visitor);
    const bar = visitor.locator('header').first();
    expect(await bar.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/signin?return=%2Fsettings');
    expect(await bar.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup');
    expect(await bar.getByRole('button', { name: 'Account menu' }).count()).toBe(0);
    await openSettings(trader);
    const own = trader.locator('header').first();
    expect(await own.getByRole('link', { name: 'Wallet' }).getAttribute('href')).toBe('/wallet');
    expect(await own.getByRole('button', { name: 'Account menu' }).isVisible()).toBe(true);
    expect(await own.getByRole('link', { name: 'Log in' }).count()).toBe(0);
  });

  it('shows a code to scan for Android, or for iOS (A-shell-24, A-shell-25)', async () => {
    const page = trader;
    await openSettings(page);
    await page.getByRole('button', { name: 'Download the app' }).click();
    const android = page.getByRole('img', { name: 'QR code for the Android app' });
    await android.waitFor();
    const drawn = await android.innerHTML();
    await page.getByText('iOS', { exact: true }).last().click();
    const ios = page.getByRole('img', { name: 'QR code for the iOS app' });
    await ios.waitFor();
    expect(await ios.innerHTML()).not.toBe(drawn);
    await page.keyboard.press('Escape');
  });
});

describe('the account menu', () => {
  const menuOf = async (page: Page) => {
    await openSettings(page);
    await page.getByRole('button', { name: 'Account menu' }).click();
    return page.getByRole('menu', { name: 'Account menu' });
  };

  it('says who it is, whether verified, and the level (A-shell-27, A-shell-28)', async () => {
    const menu = await menuOf(trader);
    await menu.getByText('trader@cambist.test').waitFor();
    expect(await menu.getByText('Unverified', { exact: true }).isVisible()).toBe(true);
    expect(await menu.getByText('no badge', { exact: true }).isVisible()).toBe(true);
    await trader.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
  });

  it('shows a level by its name, with a crown, and who is verified (A-shell-28, A-shell-30)', async () => {
    const page = await stage.reuse({ as: session });
    await page.route('**/api/v3/account-client', async (route) => {
      const answer = await route.fetch();
      const { client } = (await answer.json()) as { client: { user: object } };
      const user = { ...client.user, account_status: 'Verified' };
      await route.fulfill({ response: answer, json: { client: { ...client, membership_level: 'GOLD', user } } });
    });
    const menu = await menuOf(page);
    const badge = menu.getByText('GOLD', { exact: true }).locator('..');
    await badge.waitFor();
    expect(await badge.locator('path[d^="M12 6l4 6l5 -4"]').count()).toBe(1);
    expect(await menu.getByText('Verified', { exact: true }).isVisible()).toBe(true);
  });

  it.each([
    ['[A-shell-31]', 'Profile', '/profile'],
    ['[A-shell-32]', 'Fee Rates', '/fee-rate'],
    ['[A-shell-33]', 'Wallet', '/wallet'],
    ['[A-shell-34]', 'Rewards Center', '/account/rewards'],
    ['[A-shell-35]', 'Referral', '/account/referral'],
    ['[A-shell-36]', 'Security', '/account/security'],
    ['[A-shell-37]', 'Verification', '/verification/overview'],
    ['as from every place,', 'Settings', '/settings'],
  ] as const)('%s %s leads to %s', async (_id, name, path) => {
    const menu = await menuOf(trader);
    await menu.getByRole('menuitem', { name, exact: true }).click();
    await trader.waitForURL(`**${path}`);
  });

  it('Help opens the live chat (A-shell-38)', async () => {
    const menu = await menuOf(trader);
    await menu.getByRole('menuitem', { name: 'Help' }).click();
    const chat = trader.getByRole('dialog', { name: 'Live chat' });
    await chat.waitFor();
    await trader.keyboard.press('Escape');
    await chat.waitFor({ state: 'hidden' });
  });

  it('Log out ends the session and leads to sign-in', async () => {
    // A session of its own: the other one goes on.
    const page = await stage.reuse({ as: await stage.signIn(TRADER) });
    const menu = await menuOf(page);
    await menu.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/signin');
    await page.goto('/wallet');
    await page.waitForURL('**/signin?return=%2Fwallet');
  });
});

describe('the fund dialog', () => {
  it.each([
    ['[A-shell-41] [A-shell-42]', 'Deposit Crypto', '/wallet/deposit', false],
    ['[A-shell-43]', 'P2P Trading', '/p2p', true],
    ['[A-shell-44]', 'Buy Crypto', '/buy-crypto', true],
  ] as const)('%s %s leads to %s', async (_ids, name, path, soon) => {
    const page = trader;
    await openSettings(page);
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    const way = page.getByRole('dialog', { name: 'Fund your account' }).getByRole('link', { name });
    await way.waitFor();
    expect(await way.getByText('Coming Soon').count()).toBe(soon ? 1 : 0);
    await way.click();
    await page.waitForURL(`**${path}`);
  });

  it('the page that it leads to says so, and leads back to the wallet (A-shell-05, A-shell-06, T-routes-61, T-routes-62)', async () => {
    const page = trader;
    await walk(page, '/page-unavailable');
    await page.getByText('This Service is not yet available in your Country', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to wallet' }).click();
    await page.waitForURL('**/wallet');
  });
});

describe('the footer', () => {
  const links = [
    ['[A-shell-47]', 'Markets', '/markets/prices'],
    ['[A-shell-48]', 'Trade', '/trades/spot'],
    ['[A-shell-49]', 'Futures', '/trades/futures'],
    ['[A-shell-50]', 'Wallet', '/wallet'],
    ['[A-shell-51]', 'About', '/about'],
    ['[A-shell-52]', 'Terms of use', '/legal-center/terms'],
    ['[A-shell-53]', 'Privacy policy', '/legal-center/privacy'],
    ['[A-shell-54]', 'Android', '/api/v3/download-apk'],
    ['[A-shell-55]', 'iOS', '/api/v3/download-ios'],
  ] as const;

  it(`${links.map(([id]) => id).join(' ')} says who we are, and leads on (A-shell-46, A-calls-09, A-calls-10)`, async () => {
    const visitor = await stage.reuse();
    await visit(visitor, '/about');
    const footer = visitor.getByRole('contentinfo');
    await expect.poll(async () => (await footer.locator('p').first().textContent())?.length).toBeGreaterThan(40);
    for (const [, name, path] of links) {
      const link = footer.getByRole('link', { name, exact: true });
      expect(await link.getAttribute('href')).toBe(path);
      expect(await link.getAttribute('target')).toBe(path.includes('/download-') ? '_blank' : null);
    }
  });
});

it('a text of the operator that could not be read is asked for again', async () => {
  const page = await stage.reuse();
  const texts = /\/api\/v3\/content\/terms/;
  await page.route(texts, (route) => route.fulfill({ status: 404, json: { message: 'Not here' } }));
  await page.goto('/legal-center/terms');
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute(texts);
  await again.click();
  await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
});

describe('the announcement', () => {
  const isMoving = (band: Locator) => band.locator('p').evaluate((text) => text.getAnimations().length > 0);
  /** Where the text begins and ends in its band at a time of its movement, in shares of the band's width. */
  const placeAt = (band: Locator, ms: number) =>
    band.locator('p').evaluate((text, time) => {
      for (const animation of text.getAnimations()) animation.currentTime = time;
      const [own, around] = [text.getBoundingClientRect(), text.parentElement!.getBoundingClientRect()];
      return { start: (own.left - around.left) / around.width, end: (own.right - around.left) / around.width };
    }, ms);

  it('comes in along the top, once, and tells of an airdrop until it is closed (A-shell-40)', async () => {
    const page = await stage.reuse({ keeps: { preferences: { shownBanner: undefined } } });
    await visit(page, '/markets/prices');
    const band = page.getByRole('complementary', { name: 'Announcement' });
    await band.getByText(/airdrop/i).waitFor();
    expect((await placeAt(band, 0)).start).toBeCloseTo(1, 1);
    expect((await placeAt(band, 2_000)).start).toBeLessThan(0.9);
    expect((await placeAt(band, 8_000)).start).toBeCloseTo(0, 1);
    await expect.poll(() => isMoving(band)).toBe(false);
    // It has been seen to come in: the next page has it at rest.
    await page.reload();
    await band.getByText(/airdrop/i).waitFor();
    expect(await isMoving(band)).toBe(false);
    expect((await placeAt(band, 0)).start).toBeCloseTo(0, 1);
    await band.getByRole('button', { name: 'Close the announcement' }).click();
    await band.waitFor({ state: 'hidden' });
    await go(page, '/markets/pos');
    await expect.poll(() => page.title()).toBe('Markets: POS | Cambist');
    expect(await band.count()).toBe(0);
  });

  it('shows its end twice where it is wider than a phone, and is then read to its end by hand', async () => {
    const page = await stage.reuse({ viewport: PHONE });
    await visit(page, '/markets/prices');
    const band = page.getByRole('complementary', { name: 'Announcement' });
    await band.getByText(/airdrop/i).waitFor();
    await expect.poll(() => isMoving(band)).toBe(true);
    expect((await placeAt(band, 0)).end).toBeGreaterThan(1);
    for (const ms of [10_000, 30_000]) expect((await placeAt(band, ms)).end).toBeCloseTo(1, 1);
    await placeAt(band, 40_000);
    await expect.poll(() => isMoving(band)).toBe(false);
    await band.locator('[tabindex="0"]').focus();
    for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await placeAt(band, 0)).end).toBeCloseTo(1, 1);
    await expectAccessible(page);
  });

  it('is whole at rest on a phone where less motion is asked for', async () => {
    const page = await stage.reuse({ viewport: PHONE });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await visit(page, '/markets/prices');
    const band = page.getByRole('complementary', { name: 'Announcement' });
    const text = band.locator('p');
    await text.getByText(/airdrop/i).waitFor();
    const hidden = await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    const [own, around] = [await text.boundingBox(), await band.boundingBox()];
    expect(hidden).toBe(0);
    expect(own?.height).toBeGreaterThan(20);
    expect(own?.height).toBeLessThanOrEqual(around?.height ?? 0);
  });
});
