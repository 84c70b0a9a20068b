/** Cancel-on-disconnect: what a socket's end does to the orders that were placed on it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { databaseKinds, makeTestDatabase } from './databases.ts';
import { type HeldDatabase, holdable } from './held-database.ts';
import { listen, type OrderSocket, openOrderSocket } from './order-socket.ts';

const ORDER = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };
const STOP = { symbol: 'BTC', side: 'BUY', kind: 'stop_limit', stop_price: '60000', stop_limit_price: '60000' };
const TWAP = { ...ORDER, twap: { duration_seconds: 3_000, interval_seconds: 1_000 } };
const QUIET_MS = 400;

const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));

describe.each(databaseKinds)('cancel-on-disconnect (%s)', (kind) => {
  let source: HeldDatabase;
  let server: TestApp;
  let url: string;
  let names = 0;

  beforeAll(async () => {
    source = holdable(await makeTestDatabase(kind, 'migrated'));
    server = await startTestApp(kind, source);
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    url = await listen(server);
  });
  afterAll(() => server.remove());

  async function trader(): Promise<string> {
    names += 1;
    return server.trader(`disconnect${names}`, { USDT: '100000' });
  }
  const open = async (token: string): Promise<string[]> => {
    const { body } = await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token });
    return (body.orders as unknown as { id: string }[]).map(({ id }) => id);
  };
  const place = async (socket: OrderSocket): Promise<string> => {
    const { body } = await socket.request('place', ORDER);
    return (body.order as unknown as { id: string }).id;
  };
  const set = (socket: OrderSocket, timeout_ms: number | null) =>
    socket.request('cancel-on-disconnect', { timeout_ms });

  it('is off by default', async () => {
    const token = await trader();
    const socket = await openOrderSocket(url, token);
    const id = await place(socket);
    socket.cut();
    await quiet();
    expect(await open(token)).toEqual([id]);
  });

  it('cancels what was placed on the socket, conditional orders, TWAPs and lists too, and nothing else', async () => {
    const token = await trader();
    const [socket, other] = [await openOrderSocket(url, token), await openOrderSocket(url, token)];
    await place(socket);
    expect(await set(socket, 0)).toMatchObject({ status: 200, body: { message: 'success', timeout_ms: 0 } });
    await socket.request('place-many', { orders: [ORDER, ORDER] });
    await socket.request('place-conditional', { ...STOP, quantity: '0.1' });
    await socket.request('place', TWAP);
    const elsewhere = await place(other);
    expect(await open(token)).toHaveLength(6);
    socket.cut();
    await expect.poll(() => open(token)).toEqual([elsewhere]);
  });

  it('waits for its timeout', async () => {
    const token = await trader();
    const socket = await openOrderSocket(url, token);
    await set(socket, 1000);
    await place(socket);
    const cutAt = performance.now();
    socket.cut();
    await quiet();
    expect(await open(token)).toHaveLength(1);
    await expect.poll(() => open(token), { timeout: 5000 }).toEqual([]);
    expect(performance.now() - cutAt).toBeGreaterThan(900);
  });

  it('is called off by a new socket of the same session that sets it again, which then answers for the orders', async () => {
    const token = await trader();
    const first = await openOrderSocket(url, token);
    await set(first, 500);
    const id = await place(first);
    first.cut();
    const second = await openOrderSocket(url, token);
    await set(second, 0);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await open(token)).toEqual([id]);
    second.cut();
    await expect.poll(() => open(token)).toEqual([]);
  });

  it('is not called off by a new socket that does not set it, and can be switched off', async () => {
    const token = await trader();
    const first = await openOrderSocket(url, token);
    await set(first, 300);
    await place(first);
    first.cut();
    const second = await openOrderSocket(url, token);
    const kept = await place(second);
    await expect.poll(() => open(token)).toEqual([kept]);
    await set(second, 0);
    await set(second, null);
    second.cut();
    await quiet();
    expect(await open(token)).toEqual([kept]);
  });

  it('cancels an order whose answer the socket did not live to see', async () => {
    const token = await trader();
    const socket = await openOrderSocket(url, token);
    await set(socket, 0);
    const held = source.hold(/journal/i, 'before');
    void socket.request('place', ORDER);
    await held.reached;
    socket.cut();
    await quiet();
    held.release();
    const ended = async () =>
      (await server.call({ method: 'GET', url: '/api/v3/trades/order-histories', token })).body.orders;
    await expect.poll(ended).toMatchObject([{ state: 'DISSAPROVED', reason: 'BY_OWNER' }]);
  });

  it('cancels what a session placed that has been signed out', async () => {
    const token = await trader();
    const socket = await openOrderSocket(url, token);
    await set(socket, 0);
    await place(socket);
    const email = `disconnect${names}@example.test`;
    await server.call({ method: 'POST', url: '/api/v3/logout', token });
    expect(await socket.closed).toBe(4001);
    const payload = { username: email, password: 'a-long-password' };
    const next = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
    await expect.poll(() => open(next)).toEqual([]);
  });

  it('takes a timeout of at most a minute', async () => {
    const socket = await openOrderSocket(url, await trader());
    for (const timeout of [-1, 60_001, 1.5]) {
      expect(await set(socket, timeout)).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } });
    }
    expect(await set(socket, 60_000)).toMatchObject({ status: 200 });
  });
});
