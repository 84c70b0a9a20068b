/** Orders by the ids that their clients gave them: in answers, lists and calls, and after a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';

type Orders = { readonly id: string; readonly client_order_id?: string }[];

const LIMIT = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' } as const;
const STOP = {
  ...{ symbol: 'BTC', side: 'BUY', kind: 'stop_limit', quantity: '0.01' },
  ...{ stop_price: '51000', stop_limit_price: '51100' },
} as const;

describe.each(databaseKinds)('client order ids (%s)', (kind) => {
  let source: TestDatabase;
  let server: TestApp;
  let alice: string;

  const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    server.call({ method, url: `/api/v3/orders${path}`, token: alice, ...(payload && { payload }) });
  const listed = async (path: string) => {
    const { body } = await server.call({ method: 'GET', url: `/api/v3/trades/${path}`, token: alice });
    return (body.orders as unknown as Orders).map((order) => order.client_order_id);
  };

  beforeAll(async () => {
    source = await makeTestDatabase(kind, 'migrated');
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', { USDT: '100000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(async () => {
    await server.remove();
  });

  it('are in answers and lists; a second open order may not have the same', async () => {
    const placed = await call('POST', '', { ...LIMIT, client_order_id: 'ladder-1' });
    expect(placed).toMatchObject({ status: 200, body: { order: { client_order_id: 'ladder-1' } } });
    const again = await call('POST', '', { ...LIMIT, client_order_id: 'ladder-1' });
    expect(again).toMatchObject({ body: { code: 'DUPLICATE_CLIENT_ORDER_ID' } });
    expect(again.status).toBeGreaterThanOrEqual(400);
    const stop = await call('POST', '/conditional', { ...STOP, client_order_id: 'stop-1' });
    expect(stop).toMatchObject({ status: 200, body: { order: { client_order_id: 'stop-1' } } });
    const nameless = await call('POST', '', LIMIT);
    expect(nameless.body.order).not.toHaveProperty('client_order_id');
    expect(await listed('open-orders')).toEqual([undefined, 'stop-1', 'ladder-1']);
  });

  it.each(['', 'has a space', 'x'.repeat(37)])('are refused as %j', async (wrong) => {
    const answer = await call('POST', '', { ...LIMIT, client_order_id: wrong });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('1 to 36 letters');
  });

  it('name the order that is amended or cancelled, of the client who asks alone', async () => {
    const amended = await call('PATCH', '/client:ladder-1', { price: '49000' });
    expect(amended).toMatchObject({
      status: 200,
      body: { order: { final_price: '49000.0', client_order_id: 'ladder-1' } },
    });
    const moved = await call('PATCH', '/conditional/client:stop-1', { stop_price: '51050' });
    expect(moved).toMatchObject({ status: 200, body: { order: { client_order_id: 'stop-1' } } });
    const bob = await server.trader('bob', { USDT: '1' });
    const foreign = await server.call({ method: 'DELETE', url: '/api/v3/orders/client:ladder-1', token: bob });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
  });

  it('name the order that is asked for while it is open, and its own id does for ever', async () => {
    const read = (name: string, token = alice) =>
      server
        .call({ method: 'GET', url: `/api/v3/orders/${name}`, token })
        .then(({ status, body }) => ({ status, body }));
    const carol = await server.trader('carol', { USDT: '1' });
    const { body } = await call('POST', '', { ...LIMIT, client_order_id: 'asked-for' });
    const { id } = body.order as unknown as { id: string };
    expect(await read('client:asked-for')).toEqual({ status: 200, body: { order: body.order } });
    expect(await read(id)).toEqual({ status: 200, body: { order: body.order } });
    const ended = await call('DELETE', `/${id}`);
    expect(await read(id)).toEqual({ status: 200, body: { order: ended.body.order } });
    for (const answer of [await read('client:asked-for'), await read('9007199254740991'), await read(id, carol)])
      expect(answer).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
    expect((await read('batch')).status).toBe(422);
  });

  it('outlive a restart, and are free again when the order has ended', async () => {
    await server.app.close();
    server = await startTestApp(kind, source);
    expect(await listed('open-orders')).toEqual([undefined, 'stop-1', 'ladder-1']);
    expect(await call('POST', '', { ...LIMIT, client_order_id: 'ladder-1' })).toMatchObject({
      body: { code: 'DUPLICATE_CLIENT_ORDER_ID' },
    });
    const { body } = await call('POST', '/cancel', { ids: ['client:stop-1', 'client:nothing'] });
    expect(body.results).toMatchObject([
      { message: 'success', order: { client_order_id: 'stop-1' } },
      { message: 'refused', code: 'ORDER_NOT_FOUND' },
    ]);
    const ended = await call('DELETE', '/client:ladder-1');
    expect(ended).toMatchObject({ status: 200, body: { order: { client_order_id: 'ladder-1' } } });
    expect(await listed('order-histories')).toEqual(expect.arrayContaining(['ladder-1', 'stop-1']));
    const next = await call('POST', '', { ...LIMIT, client_order_id: 'ladder-1' });
    expect(next).toMatchObject({ status: 200, body: { order: { client_order_id: 'ladder-1' } } });
  });
});
