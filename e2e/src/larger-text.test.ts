/** A narrow phone whose browser is set to text of twice the size: what the library sizes grows, and nothing is beside the window. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectFits } from './browser.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

const NARROW = { width: 360, height: 800 } as const;

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage();
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

async function openLarge(path: string, locale: string): Promise<Page> {
  const page = await stage.open({ as: trader, viewport: NARROW, keeps: { preferences: { locale } } });
  await page.goto(path);
  await page.locator('main h1').waitFor();
  await page.addStyleTag({ content: 'html { font-size: 200% !important; }' });
  return page;
}

it.each(['german', 'vi'])('has the screens of the wallet on it whole (%s)', async (locale) => {
  for (const path of ['deposit?coin=USDT', 'withdraw?coin=USDT', 'transfer', 'convert']) {
    const page = await openLarge(`/wallet/${path}`, locale);
    await expectFits(page, path);
    await page.context().close();
  }
});

it('shows the whole codes of the coins of a conversion', async () => {
  const page = await openLarge('/wallet/convert', 'german');
  const coins = page.locator('main form input[role=combobox]');
  await expect.poll(() => coins.count()).toBe(2);
  const isWhole = (all: Element[]) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  await expect.poll(() => coins.evaluateAll(isWhole)).toEqual([true, true]);
  await page.context().close();
});
