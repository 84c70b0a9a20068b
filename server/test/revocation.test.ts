/** What ends wins over what is on its way: readings of tokens and keys, sign-ins, and the deletion of an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, TRANSACTION_PASSWORD } from './app.ts';
import {
  KEY_READ,
  NEW_PASSWORD,
  type Person,
  type Planted,
  SESSION_READ,
  type Stage,
  startStage,
} from './authority-stage.ts';
import { databaseKinds } from './databases.ts';

describe.each(databaseKinds)('revocation (%s)', (kind) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(kind);
  });
  afterAll(() => stage.server.remove());

  const endings: [string, (who: Person, victim: Planted) => Promise<unknown>][] = [
    ['its logout', (_, { token }) => stage.post('/api/v3/logout', token)],
    ['its end elsewhere', ({ token }, { sessionId }) => stage.ask('DELETE', `/api/v3/sessions/${sessionId}`, token)],
    ['the end of all others', ({ token }) => stage.post('/api/v3/sessions/end-others', token)],
    ['a change of the password', (who) => stage.changePassword(who)],
    ['a reset of the password', (who) => stage.resetPassword(who)],
    ['an operator who ends sessions', (who) => stage.endByOperator(who)],
    ['the deletion of the account', (who) => stage.removeAccount(who)],
  ];
  const changes: [string, (who: Person) => Promise<unknown>][] = [
    ['a change of the password', (who) => stage.changePassword(who)],
    ['a reset of the password', (who) => stage.resetPassword(who)],
    ['an operator who ends sessions', (who) => stage.endByOperator(who)],
    ['a freeze', (who) => stage.freeze(who)],
    ['a second factor that was connected', (who) => stage.enableTotp(who)],
    ['the deletion of the account', (who) => stage.removeAccount(who)],
  ];

  it.each(endings)('a token that was being read is refused after %s, then and later', async (_, end) => {
    const who = await stage.person();
    const victim = await stage.planted(who);
    const held = stage.source.hold(SESSION_READ, 'after');
    const waiting = stage.ask('GET', '/api/v3/sessions', victim.token);
    await held.reached;
    await end(who, victim);
    held.release();
    expect((await waiting).body.code).toBe('SESSION_ENDED');
    expect(await stage.admitted(victim.token)).toBe(false);
  });

  it('a token that was being read opens a frozen account no more than any other', async () => {
    const who = await stage.person();
    const { token } = await stage.planted(who);
    const held = stage.source.hold(SESSION_READ, 'after');
    const waiting = stage.ask('GET', '/api/v3/sessions', token);
    await held.reached;
    await stage.freeze(who);
    held.release();
    expect((await waiting).body.code).toBe('FREEZE_ACCOUNT');
    expect((await stage.ask('GET', '/api/v3/sessions', token)).body.code).toBe('FREEZE_ACCOUNT');
  });

  it.each(endings.slice(0, 4))('no later request is admitted after %s, however many are under way', async (_, end) => {
    for (let round = 0; round < 5; round += 1) {
      const who = await stage.person();
      const victim = await stage.planted(who);
      let isOver = false;
      const late: boolean[] = [];
      const follow = async () => {
        for (let turn = 0; turn < 4; turn += 1) {
          const isLate = isOver;
          const isIn = await stage.admitted(victim.token);
          if (isLate) late.push(isIn);
        }
      };
      const following = Array.from({ length: 12 }, follow);
      await end(who, victim);
      isOver = true;
      await Promise.all(following);
      late.push(await stage.admitted(victim.token));
      expect(late).not.toContain(true);
      if (await stage.admitted(who.token)) await stage.post('/api/v3/logout', who.token);
    }
  });

  it('a stranger who names a session, or the one that a sign-in is about to begin, ends neither', async () => {
    const [who, stranger] = [await stage.person(), await stage.person()];
    const end = (id: number) => stage.ask('DELETE', `/api/v3/sessions/${id}`, stranger.token);
    const { token, sessionId } = await stage.planted(who);
    const reading = stage.source.hold(SESSION_READ, 'after');
    const asking = stage.ask('GET', '/api/v3/sessions', token);
    await reading.reached;
    expect((await end(sessionId)).status).toBe(404);
    reading.release();
    expect((await asking).status).toBe(200);

    const opening = stage.source.hold(/INSERT INTO sessions/, 'after');
    const login = stage.login(who.email);
    await opening.reached;
    const [newest] = await stage.query('SELECT max(id) AS id FROM sessions WHERE client_id = $1', [who.id]);
    expect((await end(Number(newest?.id))).status).toBe(404);
    opening.release();
    expect((await login).status).toBe(200);
  });

  it('an API key that was being read is refused after it was revoked, then and later', async () => {
    const who = await stage.person();
    const { key, id } = await stage.newKey(who);
    const held = stage.source.hold(KEY_READ, 'after');
    const waiting = stage.keyAdmitted(key);
    await held.reached;
    expect((await stage.ask('DELETE', `/api/v3/api-keys/${id}`, who.token)).status).toBe(200);
    held.release();
    expect(await waiting).toBe(false);
    expect(await stage.keyAdmitted(key)).toBe(false);
  });

  it('no later request of a revoked key is admitted, however many are under way', async () => {
    const who = await stage.person();
    for (let round = 0; round < 5; round += 1) {
      const { key, id } = await stage.newKey(who);
      const under = Array.from({ length: 20 }, () => stage.keyAdmitted(key));
      await stage.ask('DELETE', `/api/v3/api-keys/${id}`, who.token);
      expect(await stage.keyAdmitted(key)).toBe(false);
      await Promise.all(under);
      expect(await stage.keyAdmitted(key)).toBe(false);
    }
  });

  /** The password may be right still: nothing says that it is wrong. */
  const comesToNothing = { status: 409, body: { code: 'PROOF_OUTDATED' } };

  it.each(changes)('a sign-in whose proof was checked before comes to nothing after %s', async (name, change) => {
    const who = await stage.person();
    const held = stage.source.hold(/INSERT INTO sessions/, 'before');
    const waiting = stage.login(who.email);
    await held.reached;
    await change(who);
    held.release();
    expect(await waiting).toMatchObject(comesToNothing);
    const deletion = await stage.query('SELECT deletion_at FROM clients WHERE id = $1', [who.id]);
    expect(deletion[0]?.deletion_at === null).toBe(name !== 'the deletion of the account');
  });

  it.each(changes.slice(0, 3))(
    'a sign-in whose session was made, and ended before it was told, gives no token after %s',
    async (_name, change) => {
      const who = await stage.person();
      const held = stage.source.hold(/INSERT INTO sessions/, 'after');
      const waiting = stage.login(who.email);
      await held.reached;
      await change(who);
      held.release();
      expect(await waiting).toMatchObject(comesToNothing);
    },
  );

  it('grants and endings at once wait for one another: none fails, and nothing is left of what ended last', async () => {
    const who = await stage.person();
    const { sessions, states, deleteExpired } = stage.server.app.accounts;
    const { keys } = stage.server.app.security;
    const tokens = await Promise.all(Array.from({ length: 8 }, async () => (await stage.planted(who)).token));
    await Promise.all([stage.stepUp(who.token, 'password'), ...tokens.map((one) => stage.stepUp(one, 'connections'))]);
    const change = { oldLoginPassword: PASSWORD, password: NEW_PASSWORD };
    const background = Promise.all([
      states.freeze(who.id, 'We look into it', null).then(() => states.unfreeze(who.id)),
      ...Array.from({ length: 4 }, () => [sessions.flushUses(), keys.flushUses(), deleteExpired()]).flat(),
    ]);
    const answers = await Promise.all([
      stage.post('/api/v3/update-password', who.token, change),
      ...Array.from({ length: 6 }, () => stage.login(who.email)),
      ...tokens.flatMap((token, at) => [
        stage.post('/api/v3/api-keys', token, { label: 'Bot', permissions: ['read'], days: 1 }),
        stage.post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD }),
        stage.ask('GET', '/api/v3/sessions', token),
        stage.post(at % 2 === 0 ? '/api/v3/logout' : '/api/v3/sessions/end-others', token),
      ]),
    ]);
    await background;
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    await Promise.all([sessions.endAll(who.id), keys.revoke(who.id)]);
    expect(await Promise.all(tokens.map(stage.admitted))).toEqual(tokens.map(() => false));
    for (const table of ['sessions', 'api_keys']) {
      expect(await stage.query(`SELECT id FROM ${table} WHERE client_id = $1`, [who.id])).toEqual([]);
    }
  });

  it('who signs in while his account is being deleted keeps it', async () => {
    const who = await stage.person();
    await stage.removeAccount(who);
    stage.advance(15 * 86_400_000);
    const held = stage.source.hold(/begin_erasure/, 'before');
    const deleting = stage.server.app.security.privacy.deleteDue();
    await held.reached;
    expect((await stage.login(who.email)).status).toBe(200);
    held.release();
    await deleting;
    expect(await stage.server.app.accounts.person(who.id)).toEqual({ email: who.email, role: 'client' });
  });

  it('an account that is frozen keeps what is known of it until the freeze has ended for as long as one can come back', async () => {
    const who = await stage.person();
    const { states } = stage.server.app.accounts;
    const { privacy } = stage.server.app.security;
    await stage.removeAccount(who);
    await stage.freeze(who);
    stage.advance(15 * 86_400_000);
    await privacy.deleteDue();
    expect(await stage.server.app.accounts.person(who.id)).toEqual({ email: who.email, role: 'client' });
    await states.unfreeze(who.id);
    stage.advance(13 * 86_400_000);
    await privacy.deleteDue();
    expect(await stage.server.app.accounts.person(who.id)).toEqual({ email: who.email, role: 'client' });
    stage.advance(2 * 86_400_000);
    await privacy.deleteDue();
    expect(await stage.server.app.accounts.person(who.id)).toEqual({ email: '', role: 'client' });
  });

  it('a request to delete the account ends keys that were made while it was under way', async () => {
    const who = await stage.person();
    const other = String((await stage.login(who.email)).body.token);
    await stage.stepUp(other, 'connections');
    await stage.stepUp(who.token, 'privacy');
    const held = stage.source.hold(/INSERT INTO api_keys/, 'before');
    const making = stage.post('/api/v3/api-keys', other, { label: 'Bot', permissions: ['read'], days: 1 });
    await held.reached;
    const { status } = await stage.post('/api/v3/account/deletion', who.token, { confirm: 'DELETE' });
    held.release();
    expect([status, (await making).status]).toEqual([200, 401]);
    expect(await stage.query('SELECT id FROM api_keys WHERE client_id = $1', [who.id])).toEqual([]);
  });
});
