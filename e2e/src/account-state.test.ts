/** What a person sees when the account is frozen, when the exchange is maintained, and when a session ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, go } from './browser.ts';
import { actOn, newPerson, operatorOf, type Person } from './people.ts';
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
  person = await newPerson(stage, `lee${people}`, 'reuse');
});

const dialog = (name: string) => person.page.getByRole('dialog', { name, exact: true });
const path = () => new URL(person.page.url()).pathname;
const storage = () => person.page.evaluate(() => JSON.stringify(localStorage));
const stored = async () =>
  (JSON.parse((JSON.parse(await storage()) as Record<string, string>)['cambist.session'] ?? '{}') as { state?: object })
    .state;

async function maintain(on: boolean): Promise<void> {
  const operator = await operatorOf(stage);
  await operator.call('POST', '/api/v3/admin/maintenance', { on, reason: 'A newer engine', until: null });
}

/**
 * Resolves when the private stream listens to the state of the account.
 * @returns how to wait for a text that the stream says
 */
async function openAndListen(address: string): Promise<(text: string) => Promise<void>> {
  const said: string[] = [];
  person.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void said.push(String(payload))));
  const heard = (text: string) => expect.poll(() => said.some((frame) => frame.includes(text))).toBe(true);
  await person.page.goto(address);
  await heard('account-state');
  return heard;
}

it.each(['/markets/prices', '/account/security'])(
  'from %s, a freeze signs out at once and says why and how to object (A-account-state-44..46, A-account-state-59, A-account-state-60, T-account-state-13..15, T-account-state-17)',
  async (address) => {
    await openAndListen(address);
    await actOn(stage, person.email, 'freeze', { reason: 'A question of yours', until: null });
    const alert = dialog('Freezed Account!');
    await alert
      .getByText('Your account has been freezed. Please contact customer service for more details.', { exact: true })
      .waitFor();
    await alert.getByText('A question of yours').waitFor();
    await alert.getByText('No end time set.').waitFor();
    await expect.poll(path).toBe('/signin');
    expect(await stored()).not.toHaveProperty('token');
    await alert.getByRole('button', { name: 'Contact customer service' }).click();
    await person.page.getByRole('dialog', { name: 'Live chat' }).waitFor();
  },
);

it('a freeze that comes while the page still waits for its first look at the account is not missed (A-account-state-44)', async () => {
  let isLate = false;
  const comes = Promise.withResolvers<void>();
  await person.page.route('**/api/v3/account-client*', async (route) => {
    if (isLate) return route.continue();
    isLate = true;
    const response = await route.fetch();
    await comes.promise;
    await route.fulfill({ response });
  });
  const heard = await openAndListen('/profile');
  await actOn(stage, person.email, 'freeze', { reason: 'A question of yours', until: null });
  await heard('"frozen"');
  comes.resolve();
  await dialog('Freezed Account!').getByText('A question of yours').waitFor();
});

it('maintenance signs everybody out with its notice (A-account-state-53, A-account-state-57, A-account-state-58, T-account-state-10..12, T-account-state-16)', async () => {
  await openAndListen('/profile');
  await maintain(true);
  const alert = dialog('Scheduled Maintenance Notice');
  await alert.getByText(/scheduled maintenance to improve system performance and stability/).waitFor();
  await expect.poll(path).toBe('/signin');
  expect(await stored()).not.toHaveProperty('token');
  await maintain(false);
});

it('keeps token, user and client in the browser across a reload; the shell follows (A-account-state-01, A-account-state-25, A-account-state-27..29)', async () => {
  await person.page.goto('/');
  await person.page.getByRole('button', { name: 'Account menu' }).waitFor();
  await person.page.reload();
  await person.page.getByRole('button', { name: 'Account menu' }).waitFor();
  expect(await stored()).toMatchObject({
    token: expect.any(String),
    user: { email: person.email },
    client: { status: 'ACTIVE' },
  });
  const visitor = await stage.reuse();
  await visitor.goto('/');
  await visitor.getByRole('link', { name: 'Log in' }).first().waitFor();
  expect(await visitor.getByRole('button', { name: 'Account menu' }).count()).toBe(0);
});

describe('logout', () => {
  /** From a screen of the app that is open. */
  async function logOut(): Promise<number> {
    await person.page.getByRole('button', { name: 'Account menu' }).click();
    const answered = person.page.waitForResponse('**/api/v3/logout');
    await person.page.getByRole('menuitem', { name: 'Log out' }).click();
    await answered;
    const answeredAt = Date.now();
    await person.page.waitForURL('**/signin**');
    return Date.now() - answeredAt;
  }

  it('leaves nothing of the person in the browser, and goes to sign-in after 0.5 s (A-account-state-47)', async () => {
    await person.page.goto('/settings');
    await person.page.getByRole('switch', { name: 'Show a summary before each order' }).click();
    await go(person.page, '/wallet/transfer');
    await person.page.getByRole('button', { name: 'Swap wallets' }).click();
    await expect.poll(storage).toMatch(/"cambist[^"]*transfer":"[^}]*SPOT/);
    expect(await storage()).toMatch(/skipConfirmation\W*true/);
    await go(person.page, '/trades/spot/BTC');
    await person.page.getByRole('button', { name: 'Order settings' }).first().click();
    await person.page.getByLabel('Warn when a market order slips by more than').selectOption('Never');
    await expect.poll(storage).toMatch(/slippageLimit\W*0\D/);
    await go(person.page, '/wallet');
    const waited = await logOut();
    expect(waited).toBeGreaterThan(400);
    expect(waited).toBeLessThan(1_500);
    await expect.poll(storage).not.toContain(person.email);
    expect(await stored()).not.toHaveProperty('token');
    // What stays is of the device, such as how it looks.
    const kept = JSON.parse(await storage()) as Record<string, string>;
    expect(Object.keys(kept).sort()).toEqual(['cambist.preferences', 'cambist.session']);
    const { state } = JSON.parse(kept['cambist.preferences'] ?? '');
    expect(state).toMatchObject({ skipConfirmation: false, slippageLimit: 0.5 });
  });

  it.each([
    ['[A-account-state-48] [T-account-state-18]', 401, false],
    ['[A-account-state-61]', 500, true],
  ] as const)('%s goes to sign-in after a %i all the same, logged: %s', async (_ids, status, isLogged) => {
    const complaints = complaintsOf(person.page);
    await person.page.route('**/api/v3/logout', (route) => route.fulfill({ status, json: {} }));
    await person.page.goto('/wallet');
    await logOut();
    await expect.poll(path).toBe('/signin');
    await expect.poll(storage).not.toContain(person.email);
    expect(complaints.some((text) => text.startsWith('Logout failed'))).toBe(isLogged);
    expect(await person.page.getByRole('alert').count()).toBe(0);
  });
});
