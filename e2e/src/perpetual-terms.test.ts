/** An operator changes a perpetual's terms in the console: whom it affects, what is not done unasked, and what then holds. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { expectAccessible, expectFits } from './browser.ts';
import { OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const MARKET = 'ETH-USDT-SWAP';

let stage: Stage;
let trader: Session;
let operator: Page;

interface Perpetuals {
  readonly perpetuals: readonly {
    readonly pair_name: string;
    readonly tiers: readonly { readonly maintenance_percent: string }[];
  }[];
}
interface Positions {
  readonly positions: readonly unknown[];
  readonly account: { readonly free: string };
}

const positions = async () => (await trader.call<Positions>('GET', '/api/v3/futures/positions')).positions;
const firstTier = async () => {
  const { perpetuals } = await stage.call<Perpetuals>('GET', '/api/v3/futures/perpetuals');
  return perpetuals.find(({ pair_name: name }) => name === MARKET)?.tiers[0]?.maintenance_percent;
};

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
  const transaction_password = TRADER.pin;
  const transfer = { coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '5000', transaction_password };
  await trader.call('POST', '/api/v3/futures/transfer', transfer);
  const free = async () => Number((await trader.call<Positions>('GET', '/api/v3/futures/positions')).account.free);
  await vi.waitUntil(async () => (await free()) === 5_000, { timeout: 30_000, interval: 500 });
  await trader.call('PATCH', '/api/v3/futures/leverage', { symbol: MARKET, margin_mode: 'isolated', leverage: 20 });
  operator = await stage.open({ as: await stage.signIn(OPERATOR) });
}, 90_000);
afterAll(() => stage?.close());

const dialog = () => operator.getByRole('dialog', { name: `Terms of ${MARKET}` });
const effect = (name: string) =>
  dialog().getByRole('region', { name: 'Whom it affects' }).locator('dl > div').filter({ hasText: name }).locator('dd');

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

it('liquidates nobody who came between the preview and the change, and asks again', async () => {
  const before = await firstTier();
  await openTerms();
  await enterTier('4.94');
  await dialog().getByRole('button', { name: 'See whom it affects' }).click();
  await expect.poll(() => effect('Accounts liquidated at once').innerText()).toBe('0');
  // Large enough for the book: what the spread costs it is more than what is left above the maintenance.
  const entry = { name: MARKET, delegate_type: 'BUY_MORE', margin: '4000', transaction_password: TRADER.pin };
  await trader.call('POST', '/api/v2/buy-more', entry);
  await dialog().getByLabel('Reason').fill('A wilder market');
  await dialog().getByRole('button', { name: 'Change terms' }).click();
  const proof = operator.getByRole('dialog', { name: "Verify it's you" });
  await proof.getByLabel('Transaction password', { exact: true }).fill(OPERATOR.pin);
  await proof.getByRole('button', { name: 'Confirm', exact: true }).click();
  await operator.getByText('Action failed').waitFor();
  await operator.getByText(/liquidated at once: 1/).waitFor();
  expect(await firstTier()).toBe(before);
  expect(await positions()).toHaveLength(1);

  await dialog().getByRole('button', { name: 'See whom it affects' }).click();
  await expect.poll(() => effect('Accounts liquidated at once').innerText()).toBe('1');
  await dialog().getByLabel('Reason').fill('A wilder market');
  const change = dialog().getByRole('button', { name: 'Change terms' });
  expect(await change.isDisabled()).toBe(true);
  await dialog()
    .getByLabel(/^Liquidate 1 accounts? by this change$/)
    .check();
  await expectAccessible(operator);
  await change.click();
  await dialog().waitFor({ state: 'hidden' });
  expect(Number(await firstTier())).toBe(4.94);
  await expect.poll(positions).toEqual([]);
});
