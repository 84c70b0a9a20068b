/** The wallet on a phone, in languages with long words. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectFits } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

describe('on a phone', () => {
  it.each(['german', 'spanish'])('nothing is wider than the screen in %s', async (locale) => {
    const phone = await stage.reuse({ as: trader, viewport: PHONE, keeps: { preferences: { locale } } });
    await phone.goto('/wallet');
    await phone.getByRole('navigation').getByRole('link', { name: 'Web3' }).waitFor();
    await phone.getByRole('list', { name: /Port/ }).waitFor();
    await expectFits(phone, locale);
    await phone.getByRole('list', { name: /Port/ }).getByRole('link').first().click();
    await phone.getByRole('tab').first().waitFor();
    await expectFits(phone, locale);
  });
});
