/** What the page watches over while it is open: notifications, and whether the account and the exchange are open. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, go } from './browser.ts';
import { actOn, PASSWORD, register } from './people.ts';
import { type Session, type Stage, setStage } from './stage.ts';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

let people = 0;

/** The shared page, signed in as a new client, who has no notifications of an earlier test. */
async function traderPage(): Promise<Page> {
  await signUp();
  return stage.reuse({ as: trader });
}

async function signUp(): Promise<void> {
  people += 1;
  const email = `watcher${people}@example.test`;
  await register(stage, email);
  trader = await stage.signIn({ username: email, password: PASSWORD });
}

const takeFunds = () => trader.call('POST', '/api/dev/faucet', { coin: 'USDT', amount: '12.5' });

/** Streams that never open, so that nothing is read again but by the clock. */
async function withoutStreams(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, {
      WebSocket: class extends EventTarget {
        readyState = 0;
        send(): void {}
        close(): void {
          this.readyState = 3;
        }
      },
    });
  });
}

/** Counts what a call has answered: a question whose answer is under way would be asked again on a clock that leaps. */
function countOf(page: Page, call: string): () => number {
  let count = 0;
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname === `/api/v3/${call}`) count += 1;
  });
  return () => count;
}

describe('a new client', () => {
  let page: Page;

  beforeAll(async () => {
    page = await traderPage();
  });

  it('has no notifications, which the page says, and leads back to the account (A-notifications-01, A-notifications-05, A-notifications-06)', async () => {
    await page.goto('/account/notifications');
    await page.getByText('No notifications yet', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to account' }).click();
    await page.waitForURL('**/profile');
  });

  it('has no payment method yet', async () => {
    const complaints = complaintsOf(page);
    await page.goto('/account/pay');
    await page.getByText('No payment method yet', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('while the stream is down', () => {
  let page: Page;

  beforeAll(async () => {
    await signUp();
    page = await stage.open({ as: trader });
    await withoutStreams(page);
    await page.clock.install();
  });
  afterAll(() => page?.context().close());

  it('notifications are asked for every 60 s while the stream is down; a failure is only logged (A-polling-10, A-notifications-14)', async () => {
    const asked = countOf(page, 'check-notification');
    await page.goto('/settings');
    await expect.poll(asked).toBe(1);
    await page.waitForLoadState('networkidle');
    await page.clock.runFor(50_000);
    expect(asked()).toBe(1);
    await page.clock.runFor(12_000);
    await expect.poll(asked).toBe(2);
    const logged = complaintsOf(page);
    await page.route('**/api/v3/check-notification', (route) => route.fulfill({ status: 400, json: {} }));
    await page.clock.runFor(61_000);
    await expect
      .poll(() => logged.some((text) => text.includes('account notifications check could not be loaded')))
      .toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute('**/api/v3/check-notification');
  });

  it('the wallet is read again every 5 s while it is open (T-polling-10, T-polling-11)', async () => {
    const reads = [countOf(page, 'overview'), countOf(page, 'wallets/spot')];
    await page.goto('/wallet');
    await expect.poll(() => reads.map((count) => count())).toEqual([1, 1]);
    await page.clock.runFor(4_500);
    expect(reads.map((count) => count())).toEqual([1, 1]);
    await page.clock.runFor(1_000);
    await expect.poll(() => reads.map((count) => count())).toEqual([2, 2]);
  });
});

describe('notifications', () => {
  it('a deposit is said at once for two seconds, marked read, and listed (A-notifications-10..13)', async () => {
    const page = await traderPage();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.clock.install();
    const marked = page.waitForResponse('**/api/v3/update-notification');
    await page.waitForTimeout(500);
    // Standing still: a notice that stays for longer would go as well while the test looks.
    await page.clock.pauseAt(Date.now() + 1_000);
    await takeFunds();
    const notice = page.getByRole('alert').filter({ hasText: 'Deposit Success' });
    const text = notice.getByText(/^12\.5\d* USDT has arrived in your spot wallet\.$/);
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return text.isVisible();
      })
      .toBe(true);
    expect(await (await marked).json()).toEqual({ message: 'success', unread: 0 });
    await page.clock.runFor(1_500);
    expect(await notice.count()).toBe(1);
    await page.clock.runFor(1_000);
    await notice.waitFor({ state: 'detached' });
    await page.clock.resume();
    await go(page, '/account/notifications');
    await page.getByRole('listitem').filter({ hasText: 'Deposit Success' }).waitFor();
  });
});

describe('the account', () => {
  it('is checked when a page opens, and every 300 s; a freeze is found so without a stream (A-polling-08, A-polling-09, T-polling-13)', async () => {
    const page = await traderPage();
    const asked = countOf(page, 'account-client');
    await withoutStreams(page);
    await page.clock.install();
    await page.goto('/');
    await expect.poll(asked).toBe(1);
    await page.waitForLoadState('networkidle');
    // Short of five minutes by what a busy machine may have taken to load the page.
    await page.clock.runFor(270_000);
    expect(asked()).toBe(1);
    await page.clock.runFor(31_000);
    await expect.poll(asked).toBe(2);
    await actOn(stage, `watcher${people}@example.test`, 'freeze', { reason: 'A question of yours', until: null });
    await page.clock.runFor(301_000);
    await page.getByRole('dialog', { name: 'Freezed Account!' }).waitFor();
    await page.waitForURL('**/signin');
  });
});
