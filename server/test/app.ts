/** A whole server in the test's process, on an empty database, without the simulated market. */
import type { InjectOptions } from 'fastify';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/platform/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { type DatabaseKind, makeTestDatabase, type TestDatabase } from './databases.ts';
import { CHEAP_PASSWORDS } from './server-in-process.ts';

export interface TestApp {
  readonly app: App;
  readonly source: TestDatabase;
  /** What the server reads and writes; only one process and connection may have a data folder open. */
  readonly database: Database;
  /** The server's clock. */
  now(): number;
  /** Moves the server's clock forward. */
  advance(ms: number): void;
  /** Stops the server's clock. */
  freeze(): void;
  /**
   * Sends JSON and answers status and body. A step-up without an `act` is a promise: the person of that token gives this
   * proof whenever a call asks for one for that purpose, as in the dialog of the web client.
   */
  call(
    options: InjectOptions & { token?: string },
  ): Promise<{ status: number; body: Record<string, never>; headers: Record<string, unknown> }>;
  /** A new client with funds, whose session is not unlocked for orders; answers the token. */
  client(name: string, funds: Readonly<Record<string, string>>): Promise<string>;
  /** A new client with funds, who has unlocked the session for orders; answers the token. */
  trader(name: string, funds: Readonly<Record<string, string>>): Promise<string>;
  /** Ends it without the database's files. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export const PASSWORD = 'a-long-password';
export const TRANSACTION_PASSWORD = 'order-it';

const aheadOf = new WeakMap<TestDatabase, number>();

const MOST_ASKED = 50;
const RESEND_MS = 61_000;

type StepUpProof = { readonly purpose: string; readonly act?: string };
type StepUpNeed = { readonly purpose: string; readonly act: string; readonly needs: readonly string[] };

/** Answers the question for a step-up with what its person has promised for that purpose. */
function confirming(send: TestApp['call'], mailedCode: (token: string) => Promise<string>): TestApp['call'] {
  const promised = new Map<string, StepUpProof>();
  const keyOf = (token: string | undefined, purpose: string) => `${token}/${purpose}`;
  return async (options) => {
    const proof = options.payload as StepUpProof | undefined;
    if (options.url === '/api/v3/step-up' && proof?.purpose !== undefined && proof.act === undefined) {
      promised.set(keyOf(options.token, proof.purpose), proof);
      return { status: 200, body: { message: 'success' } as never, headers: {} };
    }
    for (let tries = 0; ; tries += 1) {
      const answer = await send(options);
      const need = (answer.body as { readonly step_up?: StepUpNeed }).step_up;
      const given = need && promised.get(keyOf(options.token, need.purpose));
      // The same call at once by the same session takes the grant of the other.
      if (need === undefined || given === undefined || tries === MOST_ASKED) return answer;
      const token = options.token === undefined ? {} : { token: options.token };
      const code = need.needs.includes('email_code') ? { email_code: await mailedCode(options.token ?? '') } : {};
      await send({ method: 'POST', url: '/api/v3/step-up', payload: { ...given, act: need.act, ...code }, ...token });
    }
  };
}

export async function startTestApp(
  kind: DatabaseKind,
  from?: TestDatabase,
  settings: Record<string, string> = {},
): Promise<TestApp> {
  const source = from ?? (await makeTestDatabase(kind, 'migrated'));
  const config = readConfig({
    NODE_ENV: 'test',
    MARKET: 'none',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    DEVELOPMENT_BLOCK_SECONDS: '0',
    SECRETS_KEY: 'c0'.repeat(32),
    DATA_DIR: source.environment.DATA_DIR,
    ...settings,
  });
  const logger = createLogger('silent');
  // After a restart the clock goes on where it was: the journal is never ahead of it.
  let ahead = aheadOf.get(source) ?? 0;
  let frozenAt: number | undefined;
  const clock = { now: () => frozenAt ?? Date.now() + ahead };
  const database = await source.open();
  const app = await createApp({
    config,
    database,
    logger,
    clock,
    passwordCost: CHEAP_PASSWORDS,
    onFatal: (error) => {
      throw error;
    },
  });

  const send: TestApp['call'] = async ({ token, headers, ...options }) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await app.http.inject({ ...options, headers: { ...headers, ...authorization } });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json(), headers: answer.headers };
  };
  /** The code of a step-up, as its owner reads it. */
  async function mailedCode(token: string): Promise<string> {
    const sent = await send({ method: 'POST', url: '/api/v3/step-up/code', token, payload: {} });
    if (sent.status === 429) {
      ahead += RESEND_MS;
      return mailedCode(token);
    }
    await app.outbox.run();
    const identity = await app.accounts.sessions.authenticate(token);
    const email = (await app.accounts.clients.clientById(identity?.clientId ?? 0))?.email ?? '';
    const { messages } = (await send({ method: 'GET', url: `/api/dev/outbox?to=${encodeURIComponent(email)}` }))
      .body as unknown as { messages: readonly { readonly subject: string }[] };
    return messages.find(({ subject }) => /^\d{6} /.test(subject))?.subject.slice(0, 6) ?? '';
  }
  const call = confirming(send, mailedCode);

  const client: TestApp['client'] = async (name, funds) => {
    const email = `${name}@example.test`;
    await app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client');
    const signedIn = await call({
      method: 'POST',
      url: '/api/v3/login',
      payload: { username: email, password: PASSWORD },
    });
    const token = String(signedIn.body.token);
    for (const [coin, amount] of Object.entries(funds)) {
      await call({ method: 'POST', url: '/api/dev/faucet', token, payload: { coin, amount } });
    }
    return token;
  };

  return {
    app,
    source,
    database,
    now: clock.now,
    advance(ms) {
      ahead += ms;
      aheadOf.set(source, ahead);
    },
    freeze() {
      frozenAt = clock.now();
    },
    call,
    client,
    async trader(name, funds) {
      const token = await client(name, funds);
      await call({
        method: 'POST',
        url: '/api/v3/trading-unlock',
        token,
        payload: { transaction_password: TRANSACTION_PASSWORD, minutes: 60 },
      });
      return token;
    },
    stop: () => app.close(),
    async remove() {
      await app.close();
      await source.remove();
    },
  };
}
