/** Second factors, devices, keys and one's own data: what the security centre does beyond passwords. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { STEP_MS, totpAt } from './authenticator.ts';
import { enterMailedCode, newPerson, PASSWORD, type Person, personAgain, TRANSACTION_PASSWORD } from './people.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
let person: Person;
let people = 0;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

beforeEach(async () => {
  people += 1;
  person = await newPerson(stage, `kim${people}`);
});

afterEach(() => person.page.context().close());

const button = (name: string) => person.page.getByRole('button', { name, exact: true });
const dialog = (name: string) => person.page.getByRole('dialog', { name, exact: true });
const region = (name: string) => person.page.getByRole('region', { name, exact: true });

async function signInAgain(secondFactor?: string): Promise<{ status: number; code?: string }> {
  const answer = await fetch(`${stage.url}/api/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: person.email, password: PASSWORD, second_factor: secondFactor }),
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, ...(code ? { code } : {}) };
}

it('connects an authenticator app, shows ten recovery codes once, and asks for it from then on (A-security-17, A-security-20)', async () => {
  await person.page.goto('/account/security');
  await person.page.getByRole('heading', { name: 'Two-factor authentication (optional)' }).waitFor();
  await button('Connect an app').click();
  await person.confirm();
  const connect = dialog('Connect an authenticator app');
  await connect.getByRole('img', { name: 'Authenticator code' }).waitFor();
  const secret = (await connect.getByText(/^[A-Z2-7]{16,}$/).innerText()).trim();
  await connect.getByLabel('Authenticator code').fill(totpAt(secret, Date.now() + 10 * STEP_MS));
  await connect.getByRole('button', { name: 'Connect', exact: true }).click();
  await person.confirm();
  await connect.getByText('Code do not Match').waitFor();
  await connect.getByLabel('Authenticator code').fill(totpAt(secret, Date.now()).replace(/^.../, '$& '));
  await connect.getByRole('button', { name: 'Connect', exact: true }).click();
  await person.confirm();
  const codes = dialog('Recovery codes');
  await codes.waitFor();
  const list = await codes.getByRole('listitem').allInnerTexts();
  expect(new Set(list).size).toBe(10);
  // They are shown once: what leaves other dialogs by accident does not lose them.
  await person.page.keyboard.press('Escape');
  const saved = person.page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Download', exact: true }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('cambist-recovery-codes.txt');
  expect(await readFile(await file.path(), 'utf8')).toBe(`${list.join('\n')}\n`);
  await person.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await codes.getByRole('button', { name: 'Copy codes' }).click();
  await codes.getByRole('status').filter({ hasText: 'Copied!' }).waitFor();
  expect(await person.page.evaluate(() => navigator.clipboard.readText())).toBe(list.join('\n'));
  await codes.getByRole('button', { name: "I've saved my codes" }).click();
  await region('Two-factor authentication (optional)').getByText('Recovery codes left: 10').waitFor();
  await person.page.getByText(/Withdrawals are paused until/).waitFor();
  expect(await signInAgain()).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
  expect(await signInAgain(list[0])).toEqual({ status: 200 });

  // Sensitive acts want the code beside the transaction password now.
  await person.page.getByRole('switch', { name: 'One-step withdrawal (optional)' }).locator('..').click();
  const asked = dialog("Verify it's you");
  await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await enterMailedCode(asked, person.mailedCode);
  // A recovery code has letters, which a keypad of digits alone does not.
  expect(await asked.getByLabel('Authenticator code').getAttribute('inputmode')).not.toBe('numeric');
  await asked.getByLabel('Authenticator code').fill('000000');
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await asked.getByText('This code does not match').waitFor();
  await asked.getByLabel('Authenticator code').fill(list[1] ?? '');
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await asked.waitFor({ state: 'hidden' });
  await expect
    .poll(() => person.page.getByRole('switch', { name: 'One-step withdrawal (optional)' }).isChecked())
    .toBe(true);
});

async function installAuthenticator(): Promise<void> {
  const session = await person.page.context().newCDPSession(person.page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

it('adds a passkey by the browser, which then confirms what is sensitive', async () => {
  await installAuthenticator();
  await person.page.goto('/account/security');
  await button('Add a passkey').click();
  const add = dialog('Add a passkey');
  await add.getByLabel('Name').fill('This laptop');
  await add.getByRole('button', { name: 'Continue' }).click();
  // Who leaves the confirmation is back at what they had typed.
  await dialog("Verify it's you").getByLabel('Transaction password', { exact: true }).waitFor();
  await person.page.keyboard.press('Escape');
  await dialog("Verify it's you").waitFor({ state: 'hidden' });
  expect(await add.getByLabel('Name').inputValue()).toBe('This laptop');
  await add.getByRole('button', { name: 'Continue' }).click();
  await person.confirm();
  const factors = region('Two-factor authentication (optional)');
  await factors.getByRole('heading', { name: 'This laptop' }).waitFor();
  await button('Rename This laptop').click();
  await dialog('Rename This laptop').getByLabel('Name').fill('My laptop');
  await dialog('Rename This laptop').getByRole('button', { name: 'Save' }).click();
  await factors.getByRole('heading', { name: 'My laptop' }).waitFor();
  await person.page.getByRole('switch', { name: 'One-step withdrawal (optional)' }).locator('..').click();
  const asked = dialog("Verify it's you");
  await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await enterMailedCode(asked, person.mailedCode);
  await asked.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await asked.waitFor({ state: 'hidden' });
  await expect
    .poll(() => person.page.getByRole('switch', { name: 'One-step withdrawal (optional)' }).isChecked())
    .toBe(true);
});

it('says that a device has a passkey already, and what its removal does before it is done', async () => {
  await installAuthenticator();
  await person.page.goto('/account/security');
  const add = dialog('Add a passkey');
  await button('Add a passkey').click();
  await add.getByLabel('Name').fill('This laptop');
  await add.getByRole('button', { name: 'Continue' }).click();
  await person.confirm();
  await add.waitFor({ state: 'hidden' });
  await button('Add a passkey').click();
  await add.getByLabel('Name').fill('This laptop again');
  await add.getByRole('button', { name: 'Continue' }).click();
  const asked = dialog("Verify it's you");
  await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await asked.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await person.page.getByText('This device already has a passkey for your account.').waitFor();
  await person.page.keyboard.press('Escape');
  await add.waitFor({ state: 'hidden' });
  // What its removal does is said before the confirmation is asked for.
  await button('Remove This laptop').click();
  const remove = dialog('Remove This laptop');
  await remove.getByText('Paused for 24 hours').waitFor();
  await remove.getByRole('button', { name: 'Cancel' }).click();
  await remove.waitFor({ state: 'hidden' });
  await person.page.getByRole('heading', { name: 'This laptop' }).waitFor();
  await button('Remove This laptop').click();
  // The name may be long, and the button of a phone is not.
  await remove.getByRole('button', { name: 'Remove', exact: true }).click();
  // Its removal is another act.
  await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await asked.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await person.page.getByText('Passkey removed.').waitFor();
  await person.page.getByRole('heading', { name: 'This laptop' }).waitFor({ state: 'detached' });
});

it('lists devices and sign-ins, and signs another device out at once', async () => {
  const other = await personAgain(stage, person.email);
  await other.page.goto('/account/security');
  await other.page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await person.page.goto('/account/security');
  const devices = region('Devices and sessions');
  await devices.getByText('This device').waitFor();
  await region('Login history').getByRole('row').filter({ hasText: 'Logged in' }).first().waitFor();
  // The other device is named with its button, which is called like that of any third.
  const named = devices.getByRole('group', { name: /Last used/ });
  await named.getByRole('button', { name: 'Log out', exact: true }).click();
  await other.page.waitForURL('**/signin**');
  await expect.poll(() => devices.getByRole('button', { name: 'Log out', exact: true }).count()).toBe(0);
  await other.page.context().close();
});

it('says that no apps or services have permission, until a key is made, and again when it is revoked (A-security-32)', async () => {
  const nobody = person.page.getByText('No apps or services have permission to your account.', { exact: true });
  await person.page.goto('/account/security/app_authorization');
  await nobody.waitFor();
  await button('Create an API key').click();
  const make = dialog('Create an API key');
  await make.getByLabel('Name').fill('My robot');
  const addresses = make.getByLabel('Allowed addresses (optional)');
  await addresses.fill('elsewhere');
  await make.getByRole('button', { name: 'Create key' }).click();
  await make.getByText('Use addresses or networks, such as 203.0.113.0/24').waitFor();
  await addresses.press('Backspace');
  await addresses.pressSequentially('127.0.0.0/8,::1,');
  await make.getByRole('button', { name: 'Create key' }).click();
  await person.confirm();
  const key = await make.getByText(/^ck_/).innerText();
  // It is shown once.
  await person.page.keyboard.press('Escape');
  // Nothing behind the dialog can be pressed.
  expect(await make.evaluate((open) => open.contains(document.activeElement))).toBe(true);
  const askWith = (path: string) => fetch(stage.url + path, { headers: { authorization: `Bearer ${key}` } });
  expect((await askWith('/api/v3/wallets/spot')).status).toBe(200);
  expect((await askWith('/api/v3/security')).status).toBe(403);
  await make.getByRole('button', { name: "I've saved the key" }).click();
  await person.page.getByRole('heading', { name: /^My robot/ }).waitFor();
  await person.page.getByText(/Only from 127\.0\.0\.0\/8, ::1/).waitFor();
  await button('Revoke').click();
  await nobody.waitFor();
  expect((await askWith('/api/v3/wallets/spot')).status).toBe(401);
});

it('gathers all data of the person in a file, and deletes the account after 14 days unless they come back', async () => {
  await person.page.goto('/account/security');
  await button('Request an export').click();
  await person.confirm();
  await button('Download').waitFor({ timeout: 15_000 });
  const download = person.page.waitForEvent('download');
  await button('Download').click();
  expect((await download).suggestedFilename()).toMatch(/^cambist-export-\d+\.json$/);
  await button('Delete account').click();
  const remove = dialog('Delete account');
  await remove.getByText(/After 14 days your personal data is erased/).waitFor();
  expect(await remove.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true);
  await remove.getByLabel('Type DELETE').fill('DELETE');
  await remove.getByRole('button', { name: 'Delete account' }).click();
  await person.confirm();
  await person.page.waitForURL('**/signin**');
  // The page leaves as its session ends; a sign-in that meets the end of the others is refused.
  let again: Awaited<ReturnType<typeof personAgain>> | undefined;
  await expect
    .poll(async () => {
      again = await personAgain(stage, person.email).catch(() => undefined);
      return again;
    })
    .toBeDefined();
  const answer = await again?.call<{ client: object }>('GET', '/api/v3/account-client');
  expect(answer?.client).toMatchObject({ deletion_at: null });
});
