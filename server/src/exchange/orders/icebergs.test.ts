/** Icebergs: what the public sees of them, what their owner sees, and how they come back after a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';

const ICEBERG = {
  ...{ symbol: 'BTC', side: 'SELL', type: 'limit', price: '50000', quantity: '1' },
  visible_quantity: '0.2',
} as const;

describe.each(databaseKinds)('an iceberg (%s)', (kind) => {
  let source: TestDatabase;
  let server: TestApp;
  let alice: string;
  let bob: string;

  const place = (token: string, payload: object) =>
    server.call({ method: 'POST', url: '/api/v3/orders', token, payload });
  const open = async () =>
    (await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token: alice })).body.orders;
  const asks = async () => {
    const { body } = await server.call({ method: 'GET', url: '/api/v5/market/books?instId=BTC-USDT&sz=5' });
    return (body.data as unknown as { asks: string[][] }[])[0]?.asks.map(([price, size]) => `${price} × ${size}`);
  };

  beforeAll(async () => {
    source = await makeTestDatabase(kind, 'migrated');
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', { BTC: '2' });
    bob = await server.trader('bob', { USDT: '100000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(async () => {
    await server.remove();
  });

  it('shows the public a part, and its owner the whole', async () => {
    const placed = await place(alice, ICEBERG);
    const seen = { number_of_order: '1.00000', remaining: '1.00000', visible_quantity: '0.20000' };
    expect(placed).toMatchObject({ status: 200, body: { order: seen } });
    expect(await open()).toMatchObject([seen]);
    expect(await asks()).toEqual(['50000.0 × 0.20000']);
  });

  it.each([
    ['all of it', { visible_quantity: '1' }, 'INVALID_VISIBLE_QUANTITY'],
    ['a sliver', { visible_quantity: '0.00999' }, 'INVALID_VISIBLE_QUANTITY'],
    ['a part of what never rests', { time_in_force: 'IOC' }, 'INVALID_VISIBLE_QUANTITY'],
    ['too fine a part', { visible_quantity: '0.1234567' }, 'visible_quantity'],
  ])('is refused that shows %s', async (_, change, why) => {
    const answer = await place(alice, { ...ICEBERG, ...change });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(why);
  });

  it('shows its next part after a fill, and is the same after a restart from the tables', async () => {
    await place(bob, { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.25' });
    expect(await asks()).toEqual(['50000.0 × 0.15000']);
    expect(await open()).toMatchObject([{ filled: '0.25000', remaining: '0.75000' }]);
    expect(await server.app.reconciler.check()).toEqual([]);
    const hash = server.app.engine.exchange.stateHash();
    await server.stop();
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', {});
    bob = await server.trader('bob', {});
    expect(server.app.engine.exchange.stateHash()).toBe(hash);
    expect(await asks()).toEqual(['50000.0 × 0.15000']);
    await place(bob, { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.75' });
    expect([await asks(), await open()]).toEqual([[], []]);
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
