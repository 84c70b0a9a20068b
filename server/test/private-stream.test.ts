/** The private stream of a client whose orders are older than the process: nothing of their history may be missing. */
import type { Order } from '@cambist/contract/trading.ts';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import { databaseKinds } from './databases.ts';

interface Push {
  readonly event?: string;
  readonly arg?: { readonly channel: string };
  readonly data?: readonly Record<string, string>[];
  readonly seqId?: number;
  readonly prevSeqId?: number;
}

let server: TestApp;
afterEach(() => server.remove());

async function listen(): Promise<string> {
  await server.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = server.app.http.server.address();
  return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5/private`;
}

async function subscribe(url: string, token: string): Promise<{ heard: Push[]; close: () => void }> {
  const socket = new WebSocket(url);
  const heard: Push[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Push));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ op: 'login', args: [{ token }] }));
  await expect.poll(() => heard.some(({ event }) => event === 'login')).toBe(true);
  socket.send(
    JSON.stringify({ op: 'subscribe', args: [{ channel: 'orders', instType: 'ANY' }, { channel: 'fills' }] }),
  );
  await expect.poll(() => heard.filter(({ event }) => event === 'subscribe').length).toBe(2);
  return { heard, close: () => socket.close() };
}

const dataOf = (heard: Push[], channel: string) =>
  heard.filter((push) => push.arg?.channel === channel && push.data).flatMap(({ data }) => data ?? []);

describe.each(databaseKinds)('after a restart (%s)', (kind) => {
  it('an old order goes on with its fills and fees counted from its beginning', async () => {
    server = await startTestApp(kind);
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    const seller = await server.trader('seller', { BTC: '2' });
    const buyer = await server.trader('buyer', { USDT: '200000' });
    const place = (token: string, payload: object) =>
      server.call({ method: 'POST', url: '/api/v3/orders', token, payload: { symbol: 'BTC', ...payload } });
    await place(seller, { side: 'SELL', type: 'limit', price: '50000', quantity: '1' });
    await place(buyer, { side: 'BUY', type: 'market', quantity: '0.25' });
    await server.stop();

    server = await startTestApp(kind, server.source);
    // A fill before anybody listens, which must be counted too, and only once.
    await place(buyer, { side: 'BUY', type: 'market', quantity: '0.25' });
    const { heard, close } = await subscribe(await listen(), seller);
    await place(buyer, { side: 'BUY', type: 'market', quantity: '0.1' });
    await expect.poll(() => dataOf(heard, 'fills').length).toBe(1);
    const [order] = dataOf(heard, 'orders');
    expect(order).toMatchObject({
      filled: '0.60000',
      state: 'PENDING',
      average_price: '50000.0',
      number_of_order: '1.00000',
    });
    // 0.08 % of 30,000 USDT.
    expect(order?.fee).toBe('24.00000000');
    const { body } = await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token: seller });
    expect(order).toEqual((body.orders as unknown as object[])[0]);
    const numbered = heard.filter((push) => push.arg?.channel === 'orders' && push.seqId !== undefined);
    for (const push of numbered) expect(push.seqId).toBe((push.prevSeqId ?? 0) + 1);
    close();
  });

  it('a conversion is pushed as one, and so are its fills', async () => {
    server = await startTestApp(kind);
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    const seller = await server.trader('seller', { BTC: '2' });
    const buyer = await server.trader('buyer', { USDT: '200000' });
    const post = (token: string, url: string, payload: object) => server.call({ method: 'POST', url, token, payload });
    await post(seller, '/api/v3/orders', { symbol: 'BTC', side: 'SELL', type: 'limit', price: '50000', quantity: '1' });
    const { heard, close } = await subscribe(await listen(), buyer);
    const order = { name: 'BTC', delegate_type: 'BUY', number_of_order: '0.01' };
    const transaction_password = TRANSACTION_PASSWORD;
    await post(buyer, '/api/v2/my-order', { ...order, trade_type: 'convert', transaction_password });
    await post(buyer, '/api/v2/my-order', { ...order, trade_type: 'market' });
    await expect.poll(() => dataOf(heard, 'fills').length).toBe(2);
    expect(dataOf(heard, 'orders').map(({ type }) => type)).toEqual(['convert', 'market']);
    expect(dataOf(heard, 'fills').map(({ type }) => type)).toEqual(['convert', undefined]);
    close();
  });

  it('an entry is pushed again when its exit is cancelled, and when it is triggered without a new fill', async () => {
    server = await startTestApp(kind);
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    const other = await server.trader('other', { BTC: '5', USDT: '500000' });
    const client = await server.trader('client', { USDT: '200000' });
    const place = (token: string, payload: object) =>
      server.call({
        method: 'POST',
        url: '/api/v3/orders',
        token,
        payload: { symbol: 'BTC', type: 'limit', ...payload },
      });
    const { heard, close } = await subscribe(await listen(), client);
    const pushed = (id: string) =>
      dataOf(heard, 'orders').findLast((order) => order.id === id) as unknown as Order | undefined;
    /** An entry of which a half is filled, and its exit. */
    const entered = async () => {
      const entry = { side: 'BUY', price: '50000', quantity: '0.1', exits: { take_profit_price: '51000' } };
      const { id } = (await place(client, entry)).body.order as unknown as Order;
      await place(other, { side: 'SELL', price: '50000', quantity: '0.05' });
      await expect.poll(() => pushed(id)?.exits?.order_id).toMatch(/^\d+$/);
      return { id, exit: pushed(id)!.exits!.order_id };
    };
    const first = await entered();
    await server.call({ method: 'DELETE', url: `/api/v3/orders/${first.exit}`, token: client });
    await expect.poll(() => pushed(first.id)?.exits).toBeUndefined();
    expect(pushed(first.id)).toMatchObject({ state: 'PENDING', filled: '0.05000', remaining: '0.05000' });
    await server.call({ method: 'DELETE', url: `/api/v3/orders/${first.id}`, token: client });

    const second = await entered();
    // Another client's bid, or the exit would meet its own entry, whose rest would give way.
    await place(other, { side: 'BUY', price: '50900', quantity: '0.1' });
    await place(other, { side: 'SELL', price: '51000', quantity: '0.01' });
    await place(client, { side: 'BUY', price: '51000', quantity: '0.01' });
    // A trade is not enough for it: the price has to stay there.
    server.advance(10_000);
    await expect.poll(() => pushed(second.exit)?.trigger?.status).toBe('triggered');
    await expect.poll(() => pushed(second.id)?.exits?.order_id).toBe('');
    const { body } = await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token: client });
    const listed = (body.orders as unknown as Order[]).find(({ id }) => id === second.id);
    expect(pushed(second.id)).toMatchObject({ exits: listed?.exits, remaining: listed?.remaining });
    close();
  });
});
