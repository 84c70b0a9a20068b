/** What the browser tests of withdrawals share: the screen, people with funds, and withdrawals made by the calls. */
import type { Locator, Page } from 'playwright-core';
import { newPerson, type Person, TRANSACTION_PASSWORD, type WayToPage } from './people.ts';
import type { Stage } from './stage.ts';

/** Of nobody here; it has a right checksum. */
export const TRON = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

export const form = (page: Page) => page.getByRole('region', { name: 'Withdraw', exact: true });
export const submit = (page: Page) => form(page).getByRole('button', { name: 'Withdraw', exact: true });
export const address = (page: Page) => form(page).getByLabel('Recipient address');
export const amount = (page: Page) => form(page).getByLabel('Amount', { exact: true });
export const details = (page: Page) => page.getByRole('dialog', { name: 'Withdrawal details' });
export const row = (page: Page, text: string) => page.locator('main table tbody tr').filter({ hasText: text });

/** The value beside a name in a list of facts. */
export const fact = (within: Locator, name: string) =>
  within
    .locator('dl > div')
    .filter({ has: within.page().getByText(name, { exact: true }) })
    .locator('dd');

let people = 0;

/** Somebody new with USDT. */
export async function newRichPerson(
  stage: Stage,
  name: string,
  usdt: string,
  way: WayToPage = 'open',
): Promise<Person> {
  people += 1;
  const person = await newPerson(stage, `${name}${people}`, way);
  await person.call('POST', '/api/dev/faucet', { coin: 'USDT', amount: usdt });
  return person;
}

export async function openForm(page: Page, network = 'Tron (TRC20)'): Promise<void> {
  await page.goto('/wallet/withdraw?coin=USDT');
  await form(page).locator('fieldset label').filter({ hasText: network }).click();
  // The balance is there.
  await fact(form(page), 'Withdrawable').waitFor();
}

export async function fill(page: Page, to: string, value: string): Promise<void> {
  await address(page).fill(to);
  await amount(page).fill(value);
}

/** USDT by TRC20, past the page. @returns its id */
export async function withdraw({ call, mailedCode }: Person, value: string, to = TRON): Promise<string> {
  await call('POST', '/api/v3/otp');
  const { withdrawal } = await call<{ withdrawal: { id: string } }>('POST', '/api/v3/withdrawals', {
    ...{ coin: 'USDT', bchain_name: 'TRC20', withdraw_address: to, withdraw_amount: value },
    ...{ verification: await mailedCode(), transaction_password: TRANSACTION_PASSWORD },
  });
  return withdrawal.id;
}
