/** What was done although its answer was lost on the way: neither said to have failed for good, nor in the way of going on. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { totpAt } from './authenticator.ts';
import { newPerson, PASSWORD, register, TRANSACTION_PASSWORD } from './people.ts';
import { OPERATOR, type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/** The first call there is carried out and gets no answer. */
async function loseAnswer(page: Page, path: string): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

it('a sign-up that is tried again leads into the account that it made', async () => {
  const page = await stage.open();
  const email = 'signed-up@example.test';
  const create = page.getByRole('button', { name: 'Create account', exact: true });
  await loseAnswer(page, '**/api/v2/register');
  await page.goto('/signup');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Verification code', { exact: true }).fill(await stage.mails.code(email));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await create.click();
  await page.getByRole('alert').filter({ hasText: 'Signup Failed' }).waitFor();
  await create.click();
  await page.waitForURL('**/wallet');
  await page.context().close();
});

it('an authenticator app that was connected is not asked to be connected again', async () => {
  const { page, confirm } = await newPerson(stage, 'connected');
  // Nothing comes by the stream either.
  await page.routeWebSocket('**/ws/v5/private', () => undefined);
  await loseAnswer(page, '**/api/v3/totp');
  await page.goto('/account/security');
  const begun = page.waitForResponse((response) => response.url().endsWith('/totp/enrolment') && response.ok());
  await page.getByRole('button', { name: 'Connect an app' }).click();
  await confirm();
  const { secret } = (await (await begun).json()) as { secret: string };
  const dialog = page.getByRole('dialog', { name: 'Connect an authenticator app' });
  await dialog.getByLabel('Authenticator code', { exact: true }).last().fill(totpAt(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await page.context().close();
});

it("an operator's act is seen on the page at once", async () => {
  const email = 'frozen@example.test';
  await register(stage, email);
  const session = await stage.signIn(OPERATOR);
  const { clients } = await session.call<{ clients: { id: number }[] }>('GET', `/api/v3/admin/clients?search=${email}`);
  const page = await stage.open({ as: session });
  await loseAnswer(page, '**/api/v3/admin/clients/*/freeze');
  await page.goto(`/admin/clients/${clients[0]?.id}`);
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Freeze this account?' });
  await dialog.getByLabel('Reason').fill('An odd deposit');
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Action failed' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Unfreeze', exact: true }).waitFor();
  expect(await dialog.count()).toBe(0);
  await page.context().close();
});
