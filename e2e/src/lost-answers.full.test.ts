/** What was done although its answer was lost on the way: neither said to have failed for good, nor in the way of going on. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totpAt } from './authenticator.ts';
import { newPerson, operatorOf, PASSWORD, type Person, register, TRANSACTION_PASSWORD } from './people.ts';
import { DESK, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/** The first call there is carried out and gets no answer. A refusal that asks for a step-up arrives. */
async function loseAnswer(page: Page, path: string): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost) return route.continue();
    const answer = await route.fetch();
    if (answer.status() === 403) return route.fulfill({ response: answer });
    isLost = true;
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

describe('an authenticator app that was connected', () => {
  async function connect(name: string, path: string): Promise<Person & { readonly secret: string }> {
    const person = await newPerson(stage, name);
    const { page, confirm } = person;
    // Nothing comes by the stream either.
    await page.routeWebSocket('**/ws/v5/private', () => undefined);
    await loseAnswer(page, path);
    await page.goto('/account/security');
    const begun = page.waitForResponse((response) => response.url().endsWith('/totp/enrolment') && response.ok());
    await page.getByRole('button', { name: 'Connect an app' }).click();
    await confirm();
    const { secret } = (await (await begun).json()) as { secret: string };
    const dialog = page.getByRole('dialog', { name: 'Connect an authenticator app' });
    await dialog.getByLabel('Authenticator code', { exact: true }).last().fill(totpAt(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await confirm();
    return { ...person, secret };
  }
  const lost = (page: Page) => page.getByRole('dialog', { name: 'Your app is connected' });
  const shown = (page: Page) => page.getByRole('dialog', { name: 'Recovery codes' });
  /** Past the code that has connected it. */
  const nextCode = (secret: string) => totpAt(secret, Date.now() + 30_000);

  async function makeNew({ page, secret }: { readonly page: Page; readonly secret: string }): Promise<void> {
    await lost(page).getByRole('button', { name: 'New recovery codes' }).click();
    const asked = page.getByRole('dialog', { name: "Verify it's you" });
    await asked.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
    await asked.getByLabel('Authenticator code').fill(nextCode(secret));
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    await shown(page).getByRole('listitem').first().waitFor();
    await shown(page).getByRole('button', { name: "I've saved my codes" }).click();
    await page.getByText('Recovery codes left: 10').waitFor();
    await page.reload();
    await page.getByText('Recovery codes left: 10').waitFor();
    expect(await lost(page).count()).toBe(0);
  }

  it('is not asked to be connected again, and makes new recovery codes, also after a reload', async () => {
    const person = await connect('connected', '**/api/v3/totp');
    const { page } = person;
    await lost(page).waitFor();
    expect(await page.getByRole('dialog', { name: 'Connect an authenticator app' }).count()).toBe(0);
    await page.reload();
    await lost(page).waitFor();
    await page.getByText('The recovery codes did not arrive. Make new ones.').waitFor();
    await makeNew(person);
    await page.context().close();
  });

  it('makes new recovery codes where the page was loaded anew over those that were shown', async () => {
    const person = await connect('reloaded', '**/api/v3/nowhere');
    const { page } = person;
    await shown(page).getByRole('listitem').first().waitFor();
    const code = await shown(page).getByRole('listitem').first().innerText();
    await page.reload();
    await lost(page).waitFor();
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(code);
    await makeNew(person);
    await page.context().close();
  });
});

it("an operator's act is seen on the page at once", async () => {
  const email = 'frozen@example.test';
  await register(stage, email);
  const session = await operatorOf(stage);
  const { clients } = await session.call<{ clients: { id: number }[] }>('GET', `/api/v3/admin/clients?search=${email}`);
  const page = await stage.open({ as: session });
  await loseAnswer(page, '**/api/v3/admin/clients/*/freeze');
  await page.goto(`/admin/clients/${clients[0]?.id}`);
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Freeze this account?' });
  await dialog.getByLabel('Reason').fill('An odd deposit');
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Not confirmed' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Unfreeze', exact: true }).waitFor();
  expect(await dialog.count()).toBe(0);
  await page.context().close();
});

it('a cancellation is not said to have failed, and the order is gone', async () => {
  const trader = await stage.signIn(TRADER);
  const { chart } = await trader.call<{ chart: { close: string } }>(
    'GET',
    '/api/v3/coin-pair/current-price?symbol=BTC',
  );
  const price = String(Math.round(Number(chart.close) * 0.95));
  await trader.call('POST', '/api/v3/orders', {
    ...{ symbol: 'BTC-USDT', side: 'BUY', type: 'limit', quantity: '0.001', price },
    transaction_password: TRADER.pin,
  });
  const page = await stage.open({ as: trader, viewport: DESK });
  await page.routeWebSocket('**/ws/v5/private', () => undefined);
  await page.route('**/api/v3/orders/*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/trades/spot/BTC');
  await page.getByRole('button', { name: /^Cancel Buy/ }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'this may have been done already' });
  await notice.waitFor();
  expect(await notice.innerText()).not.toContain('failed');
  expect(await notice.innerText()).toContain('Not confirmed');
  await page.getByRole('button', { name: /^Cancel Buy/ }).waitFor({ state: 'detached' });
  await page.context().close();
});
