/** Mails that fail: each recipient for itself, with a real SMTP server that refuses some and keeps others waiting. */
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind, databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import { say } from '../../platform/texts.ts';

/** Takes mails but those to `dead…`, which it refuses; those to `slow…` get no answer until it is told to give one. */
async function startSmtp() {
  const tried: string[] = [];
  const received: string[] = [];
  const held: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      tried.push(address);
      if (address.startsWith('dead')) done(new Error('There is no such mailbox'));
      else if (address.startsWith('slow')) held.push(() => done());
      else done();
    },
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        received.push(...envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    tried,
    received,
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const MINUTE_MS = 60_000;

describe.each(databaseKinds)('mails to clients (%s)', (kind) => {
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let source: TestDatabase;
  let server: TestApp;

  /** An account for each address, and a mail for each account. */
  async function start(addresses: readonly string[]): Promise<void> {
    source = await makeTestDatabase(kind);
    server = await startTestApp(kind, source, { SMTP_URL: smtp.url });
    const { outbox, accounts } = server.app;
    for (const [at, email] of addresses.entries()) {
      const clientId = await accounts.clients.insertClient({
        email,
        emailKey: `key-${at}`,
        passwordHash: '',
        transactionPasswordHash: '',
        mobileNumber: '',
        referral: '',
        uniqueId: `unique-${at}`,
        role: 'client',
        provider: 'email',
        locale: 'en',
        createdAt: 0,
      });
      const template = { to: { clientId: Number(clientId) }, subject: say('Hello'), paragraphs: [say('Hello')] };
      await outbox.put(mailMessage(template, { kind: 'alert', lifetimeMs: 24 * 60 * MINUTE_MS }));
    }
  }

  beforeEach(async () => {
    smtp = await startSmtp();
  });
  afterEach(async () => {
    smtp.release();
    await server.remove();
    await smtp.close();
  });

  it('reach a recipient behind any number that refuse and that have no address', async () => {
    const dead = Array.from({ length: 120 }, (_, at) => `dead${at}@example.test`);
    await start(['', ...dead, '', 'last@example.test']);
    await server.app.outbox.run();
    expect(smtp.received).toEqual(['last@example.test']);
    expect(new Set(smtp.tried)).toEqual(new Set([...dead, 'last@example.test']));
    await server.app.outbox.run();
    expect(smtp.tried).toHaveLength(121);
  });
});

it('every attempt of which has failed is seen by an operator, and sent again when told to', async () => {
  const smtp = await startSmtp();
  const server = await startTestApp(anyKind, undefined, { SMTP_URL: smtp.url });
  await server.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
  const login = { username: 'op@example.test', password: PASSWORD };
  const { body } = await server.call({ method: 'POST', url: '/api/v3/login', payload: login });
  const token = String(body.token);
  const list = async (query = '') =>
    (await server.call({ method: 'GET', url: `/api/v3/admin/outbox${query}`, token })).body.messages as unknown as {
      id: string;
      recipient: string;
      attempts: number;
    }[];
  const template = { to: 'dead@example.test', subject: say('Hello'), paragraphs: [say('Hello')] };
  await server.app.outbox.put(mailMessage(template, { kind: 'account', lifetimeMs: 24 * 60 * MINUTE_MS }));
  await server.app.outbox.run();
  expect(await list()).toEqual([]);
  for (let attempt = 1; attempt < 8; attempt += 1) {
    server.advance(128 * MINUTE_MS);
    await server.app.outbox.run();
  }
  expect(smtp.tried).toHaveLength(8);
  const [dead] = await list();
  expect(dead).toMatchObject({ recipient: 'dead@example.test', kind: 'account', attempts: 8, can_retry: true });
  expect(await list(`?before=${dead?.id}`)).toEqual([]);
  const retry = () => server.call({ method: 'POST', url: `/api/v3/admin/outbox/${dead?.id}/retry`, token });
  expect((await retry()).status).toBe(200);
  await vi.waitUntil(() => smtp.tried.length === 9);
  expect((await retry()).body.code).toBe('MESSAGE_NOT_FOUND');
  await server.remove();
  await smtp.close();
});

describe('a request', () => {
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let server: TestApp;
  beforeAll(async () => {
    smtp = await startSmtp();
    server = await startTestApp(anyKind, undefined, { SMTP_URL: smtp.url });
  });
  afterAll(async () => {
    smtp.release();
    await server.remove();
    await smtp.close();
  });

  it('does not wait for the mail that it brings about', async () => {
    const email = 'slow@example.test';
    const id = Number(await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client'));
    await server.app.accounts.restrictions.around(id, 'password', async () => undefined);
    await server.app.accounts.restrictions.byOperator(id, 'We look into it', null, 1);
    await vi.waitUntil(() => smtp.tried.length === 1);
    expect(smtp.received).toEqual([]);
    smtp.release();
    await vi.waitUntil(() => smtp.tried.length === 2);
    smtp.release();
    await server.app.outbox.run();
    expect(smtp.received).toEqual([email, email]);
  });
});
