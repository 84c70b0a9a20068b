/** Notifications that a client has not read yet: at the bell, in their list, and after a reload. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { PASSWORD, register } from './people.ts';
import { type Session, type Stage, setStage } from './stage.ts';

let stage: Stage;
let trader: Session;
let people = 0;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/** The page of a new client, who has no notifications of an earlier test. */
async function traderPage(): Promise<Page> {
  people += 1;
  const email = `watcher${people}@example.test`;
  await register(stage, email);
  trader = await stage.signIn({ username: email, password: PASSWORD });
  return stage.open({ as: trader });
}

describe('notifications', () => {
  it('what is older than the one shown is counted at the bell, and no news on the next page', async () => {
    const page = await traderPage();
    for (const amount of ['1.25', '2.5']) await trader.call('POST', '/api/dev/faucet', { coin: 'USDT', amount });
    const notice = page.getByRole('alert').filter({ hasText: 'Deposit Success' });
    const marked = page.waitForResponse('**/api/v3/update-notification');
    await page.goto('/settings');
    await notice.getByText(/^2\.50* USDT has arrived/).waitFor();
    await marked;
    const asked = page.waitForResponse('**/api/v3/check-notification');
    await page.reload();
    expect(await (await asked).json()).toMatchObject({ notification: { status: 0 } });
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.waitForTimeout(500);
    expect(await notice.count()).toBe(0);
    const complaints = complaintsOf(page);
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/signin**');
    await page.waitForTimeout(500);
    expect(await notice.count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('what was unread is new in the list, and read once it is listed', async () => {
    const page = await traderPage();
    for (const amount of ['1.25', '2.5']) await trader.call('POST', '/api/dev/faucet', { coin: 'USDT', amount });
    await page.goto('/settings');
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
    const told = page.getByRole('listitem').filter({ hasText: 'Deposit Success' });
    await expect.poll(() => told.count()).toBe(2);
    await told.filter({ hasText: '1.25' }).getByText('New', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Notifications', exact: true }).first().waitFor();
    expect(await told.getByText('New', { exact: true }).count()).toBe(1);
    await expectAccessible(page);
    await page.reload();
    await expect.poll(() => told.count()).toBe(2);
    expect(await told.getByText('New', { exact: true }).count()).toBe(0);
    await page.context().close();
  });
});
