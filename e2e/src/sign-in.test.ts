/** Ways in, in a real browser: e-mail and phone in two steps, sign-up, and a forgotten password. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { totpAt } from './authenticator.ts';
import { complaintsOf, expectAccessible, hasFocus } from './browser.ts';
import { actOn, operatorOf, PASSWORD, register, TRANSACTION_PASSWORD } from './people.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

beforeEach(async () => {
  page = await stage.reuse();
});

const open = (path: string) => page.goto(path);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (label: string) => page.getByLabel(label, { exact: true });
/** Apart from the choice between email and phone above it. */
const emailField = () => page.getByRole('textbox', { name: 'Email', exact: true });
const notice = (title: string) => page.getByRole('alert').filter({ hasText: title });
const stored = () =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cambist.session') ?? '{}').state as Record<string, unknown>);

/** The colour behind the form. */
const groundOf = () => page.locator('main > div').evaluate((box) => getComputedStyle(box).backgroundColor);

async function identify(email: string): Promise<void> {
  await open('/signin');
  await emailField().fill(email);
  await button('Next').click();
  await field('Password').waitFor();
}

/** Whoever signs in with this address needs a code. @returns the recovery codes */
async function registerWithApp(email: string): Promise<string[]> {
  await register(stage, email);
  const { call } = await stage.signIn({ username: email, password: PASSWORD });
  await call('POST', '/api/v3/step-up', { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD });
  const { secret } = await call<{ secret: string }>('POST', '/api/v3/totp/enrolment');
  const code = totpAt(secret, Date.now());
  return (await call<{ recovery_codes: string[] }>('POST', '/api/v3/totp', { code })).recovery_codes;
}

describe('the first step', () => {
  it('is white, asks for e-mail or phone, and leads to sign-up (A-signin-01..06, A-signin-30, A-signin-34)', async () => {
    const complaints = complaintsOf(page);
    await open('/signin');
    await emailField().waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light');
    expect(await groundOf()).toBe('rgb(255, 255, 255)');
    expect(await button('Next').isDisabled()).toBe(true);
    await page.getByText('Phone', { exact: true }).click();
    await field('Phone number').waitFor();
    expect(await button('Next').isDisabled()).toBe(true);
    await field('Phone number').fill('1');
    expect(await button('Next').isEnabled()).toBe(true);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.waitForURL('**/signup');
  });

  it.each([
    ['[A-signin-29]', 'nobody', 'E-mail must be valid'],
    ['[A-signin-29]', '@nobody', 'E-mail must be valid'],
  ])('%s refuses %s: %s', async (_id, email, text) => {
    await open('/signin');
    await emailField().fill(email);
    await button('Next').click();
    await page.getByText(text, { exact: true }).waitFor();
  });

  it('stays, and says Email not found, when the server knows nobody by that name (A-signin-16, A-signin-35)', async () => {
    await open('/signin');
    await emailField().fill('nobody@example.test');
    await button('Next').click();
    await notice('Error!').getByText('Email not found').waitFor();
    expect(await field('Password').count()).toBe(0);
    await page.reload();
    await page.getByText('Phone', { exact: true }).click();
    await field('Phone number').fill('415 555 0199');
    await button('Next').click();
    await notice('Error!').getByText('Email not found').waitFor();
    expect(await field('Password').count()).toBe(0);
  });

  it('says what is wrong with a phone number (A-signup-24, A-signup-25)', async () => {
    await open('/signin');
    await page.getByText('Phone', { exact: true }).click();
    await field('Phone number').fill('555 01');
    await button('Next').click();
    await page.getByText('Phone number must have at least 10 characters', { exact: true }).waitFor();
    await field('Phone number').fill('415555010000');
    await button('Next').click();
    await page.getByText('Please enter a valid phone number', { exact: true }).waitFor();
  });
});

describe('the second step', () => {
  const email = 'second@example.test';
  beforeAll(() => register(stage, email));

  it('asks for the password, which can be shown (A-signin-07..09, A-signin-31, A-signin-32)', async () => {
    await identify(email);
    expect(await button('Log in').isDisabled()).toBe(true);
    await button('Forgot password?').waitFor();
    await field('Password').fill('12345');
    expect(await field('Password').getAttribute('type')).toBe('password');
    await button('Show or hide password').click();
    expect(await field('Password').getAttribute('type')).toBe('text');
    await button('Log in').click();
    await page.getByText('Password must be at least 6 characters', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('is shut while a request is under way, and shows what the server says (A-signin-33, A-signin-36, A-signin-37)', async () => {
    await identify(email);
    await field('Password').fill('not the password');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v3/login', async (route) => {
      await held;
      await route.continue();
    });
    await button('Log in').click();
    await expect.poll(() => page.locator('form button[type=submit]').isDisabled()).toBe(true);
    release();
    await notice('Login Failed').getByText('Incorrect email or password.').waitFor();
    expect(await stored()).toMatchObject({});
    // It is of that attempt, and not of the next one.
    const answer = Promise.withResolvers<void>();
    await page.unroute('**/api/v3/login');
    await page.route('**/api/v3/login', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await field('Password').fill(PASSWORD);
    await button('Log in').click();
    await notice('Login Failed').waitFor({ state: 'detached' });
    answer.resolve();
    await page.waitForURL('**/wallet');
  });

  it('keeps token, user and client, and goes to the wallet at once (A-signin-13..15, A-signin-17, A-signin-20, A-signin-22)', async () => {
    await identify(email);
    await field('Password').fill(PASSWORD);
    const answered = page.waitForResponse('**/api/v3/login');
    await button('Log in').click();
    const answer = (await (await answered).json()) as Record<string, unknown>;
    const signedInAt = Date.now();
    await page.waitForURL('**/wallet');
    expect(Date.now() - signedInAt).toBeLessThan(1_400);
    const { token, user, client } = await stored();
    expect(token).toBe(answer.token);
    expect(user).toMatchObject({ email });
    expect(client).toMatchObject({ status: 'ACTIVE' });
  });

  it('loads the wallets and the client whichever screen it goes to, back to where the person was (A-signin-18, A-signin-19)', async () => {
    await open('/wallet');
    await page.waitForURL('**/signin?return=%2Fwallet');
    await open('/signin?return=%2Fsettings');
    await emailField().fill(email);
    await button('Next').click();
    await field('Password').fill(PASSWORD);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await button('Log in').click();
    await page.waitForURL('**/settings');
    // No part of that screen needs a wallet.
    await expect
      .poll(() => asked)
      .toEqual(expect.arrayContaining(['/api/v3/wallets/spot', '/api/v3/overview', '/api/v3/account-client']));
  });
});

it('asks for the second factor, says what is wrong with it, and where to turn without one', async () => {
  const email = 'two-steps@example.test';
  const [recoveryCode = ''] = await registerWithApp(email);
  const asked = page.getByRole('dialog', { name: 'Second factor' });
  async function goAsFarAsTheCode(): Promise<void> {
    await field('Password').fill(PASSWORD);
    await button('Log in').click();
    await asked.waitFor();
  }

  await identify(email);
  await goAsFarAsTheCode();
  await expectAccessible(page);
  await asked.getByLabel('Authenticator code').fill('000000');
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await asked.getByText('Incorrect code. Each code works once.').waitFor();
  await asked.getByRole('button', { name: 'Lost both? Contact customer service' }).click();
  await asked.waitFor({ state: 'hidden' });
  await page.getByRole('dialog', { name: 'Live chat' }).waitFor();
  // The address of the account is known still.
  await page.reload();
  await goAsFarAsTheCode();
  await asked.getByLabel('Authenticator code').fill(recoveryCode);
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.waitForURL('**/wallet');
});

describe('by phone', () => {
  it('finds the account by its number, spaces aside, and waits 1.5 s before the wallet (A-signin-21, A-signup-26)', async () => {
    await register(stage, 'phone@example.test', '+14155550123');
    await open('/signin');
    await page.getByText('Phone', { exact: true }).click();
    await field('Phone number').fill('415 555 0123');
    const checked = page.waitForRequest('**/api/v2/mobile-check');
    await button('Next').click();
    expect((await checked).postDataJSON()).toEqual({ username: '+14155550123' });
    await field('Password').fill(PASSWORD);
    const answered = page.waitForResponse('**/api/v3/mobile-login');
    await button('Log in').click();
    await answered;
    const signedInAt = Date.now();
    await page.waitForURL('**/wallet');
    expect(Date.now() - signedInAt).toBeGreaterThan(1_300);
  });
});

describe('a forgotten password', () => {
  const email = 'forgetful@example.test';
  beforeAll(() => register(stage, email));

  it('is replaced by way of a mailed code (A-signin-11, A-signin-12, A-signin-25..27, A-signin-38, A-signin-39)', async () => {
    await identify(email);
    await button('Forgot password?').click();
    const code = page.getByRole('dialog', { name: 'Verify Email' });
    await code.getByLabel('Verification code').fill('000000');
    await code.getByRole('button', { name: 'Next' }).click();
    await code.getByText('Code do not Match', { exact: true }).waitFor();
    await code.getByLabel('Verification code').fill(await stage.mails.code(email));
    await code.getByRole('button', { name: 'Next' }).click();
    const fresh = page.getByRole('dialog', { name: 'New Password' });
    await fresh.getByLabel('New password', { exact: true }).fill('quite another one');
    await fresh.getByRole('button', { name: 'Change password' }).click();
    await notice('Success').getByText('Password successfully changed').waitFor();
    await fresh.waitFor({ state: 'hidden' });
    // The first of the two dialogs was opened by it; the second took the first one's place.
    await expect.poll(() => hasFocus(button('Forgot password?'))).toBe(true);
    await field('Password').fill('quite another one');
    await button('Log in').click();
    await page.waitForURL('**/wallet');
  });
});

it('replaces a forgotten password with a second factor, and says where to turn without one', async () => {
  const email = 'forgetful-with-app@example.test';
  const [recoveryCode = ''] = await registerWithApp(email);
  await identify(email);
  await button('Forgot password?').click();
  const code = page.getByRole('dialog', { name: 'Verify Email' });
  await code.getByLabel('Verification code').fill(await stage.mails.code(email));
  await code.getByRole('button', { name: 'Next' }).click();
  const fresh = page.getByRole('dialog', { name: 'New Password' });
  await fresh.getByLabel('New password', { exact: true }).fill('quite another one');
  const lost = fresh.getByRole('button', { name: 'Lost both? Contact customer service' });
  expect(await lost.count()).toBe(0);
  await fresh.getByRole('button', { name: 'Change password' }).click();
  await lost.waitFor();
  await expectAccessible(page);
  expect(await hasFocus(fresh.getByLabel('Authenticator code'))).toBe(true);
  await fresh.getByLabel('Authenticator code').fill(recoveryCode);
  await fresh.getByRole('button', { name: 'Change password' }).click();
  await notice('Success').getByText('Password successfully changed').waitFor();
});

describe('sign-up', () => {
  it('begins, in white, with e-mail and agreement (A-signup-01, A-signup-03..05, A-signup-14, A-signup-22, A-signup-29)', async () => {
    await open('/signup');
    await emailField().waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light');
    expect(await groundOf()).toBe('rgb(255, 255, 255)');
    expect(await button('Next').isDisabled()).toBe(true);
    await emailField().fill('new@example.test');
    await button('Next').click();
    await page.getByText('Please agree to continue').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL('**/signin');
  });

  it('says twice that an address is taken (A-signup-31, A-signup-32)', async () => {
    await register(stage, 'taken@example.test');
    await open('/signup');
    await emailField().fill('taken@example.test');
    await page.getByRole('checkbox').first().check();
    await button('Next').click();
    await notice('Error!').getByText('Email already exist').waitFor();
    expect(await page.locator('form').getByText('Email already exist', { exact: true }).isVisible()).toBe(true);
  });

  it('says Email not found when no code could be sent (A-signup-30)', async () => {
    await open('/signup');
    await page.route('**/api/v2/send-code', (route) => route.fulfill({ status: 422, json: {} }));
    await emailField().fill('unreachable@example.test');
    await page.getByRole('checkbox').first().check();
    await button('Next').click();
    await notice('Error!').getByText('Email not found').waitFor();
  });

  it('goes through its three steps, and into the wallet (A-signup-02, A-signup-06..13, A-signup-17..21, A-signup-28)', async () => {
    const email = 'three-steps@example.test';
    await open('/signup/FRIEND01');
    await page.getByText('FRIEND01').waitFor();
    await emailField().fill(email);
    await page.getByRole('checkbox').first().check();
    await button('Next').click();
    await field('Verification code').waitFor();
    await button('Next').click();
    await page.getByText('This field is required', { exact: true }).waitFor();
    const code = await stage.mails.code(email);
    await field('Verification code').fill(code === '000000' ? '111111' : '000000');
    // It is said where it was typed, before anything else is asked for, and the right one leads on by itself.
    await page.getByText('Verification code does not match', { exact: true }).waitFor();
    expect(await field('Verification code').isVisible()).toBe(true);
    expect(await page.getByText('Verification code does not match').count()).toBe(1);
    await expectAccessible(page);
    await field('Verification code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await field('Phone number').waitFor();
    // Who writes without a mouse goes on where the step begins.
    await expect.poll(() => hasFocus(field('Phone number'))).toBe(true);
    // The countries are loaded with the step.
    await expect.poll(() => page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('+1 United States');
    expect(await field('Phone number').getAttribute('maxlength')).toBe('14');
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: /^Germany \+49$/ }).click();
    expect(await page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('+49 Germany');
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: /^United States \+1$/ }).click();
    await field('Phone number').fill('415 555 0177');
    await field('Password').fill(PASSWORD);
    await field('Transaction password').fill(TRANSACTION_PASSWORD);
    await expectAccessible(page);
    const sent = page.waitForRequest('**/api/v2/register');
    await button('Create account').click();
    expect((await sent).postDataJSON()).toMatchObject({ mobile_number: '+14155550177', referral: 'FRIEND01' });
    await page.waitForURL('**/wallet');
    expect((await stored()).token).toBeTruthy();
  });

  it('wants nine characters, and not the password twice (A-signup-27)', async () => {
    await open('/signup');
    await emailField().fill('short@example.test');
    await page.getByRole('checkbox').first().check();
    await button('Next').click();
    await field('Verification code').fill(await stage.mails.code('short@example.test'));
    await field('Password').fill('12345678');
    await field('Transaction password').fill('12345');
    await button('Create account').click();
    await page.getByText('Password must be at least 9 characters', { exact: true }).waitFor();
    await page.getByText('Transaction password must be at least 6 characters', { exact: true }).waitFor();
  });

  it.each([
    ['[A-signup-34]', { message: 'USER_ALREADY_EXIST' }, 200, 'User already exist'],
    ['[A-signup-35]', {}, 500, 'Signup Failed'],
    // It was right when it was typed, and ten minutes are over.
    ['[A-signup-33]', { message: 'CODE_DOES_NOT_MATCH' }, 200, 'Verification code does not match'],
  ] as const)('%s says why the server would not: %o', async (id, json, status, text) => {
    await page.route('**/api/v2/register', (route) => route.fulfill({ status, json }));
    await open('/signup');
    const email = `refused-${id.slice(-3, -1)}@example.test`;
    await emailField().fill(email);
    await page.getByRole('checkbox').first().check();
    await button('Next').click();
    await field('Verification code').fill(await stage.mails.code(email));
    await field('Password').fill(PASSWORD);
    await field('Transaction password').fill(TRANSACTION_PASSWORD);
    await button('Create account').click();
    await page.getByText(text, { exact: true }).first().waitFor();
    expect(await page.getByText(text, { exact: true }).count()).toBe(1);
  });

  it('goes on with the address that a failed third-party sign-in left (A-signup-15, A-signup-16)', async () => {
    const kept = `kept-${Date.now()}@example.test`;
    // The script is there as long as its device.
    page = await stage.open();
    await page.addInitScript((email) => {
      sessionStorage.setItem('register', 'true');
      sessionStorage.setItem('email', email);
    }, kept);
    const sent = page.waitForRequest('**/api/v2/send-code');
    await open('/signup');
    expect((await sent).postDataJSON()).toEqual({ email: kept });
    await field('Verification code').waitFor();
    await page.getByText(kept).first().waitFor();
    // Who comes back within the minute has a code already, and is asked for it once more.
    const again = page.waitForResponse('**/api/v2/send-code');
    await page.reload();
    expect((await again).status()).toBe(429);
    await field('Verification code').fill(await stage.mails.code(kept));
    await field('Phone number').waitFor();
    await page.context().close();
  });
});

describe('those who are kept out', () => {
  const email = 'frozen@example.test';

  it('a frozen account is told why and until when, and where to write (A-signin-23)', async () => {
    await register(stage, email);
    await actOn(stage, email, 'freeze', {
      reason: 'A payment is being looked into',
      until: Date.now() + 3_600_000,
    });
    await identify(email);
    await field('Password').fill(PASSWORD);
    await button('Log in').click();
    const dialog = page.getByRole('dialog', { name: 'Freezed Account!' });
    await dialog
      .getByText('Your account has been freezed. Please contact customer service for more details.')
      .waitFor();
    await dialog.getByText('A payment is being looked into').waitFor();
    expect((await stored())?.token).toBeFalsy();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Contact customer service' }).click();
    await page.getByRole('dialog', { name: 'Live chat' }).waitFor();
  });

  it('nobody comes in during maintenance (A-signin-24)', async () => {
    const operator = await operatorOf(stage);
    const set = (on: boolean) =>
      operator.call('POST', '/api/v3/admin/maintenance', { on, reason: 'A new release', until: null });
    await register(stage, 'patient@example.test');
    await identify('patient@example.test');
    await set(true);
    await field('Password').fill(PASSWORD);
    await button('Log in').click();
    await page.getByRole('dialog', { name: 'Scheduled Maintenance Notice' }).getByText('A new release').waitFor();
    await set(false);
  });
});
