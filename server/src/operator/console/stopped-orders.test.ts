/** What becomes of a client's orders when the account is frozen, or an operator stops them. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseKinds } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const SPOT = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' };
const STOP = { symbol: 'BTC', kind: 'stop_market', stop_price: '51000' };
const OF_POSITION = { symbol: BTC_SWAP, side: 'SELL', stop_price: '80000', trigger_by: 'mark', reduce_only: true };
const STOP_OF_POSITION = { ...STOP, ...OF_POSITION };

describe.each(databaseKinds)('orders of a client who is frozen (%s)', (kind) => {
  let stage: FuturesStage;
  let alice = 0;
  const hold: { until: Promise<void> } = { until: Promise.resolve() };

  beforeAll(async () => {
    stage = await FuturesStage.start(kind);
    await stage.operator('op');
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.ask('alice', 'POST', '/api/dev/faucet', { coin: 'USDT', amount: '10000' });
    await stage.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.01', '90000');
    alice = await stage.owner('alice');
    const { accounts } = stage.server.app;
    const check = accounts.check.bind(accounts);
    accounts.check = async (...given) => {
      await hold.until;
      return check(...given);
    };
  });
  afterAll(() => stage.server.remove());

  const act = (name: string, body: object = {}) =>
    stage.ask('op', 'POST', `/api/v3/admin/clients/${alice}/${name}`, { reason: 'The keys were stolen', ...body });
  const place = async (path: string, order: object) => {
    const answer = await stage.ask('alice', 'POST', `/api/v3/orders${path}`, order);
    expect(answer.body).toMatchObject({ message: 'success' });
    return (answer.body as unknown as { order: { id: string } }).order.id;
  };
  const running = () => {
    const { exchange } = stage.server.app.engine;
    const all = [exchange.openOrdersOf(alice), exchange.untriggeredOrdersOf(alice), exchange.twaps(alice)];
    return all.flat().map(({ orderId }) => String(orderId));
  };
  const placeSome = async () => {
    await place('', SPOT);
    await place('/conditional', { ...STOP, side: 'BUY', quote_total: '500' });
    await place('', { ...SPOT, quantity: '0.1', twap: { duration_seconds: 600, interval_seconds: 60 } });
    await place('', { ...SPOT, symbol: BTC_SWAP, price: '85000' });
    return place('/conditional', STOP_OF_POSITION);
  };

  it('end with the freeze, and only what reduces a position stays; their owner reads who cancelled them', async () => {
    const stop = await placeSome();
    const ids = running().filter((id) => id !== stop);
    expect(ids).toHaveLength(4);
    expect((await act('freeze')).body).toMatchObject({ message: 'success', stopped_orders: 4 });
    expect(running()).toEqual([stop]);
    expect((await act('unfreeze')).status).toBe(200);
    for (const id of ids) {
      const order = await stage.ask('alice', 'GET', `/api/v3/orders/${id}`);
      expect(order.body).toMatchObject({ order: { state: 'DISSAPROVED', reason: 'BY_OPERATOR' } });
    }
    const notices = await stage.ask('alice', 'GET', '/api/v3/notifications');
    const told = (notices.body as unknown as { notifications: object[] }).notifications;
    const body = 'Orders cancelled: 4. Reason: The keys were stolen';
    expect(told).toContainEqual(expect.objectContaining({ type: 'orders', body }));
    const acts = await stage.ask('op', 'GET', '/api/v3/admin/audit?act=freeze-account');
    expect(acts.body).toMatchObject({ entries: [{ detail: { stop_orders: true } }] });
    await stage.ask('alice', 'DELETE', `/api/v3/orders/${stop}`);
  });

  it('stay where the operator leaves them, and are stopped by an act of its own, which says how many', async () => {
    const stop = await placeSome();
    expect((await act('freeze', { stop_orders: false })).body).toMatchObject({ stopped_orders: 0 });
    expect(running()).toHaveLength(5);
    expect((await act('stop-orders')).body).toMatchObject({ message: 'success', stopped_orders: 4 });
    expect((await act('stop-orders')).body).toMatchObject({ message: 'success', stopped_orders: 0 });
    expect(running()).toEqual([stop]);
    const acts = await stage.ask('op', 'GET', '/api/v3/admin/audit?act=stop-orders');
    expect(acts.body).toMatchObject({ entries: [{ reason: 'The keys were stolen' }, {}] });
    expect((await act('unfreeze')).status).toBe(200);
    await stage.ask('alice', 'DELETE', `/api/v3/orders/${stop}`);
  });

  it('are refused when their call was admitted before the freeze, and can still be cancelled', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    onTestFinished(() => resolve());
    const calls = [
      stage.ask('alice', 'POST', '/api/v3/orders', SPOT),
      stage.ask('alice', 'POST', '/api/v3/orders', SPOT, 'a-key'),
      stage.ask('alice', 'POST', '/api/v3/orders/conditional', STOP_OF_POSITION),
    ];
    // They wait for the check of the password.
    await new Promise((done) => setTimeout(done, 50));
    expect((await act('freeze')).body).toMatchObject({ stopped_orders: 0 });
    resolve();
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'FREEZE_ACCOUNT' } });
      expect(answer.body).toMatchObject({ restriction: { reason: 'The keys were stolen' } });
    }
    expect(running()).toEqual([]);
    expect((await act('unfreeze')).status).toBe(200);
    const again = await stage.ask('alice', 'POST', '/api/v3/orders', SPOT, 'a-key');
    expect(again).toMatchObject({ status: 200, body: { order: { state: 'PENDING' } } });
  });

  it('are no operator’s, and nobody’s who is not there', async () => {
    const { body } = await stage.ask('op', 'GET', '/api/v3/admin/clients?search=op@example.test');
    const me = (body as unknown as { clients: { id: number }[] }).clients[0]?.id;
    const stopOf = (id: number | undefined) =>
      stage.ask('op', 'POST', `/api/v3/admin/clients/${id}/stop-orders`, { reason: 'Why not' });
    expect((await stopOf(me)).body).toMatchObject({ code: 'NOT_ONESELF' });
    expect((await stopOf(9_999)).body).toMatchObject({ code: 'UNKNOWN_CLIENT' });
  });
});
