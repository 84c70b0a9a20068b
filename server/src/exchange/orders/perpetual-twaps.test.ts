/** TWAPs of perpetuals by the calls, and over a restart from the tables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const TWAP = {
  ...{ symbol: BTC_SWAP, side: 'BUY', type: 'limit', price: '90000', quantity: '0.3' },
  twap: { duration_seconds: 3_000, interval_seconds: 1_000 },
} as const;

describe.each(databaseKinds)('a TWAP of a perpetual (%s)', (kind) => {
  let stage: FuturesStage;
  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.index(90_000);
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const place = (change: object = {}) => stage.ask('alice', 'POST', '/api/v3/orders', { ...TWAP, ...change });
  const listed = async () =>
    (await stage.ask('alice', 'GET', '/api/v3/trades/open-orders?market=futures')).body.orders as unknown as object[];
  const quantities = async () =>
    ((await stage.positions('alice')).positions as unknown as { quantity: string }[]).map(({ quantity }) => quantity);

  it('reserves its margin, opens by slices and is the same after a restart', async () => {
    expect(await place({ reduce_only: true })).toMatchObject({ status: 422, body: { code: 'NOTHING_TO_CLOSE' } });
    await stage.order('bob', 'SELL', '0.5', '90000');
    expect((await place()).body).toMatchObject({ message: 'success', order: { twap: { slices: 3 } } });
    await expect.poll(quantities, { timeout: 20_000 }).toEqual(['0.10000']);
    const { account } = await stage.positions('alice');
    expect(Number((account as unknown as { order_margin: string }).order_margin)).toBeGreaterThan(1_800);
    expect(await stage.server.app.reconciler.check()).toEqual([]);
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob']) await stage.trader(name);
    expect(await listed()).toMatchObject([{ remaining: '0.20000', twap: { slices_done: 1 } }]);
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });

  it('that only reduces reserves nothing, over a restart too', async () => {
    await stage.index(90_000);
    const [open] = (await listed()) as { id: string }[];
    await stage.ask('alice', 'DELETE', `/api/v3/orders/${open!.id}`);
    const closing = { side: 'SELL', price: '89000', quantity: '0.1', reduce_only: true };
    expect((await place(closing)).body).toMatchObject({ message: 'success', order: { reduce_only: true } });
    expect((await stage.positions('alice')).account).toMatchObject({ order_margin: '0.00000000' });
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob']) await stage.trader(name);
    expect(await listed()).toMatchObject([{ reduce_only: true, twap: { slices: 3 } }]);
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });
});
