/** Two tabs of one browser: what one of them does to the session, or to the looks, the other follows. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { enterAs, newPerson, PASSWORD, type Person, register } from './people.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
let person: Person;
let one: Page;
let other: Page;
let people = 0;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

beforeEach(async () => {
  people += 1;
  person = await newPerson(stage, `tab${people}`);
  one = person.page;
  other = await one.context().newPage();
  await other.goto('/profile');
  await other.getByText(person.email).first().waitFor();
});
afterEach(() => one.context().close());

const menu = (page: Page) => page.getByRole('button', { name: 'Account menu' });
const keptEmail = () =>
  one.evaluate(
    () => JSON.parse(localStorage.getItem('cambist.session') ?? '{}').state?.user?.email as string | undefined,
  );

/** Gives what the page has shown as an alert since, if only for a moment. */
async function watchAlerts(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const texts = new Set<string>();
    const look = () => document.querySelectorAll('[role=alert]').forEach((alert) => void texts.add(alert.textContent));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    return texts;
  });
  return () => seen.evaluate((texts) => [...texts]);
}

async function signIn(email: string): Promise<void> {
  await one.goto('/signin');
  await enterAs(one, { username: email, password: PASSWORD });
  await one.waitForURL('**/wallet');
}

it('a logout in one says in the other that the session has ended, and a login leads it back', async () => {
  // Nothing comes by the stream: a tab that has slept has none.
  await other.routeWebSocket('**/ws/v5/private', () => undefined);
  await other.reload();
  await other.getByText(person.email).first().waitFor();
  await one.goto('/wallet');
  const alerted = await watchAlerts(one);
  await menu(one).click();
  await one.getByRole('menuitem', { name: 'Log out' }).click();
  await one.waitForURL('**/signin');
  await other.waitForURL('**/signin?return=%2Fprofile');
  await other.getByRole('alert').filter({ hasText: 'Your session has ended. Log in again.' }).waitFor();
  expect(await alerted()).toEqual([]);
  await signIn(person.email);
  await other.waitForURL('**/profile');
  await other.getByText(person.email).first().waitFor();
});

it('a login as another client in one shows that client in the other, who stays it in both', async () => {
  const second = `second-of-${person.email}`;
  await register(stage, second);
  await signIn(second);
  await other.getByText(second).first().waitFor();
  expect(await other.getByText(person.email, { exact: true }).count()).toBe(0);
  // What the other tab keeps of its client from now on is of the same one.
  const checked = other.waitForResponse('**/api/v3/account-client');
  await other.reload();
  await checked;
  await menu(other).waitFor();
  expect(await keptEmail()).toBe(second);
});

it('a page that was left and is come back to shows who has logged in meanwhile, and leaves them logged in', async () => {
  // What the browser keeps of a page that was left is told of nothing.
  await other.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation(), true));
  await other.reload();
  await other.getByText(person.email).first().waitFor();
  const second = `back-to-${person.email}`;
  await register(stage, second);
  await signIn(second);
  await other.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await other.getByText(second).first().waitFor();
  expect(await other.getByText(person.email, { exact: true }).count()).toBe(0);
  expect(await keptEmail()).toBe(second);
});

it('language and colours are those that were chosen last in either, and neither tab undoes the other', async () => {
  await one.goto('/settings');
  await other.goto('/settings');
  const theme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme');
  await one.getByRole('radio', { name: 'Light', exact: true }).click();
  await expect.poll(() => theme(other)).toBe('light');
  await one
    .getByRole('textbox', { name: 'Language' })
    .or(one.getByRole('combobox', { name: 'Language' }))
    .click();
  await one.getByRole('option', { name: 'Deutsch' }).click();
  await other.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
  // A change there keeps everything that it has, and so what was chosen here.
  const blue = (page: Page) => page.getByRole('radio').nth(3);
  await blue(other).check();
  await one.reload();
  await one.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
  expect(await theme(one)).toBe('light');
  expect(await blue(one).isChecked()).toBe(true);
});
