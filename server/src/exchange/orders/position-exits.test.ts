/** Take-profit and stop-loss of perpetual positions by the calls, over a restart from the tables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const both = { kind: 'oco', take_profit_price: '99000', stop_price: '86000', trigger_by: 'mark' };

describe.each(databaseKinds)('exits of perpetual positions (%s)', (kind) => {
  let source: TestDatabase;
  let stage: FuturesStage;

  beforeAll(async () => {
    source = await makeTestDatabase(kind, 'migrated');
    stage = await FuturesStage.start(kind, source);
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.1', '90000');
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const place = (name: string, order: object) =>
    stage.ask(name, 'POST', '/api/v3/orders/conditional', { symbol: BTC_SWAP, side: 'SELL', ...order });
  const exit = (name: string, order: object = both) => place(name, { reduce_only: true, ...order });
  const open = async (name: string) =>
    (await stage.ask(name, 'GET', '/api/v3/trades/open-orders?market=futures')).body.orders as unknown as object[];
  const quantities = async (name: string) =>
    ((await stage.positions(name)).positions as unknown as { quantity: string }[]).map(({ quantity }) => quantity);

  it('are sized by a quantity or by all that is open, and hold nothing', async () => {
    expect(await place('alice', both)).toMatchObject({
      ...{ status: 422, body: { errors: [{ field: 'quantity' }] } },
    });
    const byTotal = await exit('alice', { kind: 'stop_market', stop_price: '86000', quote_total: '100' });
    expect(byTotal).toMatchObject({ status: 422, body: { errors: [{ field: 'quote_total' }] } });
    expect(await exit('alice', { ...both, quantity: '0.1', symbol: 'BTC-USDT' })).toMatchObject({
      ...{ status: 422, body: { code: 'INVALID_FIELD' } },
    });
    expect(await exit('carol')).toMatchObject({ status: 422, body: { code: 'NOTHING_TO_CLOSE' } });
    const free = async () => ((await stage.positions('alice')).account as unknown as { free: string }).free;
    const before = await free();
    expect((await exit('alice')).body).toMatchObject({ message: 'success', order: { reduce_only: true } });
    expect(await free()).toBe(before);
    const byIndex = await exit('alice', { ...both, trigger_by: 'index' });
    expect(byIndex.body).toMatchObject({ order: { trigger: { trigger_by: 'index' } } });
    // Both of its legs are at market.
    const [, order] = (await open('alice')) as { trigger: object }[];
    expect(order?.trigger).toMatchObject({ kind: 'oco', take_profit_limit_price: '', stop_limit_price: '' });
  });

  it('wait on over a restart, and end with the position', async () => {
    const before = stage.server.app.engine.exchange.stateHash();
    await stage.server.stop();
    stage = await FuturesStage.start(kind, source);
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name);
    expect(stage.server.app.engine.exchange.stateHash()).toBe(before);
    expect(await open('alice')).toMatchObject([
      { reduce_only: true, trigger: { status: 'untriggered', trigger_by: 'index' } },
      { reduce_only: true, trigger: { status: 'untriggered', trigger_by: 'mark' } },
    ]);
    await stage.index(90_000);
    await stage.trade('carol', 'alice', '0.1', '90000');
    expect(await open('alice')).toEqual([]);
  });

  it('close what is open when their price is reached', async () => {
    await stage.trade('alice', 'carol', '0.1', '90000');
    await exit('alice');
    expect((await stage.order('bob', 'SELL', '0.1', '85100')).body).toMatchObject({
      code: 'PRICE_OUTSIDE_BAND',
      message: 'Nothing is bid at this price, and a sell order waits at 89100.0 at least, 1% below the mark price.',
    });
    expect((await stage.order('bob', 'SELL', '0.1', '80000')).body).toMatchObject({
      message: 'The price must be between 81000.0 and 99000.0, within 10% of the mark price.',
    });
    expect((await stage.order('bob', 'BUY', '0.2', '85000')).body).toMatchObject({ message: 'success' });
    await stage.index(86_100);
    expect((await stage.order('bob', 'SELL', '0.001', '85400')).body).toMatchObject({ message: 'success' });
    await stage.index(85_500);
    expect(await quantities('alice')).toEqual([]);
    expect(await open('alice')).toEqual([]);
  });

  it('come with an entry, cover what is filled of it over a restart, and are refused to what opens nothing', async () => {
    await stage.index(90_000);
    const exits = { take_profit_price: '99000', stop_price: '86000', trigger_by: 'index' };
    const entry = { symbol: BTC_SWAP, side: 'BUY', type: 'limit', price: '89000', quantity: '0.1', exits };
    const placed = await stage.ask('carol', 'POST', '/api/v3/orders', entry);
    expect(placed.body).toMatchObject({
      message: 'success',
      order: { exits: { stop_price: '86000.0', trigger_by: 'index' } },
    });
    await stage.order('bob', 'SELL', '0.04', '89000');
    const covered = async () => (await open('carol')) as { number_of_order: string; trigger?: object }[];
    const sizes = async () =>
      (await covered()).filter(({ trigger }) => trigger).map(({ number_of_order: lots }) => lots);
    expect(await sizes()).toEqual(['0.04000']);
    stage = await stage.restart(kind);
    for (const name of ['bob', 'carol']) await stage.trader(name);
    await stage.index(89_000);
    await stage.order('bob', 'SELL', '0.06', '89000');
    expect(await sizes()).toEqual(['0.10000']);
    expect((await covered()).find(({ trigger }) => trigger)).toMatchObject({ trigger: { trigger_by: 'index' } });
    expect(await stage.server.app.reconciler.check()).toEqual([]);
    const closing = { ...entry, side: 'SELL', price: '90000', reduce_only: true };
    const short = { ...exits, take_profit_price: '80000', stop_price: '99000' };
    expect(await stage.ask('carol', 'POST', '/api/v3/orders', { ...closing, exits: short })).toMatchObject({
      ...{ status: 422, body: { code: 'EXITS_NEED_ENTRY' } },
    });
  });

  it('close all of a position that is larger than the largest order, by several, which are there over a restart', async () => {
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name);
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.1', '90000');
    const { engine } = stage.server.app;
    const { id: market, ...spec } = engine.exchange.markets().find(({ symbol }) => symbol === BTC_SWAP)!;
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm } = spec;
    const limits = { minimumLots, minimumNotional, priceBandPpm };
    const change = (most: number) =>
      engine.sequencer.submit({ kind: 'change-market', market, ...limits, maximumLots: most });
    await exit('alice');
    for (const price of ['85000', '85010']) await stage.order('bob', 'BUY', '0.2', price);
    await change(4_000);
    await stage.index(85_900);
    expect(await quantities('alice')).toEqual([]);
    await change(maximumLots);
    const fills = async () => {
      const { body } = await stage.ask('alice', 'GET', '/api/v3/trades/order-histories?market=futures');
      return (body.orders as unknown as { number_of_order: string }[]).slice(0, 3).map((one) => one.number_of_order);
    };
    const before = await fills();
    expect(before).toEqual(['0.02000', '0.04000', '0.04000']);
    const hash = engine.exchange.stateHash();
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name);
    expect(stage.server.app.engine.exchange.stateHash()).toBe(hash);
    expect(await fills()).toEqual(before);
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });
});
