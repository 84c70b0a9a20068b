/** Who is told of an alarm, how often, and when not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind, databaseKinds } from '../../../test/databases.ts';
import { createAlarmStore } from '../../exchange/ledger/alarm-store.ts';
import type { MailTemplate } from '../../platform/mail-template.ts';
import { createAlarmMails } from './service.ts';

const MINUTE_MS = 60_000;
/** The job's turn, and some patience. */
const TURN_MS = 15_000;

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

describe.each(databaseKinds)('mails about alarms (%s)', (kind) => {
  let server: TestApp;
  let people = 0;
  /** Where they go to in this test. */
  let address: string;

  const alarms = () => createAlarmStore(server.database);
  const mailsTo = async (to: string) =>
    (await server.call({ method: 'GET', url: `/api/dev/outbox?to=${to}` })).body.messages as unknown as Mail[];
  /** As one start of the server sends them. */
  const mailer = (recipients: () => Promise<readonly MailTemplate['to'][]> = async () => [address]) =>
    createAlarmMails({
      alarms: alarms(),
      outbox: server.app.outbox,
      clock: server,
      recipients,
      siteName: 'Testex',
      siteUrl: 'https://testex.example/',
    });
  const raise = (kindOfAlarm: string, detail: string) => alarms().raise(kindOfAlarm, detail, server.now());
  const acknowledgeAll = async () => {
    for (const { id } of await alarms().alarms()) await alarms().acknowledge(id, server.now());
  };

  beforeAll(async () => {
    server = await startTestApp(kind, undefined, { ALARM_MAIL: 'none' });
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    await acknowledgeAll();
    people += 1;
    address = `on-call-${people}@example.test`;
  });

  it('is beside a figure for monitoring that counts alarms of others than the reconciler, and falls once they are seen', async () => {
    await acknowledgeAll();
    const figure = async () => {
      const { payload } = await server.app.http.inject({ method: 'GET', url: '/metrics' });
      return Number(/^cambist_open_alarms (\d+)$/m.exec(payload)?.[1]);
    };
    await server.app.reconciler.countAlarms();
    expect(await figure()).toBe(0);
    await raise('custody', 'Payouts of BTC stand still');
    // The job counts them by itself.
    await expect.poll(figure, { timeout: TURN_MS }).toBe(1);
    await acknowledgeAll();
    await server.app.reconciler.countAlarms();
    expect(await figure()).toBe(0);
  });

  it('tell of one at once, with what it says and where it is acknowledged, and never again', async () => {
    await raise('custody', 'Chains hold less <USDT> than is owed');
    const { run } = mailer();
    await run();
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toBe('Testex: alarm custody');
    expect(mail?.text).toMatch(/custody, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\nChains hold less <USDT> than is owed/);
    expect(mail?.text).toContain('https://testex.example/admin/operations');
    server.advance(6 * MINUTE_MS);
    await run();
    await mailer().run();
    await server.app.outbox.run();
    expect(await mailsTo(address)).toHaveLength(1);
  });

  it('tell of those that follow within minutes together, the first ten by name', async () => {
    const { run } = mailer();
    await raise('payout-overdue', 'the first');
    await run();
    for (let payout = 1; payout <= 12; payout += 1) await raise('payout-overdue', `payout ${payout}`);
    server.advance(4 * MINUTE_MS);
    await run();
    await server.app.outbox.run();
    expect(await mailsTo(address)).toHaveLength(1);
    server.advance(2 * MINUTE_MS);
    await run();
    await expect.poll(() => mailsTo(address)).toHaveLength(2);
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toBe('Testex: alarm payout-overdue, and 11 more');
    expect(mail?.text).toContain('payout 10');
    expect(mail?.text).not.toContain('payout 11');
    expect(mail?.text).toContain('Not named here: 2 more.');
  });

  it('tell of an alarm at once where the clock was set back since the last mail', async () => {
    const { run } = mailer();
    await raise('custody', 'before the clock was set');
    await run();
    server.advance(-24 * 60 * MINUTE_MS);
    await raise('custody', 'after the clock was set');
    await run();
    server.advance(24 * 60 * MINUTE_MS);
    await expect.poll(() => mailsTo(address)).toHaveLength(2);
  });

  it('tell of nothing that an operator has seen meanwhile, and of the same finding again after that', async () => {
    await raise('custody', 'seen in the console');
    await acknowledgeAll();
    await mailer().run();
    await raise('custody', 'seen in the console');
    await mailer().run();
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
  });

  it('wait for an operator where there is none, and lose nothing where the database refuses', async () => {
    await raise('custody', 'before the first operator');
    await mailer(async () => []).run();
    const { run } = mailer();
    vi.spyOn(server.database, 'transaction').mockRejectedValueOnce(new Error('away'));
    await expect(run()).rejects.toThrow('away');
    await run();
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
  });
});

it('go to every operator who has set the passwords, by a running server, and to no client', async () => {
  const server = await startTestApp('postgres', undefined, { SITE_NAME: 'Running' });
  const mailsTo = async (to: string) =>
    (await server.call({ method: 'GET', url: `/api/dev/outbox?to=${to}` })).body.messages as unknown as Mail[];
  const named = async (to: string) => (await mailsTo(to)).filter(({ subject }) => subject === 'Running: alarm custody');
  for (const name of ['one', 'two'])
    await server.app.accounts.ensure(`${name}@example.test`, PASSWORD, TRANSACTION_PASSWORD, 'operator');
  await server.client('trader', {});
  await createAlarmStore(server.database).raise('custody', 'less than is owed', server.now());
  await vi.waitFor(async () => expect(await named('one@example.test')).toHaveLength(1), TURN_MS);
  await vi.waitFor(async () => expect(await named('two@example.test')).toHaveLength(1), TURN_MS);
  expect(await named('trader@example.test')).toEqual([]);
  await server.remove();
});

it('go out once the mail server is back after two days: what could not be sent is told in the console alone', async () => {
  const server = await startTestApp(anyKind, undefined, { ALARM_MAIL: 'none' });
  const { outbox } = server.app;
  const store = createAlarmStore(server.database);
  const { run } = createAlarmMails({
    ...{ alarms: store, outbox, clock: server, siteName: 'Testex', siteUrl: undefined },
    recipients: async () => ['on-call@example.test'],
  });
  const received: unknown[] = [];
  let isAway = true;
  outbox.serve('mail', async (_content, recipient) => {
    if (isAway) throw new Error('The mail server is away');
    received.push(recipient);
  });
  await store.raise('custody', 'Chains hold less USDT than is owed', server.now());
  await run();
  for (let hour = 0; hour < 48; hour += 1) {
    await outbox.run();
    server.advance(60 * MINUTE_MS);
    await outbox.forgetOld();
  }
  isAway = false;
  server.advance(60 * MINUTE_MS);
  await outbox.run();
  expect(received).toEqual(['on-call@example.test']);
  await server.remove();
}, 30_000);
