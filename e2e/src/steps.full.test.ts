/** Forms of several steps on one address: Back leads to the step before, and a reload stays at the step. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { totpAt } from './authenticator.ts';
import { newPerson, PASSWORD, register, TRANSACTION_PASSWORD } from './people.ts';
import { PHONE, type Stage, setStage } from './stage.ts';

let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());
beforeEach(async () => {
  page = await stage.open({ viewport: PHONE });
  await page.goto('/settings');
});
afterEach(() => page.context().close());

/** A moment later: what leads to another document would end the question with this one. */
const back = () => page.evaluate(() => void setTimeout(() => history.back(), 20));
const forward = () => page.evaluate(() => void setTimeout(() => history.forward(), 20));
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => page.getByLabel(label, { exact: true });
const emailField = () => page.getByRole('textbox', { name: 'Email', exact: true });
const path = () => new URL(page.url()).pathname;
const codeStep = (email: string) => page.getByText(`We sent a six-digit code to ${email}.`, { exact: true });

async function askForCode(email: string): Promise<void> {
  await emailField().fill(email);
  await page.getByRole('checkbox').first().check();
  await button('Next').click();
  await codeStep(email).waitFor();
}

describe('sign-up', () => {
  it('goes back step by step with what was typed, but no password, and forward again', async () => {
    const email = 'back-and-forward@example.test';
    await page.goto('/signup/FRIEND01');
    await askForCode(email);
    await field('Verification code').fill(await stage.mails.code(email));
    await field('Phone number').fill('415 555 0177');
    await field('Password').fill(PASSWORD);
    await back();
    await codeStep(email).waitFor();
    await back();
    await expect.poll(() => emailField().inputValue()).toBe(email);
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);
    await forward();
    await codeStep(email).waitFor();
    await forward();
    await expect.poll(() => field('Phone number').inputValue()).toBe('415 555 0177');
    expect(await field('Password').inputValue()).toBe('');
    await back();
    await button('Change email').click();
    await emailField().waitFor();
    expect(path()).toBe('/signup/FRIEND01');
    await back();
    await page.waitForURL('**/settings');
  });

  it('is at its step after a reload, and at the one of the code where that would have to be known', async () => {
    const email = 'reloaded@example.test';
    await page.goto('/signup');
    await askForCode(email);
    await page.reload();
    await codeStep(email).waitFor();
    const code = await stage.mails.code(email);
    await field('Verification code').fill(code);
    await field('Phone number').fill('415 555 0177');
    await page.reload();
    await codeStep(email).waitFor();
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(code);
    await back();
    await expect.poll(() => emailField().inputValue()).toBe(email);
    await forward();
    await field('Verification code').fill(code);
    await expect.poll(() => field('Phone number').inputValue()).toBe('415 555 0177');
  });

  it('is past with the account that it made: Back leads to the page before it, and Forward to the wallet', async () => {
    const email = 'past@example.test';
    await page.goto('/signup');
    await askForCode(email);
    await field('Verification code').fill(await stage.mails.code(email));
    // What opens over the step has an entry of its own.
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: /^Germany/ }).click();
    await field('Password').fill(PASSWORD);
    await field('Transaction password').fill(TRANSACTION_PASSWORD);
    const drafts = await page.evaluate(() => sessionStorage.getItem('cambist.drafts') ?? '');
    expect(drafts).toContain(email);
    await button('Create account').click();
    await page.waitForURL('**/wallet');
    // The address is there before its screen.
    await button('Create account').waitFor({ state: 'hidden' });
    await back();
    await page.waitForURL('**/settings');
    // As where the page was left after the address of the wallet and before its screen.
    await page.evaluate((kept) => sessionStorage.setItem('cambist.drafts', kept), drafts);
    await forward();
    await page.waitForURL('**/wallet');
    await page.getByRole('region', { name: 'Total balance', exact: true }).waitFor();
    // A second Forward, before the way back to the wallet has come to its screen, leads to the past step once more.
    await page.evaluate(() => {
      const again = () => {
        if (location.pathname !== '/wallet') return;
        removeEventListener('popstate', again);
        history.forward();
      };
      addEventListener('popstate', again);
      setTimeout(() => history.forward(), 20);
    });
    await page.waitForTimeout(500);
    await expect.poll(path).toBe('/wallet');
    await page.getByRole('region', { name: 'Total balance', exact: true }).waitFor();
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(email);
  });

  it('asks for the code again where a late refusal finds it wrong, one step back', async () => {
    const email = 'late@example.test';
    await page.route('**/api/v2/register', (route) =>
      route.fulfill({ status: 200, json: { message: 'CODE_DOES_NOT_MATCH' } }),
    );
    await page.goto('/signup');
    await askForCode(email);
    await field('Verification code').fill(await stage.mails.code(email));
    await field('Password').fill(PASSWORD);
    await field('Transaction password').fill(TRANSACTION_PASSWORD);
    await button('Create account').click();
    await page.getByText('Verification code does not match', { exact: true }).waitFor();
    await back();
    await emailField().waitFor();
  });
});

describe('sign-in', () => {
  const email = 'two-steps-back@example.test';
  beforeAll(() => register(stage, email));

  const identify = async () => {
    await page.goto('/signin');
    await emailField().fill(email);
    await button('Next').click();
    await field('Password').waitFor();
  };

  it('goes back to the address, forward to the password, and is past once the session has begun', async () => {
    await identify();
    await page.reload();
    await field('Password').waitFor();
    await back();
    await expect.poll(() => emailField().inputValue()).toBe(email);
    await forward();
    await field('Password').fill(PASSWORD);
    await button('Log in').click();
    await page.waitForURL('**/wallet');
    await back();
    await page.waitForURL('**/settings');
  });

  it('ends in the wallet also where the browser no longer has the entries of its steps', async () => {
    await identify();
    await field('Password').fill(PASSWORD);
    // As it does where an entry is not there.
    await page.evaluate(() => Object.assign(history, { go: () => undefined }));
    await button('Log in').click();
    await page.waitForURL('**/wallet');
  });

  it('is past after a second factor too, which was asked for over it', async () => {
    const person = await newPerson(stage, 'factor-over-steps');
    await person.page.context().close();
    const { call } = person;
    await call('POST', '/api/v3/step-up', { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD });
    const { secret } = await call<{ secret: string }>('POST', '/api/v3/totp/enrolment');
    const { recovery_codes: codes } = await call<{ recovery_codes: string[] }>('POST', '/api/v3/totp', {
      code: totpAt(secret, Date.now()),
    });
    await page.goto('/signin');
    await emailField().fill(person.email);
    await button('Next').click();
    await field('Password').fill(PASSWORD);
    await button('Log in').click();
    const dialog = page.getByRole('dialog', { name: 'Second factor' });
    await dialog.getByLabel('Authenticator code', { exact: true }).fill(codes[0] ?? '');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/wallet');
    await back();
    await page.waitForURL('**/settings');
  });

  it('a forgotten password goes back to its code, which stays good, and then to the password that was asked', async () => {
    await identify();
    await button('Forgot password?').click();
    const asked = page.getByRole('dialog', { name: 'Verify Email' });
    const code = await stage.mails.code(email);
    await asked.getByLabel('Verification code').fill(code);
    await asked.getByRole('button', { name: 'Next' }).click();
    const renewed = page.getByRole('dialog', { name: 'New Password' });
    await renewed.waitFor();
    await back();
    await asked.waitFor();
    await renewed.waitFor({ state: 'hidden' });
    expect(await asked.getByLabel('Verification code').inputValue()).toBe(code);
    await asked.getByRole('button', { name: 'Next' }).click();
    await renewed.waitFor();
    await back();
    await asked.waitFor();
    await back();
    await asked.waitFor({ state: 'hidden' });
    await field('Password').waitFor();
    // A code that was mailed moments ago is good still.
    await button('Forgot password?').click();
    await asked.waitFor();
  });
});
