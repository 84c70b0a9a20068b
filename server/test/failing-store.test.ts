/** A revocation that the store did not confirm says so, and leaves the door shut. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from './app.ts';
import { NEW_PASSWORD, type Stage, startStage } from './authority-stage.ts';
import { databaseKinds } from './databases.ts';

describe.each(databaseKinds)('authority (%s)', (kind) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(kind);
  });
  afterAll(() => stage.server.remove());

  describe('while the store fails', () => {
    it.each(['before', 'after'] as const)(
      'a logout says so, and the token stays refused until it is done (lost %s)',
      async (when) => {
        const who = await stage.person();
        stage.source.lose(/DELETE FROM sessions/, when);
        expect(await stage.post('/api/v3/logout', who.token)).toMatchObject({
          status: 503,
          body: { code: 'OUTCOME_UNKNOWN' },
        });
        expect(await stage.admitted(who.token)).toBe(false);
        await stage.server.app.accounts.sessions.finishEndings();
        expect(await stage.query('SELECT id FROM sessions WHERE client_id = $1', [who.id])).toEqual([]);
        expect((await stage.login(who.email)).status).toBe(200);
      },
    );

    it('a logout that is to be finished is not undone by a stranger who names its session', async () => {
      const [who, stranger] = [await stage.person(), await stage.person()];
      const [session] = await stage.query('SELECT id FROM sessions WHERE client_id = $1', [who.id]);
      const end = () => stage.ask('DELETE', `/api/v3/sessions/${session?.id}`, stranger.token);
      stage.source.lose(/DELETE FROM sessions/, 'before');
      expect((await stage.post('/api/v3/logout', who.token)).status).toBe(503);
      stage.source.lose(/DELETE FROM sessions/, 'before');
      expect((await end()).status).toBe(503);
      await stage.server.app.accounts.sessions.finishEndings();
      expect(await stage.admitted(who.token)).toBe(false);
    });

    it('a hold is not lifted that could not be put on record', async () => {
      const who = await stage.person();
      const { restrictions } = stage.server.app.accounts;
      const id = await restrictions.byOperator(who.id, 'We look into it', null, who.id);
      const token = await stage.operator();
      await stage.stepUp(token, 'clients');
      const lift = () => stage.ask('POST', `/api/v3/admin/holds/${id}/lift`, token, { reason: 'Cleared' });
      stage.source.lose(/INSERT INTO audit/, 'before');
      expect((await lift()).status).toBe(503);
      expect(await restrictions.active(who.id)).toHaveLength(1);
      expect((await lift()).status).toBe(200);
      expect(await restrictions.active(who.id)).toEqual([]);
    });

    it('a change of the password says so, and the other sessions stay refused', async () => {
      const who = await stage.person();
      const other = String((await stage.login(who.email)).body.token);
      await stage.stepUp(who.token, 'password');
      stage.source.lose(/INSERT INTO past_passwords/, 'after');
      const change = { oldLoginPassword: PASSWORD, password: NEW_PASSWORD };
      expect((await stage.post('/api/v3/update-password', who.token, change)).status).toBe(503);
      expect(await stage.admitted(other)).toBe(false);
      expect(await stage.admitted(who.token)).toBe(true);
      await stage.server.app.accounts.sessions.finishEndings();
      expect(await stage.admitted(other)).toBe(false);
      expect((await stage.login(who.email, NEW_PASSWORD)).status).toBe(200);
    });

    it('a GET of older clients that changes state does not say that nothing was done', async () => {
      const who = await stage.person();
      const get = (path: string) => stage.ask('GET', path, who.token);
      stage.source.lose(/INSERT INTO favorites/, 'after');
      expect(await get('/api/v3/add-favorite?coin_id=0')).toMatchObject({
        status: 503,
        body: { code: 'OUTCOME_UNKNOWN' },
      });
      stage.source.lose(/FROM favorites/, 'before');
      expect(await get('/api/v3/favorites')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect((await get('/api/v3/favorites')).body.coinpair).toMatchObject([{ coin_id: 0 }]);
    });

    it('a revoked key stays refused until it is done', async () => {
      const who = await stage.person();
      const { key, id } = await stage.newKey(who);
      stage.source.lose(/DELETE FROM api_keys/, 'before');
      expect((await stage.ask('DELETE', `/api/v3/api-keys/${id}`, who.token)).status).toBe(503);
      expect(await stage.keyAdmitted(key)).toBe(false);
      await stage.server.app.security.keys.finishEndings();
      expect(await stage.query('SELECT id FROM api_keys WHERE client_id = $1', [who.id])).toEqual([]);
    });

    it('a freeze and a maintenance that could not be written down hold, and what could not be lifted stays', async () => {
      const who = await stage.person();
      const { states } = stage.server.app.accounts;
      stage.source.lose(/UPDATE clients SET status/, 'before');
      await expect(stage.freeze(who)).rejects.toThrow('Lost');
      expect((await stage.ask('GET', '/api/v3/sessions', who.token)).body.code).toBe('FREEZE_ACCOUNT');
      stage.source.lose(/UPDATE clients SET status/, 'before');
      await expect(states.unfreeze(who.id)).rejects.toThrow('Lost');
      expect((await stage.ask('GET', '/api/v3/sessions', who.token)).body.code).toBe('FREEZE_ACCOUNT');
      await states.unfreeze(who.id);
      stage.source.lose(/UPDATE maintenance/, 'before');
      const closed = { since: Date.now(), reason: 'A new engine', until_at: null, by_id: null };
      await expect(states.maintain(closed)).rejects.toThrow('Lost');
      expect((await stage.ask('GET', '/api/v3/sessions', who.token)).body.code).toBe('MAINTENANCE');
      await states.maintain({ ...closed, since: null, reason: '' });
      expect(await stage.admitted(who.token)).toBe(true);
    });
  });

  it('a freeze that comes while one is lifted stays, in memory and in the store', async () => {
    const who = await stage.person();
    const { states } = stage.server.app.accounts;
    await stage.freeze(who);
    const held = stage.source.hold(/UPDATE clients SET status/, 'before');
    const lifting = states.unfreeze(who.id);
    await held.reached;
    const again = states.freeze(who.id, 'Once more', null);
    held.release();
    await Promise.all([lifting, again]);
    expect(states.freezeOf(who.id)?.reason).toBe('Once more');
    expect((await stage.query('SELECT status FROM clients WHERE id = $1', [who.id]))[0]?.status).toBe('FREEZE_ACCOUNT');
  });
});
