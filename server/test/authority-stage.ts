/** A server on a database that a test can hold, with people, and everything that ends what they may do. */
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import { hashToken, newToken } from '../src/platform/random-token.ts';
import { PASSWORD, startTestApp, TRANSACTION_PASSWORD } from './app.ts';
import { type DatabaseKind, makeTestDatabase } from './databases.ts';
import { holdable } from './held-database.ts';

export const NEW_PASSWORD = 'another-long-password';
export const SESSION_READ = /FROM sessions .* WHERE token_hash/s;
export const KEY_READ = /FROM api_keys .* WHERE key_hash/s;

export type Answer = { status: number; body: Record<string, unknown> };

export interface Person {
  readonly id: number;
  readonly email: string;
  /** A session that memory knows. */
  readonly token: string;
}

/** A session that memory does not know, as after a restart. */
export interface Planted {
  readonly token: string;
  readonly sessionId: number;
}

export async function startStage(kind: DatabaseKind) {
  const source = holdable(await makeTestDatabase(kind, 'migrated'));
  let ahead = 0;
  const server = await startTestApp(kind, source);
  let names = 0;

  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, token?: string, payload?: object) =>
    server.call({ method, url, ...(token ? { token } : {}), ...(payload ? { payload } : {}) }) as Promise<Answer>;
  const post = (url: string, token?: string, payload: object = {}) => ask('POST', url, token, payload);
  const login = (email: string, password = PASSWORD) => post('/api/v3/login', undefined, { username: email, password });
  const stepUp = (token: string, purpose: string) =>
    post('/api/v3/step-up', token, { purpose, transaction_password: TRANSACTION_PASSWORD });
  /** A step-up for one call with its values, which is not made yet. */
  async function grant(token: string, url: string, payload: object): Promise<Answer> {
    const { step_up } = (await post(url, token, payload)).body as { step_up: { purpose: string; act: string } };
    const { purpose, act } = step_up;
    return post('/api/v3/step-up', token, { purpose, act, transaction_password: TRANSACTION_PASSWORD });
  }
  const query = (sql: string, parameters: (string | number)[]) => source.database().query(sql, parameters);
  const advance = (ms: number) => {
    ahead += ms;
    server.advance(ms);
  };
  const now = () => Date.now() + ahead;

  async function operator(): Promise<string> {
    await server.app.accounts.ensure('keeper@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    return String((await login('keeper@example.test')).body.token);
  }

  async function person(): Promise<Person> {
    names += 1;
    const email = `subject${names}@example.test`;
    const id = (await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client')) ?? 0;
    return { id, email, token: String((await login(email)).body.token) };
  }

  async function planted({ id }: Pick<Person, 'id'>): Promise<Planted> {
    const token = newToken();
    const [row] = await query(
      `INSERT INTO sessions (token_hash, client_id, created_at, expires_at, user_agent, address)
       VALUES ($1, $2, $3, $4, '', '') RETURNING id`,
      [hashToken(token), id, now(), now() + 86_400_000],
    );
    return { token, sessionId: Number(row?.id) };
  }

  async function newKey({ token }: Pick<Person, 'token'>, permissions = ['read', 'trade']) {
    await stepUp(token, 'connections');
    const key = String((await post('/api/v3/api-keys', token, { label: 'Bot', permissions, days: 1 })).body.key);
    const { api_keys } = (await ask('GET', '/api/v3/app-authorization', token)).body as { api_keys: { id: number }[] };
    return { key, id: api_keys[0]?.id ?? 0 };
  }

  async function resetPassword({ email }: Person): Promise<void> {
    advance(61_000);
    await post('/api/v3/forgot-password/send-code', undefined, { email });
    const outbox = () => ask('GET', `/api/dev/outbox?to=${encodeURIComponent(email)}`);
    const codeOf = async () => ((await outbox()).body.messages as { subject: string }[])[0]?.subject.slice(0, 6);
    await expect.poll(codeOf).toMatch(/^\d{6}$/);
    const code = await codeOf();
    const { reset_token } = (await post('/api/v3/forget-password-code/verify', undefined, { email, code })).body;
    const done = await post('/api/v3/reset-password', undefined, { email, password: NEW_PASSWORD, reset_token });
    expect(done.body).toEqual({ message: 'success' });
  }
  async function changePassword({ token }: Person): Promise<void> {
    await stepUp(token, 'password');
    const wish = { oldLoginPassword: PASSWORD, password: NEW_PASSWORD };
    expect((await post('/api/v3/update-password', token, wish)).body).toEqual({ message: 'saved' });
  }
  async function changeTransactionPassword({ token }: Person): Promise<void> {
    await stepUp(token, 'transaction-password');
    const wish = { oldTransactionPassword: TRANSACTION_PASSWORD, transactionPassword: 'order-that' };
    expect((await post('/api/v3/update-transaction-password', token, wish)).body).toEqual({ message: 'saved' });
  }
  async function removeAccount({ token }: Person): Promise<void> {
    await stepUp(token, 'privacy');
    const done = await post('/api/v3/account/deletion', token, { confirm: 'DELETE' });
    expect(done.body.message).toBe('success');
  }
  const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(now() / 1000) });
  async function enableTotp({ token }: Person): Promise<void> {
    await stepUp(token, 'factors');
    const { secret } = (await post('/api/v3/totp/enrolment', token)).body as { secret: string };
    expect((await post('/api/v3/totp', token, { code: codeOf(secret) })).body.message).toBe('success');
  }

  return {
    server,
    source,
    ask,
    post,
    login,
    stepUp,
    grant,
    query,
    advance,
    operator,
    person,
    planted,
    newKey,
    resetPassword,
    changePassword,
    changeTransactionPassword,
    removeAccount,
    codeOf,
    enableTotp,
    freeze: ({ id }: Person) => server.app.accounts.states.freeze(id, 'We look into it', null),
    endByOperator: async ({ id }: Person) =>
      post(`/api/v3/admin/clients/${id}/end-sessions`, await operator(), { reason: 'Asked' }),
    admitted: async (token: string) => (await ask('GET', '/api/v3/sessions', token)).status === 200,
    keyAdmitted: async (key: string) => (await ask('GET', '/api/v3/trades/funds', key)).status === 200,
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
