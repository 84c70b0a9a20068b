/** The operator's console, from both sides: what an operator does there, a client or a visitor sees elsewhere. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { totpAt } from './authenticator.ts';
import { expectAccessible, hasFocus } from './browser.ts';
import { confirmStepUp, newPerson, operatorOf, type Person, personAgain, TRANSACTION_PASSWORD } from './people.ts';
import { DESK, OPERATOR, PHONE, type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;
let operator: Page;
let client: Person;
/** The client's. */
let trader: Page;
let people = 0;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

beforeEach(async () => {
  people += 1;
  client = await newPerson(stage, `client${people}`);
  trader = client.page;
  operator = await stage.open({ as: await stage.signIn(OPERATOR) });
});

afterEach(async () => {
  await trader.context().close();
  await operator.context().close();
});

const openConsole = (path: string) => operator.goto(`/admin/${path}`);
const inConsole = (name: string) => operator.getByRole('region', { name });

const confirm = () => confirmStepUp(operator, OPERATOR.pin);

/** @param isConfirmed whether the act asks for a step-up */
async function decide(action: string, reason: string, isConfirmed = false): Promise<void> {
  const dialog = operator.getByRole('dialog').filter({ has: operator.getByLabel('Reason', { exact: false }) });
  await dialog.getByLabel('Reason', { exact: false }).fill(reason);
  await dialog.getByRole('button', { name: action }).click();
  if (isConfirmed) await confirm();
  await dialog.waitFor({ state: 'hidden' });
}

describe('the console', () => {
  it('is found by operators in their account menu, and is nothing to anybody else', async () => {
    await operator.goto('/settings');
    await operator.getByRole('button', { name: 'Account menu' }).click();
    await operator.getByRole('menuitem', { name: 'Console' }).click();
    await operator.waitForURL('**/admin/clients');
    await trader.goto('/admin/clients');
    await trader.getByText("This page doesn't exist").waitFor();
    const visitor = await stage.open();
    await visitor.goto('/admin');
    await visitor.waitForURL('**/signin?return=%2Fadmin%2Fclients');
    await visitor.context().close();
  });

  const rooms = [
    'clients',
    'support',
    'content',
    'markets',
    'treasury',
    'treasury?tab=rules',
    'treasury?tab=chains',
    'treasury?tab=hot-cold',
    'operations',
    'audit',
  ];

  it.each(rooms)('%s is accessible', async (room) => {
    await openConsole(room);
    await operator.getByRole('navigation', { name: 'Console' }).waitFor();
    await operator.waitForLoadState('networkidle');
    await expectAccessible(operator);
  });
});

describe('a client', () => {
  it('is found, frozen with a reason, shut out at once with all orders, and let in again; the log has both', async () => {
    await client.call('POST', '/api/dev/faucet', { coin: 'USDT', amount: '1000' });
    const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' };
    const place = () => client.call('POST', '/api/v3/orders', { ...order, transaction_password: TRANSACTION_PASSWORD });
    await place();
    await trader.goto('/wallet');
    await trader.getByRole('region', { name: 'Total balance', exact: true }).waitFor();
    await openConsole('clients');
    await operator.getByLabel('Find a client').fill(client.email.slice(0, -5));
    await operator.getByRole('link', { name: client.email }).click();
    await operator.waitForURL('**/admin/clients/*');
    await inConsole('Account').getByRole('button', { name: 'Freeze' }).click();
    await operator.getByRole('checkbox', { name: 'Cancel its orders', checked: true }).waitFor();
    await decide('Freeze', 'An odd deposit');
    await operator.getByText('1 order was cancelled. Recorded in the audit log.').waitFor();
    await inConsole('Account').getByText('Frozen').waitFor();
    // The client's page hears of it by its stream, without being asked again.
    await trader.getByRole('dialog', { name: 'Freezed Account!' }).getByText('An odd deposit').waitFor();
    await trader.waitForURL('**/signin**');
    await inConsole('Account').getByRole('button', { name: 'Unfreeze' }).click();
    await decide('Unfreeze', 'Explained', true);
    await inConsole('Account').getByText('Active').waitFor();
    await place();
    await inConsole('Account').getByRole('button', { name: 'Cancel orders' }).click();
    await decide('Cancel orders', 'Asked for by phone');
    const log = inConsole('Audit log').getByRole('row');
    await log
      .filter({ hasText: 'Asked for by phone' })
      .filter({ hasText: 'Cancelled the orders of an account' })
      .waitFor();
    expect(await client.call('GET', '/api/v3/trades/open-orders')).toMatchObject({ orders: [] });
    await log.filter({ hasText: 'An odd deposit' }).filter({ hasText: 'Froze the account' }).waitFor();
    await log.filter({ hasText: 'Explained' }).waitFor();
  });

  it('who has lost every second factor is let in by the password again: logged out at once, told why withdrawals wait', async () => {
    await client.call('POST', '/api/v3/step-up', { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD });
    const { secret } = await client.call<{ secret: string }>('POST', '/api/v3/totp/enrolment', {});
    await client.call('POST', '/api/v3/totp', { code: totpAt(secret, Date.now()) });
    await trader.goto('/wallet');
    await trader.getByRole('region', { name: 'Total balance', exact: true }).waitFor();
    await openConsole('clients');
    await operator.getByLabel('Find a client').fill(client.email);
    await operator.getByRole('link', { name: client.email }).click();
    const remove = inConsole('Account').getByRole('button', { name: 'Remove second factors' });
    await remove.click();
    const dialog = operator.getByRole('dialog', { name: 'Remove all second factors?' });
    await dialog.getByText('Make sure first that it is the client who asks.', { exact: false }).waitFor();
    await expectAccessible(operator);
    await dialog.getByLabel('Reason', { exact: false }).fill('Recognised on a video call');
    await dialog.getByRole('button', { name: 'Remove second factors' }).click();
    await confirm();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => remove.count()).toBe(0);
    await inConsole('Restrictions').getByText('Our support removed your second factors', { exact: false }).waitFor();
    await inConsole('Audit log').getByRole('row').filter({ hasText: 'Recognised on a video call' }).waitFor();
    await trader.waitForURL('**/signin**');
    const again = await personAgain(stage, client.email);
    await again.page.goto('/account/security');
    await again.page.getByText('Our support removed your second factors', { exact: false }).first().waitFor();
    await again.page.context().close();
  });

  it('has withdrawals held and let go, and sees why', async () => {
    await openConsole('clients');
    await operator.getByLabel('Find a client').fill(client.email);
    await operator.getByRole('link', { name: client.email }).click();
    await inConsole('Account').getByRole('button', { name: 'Restrict withdrawals' }).click();
    await decide('Restrict withdrawals', 'A stolen card');
    const hold = inConsole('Restrictions').getByRole('row').filter({ hasText: 'A stolen card' });
    await hold.getByRole('button', { name: 'Lift restriction' }).click();
    await decide('Lift restriction', 'It was found', true);
    await expect.poll(() => hold.count()).toBe(0);
  });

  it('moves to another fee tier by the id on its page; an id of no client is refused', async () => {
    await openConsole('clients');
    await operator.getByLabel('Find a client').fill(client.email);
    await operator.getByRole('link', { name: client.email }).click();
    const fact = (name: string) =>
      inConsole('Account').getByText(name, { exact: true }).locator('..').getByRole('definition');
    expect(await fact('Level').innerText()).toBe('VIP 0');
    const id = await fact('Client ID').innerText();
    const address = operator.url();
    const move = async (to: string) => {
      await openConsole('operations');
      await inConsole('Fee tiers').getByLabel('Client ID').fill(to);
      await inConsole('Fee tiers').getByRole('combobox', { name: 'Tier' }).click();
      await operator.getByRole('option', { name: '2' }).click();
      await inConsole('Fee tiers').getByRole('button', { name: 'Set tier' }).click();
      await confirm();
    };
    await move('999');
    await operator.getByRole('alert').getByText('There is no such client.').waitFor();
    await move(id);
    await operator.getByRole('alert').getByText('Recorded in the audit log.').waitFor();
    await operator.goto(address);
    await expect.poll(() => fact('Level').innerText()).toBe('VIP 2');
  });
});

describe('what waits for an operator', () => {
  it('is counted beside its room, wherever in the console the operator is', async () => {
    const opening = { topic: 'other', subject: 'It waits', message: 'Is anybody there?' };
    await client.call('POST', '/api/v3/support/conversations', opening);
    await operator.route('**/api/v3/admin/alarms', async (route) => {
      const answer = await route.fetch();
      const alarm = {
        id: 1,
        kind: 'custody',
        detail: 'Less than is owed',
        raised_at: Date.now(),
        acknowledged_at: null,
      };
      await route.fulfill({ response: answer, json: { alarms: [alarm, { ...alarm, id: 2, acknowledged_at: 1 }] } });
    });
    await operator.clock.install();
    await openConsole('clients');
    const rooms = operator.getByRole('navigation', { name: 'Console' });
    await rooms.getByRole('link', { name: 'Support 1', exact: true }).waitFor();
    await rooms.getByRole('link', { name: 'Operations 1', exact: true }).waitFor();
    await expectAccessible(operator);
    await rooms.getByRole('link', { name: 'Support 1', exact: true }).click();
    const conversation = operator.getByRole('button', { name: /It waits/ });
    await conversation.getByTitle('Unread').waitFor();
    // From here on no list is read again by its clock alone.
    await operator.clock.pauseAt(Date.now() + 1_000);
    await conversation.click();
    const noneUnread = rooms.getByRole('link', { name: 'Support', exact: true });
    const isTold = async () => {
      // What an answer leads to is done in a task of its own.
      await operator.clock.runFor(1);
      return (await noneUnread.isVisible()) && !(await conversation.getByTitle('Unread').isVisible());
    };
    await expect.poll(isTold).toBe(true);
  });
});

describe('content', () => {
  it('is edited in every language, seen by visitors in theirs, and taken back', async () => {
    await openConsole('content');
    await operator.getByRole('link', { name: 'About' }).click();
    await operator.getByRole('tab', { name: 'Deutsch' }).click();
    const german = operator.getByRole('textbox', { name: 'Text, Deutsch' });
    const before = await german.inputValue();
    await german.fill('## Wer wir sind\n\nEine Börse aus Bern.');
    // As visitors will see it.
    const preview = operator.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Wer wir sind' }).waitFor();
    await preview.getByText('Eine Börse aus Bern.').waitFor();
    await operator.getByLabel('Version note').fill('Bern');
    await operator.getByRole('button', { name: 'Save', exact: true }).click();
    await inConsole('Version 2').waitFor();
    const visitor = await stage.open({ locale: 'de-CH' });
    await visitor.goto('/about');
    await visitor.getByText('Eine Börse aus Bern.').waitFor();
    await visitor.context().close();
    await inConsole('Version history').getByRole('button', { name: 'Restore this version' }).first().click();
    await inConsole('Version 3').waitFor();
    await operator.getByRole('tab', { name: 'Deutsch' }).click();
    expect(await german.inputValue()).toBe(before);
  });

  it('says what is wrong by its field, and keeps what was typed until it is discarded', async () => {
    await openConsole('content/community');
    await operator.getByRole('button', { name: 'Add one' }).click();
    await operator.getByRole('textbox', { name: 'Display name' }).first().fill('Elsewhere');
    await operator.getByRole('button', { name: 'Save', exact: true }).click();
    await operator.getByText(/^Links, Entry 1, Identifier: /).waitFor();
    const name = operator.getByRole('textbox', { name: 'Display name' }).first();
    expect(await name.inputValue()).toBe('Elsewhere');
    await operator.reload();
    await expect.poll(() => name.inputValue()).toBe('Elsewhere');
    await operator.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => operator.getByRole('textbox', { name: 'Display name' }).count()).toBe(0);
    expect(await operator.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  });

  it('has a field for date and time, by keyboard, where the exchange keeps a moment', async () => {
    await openConsole('content/banners');
    const entry = operator.getByRole('region', { name: 'Entry 1' });
    await entry.getByLabel('Visible until').fill('2031-05-04T10:30');
    expect(await entry.getByText('Starts with https://').count()).toBe(1);
    await operator.getByRole('button', { name: 'Save', exact: true }).click();
    await inConsole('Version 2').waitFor();
    expect(await entry.getByLabel('Visible until').inputValue()).toBe('2031-05-04T10:30');
    expect(await entry.getByLabel('Visible from').inputValue()).toBe('');
    await expectAccessible(operator);
  });
});

describe('the support inbox', () => {
  it('brings a question from the contact form to the desk, and the answer to the client', async () => {
    await trader.goto('/contactus');
    await trader.getByLabel('Your name').fill('Tracy');
    await trader.getByLabel('Message').fill('Where is my deposit?');
    await trader.getByRole('button', { name: 'Send' }).click();
    await trader.getByText(/Your message number is \d+/).waitFor();
    await openConsole('support');
    await operator.getByRole('button', { name: /Where is my deposit/ }).click();
    await operator.getByRole('textbox', { name: 'Answer' }).fill('It arrives with the next block.');
    await operator.getByRole('button', { name: 'Send' }).click();
    await operator.getByRole('listitem').filter({ hasText: 'It arrives with the next block.' }).waitFor();
    await trader.getByRole('alert').filter({ hasText: 'Support has answered' }).waitFor();
    await operator.getByRole('button', { name: 'Close', exact: true }).click();
    await operator.getByText('Closed', { exact: true }).click();
    await operator.getByRole('button', { name: /Where is my deposit/ }).waitFor();
  });

  it('has the newest message and the field for the answer in sight, however long the conversation is', async () => {
    const { call } = await stage.signIn(TRADER);
    const message = 'A line of what happened.\n'.repeat(80);
    const opening = { topic: 'other', subject: 'A long story', message };
    const { conversation } = await call<{ conversation: { id: number } }>(
      'POST',
      '/api/v3/support/conversations',
      opening,
    );
    await call('POST', `/api/v3/support/conversations/${conversation.id}/messages`, { message: 'That is all.' });
    const isInSight = (target: Locator) =>
      target.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return element === found || element.contains(found);
      });
    for (const viewport of [PHONE, DESK]) {
      await operator.setViewportSize(viewport);
      await openConsole('support');
      await operator.getByRole('button', { name: /A long story/ }).click();
      await expect.poll(() => isInSight(operator.getByText('That is all.', { exact: true }))).toBe(true);
      expect(await isInSight(operator.getByRole('textbox', { name: 'Answer' }))).toBe(true);
    }
  });

  it('shows all of a subject without a space, such as a link, and how much of it is unread', async () => {
    const { call } = await stage.signIn(TRADER);
    const subject = `https://example.org/${'a'.repeat(120)}`;
    await call('POST', '/api/v3/support/conversations', { topic: 'other', subject, message: 'Where is it?' });
    await openConsole('support');
    const entry = operator.getByRole('button').filter({ hasText: subject });
    await entry.waitFor();
    const isWhole = (element: Element) => element.scrollWidth <= element.clientWidth;
    expect(await entry.evaluate(isWhole)).toBe(true);
    await entry.click();
    expect(await operator.getByRole('heading', { name: subject }).evaluate(isWhole)).toBe(true);
  });
});

describe('operations', () => {
  afterEach(async () => {
    const { call } = await operatorOf(stage);
    await call('POST', '/api/v3/admin/maintenance', { on: false, reason: 'The test is over', until: null });
  });

  it('close the exchange for everybody else, and open it again', async () => {
    await trader.goto('/wallet');
    await trader.getByRole('region', { name: 'Total balance', exact: true }).waitFor();
    await openConsole('operations');
    await inConsole('Alarms').getByText('None. Postings, balances and holds agree.').waitFor();
    await operator.getByRole('button', { name: 'Begin maintenance' }).click();
    const reason = operator.getByRole('dialog').getByLabel('Reason');
    await expect.poll(() => hasFocus(reason)).toBe(true);
    await operator.getByRole('checkbox', { name: 'Halt all pairs', checked: true }).waitFor();
    await decide('Begin maintenance', 'A new release');
    await operator.getByText(/^On: everyone but operators/).waitFor();
    await operator.getByText(/^\d+ pairs are halted until it ends/).waitFor();
    await trader.getByRole('dialog', { name: 'Scheduled Maintenance Notice' }).waitFor();
    await operator.getByRole('button', { name: 'End maintenance' }).click();
    await decide('End maintenance', 'It is out', true);
    await operator.getByText('Off: the exchange is open.').waitFor();
    const halted = operator.getByText(/^\d+ pairs trade again at/);
    await halted.waitFor();
    await operator.getByRole('button', { name: 'Resume now' }).click();
    await decide('Resume now', 'Nobody has to cancel', true);
    await halted.waitFor({ state: 'detached' });
  });

  it('say nothing of maintenance, proofs and feeds that could not be read', async () => {
    await operator.route(/\/api\/v3\/(admin\/maintenance|liabilities|admin\/news-feeds)/, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '502 Bad Gateway' }),
    );
    await openConsole('operations');
    for (const name of ['Maintenance', 'Proof of liabilities', 'News feeds']) {
      await inConsole(name).getByRole('button', { name: 'Try again' }).waitFor();
    }
    expect(await operator.getByText('Off: the exchange is open.').count()).toBe(0);
    expect(await operator.getByText('Not made yet.').count()).toBe(0);
    await operator.unrouteAll();
    await inConsole('Maintenance').getByRole('button', { name: 'Try again' }).click();
    await inConsole('Maintenance').getByText('Off: the exchange is open.').waitFor();
  });
});

describe('a pair', () => {
  const row = (symbol: string) => inConsole('Pairs').getByRole('row').filter({ hasText: symbol });
  const choose = async (symbol: string, act: string) => {
    await operator.getByRole('button', { name: `Change ${symbol}` }).click();
    await operator.getByRole('menuitem', { name: act }).click();
  };

  /** A coin is listed once and for all: each try has one of its own. */
  let tries = 0;

  it('is listed after its coin, has its limits changed, and is delisted once its name is written', async () => {
    tries += 1;
    const [code, pairName] = [`ACME${tries}`, `ACME${tries}-USDT`];
    await openConsole('markets');
    await operator.getByRole('button', { name: 'List a coin' }).click();
    const coin = operator.getByRole('dialog', { name: 'List a coin' });
    await coin.getByLabel('Code').fill(code.toLowerCase());
    await coin.getByLabel('Reason').fill('It was voted for');
    await coin.getByRole('button', { name: 'List the coin' }).click();
    await confirm();
    await coin.waitFor({ state: 'hidden' });

    await operator.getByRole('button', { name: 'List a pair' }).click();
    const pair = operator.getByRole('dialog', { name: 'List a pair' });
    await pair.getByLabel('First price').fill('4.20001');
    await pair.getByText('Enter a multiple of 0.0001').waitFor();
    await pair.getByLabel('Reason').fill('It was voted for');
    expect(await pair.getByRole('button', { name: 'List and open trading' }).isDisabled()).toBe(true);
    await pair.getByLabel('First price').fill('4.2');
    await pair.getByRole('button', { name: 'List and open trading' }).click();
    await confirm();
    await row(pairName).getByText('Trading').waitFor();
    await trader.goto(`/trades/spot/${code}`);
    await trader.getByRole('heading', { name: `${code}/USDT` }).waitFor();

    await choose(pairName, 'Change limits');
    await operator.getByLabel('Smallest quantity').fill('7');
    await decide('Change limits', 'Larger lots', true);
    await row(pairName).getByText('7 – 100,000').waitFor();

    await choose(pairName, 'Delist');
    const delist = operator.getByRole('dialog', { name: `Delist ${pairName}?` });
    await delist.getByLabel('Reason').fill('A test');
    expect(await delist.getByRole('button', { name: 'Delist permanently' }).isDisabled()).toBe(true);
    await delist.getByLabel(`Type ${pairName} to confirm`).fill(pairName);
    await expectAccessible(operator);
    await delist.getByRole('button', { name: 'Delist permanently' }).click();
    await confirm();
    await row(pairName).getByText('Delisted').waitFor();
  });

  it('that screens begin with may be delisted too: they begin with another', async () => {
    const { call } = await operatorOf(stage);
    await call('POST', '/api/v3/admin/markets/BTC-USDT/delist', { confirm: 'BTC-USDT', reason: 'A test' });
    await trader.goto('/trades/spot');
    await trader.getByRole('heading', { name: 'ETH/USDT' }).waitFor();
    await trader.goto('/fee-rate');
    await trader.getByText('0.10%').first().waitFor();
    await trader.goto('/wallet/convert');
    await expect.poll(() => trader.getByRole('combobox', { name: 'To coin' }).inputValue()).toBe('ETH');
    await trader.goto('/trades/spot/BTC');
    await trader.getByText('There is no market for BTC.').waitFor();
  });
});

describe('where operators need an authenticator app', () => {
  let strict: Stage;

  beforeEach(async () => {
    strict = await setStage({ OPERATOR_TOTP: 'required' });
  });
  afterEach(() => strict?.close());

  it('every room leads one who has none to connecting it, and opens afterwards', async () => {
    const page = await strict.open({ as: await strict.signIn(OPERATOR) });
    await page.goto('/admin/audit');
    await page.getByText('Connect an authenticator app first: operators need one.').waitFor();
    await page.getByRole('link', { name: 'Connect an app' }).click();
    await page.waitForURL('**/account/security');
    await page.getByRole('button', { name: 'Connect an app' }).click();
    await confirmStepUp(page, OPERATOR.pin);
    const connect = page.getByRole('dialog', { name: 'Connect an authenticator app' });
    const secret = (await connect.getByText(/^[A-Z2-7]{16,}$/).innerText()).trim();
    await connect.getByLabel('Authenticator code').fill(totpAt(secret, Date.now()));
    await connect.getByRole('button', { name: 'Connect', exact: true }).click();
    await confirmStepUp(page, OPERATOR.pin);
    await page.getByRole('button', { name: "I've saved my codes" }).click();
    await page.goto('/admin/audit');
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await page.context().close();
  });
});
