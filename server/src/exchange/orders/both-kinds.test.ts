/** Lists of orders of spot markets and of perpetuals together: a program must not miss half of what it has open. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { FuturesStage } from '../../../test/futures-stage.ts';

const SPOT = { symbol: 'BTC-USDT' };

describe.each(databaseKinds)('orders of both kinds of markets (%s)', (kind) => {
  let stage: FuturesStage;

  const list = async <Row>(name: string, path: string): Promise<Row[]> => {
    const { status, body } = await stage.ask(name, 'GET', `/api/v3/trades/${path}`);
    expect(status).toBe(200);
    return Object.values(body)[0] as unknown as Row[];
  };

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.submit({ kind: 'set-reference-price', market: 0, price: 900_000 });
    await stage.server.trader('alice', { USDT: '5000' });
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.01', '90000');
    for (const symbol of [{}, SPOT]) await stage.order('alice', 'BUY', '0.01', '89000', symbol);
  });
  afterAll(() => stage.server.remove());

  it('are listed together where both are asked for, open and ended', async () => {
    const open = await list<Order>('alice', 'open-orders?market=all');
    expect(open.map(({ coin_pair }) => coin_pair.pair_name)).toEqual(['BTC-USDT', 'BTC-USDT-SWAP']);
    const [newest] = open;
    expect(await list<Order>('alice', `open-orders?market=all&before=${newest?.id}`)).toEqual(open.slice(1));
    expect(await list<Order>('alice', 'open-orders')).toEqual(open.slice(0, 1));
    for (const { id } of open) await stage.ask('alice', 'DELETE', `/api/v3/orders/${id}`);
    const ended = await list<Order>('alice', 'order-histories?market=all&state=DISSAPROVED');
    expect(ended.map(({ id }) => id)).toEqual(open.map(({ id }) => id));
  });

  it('have the fills of one order whatever its market is', async () => {
    const [fill] = await list<Fill>('alice', 'trade-histories?market=all');
    expect(fill?.coin_pair.pair_name).toBe('BTC-USDT-SWAP');
    expect(await list<Fill>('alice', `trade-histories?order_id=${fill?.order_id}`)).toEqual([fill]);
    expect(await list<Fill>('alice', `trade-histories?order_id=${fill?.order_id}&market=spot`)).toEqual([]);
  });
});
