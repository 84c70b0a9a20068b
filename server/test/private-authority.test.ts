/** A private socket is one client's for its life, and hears what its session or key may hear now. */
import { issue } from '@cambist/core/ledger/issue.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { hashToken, newToken } from '../src/platform/random-token.ts';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import { databaseKinds, makeTestDatabase } from './databases.ts';
import { type HeldDatabase, holdable } from './held-database.ts';

interface Push {
  readonly event?: string;
  readonly code?: string;
  readonly arg?: { readonly channel: string };
  readonly data?: readonly Record<string, string>[];
}

const CHANNELS = ['orders', 'fills', 'account', 'support', 'alerts', 'notifications', 'account-state'] as const;
const DAY_MS = 86_400_000;

describe.each(databaseKinds)('a private socket (%s)', (kind) => {
  let server: TestApp;
  let source: HeldDatabase;
  let url = '';
  let names = 0;

  beforeAll(async () => {
    source = holdable(await makeTestDatabase(kind, 'migrated'));
    server = await startTestApp(kind, source);
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.http.server.address();
    url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5/private`;
  });
  afterAll(() => server.remove());

  const post = (path: string, token: string, payload: object = {}) =>
    server.call({ method: 'POST', url: path, token, payload });
  const deposit = (token: string) => post('/api/dev/faucet', token, { coin: 'USDT', amount: '5' });
  const idOf = async (token: string) =>
    (await server.call({ method: 'GET', url: '/api/v3/account-client', token })).body.client as unknown as {
      id: number;
    };

  async function person(): Promise<{ id: number; token: string }> {
    names += 1;
    const token = await server.client(`socket${names}`, { USDT: '100' });
    return { token, id: (await idOf(token)).id };
  }
  /** A session that memory does not know. */
  async function planted(clientId: number): Promise<{ token: string; sessionId: number }> {
    const token = newToken();
    const [row] = await source.database().query<{ id: number }>(
      `INSERT INTO sessions (token_hash, client_id, created_at, expires_at, user_agent, address)
       VALUES ($1, $2, $3, $4, '', '') RETURNING id`,
      [hashToken(token), clientId, Date.now(), Date.now() + DAY_MS],
    );
    return { token, sessionId: row?.id ?? 0 };
  }
  async function key(token: string, permissions: readonly string[], networks: string[] = []): Promise<string> {
    await post('/api/v3/step-up', token, { purpose: 'connections', transaction_password: TRANSACTION_PASSWORD });
    return String((await post('/api/v3/api-keys', token, { label: 'Bot', permissions, networks, days: 1 })).body.key);
  }

  async function connect() {
    const socket = new WebSocket(url);
    const heard: Push[] = [];
    socket.on('message', (data) => {
      if (String(data) !== 'pong') heard.push(JSON.parse(String(data)) as Push);
    });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    const send = (message: object) => socket.send(JSON.stringify(message));
    const until = async (isIt: (push: Push) => boolean) => {
      await expect.poll(() => heard.some(isIt), { timeout: 5000 }).toBe(true);
      return heard.find(isIt) as Push;
    };
    return {
      heard,
      closed,
      until,
      close: () => socket.close(),
      login: (token: string) => send({ op: 'login', args: [{ token }] }),
      subscribe: (...channels: readonly string[]) =>
        send({ op: 'subscribe', args: channels.map((channel) => ({ channel })) }),
      data: (channel: string) => heard.filter((push) => push.arg?.channel === channel && push.data !== undefined),
      /** What was sent before has been answered. */
      async answered() {
        const pong = new Promise<void>((resolve) => socket.once('pong', () => resolve()));
        socket.ping();
        await pong;
      },
    };
  }
  async function signedIn(token: string) {
    const socket = await connect();
    socket.login(token);
    await socket.until(({ event }) => event === 'login');
    return socket;
  }
  const codes = (heard: readonly Push[]) => heard.flatMap(({ code, event }) => (event === 'error' ? [code] : []));

  it('of two logins in one breath the first is its only one, and ends it', async () => {
    const [first, second] = [await person(), await person()];
    const { token, sessionId } = await planted(first.id);
    const held = source.hold(/FROM sessions .* WHERE token_hash/s, 'after');
    const socket = await connect();
    socket.login(token);
    socket.login(second.token);
    await held.reached;
    await socket.until(({ code }) => code === '60009');
    held.release();
    await socket.until(({ event }) => event === 'login');
    socket.subscribe('account');
    const { id } = await idOf(second.token);
    expect(id).toBe(second.id);
    await socket.until((push) => push.data !== undefined);
    await deposit(second.token);
    await deposit(first.token);
    await expect.poll(() => socket.data('account').length).toBe(2);
    socket.login(second.token);
    await expect.poll(() => codes(socket.heard)).toEqual(['60009', '60009']);
    await server.app.accounts.sessions.endOne(first.id, sessionId);
    expect(await socket.closed).toBe(4001);
  });

  it('a login that fails lets the next one in', async () => {
    const { token } = await person();
    const socket = await connect();
    socket.login('wrong');
    await socket.until(({ code }) => code === '60009');
    socket.login(token);
    await socket.until(({ event }) => event === 'login');
    socket.close();
  });

  it('is not let in by a session that ends while it is read', async () => {
    names += 1;
    const email = `late${names}@example.test`;
    const id = (await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client')) ?? 0;
    const { token, sessionId } = await planted(id);
    const held = source.hold(/FROM sessions .* WHERE token_hash/s, 'after');
    const socket = await connect();
    socket.login(token);
    await held.reached;
    await server.app.accounts.sessions.endOne(id, sessionId);
    held.release();
    await socket.until(({ event }) => event !== undefined);
    socket.subscribe('account');
    await socket.answered();
    expect(socket.heard.map(({ event, code }) => code ?? event)).toEqual(['60009', '60011']);
    socket.close();
  });

  it('of a key with read hears orders, fills, balances and alerts, and closes when the key is revoked', async () => {
    const { id, token } = await person();
    const socket = await signedIn(await key(token, ['read']));
    socket.subscribe(...CHANNELS);
    await socket.until((push) => push.arg?.channel === 'account' && push.data !== undefined);
    await expect.poll(() => codes(socket.heard)).toEqual(['60033', '60033', '60033']);
    const granted = socket.heard.flatMap(({ event, arg }) => (event === 'subscribe' ? [arg?.channel] : []));
    expect(granted).toEqual(['orders', 'fills', 'account', 'alerts']);
    await server.app.security.keys.revoke(id);
    expect(await socket.closed).toBe(4001);
  });

  it('of a key that is good from elsewhere only does not open', async () => {
    const { token } = await person();
    const [here, elsewhere] = [await key(token, ['read'], ['127.0.0.1']), await key(token, ['read'], ['203.0.113.7'])];
    const socket = await connect();
    socket.login(elsewhere);
    await expect.poll(() => codes(socket.heard)).toEqual(['60009']);
    socket.close();
    (await signedIn(here)).close();
  });

  it('of a key that may only trade hears nothing', async () => {
    const { token } = await person();
    const socket = await signedIn(await key(token, ['trade']));
    socket.subscribe(...CHANNELS);
    await expect.poll(() => codes(socket.heard)).toEqual(CHANNELS.map(() => '60033'));
    await deposit(token);
    await socket.answered();
    expect(socket.heard.filter(({ data }) => data !== undefined)).toEqual([]);
    socket.close();
  });

  it('of a frozen client hears its state alone, and may subscribe again afterwards', async () => {
    const { id, token } = await person();
    const { states } = server.app.accounts;
    const [socket, ofKey] = [await signedIn(token), await signedIn(await key(token, ['read']))];
    socket.subscribe(...CHANNELS);
    ofKey.subscribe('account');
    await socket.until((push) => push.arg?.channel === 'account' && push.data !== undefined);
    await ofKey.until((push) => push.data !== undefined);
    await states.freeze(id, 'We look into it', null);
    await socket.until((push) => push.arg?.channel === 'account-state' && push.data?.[0]?.kind === 'frozen');
    const before = [socket, ofKey].map(({ data }) => data('account').length);
    await server.app.engine.sequencer.submit(issue('development-credit', id, 0, 5n));
    socket.subscribe('account', 'orders');
    ofKey.subscribe('account');
    await Promise.all([socket.answered(), ofKey.answered()]);
    expect([socket, ofKey].map(({ data }) => data('account').length)).toEqual(before);
    expect(codes(socket.heard)).toEqual(['60031', '60031', '60031']);
    await states.unfreeze(id);
    await socket.until((push) => push.data?.[0]?.kind === 'unfrozen');
    socket.subscribe('account');
    await expect.poll(() => socket.data('account').length).toBe((before[0] ?? 0) + 1);
    socket.close();
    ofKey.close();
  });

  it('hears its state alone during maintenance, but for operators', async () => {
    const { token } = await person();
    await server.app.accounts.ensure('keeper@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const login = { username: 'keeper@example.test', password: PASSWORD };
    const operatorToken = String(
      (await server.call({ method: 'POST', url: '/api/v3/login', payload: login })).body.token,
    );
    const [socket, operator] = [await signedIn(token), await signedIn(operatorToken)];
    for (const one of [socket, operator]) {
      one.subscribe('notifications', 'account-state');
      await one.until((push) => push.event === 'subscribe' && push.arg?.channel === 'account-state');
    }
    const closed = { since: Date.now(), reason: 'A new engine', until_at: null, by_id: null };
    await server.app.accounts.states.maintain(closed);
    for (const one of [socket, operator]) await one.until((push) => push.data?.[0]?.kind === 'maintenance');
    for (const one of [socket, operator]) one.subscribe('notifications');
    await Promise.all([socket.answered(), operator.answered()]);
    expect([codes(socket.heard), codes(operator.heard)]).toEqual([['60032', '60032'], []]);
    await server.app.accounts.states.maintain({ ...closed, since: null });
    await socket.until((push) => push.data?.[0]?.kind === 'maintenance-ended');
    for (const one of [socket, operator]) one.close();
  });

  it('is sent no balance that is not committed', async () => {
    const { token } = await person();
    const socket = await signedIn(token);
    const held = source.hold(/INSERT INTO journal/, 'before');
    const depositing = deposit(token);
    await held.reached;
    socket.subscribe('account');
    await socket.until(({ event }) => event === 'subscribe');
    await socket.answered();
    expect(socket.data('account')).toEqual([]);
    held.release();
    await depositing;
    await socket.until((push) => push.data !== undefined);
    expect(socket.data('account')[0]?.data?.[0]).toMatchObject({ ccy: 'USDT', eq: '105.00000000' });
    await deposit(token);
    await expect.poll(() => socket.data('account').at(-1)?.data?.[0]?.eq).toBe('110.00000000');
    socket.close();
  });

  it('that subscribes while the store is away is sent its balances once they are committed', async () => {
    const { token } = await person();
    const socket = await signedIn(token);
    source.lose(/INSERT INTO journal/, 'before');
    const depositing = deposit(token);
    await expect.poll(() => server.app.engine.sequencer.statistics().available).toBe(false);
    socket.subscribe('account');
    await depositing;
    await expect.poll(() => socket.data('account')[0]?.data?.[0]?.eq).toBe('105.00000000');
    expect(codes(socket.heard)).toEqual([]);
    socket.close();
  });

  it('closes with the first push after its session has run out', async () => {
    const { id, token } = await person();
    const socket = await signedIn(token);
    socket.subscribe('account');
    await socket.until((push) => push.data !== undefined);
    server.advance(400 * DAY_MS);
    await server.app.engine.sequencer.submit(issue('development-credit', id, 0, 5n));
    expect(await socket.closed).toBe(4001);
    expect(socket.data('account')).toHaveLength(1);
  });
});
