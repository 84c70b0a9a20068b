/** People of the browser tests: made by the calls, with the codes that were mailed to them. */
import type { Locator, Page } from 'playwright-core';
import { type Credentials, OPERATOR, type Session, type Stage } from './stage.ts';

export const PASSWORD = 'a newcomer walks in';
export const TRANSACTION_PASSWORD = 'first order';

/** An account made by the calls, as fast as can be. */
export async function register(stage: Stage, email: string, mobile = ''): Promise<void> {
  await stage.call('POST', '/api/v2/send-code', { email });
  await stage.call('POST', '/api/v2/register', {
    code: await stage.mails.code(email),
    username: email,
    mobile_number: mobile,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    transaction_password: TRANSACTION_PASSWORD,
  });
}

/** The operator, who confirms what asks for that. */
export async function operatorOf(stage: Stage): Promise<Session> {
  const operator = await stage.signIn(OPERATOR);
  for (const purpose of ['clients', 'markets', 'treasury']) {
    await operator.call('POST', '/api/v3/step-up', { purpose, transaction_password: OPERATOR.pin });
  }
  return operator;
}

/** An act of the operator on a client, such as `freeze`. */
export async function actOn(stage: Stage, email: string, act: string, body: object): Promise<void> {
  const { call } = await operatorOf(stage);
  const search = `/api/v3/admin/clients?search=${encodeURIComponent(email)}`;
  const { clients } = await call<{ clients: { id: number }[] }>('GET', search);
  await call('POST', `/api/v3/admin/clients/${clients[0]?.id}/${act}`, body);
}

/** Enters the mailed code that a step-up asks for before withdrawals are made easier. */
export async function enterMailedCode(dialog: Locator, mailedCode: () => Promise<string>): Promise<void> {
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByText('We sent you a code by email.').waitFor();
  await dialog.getByLabel('Email code').fill(await mailedCode());
}

/** Answers the dialog of a step-up of somebody who has no second factor. */
export async function confirmStepUp(page: Page, transactionPassword: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: "Verify it's you" });
  await dialog.getByLabel('Transaction password', { exact: true }).fill(transactionPassword);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

export interface Person {
  readonly email: string;
  readonly page: Page;
  readonly call: Session['call'];
  mailedCode(): Promise<string>;
  /** What the dialog of a step-up asks of who has no second factor. */
  confirm(): Promise<void>;
}

/** From the sign-in page, which is open, by hand. */
export async function enterAs(
  page: Page,
  { username, password }: Pick<Credentials, 'username' | 'password'>,
): Promise<void> {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(username);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** How a person gets a page: `open` makes a device, `reuse` resets the shared page of the stage. */
export type WayToPage = 'open' | 'reuse';

/** Somebody new who has just signed up. */
export async function newPerson(stage: Stage, name: string, way: WayToPage = 'open'): Promise<Person> {
  const email = `${name}@example.test`;
  await register(stage, email);
  return personAgain(stage, email, way);
}

/** Somebody who has signed up already, on another device. */
export async function personAgain(stage: Stage, email: string, way: WayToPage = 'open'): Promise<Person> {
  const session = await stage.signIn({ username: email, password: PASSWORD });
  const page = await stage[way]({ as: session, viewport: { width: 1280, height: 900 } });
  return {
    email,
    page,
    call: session.call,
    mailedCode: () => stage.mails.code(email),
    confirm: () => confirmStepUp(page, TRANSACTION_PASSWORD),
  };
}
