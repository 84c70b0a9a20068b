/** A browser that is set to larger text: all of it grows, and each screen is whole, on a phone and on a desk. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { expectFits, visit } from './browser.ts';
import { DESK, OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';
import { expectReadable, setTextSize, USUAL_PX } from './text-size.ts';

const NARROW = { width: 360, height: 800 } as const;
/** "Very large" of the browser's own choices, and twice the usual one. */
const LARGER_PX = [1.5 * USUAL_PX, 2 * USUAL_PX] as const;

const PUBLIC = ['/', '/signin', '/signup', '/markets', '/markets/trading_data', '/contactus'];
const OWN = [
  '/trades/spot/BTC',
  '/trades/futures/BTC',
  '/wallet',
  '/wallet/USDT',
  '/wallet/deposit?coin=USDT',
  '/wallet/withdraw?coin=USDT',
  '/wallet/transfer',
  '/wallet/convert',
  '/account/security',
  '/profile',
  '/settings',
];
const CONSOLE = ['clients', 'support', 'content', 'markets', 'futures', 'treasury', 'operations', 'audit'];

interface Positions {
  readonly account: { readonly free: string };
}

let stage: Stage;
let trader: Session;
let operator: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated', RECONCILE_SECONDS: '1' });
  [trader, operator] = await Promise.all([stage.signIn(TRADER), stage.signIn(OPERATOR)]);
  // A ticket of the futures with a figure of some length.
  await trader.call('POST', '/api/v3/futures/transfer', {
    ...{ coin_name: 'USDT', draw_type: 'DRAW_IN', transfer_amount: '20000', transaction_password: TRADER.pin },
  });
  const free = async () => (await trader.call<Positions>('GET', '/api/v3/futures/positions')).account.free;
  await vi.waitUntil(async () => Number(await free()) === 20_000, { timeout: 60_000, interval: 500 });
}, 120_000);
afterAll(() => stage?.close());

/** With what moves by itself at rest: an announcement that walks through its line is never whole. */
const still = { reducedMotion: 'reduce' } as const;

/** The size is set while the page is open, as a person does it. */
async function expectReadableAtAll(page: Page, path: string): Promise<void> {
  for (const px of LARGER_PX) {
    await setTextSize(page, px);
    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size);
      await expectReadable(page, px, `${path} at ${px} px in a window of ${size.width} px`);
    }
  }
}

/** Long words have the least room. */
const german = { preferences: { locale: 'german' } };

it.each(PUBLIC)('can be read by visitors, in German: %s', async (path) => {
  const page = await stage.open({ ...still, keeps: german });
  await visit(page, path);
  await expectReadableAtAll(page, path);
  await page.context().close();
});

it.each(OWN)('can be read by clients: %s', async (path) => {
  const page = await stage.open({ as: trader, ...still });
  await visit(page, path);
  await expectReadableAtAll(page, path);
  await page.context().close();
});

it('can be read by clients, in German: /account/security', async () => {
  const page = await stage.open({ as: trader, ...still, keeps: german });
  await visit(page, '/account/security');
  await expectReadableAtAll(page, '/account/security');
  await page.context().close();
});

it.each(CONSOLE)('can be read by operators: /admin/%s', async (name) => {
  const page = await stage.open({ as: operator, ...still });
  await visit(page, `/admin/${name}`);
  await expectReadableAtAll(page, name);
  await page.context().close();
});

it('has the whole order form on a desk with text of twice the size', async () => {
  const page = await stage.open({ as: trader, ...still });
  await visit(page, '/trades/spot/BTC');
  await setTextSize(page, 2 * USUAL_PX);
  await page.locator('footer').getByRole('button', { name: 'Buy' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Amount in BTC').fill('0.01');
  const buy = sheet.getByRole('button', { name: 'Buy BTC' });
  await buy.scrollIntoViewIfNeeded();
  await expect.poll(() => buy.isEnabled()).toBe(true);
  await expectReadable(page, 2 * USUAL_PX, 'the order form');
  await page.context().close();
});

async function openLarge(path: string, locale: string): Promise<Page> {
  const page = await stage.open({ as: trader, viewport: NARROW, keeps: { preferences: { locale } } });
  await page.goto(path);
  await page.locator('main h1').waitFor();
  await setTextSize(page, 2 * USUAL_PX);
  return page;
}

it('has all buttons of a position on a phone with text of twice the size', async () => {
  const order = { symbol: 'BTC-USDT-SWAP', side: 'BUY', type: 'market', quantity: '0.01' };
  await trader.call('POST', '/api/v3/orders', { ...order, transaction_password: TRADER.pin });
  const page = await stage.open({ as: trader, ...still, viewport: PHONE, keeps: german });
  await visit(page, '/trades/futures/BTC');
  await page
    .getByRole('button', { name: /^Position BTC-USDT-SWAP umkehren|^Position BTC.*schließen/ })
    .first()
    .waitFor();
  await setTextSize(page, 2 * USUAL_PX);
  await expectReadable(page, 2 * USUAL_PX, 'a position');
  await page.context().close();
});

it.each(['german', 'vi'])('has the screens of the wallet on a narrow phone whole (%s)', async (locale) => {
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
