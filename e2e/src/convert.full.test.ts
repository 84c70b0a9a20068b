/** A conversion whose answer is lost: it takes longer than a price is held. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { balanceOf, convertScreenOn } from './converting.ts';
import { type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

it('a conversion is made once when its answer is lost, however late it is confirmed again', async () => {
  const page = await stage.reuse({ as: trader, viewport: { width: 1280, height: 900 } });
  const screen = convertScreenOn(page);
  await screen.open();
  const before = await balanceOf(trader, 'USDT');
  let isLost = false;
  await page.route('**/api/v3/convert', async (route) => {
    const response = await route.fetch();
    if (isLost || !response.ok()) return route.fulfill({ response });
    isLost = true;
    return route.abort();
  });
  await screen.field('From amount').fill('1000');
  await screen.submit();
  await screen.password().fill(TRADER.pin);
  const unheard = screen.dialog().getByText(/may have been done already/);
  for (;;) {
    await screen.confirm();
    await unheard.or(screen.renew()).first().waitFor();
    if (await unheard.isVisible()) break;
    await screen.renew().click();
    await screen.renew().waitFor({ state: 'hidden' });
  }
  // Longer than a price is held: another one would be another conversion.
  await page.waitForTimeout(11_000);
  expect(await screen.renew().count()).toBe(0);
  await screen.confirm();
  await screen
    .notice()
    .getByText(/^(Converted )?1?[\d,.]+ USDT (converted )?to [\d.]+ BTC$/)
    .waitFor();
  await screen.dialog().waitFor({ state: 'hidden' });
  expect(before - (await balanceOf(trader, 'USDT'))).toBeLessThan(1100);
});
