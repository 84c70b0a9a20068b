/** What a session grants that lasts, and what was confirmed or unlocked in it, does not outlive it or its proof. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, TRANSACTION_PASSWORD } from './app.ts';
import { type Answer, NEW_PASSWORD, type Person, SESSION_READ, type Stage, startStage } from './authority-stage.ts';
import { databaseKinds } from './databases.ts';

describe.each(databaseKinds)('what is granted (%s)', (kind) => {
  let stage: Stage;
  let numbers = 0;
  beforeAll(async () => {
    stage = await startStage(kind);
  });
  afterAll(() => stage.server.remove());

  const address = { label: 'Cold', coin: 'usdt', network: 'trc20', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' };
  const grants: [string, string, RegExp, (token: string) => Promise<Answer>][] = [
    [
      'an API key',
      'connections',
      /INSERT INTO api_keys/,
      (token) => stage.post('/api/v3/api-keys', token, { label: 'Bot', permissions: ['read'], days: 1 }),
    ],
    [
      'a withdrawal address',
      'whitelist',
      /INSERT INTO whitelist/,
      (token) => stage.post('/api/v3/whitelist', token, address),
    ],
    ['an export', 'privacy', /INSERT INTO data_exports/, (token) => stage.post('/api/v3/account/exports', token)],
    ['an authenticator app', 'factors', /INSERT INTO totp/, (token) => stage.post('/api/v3/totp/enrolment', token)],
    [
      'an unlock',
      'factors',
      /trading_unlocked_until = \$2/,
      (token) => stage.post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD }),
    ],
    [
      'a looser limit',
      'withdrawal-settings',
      /UPDATE clients SET withdraw_limit/,
      (token) => stage.ask('PATCH', '/api/v3/security/withdrawal', token, { one_step: true }),
    ],
    [
      'a password',
      'password',
      /INSERT INTO past_passwords/,
      (token) => stage.post('/api/v3/update-password', token, { oldLoginPassword: PASSWORD, password: NEW_PASSWORD }),
    ],
    [
      'a transaction password',
      'transaction-password',
      /INSERT INTO past_passwords/,
      (token) =>
        stage.post('/api/v3/update-transaction-password', token, {
          oldTransactionPassword: TRANSACTION_PASSWORD,
          transactionPassword: 'order-that',
        }),
    ],
    [
      'an authenticator app that waits for its code',
      'factors',
      /UPDATE totp SET enabled_at/,
      async (token) => {
        const { secret } = (await stage.post('/api/v3/totp/enrolment', token)).body as { secret: string };
        return stage.post('/api/v3/totp', token, { code: stage.codeOf(secret) });
      },
    ],
    [
      'the end of a connection',
      'connections',
      /DELETE FROM identities/,
      (token) => stage.ask('DELETE', '/api/v3/bind-accounts/google', token),
    ],
    [
      'a mobile number',
      'connections',
      /mobile_verified_at = \$3/,
      async (token) => {
        const number = `415555${String(++numbers).padStart(4, '0')}`;
        await stage.ask('GET', `/api/v3/sendSMSCode?mobile_number=${number}`, token);
        const { messages } = (await stage.ask('GET', '/api/dev/sms-outbox')).body as { messages: { text: string }[] };
        const code = messages[0]?.text.slice(0, 6);
        return stage.ask('GET', `/api/v3/verify-mobile?mobile_number=${number}&verification_code=${code}`, token);
      },
    ],
    [
      'the end of others',
      'factors',
      /DELETE FROM sessions/,
      (token) => stage.post('/api/v3/sessions/end-others', token),
    ],
  ];

  it.each(grants)('%s is not given to a session that ends while it is asked for', async (_, purpose, pattern, wish) => {
    const who = await stage.person();
    const kept = String((await stage.login(who.email)).body.token);
    await stage.stepUp(who.token, purpose);
    const sessionId = (await stage.server.app.accounts.sessions.authenticate(who.token))?.sessionId ?? 0;
    const held = stage.source.hold(pattern, 'before');
    const waiting = wish(who.token);
    await held.reached;
    await stage.server.app.accounts.sessions.endOne(who.id, sessionId);
    held.release();
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect(await stage.admitted(kept)).toBe(true);
    expect((await stage.login(who.email)).status).toBe(200);
  });

  it.each(grants.slice(0, -1))(
    '%s is not given on the strength of a password that changes while it is asked for',
    async (_, purpose, pattern, wish) => {
      const who = await stage.person();
      await stage.stepUp(who.token, purpose);
      const held = stage.source.hold(pattern, 'before');
      const waiting = wish(who.token);
      await held.reached;
      // The epoch of what was confirmed moves on, and the session stays.
      await stage.query('UPDATE clients SET auth_epoch = auth_epoch + 1 WHERE id = $1', [who.id]);
      held.release();
      expect(await waiting).toMatchObject({ status: 409, body: { code: 'PROOF_OUTDATED' } });
      expect(await stage.admitted(who.token)).toBe(true);
    },
  );

  it("an operator's warning of an address is not written by a session that ends while it is", async () => {
    const token = await stage.operator();
    const { clientId = 0, sessionId = 0 } = (await stage.server.app.accounts.sessions.authenticate(token)) ?? {};
    await stage.stepUp(token, 'treasury');
    const held = stage.source.hold(/INSERT INTO fraudulent_addresses/, 'before');
    const wish = { network: 'ERC20', address: `0x${'5'.repeat(40)}`, note: 'Known' };
    const waiting = stage.post('/api/v3/admin/fraudulent-addresses', token, wish);
    await held.reached;
    await stage.server.app.accounts.sessions.endOne(clientId, sessionId);
    held.release();
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect(await stage.query('SELECT id FROM fraudulent_addresses WHERE address = $1', [wish.address])).toEqual([]);
  });

  describe('a step-up', () => {
    const wish = { label: 'Bot', permissions: ['read'], days: 1 };
    it.each<[string, (who: Person) => Promise<unknown>]>([
      ['the transaction password', (who) => stage.changeTransactionPassword(who)],
      ['the password', (who) => stage.changePassword(who)],
      ['a factor', (who) => stage.enableTotp(who)],
    ])('ends with a change of %s, in every session', async (_, change) => {
      const who = await stage.person();
      const other = String((await stage.login(who.email)).body.token);
      for (const token of [who.token, other]) await stage.grant(token, '/api/v3/api-keys', wish);
      await change(who);
      for (const token of [who.token, other]) {
        const { code } = (await stage.post('/api/v3/api-keys', token, wish)).body;
        expect(['STEP_UP_REQUIRED', 'SESSION_ENDED']).toContain(code);
      }
    });

    it('that is asked for with the old transaction password while it changes is worth nothing afterwards', async () => {
      const who = await stage.person();
      const other = String((await stage.login(who.email)).body.token);
      const { step_up: need } = (await stage.post('/api/v3/api-keys', other, wish)).body as {
        step_up: { purpose: string; act: string };
      };
      // The second reading of the client is the one that the password is checked by.
      const held = stage.source.hold(/FROM clients WHERE id = \$1/, 'after', 1);
      const proof = { purpose: need.purpose, act: need.act, transaction_password: TRANSACTION_PASSWORD };
      const waiting = stage.post('/api/v3/step-up', other, proof);
      await held.reached;
      await stage.changeTransactionPassword(who);
      held.release();
      await waiting;
      expect((await stage.post('/api/v3/api-keys', other, wish)).body.code).toBe('STEP_UP_REQUIRED');
    });
  });

  describe('an unlock', () => {
    const unlock = (token: string) =>
      stage.post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD });
    const state = async (token: string) =>
      (await stage.ask('GET', '/api/v3/trading-unlock', token)).body.unlocked_until;
    const stored = async ({ id }: Person) =>
      (await stage.query('SELECT max(trading_unlocked_until) AS until FROM sessions WHERE client_id = $1', [id]))[0]
        ?.until;

    it.each(['before', 'after'] as const)(
      'that meets a lock is locked, here and in the store (held %s)',
      async (when) => {
        const who = await stage.person();
        const held = stage.source.hold(/trading_unlocked_until = \$2/, when);
        const waiting = unlock(who.token);
        await held.reached;
        expect((await stage.ask('DELETE', '/api/v3/trading-unlock', who.token)).status).toBe(200);
        held.release();
        expect((await waiting).body.code).toBe('PROOF_OUTDATED');
        expect(await state(who.token)).toBeNull();
        expect(await stored(who)).toBe(0);
      },
    );

    it('is not read into memory from before a lock', async () => {
      const who = await stage.person();
      const victim = await stage.planted(who);
      await stage.query('UPDATE sessions SET trading_unlocked_until = $2 WHERE id = $1', [
        victim.sessionId,
        Date.now() * 2,
      ]);
      const held = stage.source.hold(SESSION_READ, 'after');
      const waiting = state(victim.token);
      await held.reached;
      expect((await stage.ask('DELETE', '/api/v3/trading-unlock', victim.token)).status).toBe(200);
      held.release();
      await waiting;
      expect(await state(victim.token)).toBeNull();
    });
  });
});
