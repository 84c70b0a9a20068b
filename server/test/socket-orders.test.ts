/** Orders over the private socket: the calls of HTTP, with their rules, keys and outcomes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import { anyKind, databaseKinds, makeTestDatabase } from './databases.ts';
import { type HeldDatabase, holdable } from './held-database.ts';
import { listen, type OrderSocket, openOrderSocket } from './order-socket.ts';

const ORDER = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };
const STOP = { symbol: 'BTC', side: 'BUY', kind: 'stop_limit', stop_price: '60000', stop_limit_price: '60000' };
const JOURNAL = /journal/i;
/** No session lives that long. */
const YEAR_MS = 366 * 86_400_000;

type Orders = { id: string; final_price: string; state: string }[];

describe.each(databaseKinds)('orders over the private socket (%s)', (kind) => {
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

  async function trader(): Promise<{ token: string; socket: OrderSocket }> {
    names += 1;
    const token = await server.trader(`socket${names}`, { USDT: '100000' });
    return { token, socket: await openOrderSocket(url, token) };
  }
  const http = (method: 'GET' | 'POST' | 'DELETE', path: string, token: string, payload?: object, key?: string) =>
    server.call({
      method,
      url: path,
      token,
      ...(payload ? { payload } : {}),
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    });
  const open = async (token: string): Promise<Orders> =>
    (await http('GET', '/api/v3/trades/open-orders', token)).body.orders as unknown as Orders;
  const idOf = ({ body }: { body: Record<string, unknown> }) => (body.order as { id: string }).id;

  it('place, amend and cancel as the calls of HTTP do', async () => {
    const { token, socket } = await trader();
    const placed = await socket.request('place', ORDER);
    expect(placed).toMatchObject({ status: 200, body: { message: 'success', order: { state: 'PENDING' } } });
    expect(await open(token)).toEqual([placed.body.order]);
    const id = idOf(placed);
    const amended = await socket.request('amend', { id, price: '49001' });
    expect(amended.body).toMatchObject({ message: 'success', order: { id, final_price: '49001.0' } });
    expect((await socket.request('cancel', { id })).body).toMatchObject({ order: { id, state: 'DISSAPROVED' } });
    expect(await socket.request('cancel', { id })).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
    expect(await open(token)).toEqual([]);
  });

  it('take lists, conditional orders and the end of all', async () => {
    const { token, socket } = await trader();
    const many = await socket.request('place-many', { orders: [ORDER, { ...ORDER, price: '0.01' }, ORDER] });
    const results = many.body.results as unknown as { message: string; order?: { id: string } }[];
    expect(results.map(({ message }) => message)).toEqual(['success', 'refused', 'success']);
    const ids = results.flatMap(({ order }) => order?.id ?? []);
    const cancelled = await socket.request('cancel-many', { ids: [...ids, '999999'] });
    expect(cancelled.body.results).toMatchObject([
      { message: 'success', order: { id: ids[0], state: 'DISSAPROVED' } },
      { message: 'success', order: { id: ids[1], state: 'DISSAPROVED' } },
      { message: 'refused', code: 'ORDER_NOT_FOUND' },
    ]);
    const waiting = await socket.request('place-conditional', { ...STOP, quantity: '0.1' });
    expect(waiting.body.order).toMatchObject({ trigger: { status: 'untriggered' } });
    const changed = await socket.request('amend-conditional', { id: idOf(waiting), stop_price: '61000' });
    expect(changed.body.order).toMatchObject({ trigger: { stop_price: '61000.0' } });
    expect((await socket.request('cancel-all', {})).body).toEqual({ message: 'success', cancelled: 1 });
    expect(await open(token)).toEqual([]);
  });

  it('take no key that the tables would not keep as it is', async () => {
    const { token, socket } = await trader();
    const keys = ['\ud800', '\udbff', 'a\0b'];
    const answers = await Promise.all(keys.map((key) => socket.request('place', ORDER, { key })));
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_IDEMPOTENCY_KEY' } });
    const kept = await Promise.all(['\ufffd', '\u{1f600}'].map((key) => socket.request('place', ORDER, { key })));
    expect(await open(token)).toEqual(kept.map(({ body }) => body.order).reverse());
  });

  it('refuse with the status and the problem of HTTP, in the language of the request', async () => {
    const { token, socket } = await trader();
    for (const wrong of [
      { ...ORDER, side: 'UP' },
      { ...ORDER, symbol: 'NONE' },
      { ...ORDER, quantity: '0.0000001' },
    ]) {
      const language = 'de';
      const answer = await socket.request('place', wrong, { language });
      const { status, body } = await server.call({
        method: 'POST',
        url: '/api/v3/orders',
        token,
        payload: wrong,
        headers: { 'accept-language': language },
      });
      expect({ ...answer.body, requestId: '' }).toEqual({ ...body, requestId: '' });
      expect(answer.status).toBe(status);
    }
    expect((await socket.request('place', { ...ORDER, price: '0' }, { key: 'k'.repeat(129) })).status).toBe(422);
  });

  it('ask for the transaction password unless the session is unlocked', async () => {
    const { token, socket } = await trader();
    await http('DELETE', '/api/v3/trading-unlock', token);
    expect(await socket.request('place', ORDER)).toMatchObject({
      status: 403,
      body: { code: 'TRANSACTION_PASSWORD_REQUIRED' },
    });
    const wrong = await socket.request('place', { ...ORDER, transaction_password: 'wrong!' });
    expect(wrong).toMatchObject({ status: 200, body: { message: 'wrong_transaction_password' } });
    const right = await socket.request('place', { ...ORDER, transaction_password: TRANSACTION_PASSWORD });
    expect(right.body.message).toBe('success');
    expect(await open(token)).toHaveLength(1);
  });

  it('need a login, a private socket and a request id', async () => {
    const stranger = await openOrderSocket(url, undefined);
    expect(await stranger.request('place', ORDER)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    stranger.send({ op: 'place', args: ORDER });
    await expect.poll(() => stranger.heard.at(-1)).toMatchObject({ event: 'error', code: '60012' });
    const elsewhere = await openOrderSocket(url, undefined, 'public');
    elsewhere.send({ id: 'a', op: 'place', args: ORDER });
    await expect.poll(() => elsewhere.heard.at(-1)).toMatchObject({ event: 'error', code: '60012' });
  });

  it('make one order of a key, however often and by whichever way it comes', async () => {
    const { token, socket } = await trader();
    const key = 'same';
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? socket.request('place', ORDER, { key }) : http('POST', '/api/v3/orders', token, ORDER, key),
      ),
    );
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await open(token)).toHaveLength(1);
    const other = await socket.request('place', { ...ORDER, price: '49001' }, { key });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const id = idOf(answers[0]!);
    await socket.request('cancel', { id }, { key: 'end' });
    expect((await http('DELETE', `/api/v3/orders/${id}`, token, undefined, 'end')).body).toMatchObject({
      message: 'success',
    });
  });

  it('answer after the commit and never before; a cut socket leaves its outcome to the key', async () => {
    const { token, socket } = await trader();
    const held = source.hold(JOURNAL, 'before');
    const answer = socket.request('place', ORDER, { key: 'cut' });
    await held.reached;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(socket.heard.filter(({ op }) => op === 'place')).toEqual([]);
    socket.cut();
    held.release();
    await socket.closed;
    const again = await http('POST', '/api/v3/orders', token, ORDER, 'cut');
    expect((await open(token)).map(({ id }) => id)).toEqual([idOf(again)]);
    await expect(Promise.race([answer, Promise.resolve('none')])).resolves.toBe('none');
  });

  it('are refused once the session has ended, on a socket that signed in before', async () => {
    const { socket } = await trader();
    server.advance(YEAR_MS);
    expect(await socket.request('place', ORDER)).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect(await socket.request('cancel-on-disconnect', { timeout_ms: 0 })).toMatchObject({ status: 401 });
  });

  it('end with a session that is revoked while they come', async () => {
    const { token, socket } = await trader();
    const login = { username: `socket${names}@example.test`, password: PASSWORD };
    const other = String((await server.call({ method: 'POST', url: '/api/v3/login', payload: login })).body.token);
    const ending = http('POST', '/api/v3/sessions/end-others', other);
    for (let turn = 0; turn < 20; turn += 1) {
      void socket.request('place', ORDER);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ending;
    expect(await socket.closed).toBe(4001);
    const placed = (await open(other)).length;
    const told = socket.heard.filter(({ op, status }) => op === 'place' && status === 200).length;
    expect(placed).toBeGreaterThanOrEqual(told);
    expect((await http('POST', '/api/v3/orders', token, ORDER)).status).toBe(401);
    await expect(openOrderSocket(url, token)).rejects.toThrow('The login was refused');
    expect(await open(other)).toHaveLength(placed);
  });
});

describe('the limits of a socket', () => {
  let server: TestApp;
  afterAll(() => server.remove());

  it('answer 429 beyond the budget, without doing it, and let go of who goes on', async () => {
    server = await startTestApp(anyKind, undefined, { RATE_LIMIT_PER_MINUTE: '100000' });
    const url = await listen(server);
    const token = await server.trader('flood', { USDT: '100000' });
    const socket = await openOrderSocket(url, token);
    server.freeze();
    const statuses: number[] = [];
    for (let batch = 0; batch < 8; batch += 1) {
      const some = Array.from({ length: 40 }, () => socket.request('cancel', { id: '1' }));
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    expect(statuses).toEqual([...Array(300).fill(404), ...Array(20).fill(429)]);
    // The budget is the client's, on whichever socket.
    const second = await openOrderSocket(url, token);
    expect(await second.request('cancel', { id: '1' })).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS' },
      retry_after: 1,
    });
    for (let turn = 0; turn < 400; turn += 1) socket.send({ id: 'x', op: 'cancel', args: { id: '1' } });
    expect(await socket.closed).toBe(4014);
  });

  it('keep the unanswered requests of a socket few', async () => {
    const source = holdable(await makeTestDatabase(anyKind, 'migrated'));
    await server.remove();
    server = await startTestApp(anyKind, source);
    const token = await server.trader('waits', { USDT: '100000' });
    const socket = await openOrderSocket(await listen(server), token);
    const held = source.hold(JOURNAL, 'before');
    const answers = Array.from({ length: 70 }, () => socket.request('place', ORDER));
    await held.reached;
    await expect.poll(() => socket.heard.filter(({ status }) => status === 429).length).toBe(6);
    held.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(64);
  });
});

describe.each(databaseKinds)('a list of orders in front of a full queue (%s)', (kind) => {
  let server: TestApp;
  afterAll(() => server.remove());

  it('has the results of those that were taken beside those that were not', async () => {
    server = await startTestApp(kind, undefined, { QUEUE_LIMIT: '3' });
    const token = await server.trader('queue', { USDT: '100000' });
    const post = (url: string, payload: object) => server.call({ method: 'POST', url, token, payload });
    const openIds = async () => {
      const { body } = await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token });
      return (body.orders as unknown as Orders).map(({ id }) => id).sort();
    };
    const orders = Array.from({ length: 6 }, () => ORDER);
    const placed = await post('/api/v3/orders/batch', { orders });
    const results = placed.body.results as unknown as { message: string; code?: string; order?: { id: string } }[];
    expect(placed.status).toBe(200);
    expect(results.map(({ message, code }) => code ?? message)).toEqual([
      ...['success', 'success', 'success'],
      ...['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'],
    ]);
    const more = (await post('/api/v3/orders/batch', { orders: orders.slice(0, 2) })).body.results;
    const ids = [...results, ...(more as unknown as typeof results)].flatMap(({ order }) => order?.id ?? []);
    const cancelled = await post('/api/v3/orders/cancel', { ids });
    expect(cancelled.body.results).toMatchObject([
      ...ids.slice(0, 3).map((id) => ({ message: 'success', order: { id, state: 'DISSAPROVED' } })),
      ...ids.slice(3).map(() => ({ message: 'refused', code: 'UNAVAILABLE' })),
    ]);
    expect(await openIds()).toEqual(ids.slice(3).sort());
    const socket = await openOrderSocket(await listen(server), token);
    const lone = await Promise.all(
      ids
        .slice(3)
        .concat('1', '2', '3', '4')
        .map((id) => socket.request('cancel', { id })),
    );
    const refused = lone.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    // As the header of HTTP says it.
    for (const answer of refused) expect(answer).toMatchObject({ body: { code: 'UNAVAILABLE' }, retry_after: 1 });
  });
});
