/** Withdrawals in the browser: from the form to the end of each. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, go } from './browser.ts';
import { actOn, newPerson, type Person, TRANSACTION_PASSWORD } from './people.ts';
import { PHONE, type Stage, setStage } from './stage.ts';
import {
  address,
  amount,
  details,
  fact,
  fill,
  form,
  newRichPerson,
  openForm,
  row,
  submit,
  TRON,
  withdraw,
} from './withdrawing.ts';

/** Of nobody here; it has a right checksum. */
const EVM = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
/** Of the development data. */
const FRAUD = '0xbadbadbadbadbadbadbadbadbadbadbadbadbad0';

let stage: Stage;

beforeAll(async () => {
  // Blocks come when a test wants them.
  stage = await setStage({ DEVELOPMENT_BLOCK_SECONDS: '0' });
});
afterAll(() => stage?.close());

const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm withdrawal' });
const notice = (page: Page, text: string) => page.locator('.mantine-Notification-root').filter({ hasText: text });

async function addressOf({ call }: Person, network: string): Promise<string> {
  const made = await call<{ wallet: { wallet_address: string } }>('POST', '/api/v3/generate-wallet', {
    wallet_type: network,
  });
  return made.wallet.wallet_address;
}

/** Fills in what the dialog asks for and confirms it. */
async function confirm({ page, mailedCode }: Person): Promise<void> {
  await confirmation(page)
    .getByLabel('Verification code')
    .fill(await mailedCode());
  await confirmation(page).getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await confirmation(page).getByRole('button', { name: 'Confirm', exact: true }).click();
}

describe('a newcomer', () => {
  let person: Person;
  let page: Page;
  let payee: Person;

  beforeAll(async () => {
    person = await newRichPerson(stage, 'payer', '5000');
    page = person.page;
    payee = await newPerson(stage, 'payee', 'reuse');
  });
  afterAll(() => page.context().close());

  it('finds the coins, their networks with arrival and fee, and what there is to withdraw (T-withdraw-04) (T-withdraw-05) (T-withdraw-06) (T-withdraw-07) (T-withdraw-08) (T-withdraw-09) (T-withdraw-10) (T-withdraw-11) (T-withdraw-12)', async () => {
    const networks = () => form(page).locator('fieldset label').allInnerTexts();
    await page.goto('/wallet/withdraw?coin=USDT');
    await fact(form(page), 'Available').getByText('5,000 USDT').waitFor();
    expect(await networks()).toEqual([
      expect.stringMatching(/^Tron \(TRC20\)[\s\S]*Arrival: About 2 min[\s\S]*Fee: 1 USDT$/),
      expect.stringMatching(/^Ethereum \(ERC20\)[\s\S]*Arrival: About 5 min[\s\S]*Fee: 20 USDT$/),
    ]);
    expect(await submit(page).isDisabled()).toBe(true);
    await form(page).getByRole('button', { name: 'Coin USDT' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose a coin' });
    await picker.getByRole('button', { name: /^USDT/ }).waitFor();
    const offered = await picker
      .getByRole('button', { pressed: true })
      .or(picker.getByRole('button', { pressed: false }))
      .allInnerTexts();
    expect(offered.flatMap((text) => text.split('\n')[0] || []).sort()).toEqual(['BTC', 'ETH', 'USDC', 'USDT']);
    await picker.getByRole('button', { name: /^ETH/ }).click();
    const ethereum = [expect.stringMatching(/^Ethereum \(ERC20\)[\s\S]*Fee: 0\.0025 ETH$/)];
    await expect.poll(networks).toEqual(ethereum);
    await go(page, '/wallet/withdraw?coin=BTC');
    await expect.poll(networks).toEqual([expect.stringMatching(/^Bitcoin\b[\s\S]*Fee: 0\.000068 BTC$/)]);
    await expectAccessible(page);
  });

  it('is told what is wrong with an address and an amount, and what the button does about it (T-withdraw-02) (T-withdraw-26) (T-withdraw-37) (T-withdraw-38) (T-withdraw-44) (T-withdraw-45) (T-withdraw-46) (T-withdraw-47) (T-withdraw-48) (T-withdraw-49) (T-withdraw-60)', async () => {
    await page.clock.install();
    await openForm(page);
    const says = (text: string | RegExp) => form(page).getByText(text).waitFor();
    await amount(page).fill('5000.01');
    await says('Amount must be less than or equal to your balance (5,000)');
    // More digits can mend what is too little.
    await amount(page).fill('5');
    await expect
      .poll(() =>
        form(page)
          .getByText(/^Amount must be/)
          .count(),
      )
      .toBe(0);
    await address(page).focus();
    await address(page).blur();
    await says('Please enter Recipient Address');
    expect(await submit(page).isDisabled()).toBe(true);
    await address(page).fill(EVM);
    await says('This address does not match the currently selected primary network.');
    expect(await submit(page).isDisabled()).toBe(true);
    await address(page).fill(TRON.slice(0, 20));
    await says(/^The withdrawal address format is wrong\./);
    expect(await submit(page).isEnabled()).toBe(true);
    await submit(page).click();
    const mismatch = notice(page, 'Address and Network does not match.');
    await mismatch.waitFor();
    await page.clock.runFor(2_500);
    expect(await mismatch.count()).toBe(1);
    await page.clock.runFor(1_000);
    await mismatch.waitFor({ state: 'detached' });
    await fill(page, TRON, '9.99');
    await submit(page).click();
    await says('Amount must be greater than minimum withdrawable (10)');
    // A wrong checksum is the server's to find.
    await fill(page, `${TRON.slice(0, -1)}F`, '100');
    await says(/^The withdrawal address format is wrong\./);
    expect(await confirmation(page).count()).toBe(0);
    // What is typed is a draft of the next visit.
    await fill(page, '', '');
  });

  it('scans the address of another client, and pays it at once and without a fee (T-withdraw-03) (T-withdraw-15) (T-withdraw-16) (T-withdraw-27) (T-withdraw-28) (T-withdraw-29) (T-withdraw-30) (T-withdraw-31) (T-withdraw-32) (T-withdraw-34) (T-withdraw-53) (T-withdraw-54) (T-withdraw-57) (T-withdraw-58) (T-withdraw-59)', async () => {
    const complaints = complaintsOf(page);
    const to = await addressOf(payee, 'TRC20');
    await payee.page.goto('/wallet/deposit?coin=USDT');
    await payee.page.getByText('Tron (TRC20)', { exact: true }).click();
    const code = await payee.page.getByRole('img', { name: 'QR code of the address' }).screenshot();

    await openForm(page);
    await form(page).getByRole('button', { name: 'Scan a QR code' }).click();
    const scanner = page.getByRole('dialog', { name: 'Scan a QR code' });
    await scanner.getByText('No camera found. Choose a picture of the QR code instead.').waitFor();
    await scanner.locator('input[type=file]').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: code });
    await scanner.waitFor({ state: 'detached' });
    expect(await address(page).inputValue()).toBe(to);
    await amount(page).fill('100');
    await form(page)
      .getByText('This address belongs to a Cambist account: the transfer is free and arrives at once.')
      .waitFor();
    await fact(form(page), 'Receive amount').getByText('100 USDT').waitFor();

    await submit(page).click();
    await confirmation(page).waitFor();
    expect(await confirmation(page).locator('[data-address]').textContent()).toBe(to);
    const send = () => confirmation(page).getByRole('button', { name: 'Confirm', exact: true }).click();
    await send();
    await expect.poll(() => confirmation(page).getByText('Field is required').count()).toBe(2);
    await expectAccessible(page);
    const password = confirmation(page).getByLabel('Transaction password', { exact: true });
    const digits = await person.mailedCode();
    const wrong = notice(page, 'Please check your Code, and Transaction Password and try again.');
    await confirmation(page).getByLabel('Verification code').fill('000000');
    await password.fill(TRANSACTION_PASSWORD);
    await send();
    await wrong.waitFor();
    await wrong.waitFor({ state: 'detached' });
    await confirmation(page).getByLabel('Verification code').fill(digits);
    await password.fill('not the password');
    await send();
    await wrong.waitFor();
    expect(await confirmation(page).isVisible()).toBe(true);
    await password.fill(TRANSACTION_PASSWORD);
    await send();
    await notice(page, 'Withdrawal request sent').waitFor();
    await confirmation(page).waitFor({ state: 'detached' });
    expect(await address(page).inputValue()).toBe('');
    await fact(form(page), 'Available').getByText('4,900 USDT').waitFor();

    await row(page, '100.000').getByText('Completed', { exact: true }).waitFor();
    await row(page, '100.000').click();
    await details(page).getByText('Within Cambist, no blockchain').waitFor();
    await details(page).getByRole('listitem').filter({ hasText: 'You' }).first().waitFor();
    await page.keyboard.press('Escape');
    const { wallet } = await payee.call<{ wallet: { name: string; coin_value: string }[] }>(
      'GET',
      '/api/v3/wallets/spot',
    );
    expect(Number(wallet.find(({ name }) => name === 'USDT')?.coin_value)).toBe(100);
    // The wrong code and the wrong password are answers, and no failures.
    expect(complaints).toEqual([]);
  });

  it('finds the address again, and the withdrawal in every history (T-histories-02) (T-histories-14) (T-single-coin-07) (T-wallet-overview-09) (T-wallet-overview-17) (T-display-09)', async () => {
    const saver = await newRichPerson(stage, 'saver', '700', 'reuse');
    const { page } = saver;
    const to = await addressOf(payee, 'TRC20');
    await withdraw(saver, '100', to);
    await page.goto('/wallet');
    await page
      .getByRole('region', { name: 'Total balance', exact: true })
      .getByRole('link', { name: 'Withdraw' })
      .click();
    await page.waitForURL(/\/wallet\/withdraw$/);
    await form(page).getByRole('button', { name: 'Choose an address' }).click();
    const book = page.getByRole('dialog', { name: 'Choose an address' });
    await book.getByRole('button', { name: /Used before/ }).click();
    expect(await address(page).inputValue()).toBe(to);
    await go(page, '/history?tab=withdrawal');
    await row(page, '100.000').getByText('Completed', { exact: true }).waitFor();
    // On the next visit the list is there before the server has answered.
    await page.route('**/api/v3/withdraw-history**', (route) => route.abort());
    await page.reload();
    await row(page, '100.000').waitFor();
    await page.unroute('**/api/v3/withdraw-history**');
    await go(page, '/wallet/USDT');
    await page.getByRole('tab', { name: 'Withdraw' }).click();
    await row(page, '−100').getByText('Completed').waitFor();
  });
});

describe('a withdrawal to a chain', () => {
  it('that an operator must look at says so, and is cancelled before that', async () => {
    const person = await newRichPerson(stage, 'canceller', '30000', 'reuse');
    const { page } = person;
    await openForm(page);
    await fill(page, TRON, '12000');
    await form(page).getByText('Our team will review this withdrawal before it is sent.').waitFor();
    await form(page).getByText('You have not withdrawn to this address before.').waitFor();
    expect(await fact(form(page), 'Receive amount').innerText()).toBe('11,999 USDT');
    await submit(page).click();
    await confirm(person);
    await row(page, '12,000.000').getByText('Pending', { exact: true }).waitFor();
    await fact(form(page), 'Available').getByText('18,000 USDT').waitFor();
    await row(page, '12,000.000').click();
    await details(page).getByRole('listitem').filter({ hasText: 'Approved' }).waitFor();
    // What fades in or out has no contrast yet, or none any more.
    await expect.poll(() => page.locator('.mantine-Notification-root').count()).toBe(0);
    await expect.poll(() => details(page).evaluate((dialog) => getComputedStyle(dialog).opacity)).toBe('1');
    await expectAccessible(page);
    await details(page).getByRole('button', { name: 'Cancel withdrawal' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel this withdrawal?' });
    await question.getByText('12,000 USDT').waitFor();
    await question.getByRole('button', { name: 'Cancel withdrawal' }).click();
    await notice(page, 'Withdrawal cancelled').waitFor();
    await row(page, '12,000.000').getByText('Cancelled', { exact: true }).waitFor();
    await fact(form(page), 'Available').getByText('30,000 USDT').waitFor();
    expect(await details(page).getByRole('button', { name: 'Cancel withdrawal' }).count()).toBe(0);
  });

  it('grows by its confirmations until it is complete, and has its transaction to copy (T-withdraw-23) (T-withdraw-24)', async () => {
    const person = await newRichPerson(stage, 'sender', '500', 'reuse');
    const { page } = person;
    const mine = (blocks: number) => person.call('POST', '/api/dev/chains/mine', { network: 'ERC20', blocks });
    await openForm(page, 'Ethereum (ERC20)');
    await fill(page, EVM, '120');
    await fact(form(page), 'Receive amount').getByText('100 USDT').waitFor();
    await submit(page).click();
    await confirm(person);
    await row(page, '120.000').getByText('Pending', { exact: true }).waitFor();
    await row(page, '120.000').click();
    const step = (text: string) => details(page).getByRole('listitem').filter({ hasText: text });
    await step('Included in a block').and(page.locator('[aria-current=step]')).waitFor();
    await mine(1);
    await details(page).getByText('1 of 6 confirmations').waitFor();
    await mine(2);
    await details(page).getByText('3 of 6 confirmations').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await details(page).getByRole('button', { name: 'Copy Transaction' }).click();
    await details(page).getByRole('button', { name: 'Copied!' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0x[\da-f]{64}$/);
    await mine(3);
    await row(page, '120.000').getByText('Completed', { exact: true }).waitFor();
    await expect.poll(() => details(page).getByRole('progressbar').count()).toBe(0);
  });

  it('is not possible while withdrawals are restricted, and the screen says why and until when (T-withdraw-35) (T-withdraw-55) (T-withdraw-56)', async () => {
    const person = await newRichPerson(stage, 'restricted', '500', 'reuse');
    const { page } = person;
    await openForm(page);
    await fill(page, TRON, '100');
    expect(await submit(page).isEnabled()).toBe(true);
    // The page hears of it by its stream.
    await actOn(stage, person.email, 'restrict-withdrawals', {
      reason: 'A call about you',
      until: Date.now() + 7_200_000,
    });
    const alert = page.getByRole('alert').filter({ hasText: 'Withdrawals are disabled' });
    await alert
      .getByText(/withdrawal has been identified as having a high risk of being linked to a potential scam/)
      .waitFor();
    await alert.getByText(/temporarily disabled for 1 hour 5\d minutes|temporarily disabled for 2 hours/).waitFor();
    await alert.getByText(/^A call about you \(until /).waitFor();
    await expect.poll(() => submit(page).isDisabled()).toBe(true);
  });
});

describe('an address that is known to be fraudulent', () => {
  it('is refused with an alert, and nothing is asked for (T-withdraw-50) (T-withdraw-51) (T-withdraw-52)', async () => {
    const person = await newRichPerson(stage, 'careful', '500', 'reuse');
    const { page } = person;
    await openForm(page, 'Ethereum (ERC20)');
    await fill(page, FRAUD, '100');
    await submit(page).click();
    const alert = page.getByRole('dialog', { name: 'ALERT' });
    await alert
      .getByText('This address is known to be fraudulent. Do not send any funds to it: they would be lost.')
      .waitFor();
    await alert.getByRole('button', { name: 'I understand' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(await confirmation(page).count()).toBe(0);
  });
});

describe('on a phone', () => {
  it('the sums and the button stay at the end of the screen (T-withdraw-13) (T-withdraw-14)', async () => {
    const person = await newRichPerson(stage, 'phone', '500', 'reuse');
    const { page } = person;
    await page.setViewportSize({ ...PHONE, height: 560 });
    await page.goto('/wallet/withdraw?coin=USDT');
    await form(page)
      .getByRole('button', { name: /^Network/ })
      .click();
    const picker = page.getByRole('dialog', { name: 'Choose Network' });
    await picker.getByText('Fee: 1 USDT').waitFor();
    await picker.getByRole('button', { name: /Tron/ }).click();
    await fill(page, TRON, '100');
    const footer = form(page).locator('[data-footer]');
    await fact(footer, 'Receive amount').getByText('99 USDT').waitFor();
    await fact(footer, 'Network fee').getByText('1 USDT').waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    const box = await footer.boundingBox();
    expect(box && Math.round(box.y + box.height)).toBe(560);
  });
});
