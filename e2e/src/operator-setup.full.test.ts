/** The link that the operator command prints: what it shows in each of its states, and where it leads. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { PHONE, type Stage, setStage } from './stage.ts';

const EMAIL = 'chief@example.test';
const PASSWORD = 'of-the-chief-alone';
const command = join(import.meta.dirname, '../../server/src/operator.ts');

const directory = mkdtempSync(join(tmpdir(), 'cambist-operator-'));
let path = '';
let stage: Stage;
let page: Page;

beforeAll(async () => {
  const env = { ...process.env, DATA_DIR: directory };
  const { stdout } = spawnSync(process.execPath, [command, 'add', EMAIL], { env, encoding: 'utf8' });
  path = /\/operator-setup#[\w-]{43}/.exec(stdout)?.[0] ?? '';
  stage = await setStage({ DATA_DIR: directory });
});
afterAll(async () => {
  await stage?.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await stage.open();
});
afterEach(() => page.context().close());

const field = (label: string) => page.getByLabel(label, { exact: true });
const heading = (name: string) => page.getByRole('heading', { name });
const save = () => page.getByRole('button', { name: 'Set passwords' }).click();

it('says so where there is no link, or one that is not valid', async () => {
  for (const wrong of ['/operator-setup', `/operator-setup#${'A'.repeat(43)}`]) {
    await page.goto(wrong);
    await page.reload();
    await heading('This link is not valid').waitFor();
  }
  await expectAccessible(page);
});

it('shows what is wrong, and can be tried again, while the server is away', async () => {
  await page.route('**/api/v3/operator-link/read', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto(path);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute('**/api/v3/operator-link/read');
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading('Set your passwords').waitFor();
});

it('sets both passwords once, on a phone too, and leads to sign-in and the security centre', async () => {
  const complaints = complaintsOf(page);
  await page.setViewportSize(PHONE);
  await page.goto(path);
  await heading('Set your passwords').waitFor();
  await page.getByText(EMAIL).waitFor();
  await expectAccessible(page);
  await field('Password').fill('short');
  await field('Transaction password').fill('short');
  await save();
  await page.getByText('Password must be at least 9 characters').waitFor();
  await field('Password').fill(PASSWORD);
  await field('Transaction password').fill(PASSWORD);
  await save();
  await page.getByText('The transaction password may not equal the password').waitFor();
  await field('Transaction password').fill('chief-orders');
  await save();
  await heading('Your passwords are set').waitFor();
  await expectAccessible(page);
  expect(new URL(page.url()).hash).toBe('');
  expect(complaints).toEqual([]);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.waitForURL('**/signin?return=*');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(EMAIL);
  await page.getByRole('button', { name: 'Next' }).click();
  await field('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL('**/account/security');
  await page.goto(path);
  await page.reload();
  await heading('This link is not valid').waitFor();
});
