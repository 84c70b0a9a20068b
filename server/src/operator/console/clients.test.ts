/** What operators do about clients, and that all of it is on record. */
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const DAY_MS = 86_400_000;

describe.each(databaseKinds)('the operator (%s)', (kind) => {
  let server: TestApp;
  let operator = '';
  let ann = '';
  let annId = 0;

  type Answer = { status: number; body: Record<string, unknown> };
  const ask = (method: 'GET' | 'POST', url: string, token: string, payload?: object) =>
    server.call({ method, url, token, ...(payload ? { payload } : {}) }) as Promise<Answer>;
  /** The operator answers each question for a step-up. */
  async function confirmsAll(): Promise<void> {
    for (const purpose of ['clients', 'markets', 'treasury']) {
      const payload = { purpose, transaction_password: TRANSACTION_PASSWORD };
      await server.call({ method: 'POST', url: '/api/v3/step-up', token: operator, payload });
    }
  }
  const signIn = async (username: string) =>
    String(
      (await server.call({ method: 'POST', url: '/api/v3/login', payload: { username, password: PASSWORD } })).body
        .token,
    );
  const state = async () => (await ask('GET', '/api/v3/account-client', ann)).body.client as Record<string, unknown>;
  const act = (name: string, payload: object, id = annId) =>
    ask('POST', `/api/v3/admin/clients/${id}/${name}`, operator, payload);
  const audit = async (query = '') =>
    (await ask('GET', `/api/v3/admin/audit${query}`, operator)).body as {
      entries: { act: string; reason: string; actor: string; client: string; id: number }[];
      next: string | null;
    };

  beforeAll(async () => {
    server = await startTestApp(kind);
    await server.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    operator = await signIn('op@example.test');
    await confirmsAll();
    ann = await server.trader('ann', { USDT: '100' });
    annId = Number((await state()).id);
  });
  afterAll(() => server.remove());

  it('is another role than a client: no client does what he does, and he has no wallet (A-account-state-56, T-account-state-02)', async () => {
    for (const url of ['/api/v3/admin/clients', '/api/v3/admin/audit', '/api/v3/admin/maintenance']) {
      expect((await ask('GET', url, ann)).body.code).toBe('NOT_AN_OPERATOR');
    }
    for (const [method, url] of [
      ['GET', '/api/v3/trades/funds'],
      ['POST', '/api/v3/orders'],
      ['POST', '/api/dev/faucet'],
    ] as const) {
      const payload = method === 'POST' ? { coin: 'USDT', amount: '5' } : undefined;
      expect((await ask(method, url, operator, payload)).body.code).toBe('OPERATOR_HAS_NO_WALLET');
    }
  });

  it('finds a client by part of an address, by id and by state, page by page', async () => {
    const find = async (query: string) =>
      (await ask('GET', `/api/v3/admin/clients?${query}`, operator)).body as {
        clients: { id: number; email: string }[];
        next: string;
      };
    expect((await find('search=ANN@')).clients.map(({ email }) => email)).toEqual(['ann@example.test']);
    expect((await find(`search=${annId}`)).clients[0]?.id).toBe(annId);
    expect((await find('search=%25')).clients).toEqual([]);
    expect((await find('status=FREEZE_ACCOUNT')).clients).toEqual([]);
    const first = await find('limit=1');
    expect((await find(`limit=1&before=${first.next}`)).clients[0]?.id).not.toBe(first.clients[0]?.id);
  });

  it('sees sessions, history and holds of a client; that he looked is on record', async () => {
    const { body } = await ask('GET', `/api/v3/admin/clients/${annId}`, operator);
    expect(body).toMatchObject({
      client: { id: annId, user: { email: 'ann@example.test' } },
      two_factor: false,
      holds: [],
    });
    expect((body.sessions as object[]).length).toBeGreaterThan(0);
    expect((body.sign_ins as { outcome: string }[])[0]?.outcome).toBe('success');
    expect((await audit(`?client_id=${annId}`)).entries[0]).toMatchObject({
      act: 'look-at-client',
      actor: 'op@example.test',
    });
    expect((await ask('GET', '/api/v3/admin/clients/999999', operator)).status).toBe(404);
  });

  it('sees balances, orders, positions and payments of a client, which is on record as well', async () => {
    const url = (id: number) => `/api/v3/admin/clients/${id}/holdings`;
    const { body } = await ask('GET', url(annId), operator);
    expect(body).toMatchObject({ orders: [], positions: [], payments: [] });
    const usdt = { wallet: 'SPOT', coin: 'USDT', available: '100.00000000', reserved: '0.00000000' };
    expect(body.balances).toEqual([usdt]);
    expect((await audit(`?client_id=${annId}`)).entries[0]).toMatchObject({ act: 'look-at-holdings' });
    expect((await ask('GET', url(999_999), operator)).status).toBe(404);
    expect((await ask('GET', url(annId), ann)).status).toBe(403);
  });

  it('freezes and unfreezes with a reason and an end, and the person hears of it at once', async () => {
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.http.server.address();
    const socket = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5/private`);
    const heard: { arg?: { channel: string }; event?: string; data?: { kind: string; reason: string }[] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'login', args: [{ token: ann }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'login')).toBe(true);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'account-state' }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'subscribe')).toBe(true);
    const kinds = () => heard.flatMap(({ data }) => data ?? []).map(({ kind: name }) => name);

    expect((await act('freeze', { reason: 'x' })).status).toBe(422);
    expect((await act('freeze', { reason: 'Too late', until: 1 })).body.code).toBe('END_IN_THE_PAST');
    const until = Date.now() + DAY_MS;
    expect((await act('freeze', { reason: 'A court order', until })).status).toBe(200);
    expect(await state()).toMatchObject({ status: 'FREEZE_ACCOUNT', restriction: { reason: 'A court order', until } });
    await expect.poll(kinds).toContain('frozen');
    expect((await act('unfreeze', { reason: 'It was lifted' })).status).toBe(200);
    expect((await state()).status).toBe('ACTIVE');
    expect((await act('restrict-withdrawals', { reason: 'We look into it' })).status).toBe(200);
    await expect.poll(kinds).toEqual(['frozen', 'unfrozen', 'hold-begun']);
    await ask('POST', '/api/v3/admin/maintenance', operator, { on: true, reason: 'A new disk' });
    await ask('POST', '/api/v3/admin/maintenance', operator, { on: false, reason: 'The disk is in' });
    await expect.poll(kinds).toEqual(['frozen', 'unfrozen', 'hold-begun', 'maintenance', 'maintenance-ended']);
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    const fresh = await signIn('ann@example.test');
    await ask('POST', '/api/v3/sessions/end-others', fresh);
    ann = fresh;
    expect(await closed).toBe(4001);
    expect(kinds().at(-1)).toBe('session-ended');
    const acts = (await audit()).entries.filter(({ act: name }) => !name.startsWith('read-'));
    expect(acts.slice(0, 5).map(({ act: name, reason }) => [name, reason])).toEqual([
      ['end-maintenance', 'The disk is in'],
      ['begin-maintenance', 'A new disk'],
      ['restrict-withdrawals', 'We look into it'],
      ['unfreeze-account', 'It was lifted'],
      ['freeze-account', 'A court order'],
    ]);
  });

  it('holds withdrawals with a reason, in the words of the operator, until he lifts it (T-account-state-08)', async () => {
    const until = Date.now() + 2 * DAY_MS;
    const { hold_id } = (await act('restrict-withdrawals', { reason: 'Linked to a {{scam}}', until })).body;
    const { holds } = (await ask('GET', '/api/v3/security', ann)).body as {
      holds: { id: number; reason: string; until: number }[];
    };
    expect(holds.find(({ id }) => id === hold_id)).toMatchObject({
      kind: 'operator',
      reason: 'Linked to a {{scam}}',
      until,
    });
    expect(await state()).toMatchObject({ withdraw_transfer_status: 'NOT_ALLOWED' });
    for (const { id } of holds) {
      expect((await ask('POST', `/api/v3/admin/holds/${id}/lift`, operator, { reason: 'Cleared' })).status).toBe(200);
      expect((await ask('POST', `/api/v3/admin/holds/${id}/lift`, operator, { reason: 'Again' })).status).toBe(404);
    }
    expect(await state()).toMatchObject({ withdraw_transfer_status: 'ALLOWED', withdraw_restriction: '' });
  });

  it('signs a client out everywhere, and acts on no operator', async () => {
    expect((await act('end-sessions', { reason: 'A stolen phone' })).body.ended).toBeGreaterThan(0);
    expect((await ask('GET', '/api/v3/account-client', ann)).status).toBe(401);
    const me = Number(((await ask('GET', '/api/v3/account-client', operator)).body.client as { id: number }).id);
    expect((await act('freeze', { reason: 'Myself' }, me)).body.code).toBe('NOT_ONESELF');
    const own = await server.app.accounts.restrictions.byOperator(me, 'A changed password', null, me);
    const lifted = await ask('POST', `/api/v3/admin/holds/${own}/lift`, operator, { reason: 'Myself' });
    expect(lifted.body.code).toBe('NOT_ONESELF');
    const move = (client_id: number) => ask('POST', '/api/v3/admin/fee-tier', operator, { client_id, tier: 5 });
    expect((await move(me)).body.code).toBe('NOT_ONESELF');
    expect((await move(999_999)).body.code).toBe('UNKNOWN_CLIENT');
    ann = await signIn('ann@example.test');
  });

  describe('removes the second factors of a client who has lost them', () => {
    const payload = { reason: 'Recognised on a video call' };
    const stepUp = (token: string, purpose: string) =>
      ask('POST', '/api/v3/step-up', token, { purpose, transaction_password: TRANSACTION_PASSWORD });
    let bob = '';
    let bobId = 0;
    const login = async () => {
      const payload = { username: 'bob@example.test', password: PASSWORD };
      return (await server.call({ method: 'POST', url: '/api/v3/login', payload })).body;
    };
    const holdsOf = async (token: string) =>
      ((await ask('GET', '/api/v3/security', token)).body.holds as { kind: string; until: number }[]).map((hold) => ({
        kind: hold.kind,
        hours: Math.round((hold.until - server.now()) / 3_600_000),
      }));

    beforeAll(async () => {
      bob = await server.trader('bob', {});
      bobId = Number(((await ask('GET', '/api/v3/account-client', bob)).body.client as { id: number }).id);
    });

    it('after a step-up of his own, and not where there are none', async () => {
      const url = `/api/v3/admin/clients/${bobId}/reset-factors`;
      const fresh = await signIn('op@example.test');
      expect((await ask('POST', url, fresh, payload)).body.code).toBe('STEP_UP_REQUIRED');
      expect((await act('reset-factors', payload, bobId)).body.code).toBe('NO_FACTORS');
      expect((await act('reset-factors', payload, 999_999)).body.code).toBe('UNKNOWN_CLIENT');
      expect(await holdsOf(bob)).toEqual([]);
    });

    it('all of them, with every session and what was confirmed in it; withdrawals wait three days', async () => {
      await stepUp(bob, 'factors');
      const secret = String((await ask('POST', '/api/v3/totp/enrolment', bob, {})).body.secret);
      const code = generateSync({ secret, epoch: Math.floor(server.now() / 1000) });
      expect((await ask('POST', '/api/v3/totp', bob, { code })).body.message).toBe('success');
      expect(await login()).not.toHaveProperty('token');
      expect((await act('reset-factors', { reason: '' }, bobId)).status).toBe(422);
      const { id: clientId } = (await ask('GET', '/api/v3/account-client', operator)).body.client as { id: number };
      const outdated = { clientId, sessionId: null, epoch: -1 };
      await expect(server.app.security.resetFactors(outdated, bobId)).rejects.toThrow('outdated');
      expect((await login()).code).toBe('SECOND_FACTOR_REQUIRED');
      expect((await holdsOf(bob)).map(({ kind: name }) => name)).toEqual(['factor']);
      expect((await act('reset-factors', payload, bobId)).body).toEqual({ message: 'success' });

      expect((await ask('GET', '/api/v3/security', bob)).status).toBe(401);
      bob = String((await login()).token);
      const { two_factor } = (await ask('GET', `/api/v3/admin/clients/${bobId}`, operator)).body;
      expect(two_factor).toBe(false);
      expect(await holdsOf(bob)).toEqual(
        expect.arrayContaining([
          { kind: 'factor', hours: 24 },
          { kind: 'factors-reset', hours: 72 },
        ]),
      );
      expect((await audit(`?client_id=${bobId}&act=reset-factors`)).entries).toMatchObject([
        { actor: 'op@example.test', ...payload },
      ]);
    });

    it('and tells the client', async () => {
      const { body } = await server.call({ method: 'GET', url: '/api/dev/outbox?to=bob@example.test' });
      const messages = body.messages as unknown as { text: string }[];
      expect(messages.some(({ text }) => text.includes('Our support removed your second factors'))).toBe(true);
    });

    it('once: a second act finds none, and pauses nothing', async () => {
      const before = await holdsOf(bob);
      expect((await act('reset-factors', payload, bobId)).body.code).toBe('NO_FACTORS');
      expect(await holdsOf(bob)).toEqual(before);
    });
  });

  it('the record is paged, and the database refuses to change or drop a line of it', async () => {
    const first = await ask('GET', '/api/v3/admin/audit?limit=2', operator);
    const { entries, next } = first.body as { entries: { id: number }[]; next: string };
    expect(entries).toHaveLength(2);
    expect((await audit(`?limit=2&before=${next}`)).entries[0]?.id).toBeLessThan(entries[1]?.id ?? 0);
    const database = await server.source.open().catch(() => undefined);
    if (kind === 'pglite' || database === undefined) return;
    for (const sql of ['UPDATE audit SET reason = $1', 'DELETE FROM audit WHERE reason <> $1']) {
      await expect(database.query(sql, ['x'])).rejects.toThrow('append only');
    }
    await expect(database.query('TRUNCATE audit')).rejects.toThrow('append only');
    await database.close();
  });

  it('what he decided is there after a restart: freeze, maintenance, hold', async () => {
    await act('restrict-withdrawals', { reason: 'Still looking' });
    await act('freeze', { reason: 'Over the restart' });
    await ask('POST', '/api/v3/admin/maintenance', operator, { on: true, reason: 'Over the restart' });
    await server.stop();
    server = await startTestApp(kind, server.source);
    await confirmsAll();
    expect(await state()).toMatchObject({
      status: 'FREEZE_ACCOUNT',
      platform_status: 'maintenance',
      withdraw_transfer_status: 'NOT_ALLOWED',
      restriction: { reason: 'Over the restart' },
    });
    await ask('POST', '/api/v3/admin/maintenance', operator, { on: false, reason: 'Over' });
    await act('unfreeze', { reason: 'Over' });
    expect(await state()).toMatchObject({ status: 'ACTIVE', platform_status: 'active' });
  });

  it('does nothing as an operator before he has an authenticator app, where the settings ask for one', async () => {
    const strict = await startTestApp(kind, undefined, { OPERATOR_TOTP: 'required' });
    await strict.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const call = (method: 'GET' | 'POST', url: string, token?: string, payload: object = {}) =>
      strict.call({
        method,
        url,
        ...(token ? { token } : {}),
        ...(method === 'POST' ? { payload } : {}),
      }) as Promise<Answer>;
    const token = String(
      (await call('POST', '/api/v3/login', undefined, { username: 'op@example.test', password: PASSWORD })).body.token,
    );
    expect((await call('GET', '/api/v3/admin/clients', token)).body.code).toBe('OPERATOR_MUST_ENROL');
    await call('POST', '/api/v3/step-up', token, { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD });
    const { body } = await call('POST', '/api/v3/totp/enrolment', token);
    await call('POST', '/api/v3/totp', token, { code: generateSync({ secret: String(body.secret) }) });
    expect((await call('GET', '/api/v3/admin/clients', token)).status).toBe(200);
    await strict.remove();
  });
});
