/** TWAPs: what their owner sees of them, how their slices come to be placed, and how they go on after a restart. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';

const TWAP = {
  ...{ symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.3' },
  twap: { duration_seconds: 3_000, interval_seconds: 1_000 },
} as const;

const until = (isTrue: () => Promise<boolean>) => vi.waitUntil(isTrue, { timeout: 30_000, interval: 100 });

describe.each(databaseKinds)('a TWAP (%s)', (kind) => {
  let source: TestDatabase;
  let server: TestApp;
  let alice: string;
  let bob: string;

  const place = (token: string, payload: object) =>
    server.call({ method: 'POST', url: '/api/v3/orders', token, payload });
  const get = async (url: string) => (await server.call({ method: 'GET', url, token: alice })).body;
  const open = async () =>
    (await get('/api/v3/trades/open-orders')).orders as unknown as {
      id: string;
      twap?: { slices_done: number; ends_at: number };
    }[];
  const history = async () => (await get('/api/v3/trades/order-histories?type=twap')).orders;
  const slicesDone = async () => (await open())[0]?.twap?.slices_done;

  beforeAll(async () => {
    source = await makeTestDatabase(kind, 'migrated');
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', { USDT: '100000' });
    bob = await server.trader('bob', { BTC: '10' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    await place(bob, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '49900', quantity: '0.15' });
  });
  afterAll(async () => {
    await server.remove();
  });

  it('places its first slice at once, and is seen with its progress as one open order', async () => {
    const placed = await place(alice, TWAP);
    const schedule = { interval_seconds: 1_000, slices: 3, slices_done: 0 };
    expect(placed).toMatchObject({ status: 200, body: { order: { type: 'limit', state: 'PENDING', twap: schedule } } });
    await until(async () => (await slicesDone()) === 1);
    const [order] = await open();
    const fill = { filled: '0.10000', remaining: '0.20000', average_price: '49900.0', fee_coin: 'BTC' };
    expect(order).toMatchObject({ ...fill, twap: { ...schedule, slices_done: 1 } });
    expect(await server.app.reconciler.check()).toEqual([]);
  });

  it.each([
    ['without a limit price', { type: 'market', price: undefined }, 'twap'],
    ['with a time in force', { time_in_force: 'IOC' }, 'twap'],
    ['with exits', { exits: { stop_price: '40000' } }, 'twap'],
    ['in slices that are too small', { quantity: '0.00005' }, 'SLICE_BELOW_MINIMUM'],
    ['in one slice', { twap: { duration_seconds: 30, interval_seconds: 30 } }, 'INVALID_SCHEDULE'],
    ['for longer than a day', { twap: { duration_seconds: 86_401, interval_seconds: 600 } }, 'duration_seconds'],
  ])('is refused %s', async (_, change, why) => {
    const answer = await place(alice, { ...TWAP, ...change });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(why);
  });

  it('can not be amended', async () => {
    const [order] = await open();
    const answer = await server.call({
      method: 'PATCH',
      url: `/api/v3/orders/${order!.id}`,
      token: alice,
      payload: { price: '50001' },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'NOT_AMENDABLE' } });
  });

  it('is cancelled like any order, and its hold released', async () => {
    const placed = await place(alice, { ...TWAP, price: '49000', client_order_id: 'slowly' });
    expect(placed.status).toBe(200);
    const cancelled = await server.call({ method: 'DELETE', url: '/api/v3/orders/client:slowly', token: alice });
    expect(cancelled).toMatchObject({ status: 200, body: { order: { state: 'DISSAPROVED', reason: 'BY_OWNER' } } });
    expect([(await open()).length, await server.app.reconciler.check()]).toEqual([1, []]);
  });

  it('is the same after a restart, goes on with the next slice, and ends in time with what is left', async () => {
    const before = await open();
    const hash = server.app.engine.exchange.stateHash();
    await server.stop();
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', {});
    bob = await server.trader('bob', {});
    expect(server.app.engine.exchange.stateHash()).toBe(hash);
    expect(await open()).toEqual(before);
    server.advance(1_000_000);
    await until(async () => (await slicesDone()) === 2);
    expect(await open()).toMatchObject([{ filled: '0.15000', remaining: '0.15000' }]);
    server.advance(1_000_000);
    await until(async () => (await slicesDone()) === 3);
    server.advance(1_000_000);
    await until(async () => (await open()).length === 0);
    const ended = { state: 'DISSAPROVED', reason: 'TIME_UP', filled: '0.15000', remaining: '0.15000' };
    const twap = { slices: 3, slices_done: 3, next_slice_at: null };
    expect(await history()).toMatchObject([{ client_order_id: 'slowly' }, { ...ended, id: before[0]?.id, twap }]);
    const file = await server.app.http.inject({
      url: '/api/v3/trades/order-histories.csv?type=twap',
      headers: { authorization: `Bearer ${alice}` },
    });
    expect(file.body.split('\n')[2]).toContain(',BUY,twap,');
    expect(await get('/api/v3/trades/order-histories?type=limit')).toMatchObject({ orders: [] });
    expect(await server.app.reconciler.check()).toEqual([]);
  });

  it('is the same after a restart where slices were missed, with the end that has moved', async () => {
    await place(bob, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '49900', quantity: '0.15' });
    await place(alice, TWAP);
    await until(async () => (await slicesDone()) === 1);
    const [first] = await open();
    server.advance(5_500_000);
    await until(async () => (await slicesDone()) === 2);
    const before = await open();
    expect(before[0]?.twap?.ends_at).toBe(Number(first?.twap?.ends_at) + 4_000_000);
    const hash = server.app.engine.exchange.stateHash();
    await server.stop();
    server = await startTestApp(kind, source);
    expect(server.app.engine.exchange.stateHash()).toBe(hash);
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
