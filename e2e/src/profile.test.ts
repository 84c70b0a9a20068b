/** The profile, the limits of the account and the fee page, as their owner meets them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { go } from './browser.ts';
import { newPerson, operatorOf, type Person } from './people.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
let person: Person;
let page: Page;
let people = 0;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

/** Opens the profile of a new client on the shared page. */
async function begin(): Promise<void> {
  people += 1;
  person = await newPerson(stage, `pat${people}`, 'reuse');
  page = person.page;
  await page.goto('/profile');
}

/** Begins as a client of the level, which an operator gives. */
async function beginAtLevel(tier: number): Promise<void> {
  people += 1;
  person = await newPerson(stage, `pat${people}`, 'reuse');
  page = person.page;
  const { client } = await person.call<{ client: { id: number } }>('GET', '/api/v3/account-client');
  const operator = await operatorOf(stage);
  await operator.call('POST', '/api/v3/admin/fee-tier', { client_id: client.id, tier });
  await page.goto('/profile');
}

const region = (name: string) => page.getByRole('region', { name, exact: true });
/** What stands beside a name in a list of facts. */
const fact = (within: string, name: string) =>
  region(within).locator('dl > div').filter({ hasText: name }).locator('dd').first().innerText();

interface Summary {
  readonly user_unique_id: string;
}

describe('of a newcomer', () => {
  beforeAll(begin);
  beforeEach(() => go(page, '/profile'));

  it('has a summary of who it is; without a level there is no chip for it (A-profile-01, A-profile-05, A-profile-06, A-profile-08, A-profile-10..12)', async () => {
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    const summary = region('Account summary');
    await summary.getByText(person.email, { exact: true }).waitFor();
    await summary.getByText('Unverified', { exact: true }).waitFor();
    const { user_unique_id: uid } = await person.call<Summary>('GET', '/api/v3/account-summary');
    expect(await fact('Account summary', 'User ID')).toBe(uid);
    expect(await fact('Account summary', 'VIP level')).toBe('VIP 0');
    expect(await fact('Account summary', 'User type')).toBe('Personal');
    expect(await summary.innerText()).not.toMatch(/no.badge/i);
  });

  it('shows e-mail, UID, status and a membership chip that reads no badge (A-profile-09, A-profile-14..17, T-account-state-04)', async () => {
    const account = region('Account');
    await account.getByText('Unverified', { exact: true }).waitFor();
    await account.getByText('no badge', { exact: true }).waitFor();
    expect(await fact('Account', 'Email')).toBe(person.email);
    const { client } = await person.call<{ client: { user: Summary } }>('GET', '/api/v3/account-client');
    expect(await fact('Account', 'UID')).toBe(client.user.user_unique_id);
  });

  it('says Not Set where nothing is known (A-profile-19..24)', async () => {
    await region('Personal information').waitFor();
    for (const name of ['Legal Name', 'Gender', 'Date of Birth', 'Address', 'Mobile']) {
      expect(await fact('Personal information', name)).toBe('Not Set');
    }
  });

  it('shows the limits of the account (A-profile-18, A-profile-31..34)', async () => {
    const limits = region('Account limits');
    await limits.getByText('8M USDT daily').waitFor();
    const lines = (await limits.innerText()).split('\n').filter((line) => line !== '');
    const after = (name: string) => lines.slice(lines.indexOf(name), lines.indexOf(name) + 3).join(' ');
    expect(after('Fiat')).toContain('50K USD daily');
    expect(after('Crypto deposit')).toContain('Unlimited');
    expect(after('Crypto withdrawal')).toContain('8M USDT daily');
    // It does not begin anew at midnight, as the screen of withdrawals says too.
    expect(after('Crypto withdrawal')).toContain('In the last 24 hours: 0.00 USDT');
    expect(lines.join(' ')).not.toContain('Resets');
    expect(after('P2P')).toContain('Unlimited');
  });

  it('offers Verify Now to the unverified alone (A-profile-13, A-profile-42)', async () => {
    await region('Account summary').getByRole('link', { name: 'Verify Now' }).click();
    await page.waitForURL('**/account/verify');
    await page.route('**/api/v3/account-summary', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), account_status: 'Verified' } });
    });
    await person.page.goto('/profile');
    await region('Account summary').getByText('Verified', { exact: true }).waitFor();
    expect(await region('Account summary').getByRole('link', { name: 'Verify Now' }).count()).toBe(0);
  });

  it('has settings (A-profile-04)', async () => {
    await go(page, '/settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });
});

it('asks for the mailed code in a dialog before a password changes (A-profile-30)', async () => {
  await begin();
  await region('Passwords').getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('dialog', { name: 'Change password' });
  await form.getByLabel('Old password', { exact: true }).fill('anything');
  await form.getByLabel('New password', { exact: true }).fill('another one entirely');
  await form.getByLabel('Confirm the new password').fill('another one entirely');
  await form.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').waitFor();
  expect(await person.mailedCode()).toMatch(/^\d{6}$/);
});

it('keeps what the edit dialog is told (A-profile-25..29, A-profile-35..41)', async () => {
  await begin();
  await region('Personal information').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit personal information' });
  await dialog.getByLabel('Legal Name').fill('Pat Example');
  await dialog.getByRole('radio', { name: 'Male', exact: true }).waitFor();
  await dialog.getByRole('radio', { name: 'Female', exact: true }).check();
  await dialog.getByLabel('Date of Birth').fill('1990-12-31');
  await dialog.getByLabel('Address').fill('1 Example Street');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await region('Personal information').getByText('Pat Example').waitFor();
  expect(await fact('Personal information', 'Gender')).toBe('Female');
  expect(await fact('Personal information', 'Date of Birth')).toBe('1990-12-31');
  expect(await fact('Personal information', 'Address')).toBe('1 Example Street');
  const { profile } = await person.call<{ profile: unknown }>('GET', '/api/v3/profile');
  expect(profile).toMatchObject({
    id: expect.any(Number),
    name: 'Pat Example',
    gender: 'Female',
    date_of_birth: '1990-12-31',
    address: '1 Example Street',
    email: person.email,
    membership_level: 'NO_BADGE',
  });
});

describe('at a VIP level', () => {
  beforeAll(() => beginAtLevel(2));
  beforeEach(() => go(page, '/profile'));

  it('shows the level of who has one as a chip, and what it changes (A-profile-07, A-account-state-54)', async () => {
    await region('Account summary').locator('.mantine-Badge-root').filter({ hasText: 'VIP 2' }).waitFor();
    await region('Account').getByText('VIP 2', { exact: true }).waitFor();
    await region('Account limits').getByText('200K USD daily').waitFor();
  });

  it('has a page of fees at the level of the person, and verification under the other name of its address (A-profile-02, A-profile-03)', async () => {
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Fee Rates' }).click();
    await page.waitForURL('**/fee-rate');
    const fees = region('Spot trading at VIP 2');
    await fees.getByText('0.05%').waitFor();
    await fees.getByText('0.065%').waitFor();
    await region('Futures trading')
      .getByRole('row', { name: /^All perpetuals 0\.02% 0\.05%$/ })
      .waitFor();
    await region('Fees by VIP level').getByText('Your next level: VIP 3').waitFor();
    const levels = await region('Fees by VIP level').getByRole('row').allInnerTexts();
    expect(levels.map((text) => text.split(/\s+/).filter(Boolean).join(' '))).toEqual([
      'VIP level Maker Taker',
      'VIP 0 0.08% 0.10%',
      'VIP 1 0.06% 0.08%',
      'VIP 2 Your level 0.05% 0.065%',
      'VIP 3 0.04% 0.05%',
      'VIP 4 0.02% 0.035%',
      'VIP 5 0.00% 0.02%',
    ]);
    await page.getByRole('tab', { name: 'KYC' }).click();
    await region('Identity verification').getByText('Unverified').waitFor();
  });
});
