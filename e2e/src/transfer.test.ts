/** Transfers in the browser: from the form over the confirmations to the balances. */
import { isFullSuite } from '@cambist/server/test/suite.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, dismissNotices, expectAccessible, expectFits, go, readOut } from './browser.ts';
import { PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let trader: Session;
let page: Page;
let complaints: string[];

const form = () => page.locator('main form');
const wallet = (name: 'From' | 'To') => form().getByLabel(name, { exact: true });
const amount = () => form().getByRole('textbox', { name: 'Amount' });
const submit = () => form().getByRole('button', { name: 'Transfer', exact: true }).click();
const dialog = () => page.getByRole('dialog', { name: 'Confirm transfer' });
const password = () => dialog().getByLabel('Transaction password', { exact: true });
const confirm = () => dialog().getByRole('button', { name: 'Confirm', exact: true }).click();
const notice = () => page.locator('.mantine-Notification-root');
const swap = () => page.getByRole('button', { name: 'Swap wallets' }).click();

beforeAll(async () => {
  // Its reconciler goes round every second, so that a transfer need not wait a minute for it.
  stage = await setStage({ RECONCILE_SECONDS: '1' });
  trader = await stage.signIn(TRADER);
});
afterAll(() => stage?.close());

const SCREEN = { width: 1280, height: 900 };

/** Opens the screen of the trader on the shared page. */
async function open(): Promise<void> {
  page = await stage.reuse({ as: trader, viewport: SCREEN });
  complaints = complaintsOf(page);
  await page.goto('/wallet/transfer');
  await form().waitFor();
}

/** Leaves the screen and comes back, without what the last test showed there. */
async function comeBack(search = ''): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await dismissNotices(page);
  await go(page, '/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor();
  await go(page, `/wallet/transfer${search}`);
  await form().waitFor();
}

const fill = async () => {
  await amount().fill('1250.5');
  await submit();
  await dialog().waitFor();
};

describe('the transfer screen of others', () => {
  it('shows the whole names of both wallets on a phone, in the languages where they are long', async () => {
    const languages = ['german', 'spanish', 'vi'];
    for (const locale of isFullSuite ? languages : languages.slice(0, 1)) {
      const phone = await stage.reuse({ as: trader, viewport: PHONE, keeps: { preferences: { locale } } });
      await phone.goto('/wallet/transfer');
      const names = phone.locator('main form input:disabled:not([type=hidden])');
      await expect.poll(() => names.count()).toBe(2);
      const isWhole = (all: Element[]) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
      await expect.poll(() => names.evaluateAll(isWhole), { message: locale }).toEqual([true, true]);
    }
  });

  it('asks a visitor to sign in and comes back (T-transfer-02)', async () => {
    const visitor = await stage.reuse();
    await visitor.goto('/wallet/transfer');
    await visitor.waitForURL(/\/signin\?return=%2Fwallet%2Ftransfer$/);
  });
});

describe('the transfer screen', () => {
  beforeAll(open);
  beforeEach(() => comeBack());

  it('begins from SPOT to FUTURE, with both wallets shown and not to be changed (T-transfer-03) (T-transfer-04) (T-transfer-12)', async () => {
    expect([await wallet('From').inputValue(), await wallet('To').inputValue()]).toEqual([
      'Spot wallet',
      'Futures wallet',
    ]);
    expect([await wallet('From').isDisabled(), await wallet('To').isDisabled()]).toEqual([true, true]);
    await form().getByRole('combobox', { name: 'Coin' }).waitFor();
    await form().getByText('Available: 100,000 USDT').waitFor();
  });

  it('begins with the coin of the address', async () => {
    await comeBack('?coin=btc');
    await form().getByText('Available: 1 BTC').waitFor();
  });

  it('fits a phone', async () => {
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Back' }).waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await page.setViewportSize(SCREEN);
  });

  it('Max fills in the balance of the coin (T-transfer-06) (T-transfer-07) (T-transfer-08) (T-transfer-09)', async () => {
    await form().getByRole('combobox', { name: 'Coin' }).click();
    await page.getByRole('option', { name: /^BTC\b/ }).click();
    await form().getByText('Available: 1 BTC').waitFor();
    await form().getByRole('button', { name: 'Max' }).click();
    expect(await amount().inputValue()).toBe('1');
  });
});

describe('the transfer screen, just opened', () => {
  beforeEach(open);

  it('swaps the wallets, and begins with the stored destination the next time (T-transfer-05) (T-transfer-12)', async () => {
    await swap();
    expect([await wallet('From').inputValue(), await wallet('To').inputValue()]).toEqual([
      'Futures wallet',
      'Spot wallet',
    ]);
    await page.reload();
    expect(await wallet('To').inputValue()).toBe('Spot wallet');
    await page.getByText('Spot – Funding').click();
    // A field that wallets are chosen in takes its wallet's name a moment after the form has it.
    await expect.poll(() => wallet('From').inputValue()).toBe('Spot wallet');
    await expect.poll(() => wallet('To').inputValue()).toBe('Funding wallet');
  });

  it('says what is missing or too much before any dialog (T-transfer-24) (T-transfer-25) (T-transfer-26)', async () => {
    // While it is typed, as more digits cannot mend it.
    await amount().fill('100000.01');
    await form().getByText('Insufficient balance in spot wallet').waitFor();
    // What there is stays on screen, and in the description.
    await form().getByText('Available: 100,000 USDT', { exact: true }).waitFor();
    expect((await readOut(amount())).description).toBe('Available: 100,000 USDT Insufficient balance in spot wallet');
    await amount().fill('');
    await form().getByText('Insufficient balance').waitFor({ state: 'detached' });
    await submit();
    await form().getByText('Amount is required').waitFor();
    // Other wallets begin anew.
    await form().getByText('Spot – Funding').click();
    await form().getByText('Amount is required').waitFor({ state: 'detached' });
    await form().getByText('Spot – Futures').click();
    await amount().fill('100000.01');
    await form().getByText('Insufficient balance in spot wallet').waitFor();
    await swap();
    await form().getByText('Insufficient balance in future wallet').waitFor();
    expect(await dialog().count()).toBe(0);
    await expectAccessible(page);
  });

  it('offers to try again when the wallet cannot be read', async () => {
    await page.route('**/api/v3/wallets/spot', (route) => route.abort());
    await page.reload();
    const again = page.locator('main').getByRole('button', { name: 'Try again' }).first();
    await again.waitFor();
    await page.unroute('**/api/v3/wallets/spot');
    await again.click();
    await form().waitFor();
  });

  it('an open cross-margin exposure blocks what leaves the futures wallet, and says why (T-transfer-22) (T-transfer-23)', async () => {
    await page.route('**/api/v3/check-draw-out-status', (route) =>
      route.fulfill({
        json: {
          draw_status: 'NO',
          future_count: 1,
          positions: [{ id: '7', pair_name: 'BTC-USDT', coin: 'USDT', free: '210.40' }],
        },
      }),
    );
    await amount().fill('1');
    await swap();
    await form()
      .getByText(/unresolved cross-margin exposure/)
      .waitFor();
    await form().getByText('BTC-USDT: 210.4 USDT is free').waitFor();
    await submit();
    await notice()
      .getByText(/unresolved cross-margin exposure/)
      .waitFor();
    expect(await dialog().count()).toBe(0);
  });
});

/** Keeps from the page what the server says of transfers beside its answer to one. @returns what lets it go */
async function holdNews(): Promise<() => void> {
  const held: (() => void)[] = [];
  let isHeld = true;
  const later = (pass: () => void) => void (isHeld ? held.push(pass) : pass());
  await page.routeWebSocket('**/ws/v5/private', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const isNews = /"channel":"transfers".*"data":/.test(String(message));
      if (isNews) later(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.route('**/api/v3/transfers?*', (route) => later(() => void route.continue()));
  return () => {
    isHeld = false;
    for (const pass of held) pass();
  };
}

describe('the confirmation', () => {
  beforeAll(open);
  beforeEach(() => comeBack());

  it('says in amounts what it does, and needs the transaction password (T-transfer-10) (T-transfer-11) (T-transfer-27)', async () => {
    await fill();
    for (const text of ['1,250.5 USDT', '98,749.5 USDT', 'None'])
      await dialog().getByText(text, { exact: true }).first().waitFor();
    await expectAccessible(page);
    await confirm();
    await dialog().getByText('Password is required').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a wrong password as an alert and under its field (T-transfer-29) (T-transfer-30)', async () => {
    await fill();
    await password().fill('not this one');
    await confirm();
    await notice().getByText('Wrong transaction password').waitFor();
    await dialog().locator('form').getByText('Wrong transaction password').waitFor();
  });

  it('tells any other answer as something that went wrong, with what the server said (T-transfer-31) (T-calls-03)', async () => {
    const detail = 'The database is away.';
    const problem = { type: 'about:blank', title: 'x', status: 503, code: 'UNAVAILABLE', requestId: 'x' };
    await page.route('**/api/v3/transfers', (route) =>
      route.fulfill({ status: 503, json: { ...problem, detail, message: detail } }),
    );
    await fill();
    await password().fill(TRADER.pin);
    await confirm();
    await notice().getByText('Something went wrong').waitFor();
    await notice().getByText(detail).waitFor();
  });
});

describe('a transfer', () => {
  it('goes to the wallet, where its confirmations grow until it is complete (T-transfer-19) (T-transfer-20)', async () => {
    // On a busy machine all have confirmed before the page has said that they are awaited.
    page = await stage.open({ as: trader, viewport: SCREEN });
    complaints = complaintsOf(page);
    const letGo = await holdNews();
    await page.goto('/wallet/transfer');
    await fill();
    await password().fill(TRADER.pin);
    await confirm();
    await page.waitForURL(/\/wallet$/);
    await notice().getByText('Awaiting confirmation from 5 ledger witnesses.').waitFor();
    expect(await notice().getByRole('listitem').allInnerTexts()).toHaveLength(5);
    letGo();
    await notice().getByText('Transfer complete').waitFor();
    await notice().getByText('5 of 5 confirmations').waitFor();
    await page.getByRole('article', { name: 'Futures wallet' }).getByText('1,250.50').waitFor();
    await page
      .getByRole('article', { name: 'Spot wallet' })
      .getByText(/^98,749\.5\sUSDT/)
      .waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('stands among the recent transfers, and goes back the same way', async () => {
    await open();
    await swap();
    await form()
      .getByText(/^Available: [1-9]/)
      .waitFor();
    await form().getByRole('button', { name: 'Max' }).click();
    await submit();
    await password().fill(TRADER.pin);
    await confirm();
    await notice().getByText('Transfer complete').waitFor();
    await go(page, '/wallet/transfer');
    const completed = page
      .getByRole('table', { name: 'Recent transfers' })
      .getByRole('row')
      .filter({ hasText: 'Completed' });
    await completed.filter({ hasText: 'Futures wallet to Spot wallet' }).first().waitFor();
    await completed.filter({ hasText: 'Spot wallet to Futures wallet' }).first().waitFor();
  });
});

describe('the transfer dialog of the terminal', () => {
  const start = () => page.getByRole('dialog', { name: 'Transfer', exact: true });
  const ticket = () => page.getByRole('form', { name: 'Long BTC' });
  const begin = async (quantity: string) => {
    await ticket().getByRole('button', { name: 'Transfer' }).click();
    await start()
      .getByText(/^Available: [1-9]/)
      .waitFor();
    await start().getByRole('textbox', { name: 'Amount' }).fill(quantity);
    await start().getByRole('button', { name: 'Transfer', exact: true }).click();
  };

  it('ends where one was, and asks no password while the session is unlocked by it (T-transfer-28)', async () => {
    const unlock = { transaction_password: TRADER.pin, minutes: 5 };
    const answer = await trader.call<{ unlocked_until: number }>('POST', '/api/v3/trading-unlock', unlock);
    const unlocked = { ...trader, kept: { ...trader.kept, unlockedUntil: answer.unlocked_until } };
    page = await stage.reuse({ as: unlocked, viewport: SCREEN });
    await page.goto('/trades/futures/BTC');
    const available = () => ticket().getByText('USDT').first().locator('..').innerText();
    await begin('250');
    await dialog().getByText('250 USDT', { exact: true }).first().waitFor();
    expect(await password().count()).toBe(0);
    await expectAccessible(page);
    await confirm();
    await notice().getByText('Transfer complete').waitFor();
    expect(new URL(page.url()).pathname).toBe('/trades/futures/BTC');
    await expect.poll(available).toContain('250.00');

    // Locked again on another page: the server asks, and so does the dialog.
    await trader.call('DELETE', '/api/v3/trading-unlock');
    await dismissNotices(page);
    await begin('10');
    await confirm();
    await password().fill(TRADER.pin);
    await confirm();
    await notice().getByText('Transfer complete').waitFor();
    await expect.poll(available).toContain('260.00');
  });
});
