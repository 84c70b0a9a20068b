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
  /** Sends JSON and answers status and body. */
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

  const call: TestApp['call'] = async ({ token, headers, ...options }) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await app.http.inject({ ...options, headers: { ...headers, ...authorization } });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json(), headers: answer.headers };
  };

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
