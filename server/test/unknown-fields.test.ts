/**
 * A field that a trading call does not have, or that this kind of order does not, is refused: left out in silence, it would make
 * another order of it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { databaseKinds, makeTestDatabase } from './databases.ts';
import { listen, type OrderSocket, openOrderSocket } from './order-socket.ts';

const ORDER = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '0.01' };

describe.each(databaseKinds)('fields that a trading call does not have (%s)', (kind) => {
  let server: TestApp;
  let token: string;
  let socket: OrderSocket;

  const send = (method: 'POST' | 'PATCH', url: string, payload: object, language = 'en') =>
    server.call({ method, url, token, payload, headers: { 'accept-language': language } });
  const open = async () =>
    (await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token })).body.orders as unknown as {
      id: string;
    }[];
  const refusal = (...fields: string[]) => ({
    status: 422,
    body: {
      code: 'INVALID_INPUT',
      detail: `${fields[0]}: This call has no such field`,
      errors: fields.map((field) => ({ field, message: 'This call has no such field' })),
    },
  });

  beforeAll(async () => {
    server = await startTestApp(kind, await makeTestDatabase(kind, 'migrated'));
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    token = await server.trader('robot', { USDT: '100000' });
    socket = await openOrderSocket(await listen(server), token);
  });
  afterAll(() => server.remove());

  it('place nothing, alone, within a list, and within a part', async () => {
    const wrong = { ...ORDER, timeInForce: 'POST_ONLY', postOnly: true };
    expect(await send('POST', '/api/v3/orders', wrong)).toMatchObject(refusal('timeInForce', 'postOnly'));
    const list = { orders: [ORDER, { ...ORDER, stp: 'CANCEL_BOTH' }] };
    expect(await send('POST', '/api/v3/orders/batch', list)).toMatchObject(refusal('orders.1.stp'));
    const exits = { ...ORDER, exits: { stop_price: '48000', stop_limit: '47900' } };
    expect(await send('POST', '/api/v3/orders', exits)).toMatchObject(refusal('exits.stop_limit'));
    const stop = { symbol: 'BTC', side: 'SELL', kind: 'stop_market', stop_price: '48000', quantity: '1', price: '1' };
    expect(await send('POST', '/api/v3/orders/conditional', stop)).toMatchObject(refusal('price'));
    expect(await open()).toEqual([]);
  });

  it.each([
    [{ price: '48000' }, 'price', 'A market order has no price. Leave it out, or place a limit order'],
    [{ time_in_force: 'POST_ONLY' }, 'time_in_force', 'A market order is IOC or FOK'],
    [{ time_in_force: 'GTC' }, 'time_in_force', 'A market order is IOC or FOK'],
    [{ quote_total: '5' }, 'quote_total', 'Give a quantity or a total, not both'],
  ])('a market order does not have: %o', async (strange, field, message) => {
    const order = { symbol: 'BTC', side: 'BUY', type: 'market', quantity: '0.01', ...strange };
    const refused = { status: 422, body: { errors: [{ field, message }] } };
    expect(await send('POST', '/api/v3/orders', order)).toMatchObject(refused);
    expect(await socket.request('place', order)).toMatchObject(refused);
    expect((await send('POST', '/api/v3/orders/batch', { orders: [order] })).status).toBe(422);
  });

  it('a position is closed at a price by a limit order alone', async () => {
    for (const strange of [{ price: '48000' }, { time_in_force: 'POST_ONLY' }]) {
      const refused = await send('POST', '/api/v3/futures/close', { symbol: 'BTC-USDT-SWAP', ...strange });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: Object.keys(strange)[0] }] } });
    }
  });

  it.each([
    ...['trades/open-orders', 'trades/order-histories', 'trades/trade-histories', 'futures/settings'],
    ...['trades/order-histories.csv', 'trades/trade-histories.csv', 'futures/history/positions'],
    ...['futures/history/funding', 'futures/history/liquidations', 'futures/history/funding.csv'],
    ...['futures/history/closed', 'futures/history/closed.csv'],
  ])('read nothing: a misspelled parameter of %s would be a list of something else', async (path) => {
    const url = `/api/v3/${path}?symbol=BTC-USDT-SWAP&Limit=5`;
    expect(await server.call({ method: 'GET', url, token })).toMatchObject(refusal('Limit'));
  });

  it('stay what they are in calls of the older interface', async () => {
    for (const path of ['getOrder?symbol=BTC-USDT&Limit=5', 'buy-history?Limit=5']) {
      expect(await server.call({ method: 'GET', url: `/api/v3/${path}`, token })).toMatchObject({ status: 200 });
    }
  });

  it('cancel and change nothing, by calls and by the socket, and are said in the language of the asker', async () => {
    const placed = await socket.request('place', ORDER);
    const { id } = placed.body.order as unknown as { id: string };
    expect(await send('POST', '/api/v3/orders/cancel-all', { pair: 'ETH-USDT' })).toMatchObject(refusal('pair'));
    expect(await socket.request('cancel-all', { pair: 'ETH-USDT' })).toMatchObject(refusal('pair'));
    expect(await send('PATCH', `/api/v3/orders/${id}`, { price: '48000', size: '1' })).toMatchObject(refusal('size'));
    expect(await socket.request('amend', { id, price: '48000', size: '1' })).toMatchObject(refusal('size'));
    expect(await open()).toMatchObject([{ id, final_price: '49000.0' }]);
    const german = await send('POST', '/api/v3/orders/cancel-all', { pair: 'ETH' }, 'de');
    expect(german.body.detail).toBe('pair: Dieser Aufruf hat kein solches Feld');
    expect((await socket.request('amend', { id, price: '48000' })).body).toMatchObject({ message: 'success' });
    expect((await socket.request('cancel', { id })).status).toBe(200);
  });
});
