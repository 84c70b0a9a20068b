/** What ends wins over what is on its way: readings of tokens, sign-ins, and whatever a session grants that lasts. */
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, newToken } from '../src/platform/random-token.ts';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import { databaseKinds, makeTestDatabase } from './databases.ts';
import { type HeldDatabase, holdable } from './held-database.ts';

const NEW_PASSWORD = 'another-long-password';
const SESSION_READ = /FROM sessions .* WHERE token_hash/s;
const KEY_READ = /FROM api_keys .* WHERE key_hash/s;

describe.each(databaseKinds)('revocation (%s)', (kind) => {
  let server: TestApp;
  let source: HeldDatabase;
  let operator = '';
  let names = 0;

  type Answer = { status: number; body: Record<string, unknown> };
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, token?: string, payload?: object) =>
    server.call({ method, url, ...(token ? { token } : {}), ...(payload ? { payload } : {}) }) as Promise<Answer>;
  const post = (url: string, token?: string, payload: object = {}) => ask('POST', url, token, payload);
  const login = (email: string, password = PASSWORD) => post('/api/v3/login', undefined, { username: email, password });
  const stepUp = (token: string, purpose: string) =>
    post('/api/v3/step-up', token, { purpose, transaction_password: TRANSACTION_PASSWORD });
  const admitted = async (token: string) => (await ask('GET', '/api/v3/sessions', token)).status === 200;
  const query = (sql: string, parameters: (string | number)[]) => source.database().query(sql, parameters);

  beforeAll(async () => {
    source = holdable(await makeTestDatabase(kind));
    server = await startTestApp(kind, source);
    await server.app.accounts.ensure('keeper@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    operator = String((await login('keeper@example.test')).body.token);
  });
  afterAll(() => server.remove());

  interface Person {
    readonly id: number;
    readonly email: string;
    /** A session that memory knows. */
    readonly token: string;
  }
  async function person(): Promise<Person> {
    names += 1;
    const email = `subject${names}@example.test`;
    const id = (await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client')) ?? 0;
    return { id, email, token: String((await login(email)).body.token) };
  }

  /** A session that memory does not know, as after a restart. */
  async function planted({ id }: Person): Promise<{ token: string; sessionId: number }> {
    const token = newToken();
    const now = Date.now();
    const [row] = await query(
      `INSERT INTO sessions (token_hash, client_id, created_at, expires_at, user_agent, address)
       VALUES ($1, $2, $3, $4, '', '') RETURNING id`,
      [hashToken(token), id, now, now + 86_400_000],
    );
    return { token, sessionId: Number(row?.id) };
  }

  async function resetPassword({ email }: Person): Promise<void> {
    server.advance(61_000);
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
  async function removeAccount({ token }: Person): Promise<void> {
    await stepUp(token, 'privacy');
    const done = await post('/api/v3/account/deletion', token, { confirm: 'DELETE' });
    expect(done.body.message).toBe('success');
  }
  const freeze = ({ id }: Person) => server.app.accounts.states.freeze(id, 'We look into it', null);
  const endByOperator = ({ id }: Person) =>
    post(`/api/v3/admin/clients/${id}/end-sessions`, operator, { reason: 'Asked' });

  type Victim = { token: string; sessionId: number };
  const endings: [string, (who: Person, victim: Victim) => Promise<unknown>][] = [
    ['its logout', (_, { token }) => post('/api/v3/logout', token)],
    [
      'its end from another session',
      ({ token }, { sessionId }) => ask('DELETE', `/api/v3/sessions/${sessionId}`, token),
    ],
    ['the end of all others', ({ token }) => post('/api/v3/sessions/end-others', token)],
    ['a change of the password', changePassword],
    ['a reset of the password', resetPassword],
    ['an operator who ends sessions', endByOperator],
    ['the deletion of the account', removeAccount],
  ];

  it.each(endings)('a token that was being read is refused after %s, then and later', async (_, end) => {
    const who = await person();
    const victim = await planted(who);
    const held = source.hold(SESSION_READ, 'after');
    const waiting = ask('GET', '/api/v3/sessions', victim.token);
    await held.reached;
    await end(who, victim);
    held.release();
    expect((await waiting).body.code).toBe('SESSION_ENDED');
    expect(await admitted(victim.token)).toBe(false);
  });

  it('a token that was being read opens a frozen account no more than any other', async () => {
    const who = await person();
    const { token } = await planted(who);
    const held = source.hold(SESSION_READ, 'after');
    const waiting = ask('GET', '/api/v3/sessions', token);
    await held.reached;
    await freeze(who);
    held.release();
    expect((await waiting).body.code).toBe('FREEZE_ACCOUNT');
    expect((await ask('GET', '/api/v3/sessions', token)).body.code).toBe('FREEZE_ACCOUNT');
  });

  it.each(endings.slice(0, 4))('no later request is admitted after %s, however many are under way', async (_, end) => {
    for (let round = 0; round < 5; round += 1) {
      const who = await person();
      const victim = await planted(who);
      let isOver = false;
      const late: boolean[] = [];
      const follow = async () => {
        for (let turn = 0; turn < 4; turn += 1) {
          const isLate = isOver;
          const isIn = await admitted(victim.token);
          if (isLate) late.push(isIn);
        }
      };
      const following = Array.from({ length: 12 }, follow);
      await end(who, victim);
      isOver = true;
      await Promise.all(following);
      late.push(await admitted(victim.token));
      expect(late).not.toContain(true);
      if (await admitted(who.token)) await post('/api/v3/logout', who.token);
    }
  });

  async function newKey({ token }: Person): Promise<{ key: string; id: number }> {
    await stepUp(token, 'connections');
    const wish = { label: 'Bot', permissions: ['read', 'trade'], days: 1 };
    const key = String((await post('/api/v3/api-keys', token, wish)).body.key);
    const { api_keys } = (await ask('GET', '/api/v3/app-authorization', token)).body as { api_keys: { id: number }[] };
    return { key, id: api_keys[0]?.id ?? 0 };
  }
  const keyAdmitted = async (key: string) => (await ask('GET', '/api/v3/trades/funds', key)).status === 200;

  it('an API key that was being read is refused after it was revoked, then and later', async () => {
    const who = await person();
    const { key, id } = await newKey(who);
    const held = source.hold(KEY_READ, 'after');
    const waiting = keyAdmitted(key);
    await held.reached;
    expect((await ask('DELETE', `/api/v3/api-keys/${id}`, who.token)).status).toBe(200);
    held.release();
    expect(await waiting).toBe(false);
    expect(await keyAdmitted(key)).toBe(false);
  });

  it('no later request of a revoked key is admitted, however many are under way', async () => {
    const who = await person();
    for (let round = 0; round < 5; round += 1) {
      const { key, id } = await newKey(who);
      const under = Array.from({ length: 20 }, () => keyAdmitted(key));
      await ask('DELETE', `/api/v3/api-keys/${id}`, who.token);
      expect(await keyAdmitted(key)).toBe(false);
      await Promise.all(under);
      expect(await keyAdmitted(key)).toBe(false);
    }
  });

  async function enableTotp({ token }: Person): Promise<void> {
    await stepUp(token, 'factors');
    const { secret } = (await post('/api/v3/totp/enrolment', token)).body as { secret: string };
    const clock = await new Promise<number>((resolve) => {
      const stop = server.app.accounts.states.onState((_, { ts }) => resolve(Number(ts)));
      server.app.accounts.states.tell(0, 'unfrozen');
      stop();
    });
    const code = generateSync({ secret, epoch: Math.floor(clock / 1000) });
    expect((await post('/api/v3/totp', token, { code })).body.message).toBe('success');
  }

  const changes: [string, (who: Person) => Promise<unknown>][] = [
    ['a change of the password', changePassword],
    ['a reset of the password', resetPassword],
    ['an operator who ends sessions', endByOperator],
    ['a freeze', freeze],
    ['the deletion of the account', removeAccount],
    ['a second factor that was connected', enableTotp],
  ];

  it.each(changes)('a sign-in whose proof was checked before comes to nothing after %s', async (_, change) => {
    const who = await person();
    const held = source.hold(/INSERT INTO sessions/, 'before');
    const waiting = login(who.email);
    await held.reached;
    await change(who);
    held.release();
    expect((await waiting).body.token).toBeUndefined();
    const deletion = await query('SELECT deletion_at FROM clients WHERE id = $1', [who.id]);
    expect(deletion[0]?.deletion_at === null).toBe(change !== removeAccount);
  });

  it.each(changes.slice(0, 3))(
    'a sign-in whose session was made, and ended before it was told, gives no token after %s',
    async (_, change) => {
      const who = await person();
      const held = source.hold(/INSERT INTO sessions/, 'after');
      const waiting = login(who.email);
      await held.reached;
      await change(who);
      held.release();
      expect((await waiting).body.token).toBeUndefined();
    },
  );

  it('of sign-ins and endings of all sessions, in any order, no session is left that began before the last ending', async () => {
    const who = await person();
    const entries = Array.from({ length: 20 }, () => login(who.email));
    await server.app.accounts.sessions.endAll(who.id);
    await Promise.all(entries);
    await server.app.accounts.sessions.endAll(who.id);
    const tokens = (await Promise.all(entries)).flatMap(({ body }) => (body.token ? [String(body.token)] : []));
    expect(await Promise.all(tokens.map(admitted))).toEqual(tokens.map(() => false));
    expect(await query('SELECT id FROM sessions WHERE client_id = $1', [who.id])).toEqual([]);
  });

  const address = { label: 'Cold', coin: 'usdt', network: 'trc20', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' };
  const grants: [string, string, RegExp, (token: string) => Promise<Answer>][] = [
    [
      'an API key',
      'connections',
      /INSERT INTO api_keys/,
      (token) => post('/api/v3/api-keys', token, { label: 'Bot', permissions: ['read'], days: 1 }),
    ],
    [
      'a withdrawal address',
      'whitelist',
      /INSERT INTO whitelist/,
      (token) => post('/api/v3/whitelist', token, address),
    ],
    ['an export', 'privacy', /INSERT INTO data_exports/, (token) => post('/api/v3/account/exports', token)],
    ['an authenticator app', 'factors', /INSERT INTO totp/, (token) => post('/api/v3/totp/enrolment', token)],
    [
      'an unlock',
      'factors',
      /trading_unlocked_until = \$2/,
      (token) => post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD }),
    ],
    [
      'a looser limit',
      'withdrawal-settings',
      /UPDATE clients SET withdraw_limit/,
      (token) => ask('PATCH', '/api/v3/security/withdrawal', token, { one_step: true }),
    ],
    [
      'a password',
      'password',
      /INSERT INTO past_passwords/,
      (token) => post('/api/v3/update-password', token, { oldLoginPassword: PASSWORD, password: NEW_PASSWORD }),
    ],
    [
      'a transaction password',
      'transaction-password',
      /INSERT INTO past_passwords/,
      (token) =>
        post('/api/v3/update-transaction-password', token, {
          oldTransactionPassword: TRANSACTION_PASSWORD,
          transactionPassword: 'order-that',
        }),
    ],
    ['the end of others', 'factors', /DELETE FROM sessions/, (token) => post('/api/v3/sessions/end-others', token)],
  ];

  it.each(grants)('%s is not given to a session that ends while it is asked for', async (_, purpose, pattern, wish) => {
    const who = await person();
    const kept = String((await login(who.email)).body.token);
    await stepUp(who.token, purpose);
    const sessionId = (await server.app.accounts.sessions.authenticate(who.token))?.sessionId ?? 0;
    const held = source.hold(pattern, 'before');
    const waiting = wish(who.token);
    await held.reached;
    await server.app.accounts.sessions.endOne(who.id, sessionId);
    held.release();
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect(await admitted(kept)).toBe(true);
    expect((await login(who.email)).status).toBe(200);
  });

  it.each(grants.slice(0, 7))(
    '%s is not given on the strength of a password that changes while it is asked for',
    async (_, purpose, pattern, wish) => {
      const who = await person();
      await stepUp(who.token, purpose);
      const held = source.hold(pattern, 'before');
      const waiting = wish(who.token);
      await held.reached;
      // The epoch of what was confirmed moves on, and the session stays.
      await query('UPDATE clients SET auth_epoch = auth_epoch + 1 WHERE id = $1', [who.id]);
      held.release();
      expect(await waiting).toMatchObject({ status: 409, body: { code: 'PROOF_OUTDATED' } });
      expect(await admitted(who.token)).toBe(true);
    },
  );

  describe('a step-up', () => {
    const wish = { label: 'Bot', permissions: ['read'], days: 1 };
    const changeTransactionPassword = async (token: string) => {
      await stepUp(token, 'transaction-password');
      const change = { oldTransactionPassword: TRANSACTION_PASSWORD, transactionPassword: 'order-that' };
      expect((await post('/api/v3/update-transaction-password', token, change)).body).toEqual({ message: 'saved' });
    };

    it.each<[string, (who: Person) => Promise<unknown>]>([
      ['the transaction password', ({ token }) => changeTransactionPassword(token)],
      ['the password', changePassword],
      ['a factor', enableTotp],
    ])('ends with a change of %s, in every session', async (_, change) => {
      const who = await person();
      const other = String((await login(who.email)).body.token);
      await Promise.all([stepUp(who.token, 'connections'), stepUp(other, 'connections')]);
      await change(who);
      for (const token of [who.token, other]) {
        const { code } = (await post('/api/v3/api-keys', token, wish)).body;
        expect(['STEP_UP_REQUIRED', 'SESSION_ENDED']).toContain(code);
      }
    });

    it('that is asked for with the old transaction password while it changes is worth nothing afterwards', async () => {
      const who = await person();
      const other = String((await login(who.email)).body.token);
      // The second reading of the client is the one that the password is checked by.
      const held = source.hold(/FROM clients WHERE id = \$1/, 'after', 1);
      const waiting = stepUp(other, 'connections');
      await held.reached;
      await changeTransactionPassword(who.token);
      held.release();
      await waiting;
      expect((await post('/api/v3/api-keys', other, wish)).body.code).toBe('STEP_UP_REQUIRED');
    });
  });

  describe('an unlock', () => {
    const unlock = (token: string) =>
      post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD });
    const state = async (token: string) => (await ask('GET', '/api/v3/trading-unlock', token)).body.unlocked_until;
    const stored = async ({ id }: Person) =>
      (await query('SELECT max(trading_unlocked_until) AS until FROM sessions WHERE client_id = $1', [id]))[0]?.until;

    it.each(['before', 'after'] as const)(
      'that meets a lock is locked, here and in the store (held %s)',
      async (when) => {
        const who = await person();
        const held = source.hold(/trading_unlocked_until = \$2/, when);
        const waiting = unlock(who.token);
        await held.reached;
        expect((await ask('DELETE', '/api/v3/trading-unlock', who.token)).status).toBe(200);
        held.release();
        expect((await waiting).body.code).toBe('PROOF_OUTDATED');
        expect(await state(who.token)).toBeNull();
        expect(await stored(who)).toBe(0);
      },
    );

    it('is not read into memory from before a lock', async () => {
      const who = await person();
      const victim = await planted(who);
      await query('UPDATE sessions SET trading_unlocked_until = $2 WHERE id = $1', [victim.sessionId, Date.now() * 2]);
      const held = source.hold(SESSION_READ, 'after');
      const waiting = state(victim.token);
      await held.reached;
      expect((await ask('DELETE', '/api/v3/trading-unlock', victim.token)).status).toBe(200);
      held.release();
      await waiting;
      expect(await state(victim.token)).toBeNull();
    });
  });

  describe('while the store fails', () => {
    it.each(['before', 'after'] as const)(
      'a logout says so, and the token stays refused until it is done (lost %s)',
      async (when) => {
        const who = await person();
        source.lose(/DELETE FROM sessions/, when);
        expect(await post('/api/v3/logout', who.token)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
        expect(await admitted(who.token)).toBe(false);
        await server.app.accounts.sessions.finishEndings();
        expect(await query('SELECT id FROM sessions WHERE client_id = $1', [who.id])).toEqual([]);
        expect((await login(who.email)).status).toBe(200);
      },
    );

    it('a change of the password says so, and the other sessions stay refused', async () => {
      const who = await person();
      const other = String((await login(who.email)).body.token);
      await stepUp(who.token, 'password');
      source.lose(/INSERT INTO past_passwords/, 'after');
      const change = { oldLoginPassword: PASSWORD, password: NEW_PASSWORD };
      expect((await post('/api/v3/update-password', who.token, change)).status).toBe(503);
      expect(await admitted(other)).toBe(false);
      expect(await admitted(who.token)).toBe(true);
      await server.app.accounts.sessions.finishEndings();
      expect(await admitted(other)).toBe(false);
      expect((await login(who.email, NEW_PASSWORD)).status).toBe(200);
    });

    it('a revoked key stays refused until it is done', async () => {
      const who = await person();
      const { key, id } = await newKey(who);
      source.lose(/DELETE FROM api_keys/, 'before');
      expect((await ask('DELETE', `/api/v3/api-keys/${id}`, who.token)).status).toBe(503);
      expect(await keyAdmitted(key)).toBe(false);
      await server.app.security.keys.finishEndings();
      expect(await query('SELECT id FROM api_keys WHERE client_id = $1', [who.id])).toEqual([]);
    });

    it('a freeze and a maintenance that could not be written down hold, and what could not be lifted stays', async () => {
      const who = await person();
      const { states } = server.app.accounts;
      source.lose(/UPDATE clients SET status/, 'before');
      await expect(freeze(who)).rejects.toThrow('Lost');
      expect((await ask('GET', '/api/v3/sessions', who.token)).body.code).toBe('FREEZE_ACCOUNT');
      source.lose(/UPDATE clients SET status/, 'before');
      await expect(states.unfreeze(who.id)).rejects.toThrow('Lost');
      expect((await ask('GET', '/api/v3/sessions', who.token)).body.code).toBe('FREEZE_ACCOUNT');
      await states.unfreeze(who.id);
      source.lose(/UPDATE maintenance/, 'before');
      const closed = { since: Date.now(), reason: 'A new engine', until_at: null, by_id: null };
      await expect(states.maintain(closed)).rejects.toThrow('Lost');
      expect((await ask('GET', '/api/v3/sessions', who.token)).body.code).toBe('MAINTENANCE');
      await states.maintain({ ...closed, since: null, reason: '' });
      expect(await admitted(who.token)).toBe(true);
    });
  });

  it('a freeze that comes while one is lifted stays, in memory and in the store', async () => {
    const who = await person();
    const { states } = server.app.accounts;
    await freeze(who);
    const held = source.hold(/UPDATE clients SET status/, 'before');
    const lifting = states.unfreeze(who.id);
    await held.reached;
    const again = states.freeze(who.id, 'Once more', null);
    held.release();
    await Promise.all([lifting, again]);
    expect(states.freezeOf(who.id)?.reason).toBe('Once more');
    expect((await query('SELECT status FROM clients WHERE id = $1', [who.id]))[0]?.status).toBe('FREEZE_ACCOUNT');
  });

  it('who signs in while his account is being deleted keeps it', async () => {
    const who = await person();
    await removeAccount(who);
    server.advance(15 * 86_400_000);
    operator = String((await login('keeper@example.test')).body.token);
    const held = source.hold(/deleted:/, 'before');
    const deleting = server.app.security.privacy.deleteDue();
    await held.reached;
    expect((await login(who.email)).status).toBe(200);
    held.release();
    await deleting;
    expect(await server.app.accounts.person(who.id)).toEqual({ email: who.email, role: 'client' });
  });

  it('a request to delete the account ends keys that were made while it was under way', async () => {
    const who = await person();
    const other = String((await login(who.email)).body.token);
    await stepUp(other, 'connections');
    await stepUp(who.token, 'privacy');
    const held = source.hold(/INSERT INTO api_keys/, 'before');
    const making = post('/api/v3/api-keys', other, { label: 'Bot', permissions: ['read'], days: 1 });
    await held.reached;
    const { status } = await post('/api/v3/account/deletion', who.token, { confirm: 'DELETE' });
    held.release();
    expect([status, (await making).status]).toEqual([200, 401]);
    expect(await query('SELECT id FROM api_keys WHERE client_id = $1', [who.id])).toEqual([]);
  });
});
