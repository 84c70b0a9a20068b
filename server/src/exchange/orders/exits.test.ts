/** Orders with take-profit and stop-loss attached: in answers, lists and tables, and after a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';

type Listed = { readonly id: string; readonly exits?: { order_id: string }; readonly trigger?: object };

const ENTRY = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.1' } as const;
const EXITS = { take_profit_price: '52000', take_profit_limit_price: '51990', stop_price: '49000' } as const;

describe.each(databaseKinds)('exits attached to an entry (%s)', (kind) => {
  let source: TestDatabase;
  let server: TestApp;
  let alice: string;
  let bob: string;
  let entry = '';

  const place = async (token: string, payload: object) =>
    server.call({ method: 'POST', url: '/api/v3/orders', token, payload });
  const listed = async (path: string) => {
    const { body } = await server.call({ method: 'GET', url: `/api/v3/trades/${path}`, token: alice });
    return body.orders as unknown as Listed[];
  };
  const start = async () => {
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', {});
    bob = await server.trader('bob', {});
  };

  beforeAll(async () => {
    source = await makeTestDatabase(kind, 'migrated');
    server = await startTestApp(kind, source);
    alice = await server.trader('alice', { USDT: '100000' });
    bob = await server.trader('bob', { BTC: '10', USDT: '100000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(async () => {
    await server.remove();
  });

  it('are in the answer of the entry and in the list, and nothing is placed before a fill', async () => {
    const placed = await place(alice, { ...ENTRY, exits: EXITS });
    const exits = {
      ...{ trigger_by: 'last', take_profit_price: '52000.0', take_profit_limit_price: '51990.0' },
      ...{ stop_price: '49000.0', stop_limit_price: '', order_id: '' },
    };
    expect(placed).toMatchObject({ status: 200, body: { order: { exits } } });
    entry = (placed.body.order as unknown as Listed).id;
    expect(await listed('open-orders')).toMatchObject([{ id: entry, exits }]);
  });

  it.each([
    ['a take-profit on the wrong side', { take_profit_price: '49900' }, 'INVALID_TAKE_PROFIT'],
    ['a stop-loss on the wrong side', { stop_price: '50000' }, 'INVALID_STOP_LOSS'],
    ['no leg', {}, 'Give a take-profit price, a stop-loss price, or both'],
    [
      'a limit price without its trigger',
      { stop_price: '49000', take_profit_limit_price: '52000' },
      'Field is required',
    ],
    ['too many decimals', { stop_price: '49000.123' }, 'Use at most 1 decimal places'],
  ])('are refused with %s', async (_, exits, why) => {
    const answer = await place(alice, { ...ENTRY, exits });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(why);
  });

  it('cover a fill by an exit order that knows its entry', async () => {
    await place(bob, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '50000', quantity: '0.04' });
    const open = await listed('open-orders');
    const exit = open.find(({ id }) => id !== entry)!;
    expect(exit).toMatchObject({
      delegate_type: 'SELL',
      trigger: { kind: 'oco', status: 'untriggered', entry_id: entry, stop_price: '49000.0' },
    });
    expect(open.find(({ id }) => id === entry)).toMatchObject({ exits: { order_id: exit.id } });
    expect(await server.app.reconciler.check()).toEqual([]);
  });

  it('are the same after a restart from the tables, and go on covering', async () => {
    const hash = server.app.engine.exchange.stateHash();
    const before = await listed('open-orders');
    await server.stop();
    await start();
    expect(server.app.engine.exchange.stateHash()).toBe(hash);
    expect(server.app.engine.exchange.exitPlans()).toHaveLength(1);
    expect(await listed('open-orders')).toEqual(before);
    await place(bob, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '50000', quantity: '0.06' });
    const open = await listed('open-orders');
    expect(open).toHaveLength(1);
    expect(open[0]).toMatchObject({ number_of_order: expect.stringMatching(/^0\.099/), trigger: { entry_id: entry } });
    expect(await listed('order-histories')).toMatchObject([
      { id: entry, state: 'APPROVED', exits: { stop_price: '49000.0' } },
    ]);
    expect(await server.app.reconciler.check()).toEqual([]);
  });

  it('sell at the stop', async () => {
    await place(bob, { symbol: 'BTC', side: 'BUY', type: 'limit', price: '49000', quantity: '1' });
    await place(bob, { symbol: 'BTC', side: 'BUY', type: 'limit', price: '48900', quantity: '1' });
    const other = await server.trader('carol', { BTC: '1' });
    await place(other, { symbol: 'BTC', side: 'SELL', type: 'limit', price: '49000', quantity: '0.01' });
    // Other markets agree.
    const told = { kind: 'set-reference-price', market: 0, price: 490_000, isReferenceOnly: true } as const;
    await server.app.engine.sequencer.submit(told);
    expect(await listed('open-orders')).toEqual([]);
    const [exit] = await listed('order-histories');
    expect(exit).toMatchObject({
      state: 'APPROVED',
      trigger: { entry_id: entry, triggered_leg: 'stop', triggered_price: '49000.0' },
    });
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
