/** Mails that fail: each recipient for itself, with a real SMTP server that refuses some and keeps others waiting. */
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { createPost } from '../../people/mail/service.ts';
import { migrate } from '../../platform/migrations.ts';

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

describe.each(databaseKinds)('mails of alerts (%s)', (kind) => {
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let source: TestDatabase;
  let server: TestApp;

  /** An account for each address, with an alert that has fired and is to be mailed. */
  async function start(addresses: readonly string[]): Promise<void> {
    source = await makeTestDatabase(kind, 'migrated');
    const database = await source.open();
    await migrate(database);
    for (const [at, email] of addresses.entries()) {
      await database.query(
        `WITH client AS (
           INSERT INTO clients (email, email_key, password_hash, transaction_password_hash, unique_id, created_at)
           VALUES ($1, $2, '', '', $2, 0) RETURNING id)
         INSERT INTO alert_firings (alert_id, client_id, market, above, price, note, locale, trade_id, fired_price,
                                    fired_at, mail_due)
         SELECT $3::int8, id, 0, true, 510000, '', 'en', 1, 510000, $4::int8, true FROM client`,
        [email, `key-${at}`, at, Date.now()],
      );
    }
    await database.close();
    server = await startTestApp(kind, source, { SMTP_URL: smtp.url });
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
    await server.app.alerts.sendMails();
    expect(smtp.received).toEqual(['last@example.test']);
    expect(new Set(smtp.tried)).toEqual(new Set([...dead, 'last@example.test']));
    await server.app.alerts.sendMails();
    expect(smtp.tried).toHaveLength(121);
  });

  it('are tried again after a while that grows, and given up after eight attempts', async () => {
    await start(['dead@example.test']);
    await server.app.alerts.sendMails();
    for (const [at, minutes] of [1, 2, 4, 8, 16, 32, 64, 128, 256].entries()) {
      server.advance(minutes * MINUTE_MS - 20_000);
      await server.app.alerts.sendMails();
      expect(smtp.tried).toHaveLength(Math.min(8, at + 1));
      server.advance(20_000);
      await server.app.alerts.sendMails();
      expect(smtp.tried).toHaveLength(Math.min(8, at + 2));
    }
  });

  it('are given up after a day', async () => {
    await start(['late@example.test']);
    server.advance(24 * 60 * MINUTE_MS + 1000);
    await server.app.alerts.sendMails();
    expect(smtp.tried).toEqual([]);
  });

  it('do not wait for a mailbox that answers slowly', async () => {
    await start(['slow@example.test', ...Array.from({ length: 20 }, (_, at) => `quick${at}@example.test`)]);
    const sending = server.app.alerts.sendMails();
    await vi.waitUntil(() => smtp.received.length === 20, { timeout: 9000 });
    expect(smtp.received).not.toContain('slow@example.test');
    smtp.release();
    await sending;
    expect(smtp.received).toContain('slow@example.test');
  });
});

describe('a request', () => {
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let server: TestApp;
  beforeAll(async () => {
    smtp = await startSmtp();
    server = await startTestApp('pglite', undefined, { SMTP_URL: smtp.url });
  });
  afterAll(async () => {
    smtp.release();
    await server.remove();
    await smtp.close();
  });

  it('does not wait for the mail that it brings about', async () => {
    const email = 'slow@example.test';
    const id = Number(await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client'));
    await server.app.accounts.holds.afterChange(id, 'password');
    await server.app.accounts.holds.byOperator(id, 'We look into it', null, 1);
    await vi.waitUntil(() => smtp.tried.length === 2);
    expect(smtp.received).toEqual([]);
    smtp.release();
    await server.app.accounts.post.idle();
    expect(smtp.received).toEqual([email, email]);
  });
});

describe('the post', () => {
  const mail = (to: string) => ({ to, subject: '', text: '', html: '' });

  it('tries three times, sends others meanwhile, and never fails its caller', async () => {
    const tried: string[] = [];
    const warn = vi.fn();
    const post = createPost({
      mailer: {
        async send({ to }) {
          tried.push(to);
          if (to === 'dead') throw new Error('refused');
        },
      },
      logger: { warn, error: vi.fn() },
      retryMs: [5, 5],
    });
    for (let round = 0; round < 10; round += 1) post.send(mail('dead'));
    post.send(mail('good'));
    await vi.waitUntil(() => tried.includes('good'));
    await vi.waitUntil(() => warn.mock.calls.filter(([about]) => about.isGivenUp).length === 10);
    expect(tried.filter((to) => to === 'dead')).toHaveLength(30);
    await post.close();
    post.send(mail('late'));
    expect(tried).not.toContain('late');
  });
});
