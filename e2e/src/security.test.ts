/** The security centre as its owner meets it: passwords, connections, anti-phishing, withdrawals. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { go, walk } from './browser.ts';
import { enterMailedCode, newPerson, PASSWORD, type Person, TRANSACTION_PASSWORD } from './people.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
let person: Person;
let people = 0;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

/** Somebody new on the shared page, where nothing is open yet. */
async function begin(): Promise<void> {
  people += 1;
  person = await newPerson(stage, `sam${people}`, 'reuse');
}

const region = (name: string) => person.page.getByRole('region', { name, exact: true });
const dialog = (name: string) => person.page.getByRole('dialog', { name, exact: true });
const button = (name: string) => person.page.getByRole('button', { name, exact: true });
const notice = (text: string) => person.page.getByRole('alert').filter({ hasText: text });
const link = (name: string) => region('Logging in').getByRole('link', { name, exact: true });
/** A row of a section by its name. */
const row = (within: string, name: string) =>
  region(within)
    .locator('div')
    .filter({ has: person.page.getByRole('heading', { name, exact: true }) })
    .last()
    .locator('..');

const CHILDREN = [
  ['[A-security-02] [A-security-08] [A-security-23]', 'Login password', 'change_password', 'Change password'],
  [
    '[A-security-03] [A-security-09] [A-security-24]',
    'Transaction password',
    'change_transaction_password',
    'Change transaction password',
  ],
  ['[A-security-04] [A-security-10]', 'Account connections', 'account_connections', 'Account connections'],
  ['[A-security-05] [A-security-11]', 'Anti-phishing code', 'anti_phishing', 'Anti-phishing code'],
  ['[A-security-06] [A-security-12]', 'App authorization', 'app_authorization', 'App authorization'],
] as const;

describe('the centre', () => {
  it('is for who is signed in alone, by either address (A-security-01, A-security-07, A-security-49, A-account-state-49)', async () => {
    const visitor = await stage.reuse();
    await visitor.goto('/account/security');
    await visitor.waitForURL('**/signin?return=%2Faccount%2Fsecurity');
    await begin();
    await person.page.goto('/security');
    await person.page.waitForURL('**/account/security');
    await person.page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
    // Password, transaction password and e-mail, ten points each; the rest is missing.
    await region('Security score').getByText('30 / 100').waitFor();
    await region('Security score').getByText('25 points to gain').waitFor();
  });
});

describe('what the centre leads to', () => {
  beforeAll(begin);
  beforeEach(() => walk(person.page, '/account/security'));

  it.each(CHILDREN)(
    '%s %s leads to its screen, which has a way back and a second address',
    async (_ids, name, path, title) => {
      await link(name).click();
      await person.page.waitForURL(`**/${path}`);
      await person.page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await person.page.getByRole('link', { name: 'Back to security' }).click();
      await person.page.waitForURL('**/account/security');
      for (const parent of ['/account', '/account/security']) {
        await go(person.page, '/account/security');
        await link(name).waitFor();
        await go(person.page, `${parent}/${path}`);
        await person.page.getByRole('heading', { name: title, level: 1 }).waitFor();
      }
    },
  );

  it('opens both passwords over the whole screen as well (A-security-16)', async () => {
    for (const name of ['Change password', 'Change transaction password']) {
      await button(name).click();
      const box = await dialog(name).boundingBox();
      expect(box).toMatchObject({ x: 0, y: 0, width: 1280, height: 900 });
      await dialog(name).getByRole('button', { name: 'Close' }).click();
      await dialog(name).waitFor({ state: 'hidden' });
    }
  });
});

describe('withdrawals', () => {
  beforeEach(async () => {
    await begin();
    await person.page.goto('/account/security');
  });

  it('has a limit to enable: 500, 1000 or 1500, first 500; and says so for 3 s (A-security-13, A-security-14, A-security-47, A-security-48, A-security-53)', async () => {
    await row('Withdrawals', 'Crypto withdrawal limit').getByRole('button', { name: 'Enable' }).click();
    const limit = dialog('Enable crypto withdrawal limit');
    await limit.waitFor();
    const choices = limit.getByRole('radio');
    expect(await choices.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual([
      '500',
      '1000',
      '1500',
    ]);
    expect(await limit.getByRole('radio', { name: '500 USDT', exact: true }).isChecked()).toBe(true);
    await limit.getByRole('radio', { name: '1000 USDT' }).check();
    await limit.getByRole('button', { name: 'Enable' }).click();
    const toast = notice('You can withdraw up to 1000 USDT in 24 hours.');
    await toast.waitFor();
    const shownAt = Date.now();
    await toast.waitFor({ state: 'hidden' });
    // On a busy machine it is seen a while after it came.
    expect(Date.now() - shownAt).toBeGreaterThan(2_000);
    expect(Date.now() - shownAt).toBeLessThan(4_000);
    await row('Withdrawals', 'Crypto withdrawal limit').getByText('1000 USDT in 24 hours').waitFor();
  });

  it('lets one-step withdrawal, up to 10000 USDT per 24 h, on after the transaction password and the mailed code (A-security-18, A-security-21)', async () => {
    await region('Withdrawals').getByText('One-step withdrawal (optional)').waitFor();
    await region('Withdrawals').getByText('Up to 10,000 USDT per 24h without an email code').waitFor();
    const toggle = person.page.getByRole('switch', { name: 'One-step withdrawal (optional)' });
    await toggle.locator('..').click();
    const asked = dialog("Verify it's you");
    await asked.getByLabel('Transaction password', { exact: true }).fill('not this one');
    await asked.getByLabel('Email code').fill('000000');
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    await asked.getByText('Wrong transaction password').waitFor();
    await asked.getByRole('button', { name: 'Close' }).click();
    await asked.waitFor({ state: 'hidden' });
    expect(await toggle.isChecked()).toBe(false);
    await toggle.locator('..').click();
    await enterMailedCode(asked, person.mailedCode);
    await person.confirm();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    expect(await person.call('GET', '/api/v3/security')).toMatchObject({ one_step: { enabled: true } });
  });

  it('keeps withdrawals to the listed addresses where that is wanted (A-security-19, A-security-22)', async () => {
    const toggle = person.page.getByRole('switch', { name: 'Whitelist-only withdrawal (optional)' });
    await toggle.locator('..').click();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    expect(await person.call('GET', '/api/v3/security')).toMatchObject({ whitelist_only: true });
  });

  it('has a list of addresses, each good after 24 h, and says that withdrawals are held as long (A-security-15)', async () => {
    await row('Withdrawals', 'Withdrawal addresses').getByRole('button', { name: 'Manage' }).click();
    const list = dialog('Withdrawal addresses');
    await list.getByText('No addresses yet.').waitFor();
    await list.getByLabel('Name').fill('My own wallet');
    await list.getByLabel('Address', { exact: true }).fill('short');
    await list.getByRole('button', { name: 'Add address' }).click();
    await list.getByText('Not a valid address').waitFor();
    // Only what can be withdrawn, and by which networks.
    await list.getByLabel('Coin').selectOption('BTC');
    expect(await list.getByLabel('Network').locator('option').allInnerTexts()).toEqual(['Bitcoin']);
    await list.getByLabel('Coin').selectOption('USDT');
    await list.getByLabel('Network').selectOption('ERC20');
    await list.getByLabel('Address', { exact: true }).fill('TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC');
    await list.getByRole('button', { name: 'Add address' }).click();
    await person.confirm();
    await list.getByText(/^(The withdrawal address format is wrong|This address does not match)/).waitFor();
    await list.getByText('No addresses yet.').waitFor();
    await list.getByLabel('Network').selectOption('TRC20');
    await list.getByRole('button', { name: 'Add address' }).click();
    // It is another act.
    await person.confirm();
    await list.getByText('TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC').waitFor();
    await list.getByText(/^Active from/).waitFor();
    const { addresses } = await person.call<{ addresses: { created_at: number; active_at: number }[] }>(
      'GET',
      '/api/v3/whitelist',
    );
    expect((addresses[0]?.active_at ?? 0) - (addresses[0]?.created_at ?? 0)).toBe(86_400_000);
    await list.getByRole('button', { name: 'Close' }).click();
    await person.page.getByText(/Withdrawals are paused until/).waitFor();
  });
});

describe('a change of password', () => {
  const forms = [
    {
      ids: '[A-security-40] [A-security-42] [A-security-44]',
      path: 'change_password',
      old: 'Old password',
      next: 'New password',
    },
    {
      ids: '[A-security-41] [A-security-43] [A-security-45]',
      path: 'change_transaction_password',
      old: 'Old transaction password',
      next: 'New transaction password',
    },
  ];
  const field = (label: string) => person.page.getByLabel(label, { exact: true });
  const fill = async (old: string, oldText: string, next: string, nextText: string) => {
    await field(old).fill(oldText);
    await field(next).fill(nextText);
    await field('Confirm the new password').fill(nextText);
    await button('Send code').click();
  };
  const answerCode = async (code?: string) => {
    await field('Verification code').waitFor();
    await field('Verification code').fill(code ?? (await person.mailedCode()));
    await button('Confirm').click();
  };

  describe('without a code', () => {
    beforeAll(begin);

    it.each(forms)('$ids $path checks its fields before anything is sent', async ({ path, next }) => {
      await walk(person.page, `/account/${path}`);
      const sent: string[] = [];
      person.page.on('request', (request) => sent.push(new URL(request.url()).pathname));
      await field(next).fill('12345');
      await field('Confirm the new password').fill('123456');
      await button('Send code').click();
      await person.page.getByText('Field is required', { exact: true }).waitFor();
      await person.page.getByText('Password must be at least 6 characters', { exact: true }).waitFor();
      await person.page.getByText('Password does not match', { exact: true }).waitFor();
      expect(sent).not.toContain('/api/v2/get-code-for-password');
    });
  });

  it('requests a code, asks for it, and only then sends the change; a wrong old password is said at its field (A-security-37..39, A-security-50)', async () => {
    await begin();
    await person.page.goto('/account/change_password');
    const sent: string[] = [];
    person.page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await fill('Old password', 'not the old one', 'New password', 'something else 1');
    await dialog('Change password').getByText(`We sent a six-digit code to ${person.email}.`).waitFor();
    expect(sent).toContain('/api/v2/get-code-for-password');
    expect(sent).not.toContain('/api/v2/update-password');
    await answerCode('000000');
    await dialog('Change password').getByText('Code do not Match', { exact: true }).waitFor();
    await answerCode();
    await person.page.getByText('Old password dont match', { exact: true }).waitFor();
    expect(sent).toContain('/api/v2/update-password');
  });

  it('refuses a password that was used lately, and takes a new one (A-security-51)', async () => {
    await begin();
    await person.page.goto('/account/change_password');
    await fill('Old password', PASSWORD, 'New password', PASSWORD);
    await answerCode();
    await person.page.getByText('Recently used password. Please make another.', { exact: true }).waitFor();
    await fill('Old password', PASSWORD, 'New password', 'one that nobody knows');
    await answerCode();
    await notice('Password successfully changed').waitFor();
    await person.page.waitForURL('**/account/security');
    await stage.signIn({ username: person.email, password: 'one that nobody knows' });
  });

  it('says Invalid Old Password of the transaction password, and changes it (A-security-52)', async () => {
    const old = 'Old transaction password';
    const next = 'New transaction password';
    await begin();
    await person.page.goto('/account/change_transaction_password');
    await fill(old, 'not the old one', next, 'second order');
    await answerCode();
    await person.page.getByText('Invalid Old Password', { exact: true }).waitFor();
    await fill(old, TRANSACTION_PASSWORD, next, 'second order');
    await answerCode();
    await notice('Transaction password successfully changed').waitFor();
  });
});

describe('anti-phishing', () => {
  it('takes 4 to 20 characters, then the mailed code, and every mail carries them (A-security-30, A-security-31, A-security-46)', async () => {
    await begin();
    await person.page.goto('/account/security/anti_phishing');
    await button('Create code').click();
    const create = dialog('Create code');
    for (const wrong of ['abc', 'with space', 'a'.repeat(21), 'semi;colon']) {
      await create.getByLabel('Anti-phishing code').fill(wrong);
      await create.getByRole('button', { name: 'Send code' }).click();
      await create.getByText('Please enter 4-20 characters, excluding special symbols', { exact: true }).waitFor();
    }
    const words = 'Bluebird7'.padEnd(20, 'x');
    await create.getByLabel('Anti-phishing code').fill(words);
    await create.getByRole('button', { name: 'Send code' }).click();
    const code = dialog('Anti-phishing code');
    await code.waitFor();
    await code.getByLabel('Verification code').fill(await person.mailedCode());
    await code.getByRole('button', { name: 'Confirm' }).click();
    await person.page.getByRole('heading', { name: words, exact: true }).waitFor();
    await person.call('POST', '/api/v2/get-code-for-password', {});
    expect(stage.mails.newest(person.email)).toContain(words);
  });
});

describe('account connections', () => {
  it('lists Google, Apple and the mobile number, which a code verifies (A-security-26..29, A-security-33..36)', async () => {
    await begin();
    await person.page.goto('/account/security/account_connections');
    await row('Connected accounts', 'Apple').getByText('Not available here').waitFor();
    const mobile = row('Connected accounts', 'Mobile number');
    await mobile.getByText('Unverified', { exact: true }).waitFor();
    expect(await person.call('GET', '/api/v3/bind-accounts')).toMatchObject({
      gmail: { email: '' },
      apple: { status: 'Not available' },
      mobile: { status: 'Unverified', email: person.email },
    });
    await mobile.getByRole('button', { name: 'Add number' }).click();
    const add = dialog('Add number');
    await add.getByLabel('Phone number').fill('415 555');
    await add.getByRole('button', { name: 'Send code' }).click();
    await add.getByText('Phone number must have at least 10 characters', { exact: true }).waitFor();
    await add.getByLabel('Phone number').fill('415 555 2671');
    await add.getByRole('button', { name: 'Send code' }).click();
    const code = dialog('Verify your number');
    await code.getByText('We sent a six-digit code to +14155552671.').waitFor();
    const { messages } = await stage.call<{ messages: { text: string }[] }>('GET', '/api/dev/sms-outbox');
    await code.getByLabel('Verification code').fill(/\d{6}/.exec(messages[0]?.text ?? '')?.[0] ?? '');
    await code.getByRole('button', { name: 'Confirm' }).click();
    await mobile.getByText('Verified', { exact: true }).waitFor();
    await mobile.getByText('+14155552671').waitFor();
  });

  it('connects Google by its own sign-in, shows its email, and lets it go again (A-security-25)', async () => {
    await begin();
    const { page } = person;
    await page.goto('/account/security/account_connections');
    const google = page
      .locator('div')
      .filter({ has: page.getByRole('heading', { name: 'Google', exact: true }) })
      .last()
      .locator('..');
    await google.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.waitForURL(/\/interaction\//);
    await page.locator('input[name=login]').fill('gil.elsewhere');
    await page.locator('input[name=password]').fill('anything');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
    await person.confirm();
    await page.waitForURL('**/account/security/account_connections');
    await google.getByText('Connected', { exact: true }).waitFor();
    await google.getByText('gil.elsewhere@example.test').waitFor();
    await google.getByRole('button', { name: 'Disconnect' }).click();
    await person.confirm();
    await google.getByText('Not connected', { exact: true }).waitFor();
  });
});
