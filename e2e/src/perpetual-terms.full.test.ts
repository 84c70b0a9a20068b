/** An operator opens the terms of a perpetual in the console, and ends one: what is wrong is said, and its owner is told. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { expectAccessible, expectFits } from './browser.ts';
import { OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const MARKET = 'ETH-USDT-SWAP';
const ENDED = 'SOL-USDT-SWAP';

let stage: Stage;
let trader: Session;
let operator: Page;

interface Perpetuals {
  readonly perpetuals: readonly {
    readonly pair_name: string;
  }[];
}
interface Positions {
  readonly positions: readonly unknown[];
  readonly account: { readonly free: string };
}

const positions = async () => (await trader.call<Positions>('GET', '/api/v3/futures/positions')).positions;
beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  const transaction_password = TRADER.pin;
  const transfer = { coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '5000', transaction_password };
  await trader.call('POST', '/api/v3/futures/transfer', transfer);
  const free = async () => Number((await trader.call<Positions>('GET', '/api/v3/futures/positions')).account.free);
  await vi.waitUntil(async () => (await free()) === 5_000, { timeout: 30_000, interval: 500 });
  operator = await stage.open({ as: await stage.signIn(OPERATOR) });
}, 90_000);
afterAll(() => stage?.close());

const dialog = () => operator.getByRole('dialog', { name: `Terms of ${MARKET}` });
async function openTerms(): Promise<void> {
  await operator.goto('/admin/futures');
  await operator.getByRole('button', { name: `Terms of ${MARKET}` }).click();
  await dialog().getByRole('button', { name: 'See whom it affects' }).waitFor();
}

/** One tier alone, in which x20 is allowed. */
async function enterTier(maintenance: string): Promise<void> {
  const remove = dialog().getByRole('button', { name: /^Remove tier/ });
  while ((await remove.count()) > 1) await remove.last().click();
  await dialog().getByLabel('Tier 1 up to').fill('1000000');
  await dialog().getByLabel('Highest leverage').fill('20');
  await dialog().getByLabel('Maintenance', { exact: true }).fill(maintenance);
}

it('says which field is wrong, and fits a phone', async () => {
  await openTerms();
  await operator.setViewportSize(PHONE);
  await enterTier('5');
  await dialog().getByRole('button', { name: 'See whom it affects' }).click();
  await dialog()
    .getByText(/below the initial margin, which is 5% at x20/)
    .waitFor();
  await expectAccessible(operator);
  await expectFits(operator);
  const body = dialog().locator('form');
  expect(await body.evaluate((form) => form.scrollWidth - form.clientWidth)).toBe(0);
  await operator.setViewportSize({ width: 1440, height: 900 });
  await operator.keyboard.press('Escape');
});

it('refuses a mark that a thin book could move too far, and names pairs that were listed with one', async () => {
  await openTerms();
  await dialog().getByLabel('Mark within').fill('0.3');
  await dialog().getByRole('button', { name: 'See whom it affects' }).click();
  await dialog()
    .getByText(/^Use at most 0.275%/)
    .waitFor();
  await operator.keyboard.press('Escape');
  const warning = operator.getByRole('alert').filter({ hasText: 'A thin order book can liquidate positions' });
  expect(await warning.count()).toBe(0);
  // As an older version listed them.
  await operator.route('**/api/v3/admin/futures/risk', async (route) => {
    const answer = await route.fetch();
    const risk = (await answer.json()) as { markets: { pair_name: string; mark_clamp_percent: string }[] };
    const markets = risk.markets.map((one) => (one.pair_name === MARKET ? { ...one, mark_clamp_percent: '1' } : one));
    await route.fulfill({ response: answer, json: { ...risk, markets } });
  });
  await operator.reload();
  await warning.getByText(`${MARKET} 0.2750%`).waitFor();
  await operator.setViewportSize(PHONE);
  await expectAccessible(operator);
  await expectFits(operator);
  await operator.setViewportSize({ width: 1440, height: 900 });
  await operator.unroute('**/api/v3/admin/futures/risk');
});

it('ends a perpetual at a price near its mark, by its name and a reason, and its owner is told', async () => {
  const entry = { name: ENDED, delegate_type: 'BUY_MORE', margin: '100', transaction_password: TRADER.pin };
  await trader.call('POST', '/api/v2/buy-more', entry);
  await expect.poll(positions).toHaveLength(1);
  await operator.goto('/admin/futures');
  await operator.getByRole('button', { name: `Settle ${ENDED}` }).click();
  const asked = operator.getByRole('dialog', { name: `Settle ${ENDED}?` });
  const price = asked.getByLabel('Settlement price');
  const mark = await price.inputValue();
  await price.fill('1');
  await asked.getByRole('button', { name: 'See what it does' }).click();
  await asked.getByText(/^Use a price at most 10% from the mark/).waitFor();
  await price.fill(mark);
  await asked.getByRole('button', { name: 'See what it does' }).click();
  await asked.getByText('Positions that are settled').waitFor();
  const end = asked.getByRole('button', { name: 'Settle and delist' });
  await asked.getByLabel('Reason').fill('Its index ends');
  await asked.getByLabel(`Type ${ENDED} to confirm`).fill('SOL-USDT');
  expect(await end.isDisabled()).toBe(true);
  await asked.getByLabel(`Type ${ENDED} to confirm`).fill(ENDED);
  await expectAccessible(operator);
  await end.click();
  const proof = operator.getByRole('dialog', { name: "Verify it's you" });
  await proof.getByLabel('Transaction password', { exact: true }).fill(OPERATOR.pin);
  await proof.getByRole('button', { name: 'Confirm', exact: true }).click();
  await asked.waitFor({ state: 'hidden' });
  expect(await positions()).toEqual([]);
  const { perpetuals } = await stage.call<Perpetuals>('GET', '/api/v3/futures/perpetuals');
  expect(perpetuals.filter(({ pair_name: name }) => name === ENDED)).toEqual([]);
  await operator.getByRole('button', { name: `Settle ${ENDED}` }).waitFor({ state: 'detached' });
  type Notifications = { readonly notifications: readonly { readonly title: string }[] };
  const titles = async () =>
    (await trader.call<Notifications>('GET', '/api/v3/notifications')).notifications.map(({ title }) => title);
  await expect.poll(titles).toContain('Position settled');
});
