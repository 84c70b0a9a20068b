/** What a session's end, a used code and an operator's sign-in look like. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { totpAt } from './authenticator.ts';
import { complaintsOf } from './browser.ts';
import { enterAs, enterMailedCode, newPerson, PASSWORD, TRANSACTION_PASSWORD } from './people.ts';
import { OPERATOR, type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});
afterAll(() => stage?.close());

it('says on the terminal that the session has ended, and leads back to what was typed', async () => {
  const { page, call, email } = await newPerson(stage, 'ended');
  await page.goto('/trades/spot/BTC');
  await page.getByRole('region', { name: 'Bids' }).getByRole('button').first().waitFor();
  const amount = page.getByRole('form', { name: 'Buy BTC' }).getByLabel('Amount in BTC');
  await amount.fill('0.0123');
  await call('POST', '/api/v3/logout');
  const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended. Log in again.' });
  await notice.waitFor();
  expect(await amount.inputValue()).toBe('0.0123');
  await notice.getByRole('link', { name: 'Log in' }).click();
  await page.waitForURL('**/signin?return=%2Ftrades%2Fspot%2FBTC');
  await enterAs(page, { username: email, password: PASSWORD });
  await page.waitForURL('**/trades/spot/BTC');
  await expect.poll(() => amount.inputValue()).toBe('0.0123');
  expect(await notice.count()).toBe(0);
  await page.context().close();
});

it('leads back to a message that was begun, which a logout forgets', async () => {
  const { page, call, email } = await newPerson(stage, 'begun');
  const message = page.getByLabel('Message', { exact: true });
  await page.goto('/contactus');
  await message.fill('Half a message');
  await call('POST', '/api/v3/logout');
  await page.getByRole('alert').getByRole('link', { name: 'Log in' }).click();
  await page.waitForURL('**/signin?return=%2Fcontactus');
  await enterAs(page, { username: email, password: PASSWORD });
  await page.waitForURL('**/contactus');
  await expect.poll(() => message.inputValue()).toBe('Half a message');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/signin');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('cambist.drafts'))).not.toContain('Half');
  await page.context().close();
});

it.each(['before a form is sent', 'while it is confirmed'])(
  'says once that the session has ended %s, and leaves no dialog over the sign-in',
  async (when) => {
    const { page, call, email } = await newPerson(stage, `ended-${when.replaceAll(' ', '-')}`);
    // Nothing comes by the stream: the first that the page hears of the end is a refusal.
    await page.routeWebSocket('**/ws/v5/private', () => undefined);
    await page.goto('/account/security/app_authorization');
    await page.getByRole('button', { name: 'Create an API key' }).waitFor();
    // Nor by what is asked in the place of a stream that is silent.
    await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const make = page.getByRole('dialog', { name: 'Create an API key' });
    await make.getByLabel('Name').fill('My robot');
    const asked = page.getByRole('dialog', { name: "Verify it's you" });
    if (when === 'before a form is sent') {
      await call('POST', '/api/v3/logout');
      await make.getByRole('button', { name: 'Create key' }).click();
    } else {
      await make.getByRole('button', { name: 'Create key' }).click();
      await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
      await call('POST', '/api/v3/logout');
      await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    }
    await page.waitForURL('**/signin?return=%2Faccount%2Fsecurity%2Fapp_authorization');
    await page.unroute('**/api/**');
    await asked.waitFor({ state: 'hidden' });
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
    // What is said of the form comes with its answer, and stays for seconds.
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual(['Your session has ended. Log in again.']);
    await page.context().close();
  },
);

it('says that a code was used already, and not that it is wrong', async () => {
  const { page, call, mailedCode } = await newPerson(stage, 'twice');
  await call('POST', '/api/v3/step-up', { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD });
  const { secret } = await call<{ secret: string }>('POST', '/api/v3/totp/enrolment');
  const code = totpAt(secret, Date.now());
  await call('POST', '/api/v3/totp', { code });
  await page.goto('/account/security');
  await page.getByRole('switch', { name: 'One-step withdrawal (optional)' }).locator('..').click();
  const asked = page.getByRole('dialog', { name: "Verify it's you" });
  await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await enterMailedCode(asked, mailedCode);
  await asked.getByLabel('Authenticator code').fill(code);
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await asked.getByText('This code has just been used. Wait for the next one.').waitFor();
  await page.context().close();
});

it('an operator lands on the console, which the bar leads to instead of a wallet', async () => {
  const page = await stage.open();
  const complaints = complaintsOf(page);
  await page.goto('/signin');
  await enterAs(page, OPERATOR);
  await page.waitForURL('**/admin/clients');
  const bar = page.getByRole('banner');
  expect(await bar.getByRole('link', { name: 'Console' }).getAttribute('href')).toBe('/admin');
  expect(await bar.getByRole('link', { name: 'Wallet' }).count()).toBe(0);
  // No wallet is asked for that an operator does not have.
  expect(complaints).toEqual([]);
  expect(await bar.getByRole('button', { name: 'Deposit', exact: true }).count()).toBe(0);
  await page.context().close();
});
