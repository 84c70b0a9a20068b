/** What a triggered order does, and what its owner is told where it does not do it, by the calls. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const both = { kind: 'oco', take_profit_price: '99000', stop_price: '86000', trigger_by: 'index' };
const stop = { kind: 'stop_market', stop_price: '86000', trigger_by: 'index' };

describe.each(databaseKinds)('a triggered order (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind);
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
  });
  /** Alice has a long position again, and nobody has an order. */
  beforeEach(async () => {
    await stage.index(90_000);
    for (const name of ['alice', 'bob', 'carol']) await stage.ask(name, 'POST', '/api/v3/orders/cancel-all', {});
    await stage.trade('alice', 'carol', '0.1', '90000');
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const exit = (order: object) =>
    stage.ask('alice', 'POST', '/api/v3/orders/conditional', {
      ...{ symbol: BTC_SWAP, side: 'SELL', reduce_only: true, transaction_password: TRANSACTION_PASSWORD },
      ...order,
    });
  const idOf = ({ body }: { body: object }) => (body as { order: { id: string } }).order.id;
  const order = async (id: string) => (await stage.ask('alice', 'GET', `/api/v3/orders/${id}`)).body.order;
  const quantity = async () => {
    const { positions } = await stage.positions('alice');
    return (positions as unknown as { quantity: string }[])[0]?.quantity;
  };

  it('of nothing is refused, for an order without a quantity closes all that is open', async () => {
    for (const quantity of ['0', '0.00000']) {
      const asked = await exit({ ...both, quantity });
      expect(asked).toMatchObject({ status: 422, body: { errors: [{ field: 'quantity' }] } });
    }
    const trailing = { kind: 'trailing_stop', callback_rate: '1', activation_price: '0' };
    expect(await exit(trailing)).toMatchObject({ status: 422, body: { errors: [{ field: 'activation_price' }] } });
  });

  it('goes on where it meets an order of its owner, which gives way', async () => {
    const own = idOf(await stage.order('alice', 'BUY', '0.01', '85200'));
    await stage.order('bob', 'BUY', '0.5', '85000');
    const before = Number(await quantity());
    expect((await exit({ ...stop, quantity: '0.1' })).body).toMatchObject({ message: 'success' });
    await stage.index(85_900);
    expect(Number(await quantity())).toBeCloseTo(before - 0.1, 8);
    expect(await order(own)).toMatchObject({ state: 'DISSAPROVED', reason: 'SELF_TRADE' });
  });

  it('gives way itself where it says so', async () => {
    await stage.order('alice', 'BUY', '0.01', '85200');
    const id = idOf(await exit({ ...stop, self_trade: 'CANCEL_NEWEST' }));
    await stage.index(85_900);
    // Nothing but an order of Alice's own is there to trade with.
    expect(await order(id)).toMatchObject({ state: 'DISSAPROVED', reason: 'ONLY_OWN_ORDERS' });
    await tells(1);
  });

  interface Told {
    readonly type: string;
    readonly title: string;
    readonly body: string;
    readonly path: string;
  }
  async function told(language = 'en'): Promise<Told[]> {
    const facts = { method: 'GET', url: '/api/v3/notifications', token: stage.token('alice') } as const;
    const { body } = await stage.server.call({ ...facts, headers: { 'accept-language': language } });
    return (body.notifications as unknown as Told[]).filter(({ type }) => type === 'orders');
  }
  const tells = (count: number) => expect.poll(() => told(), { timeout: 20_000, interval: 50 }).toHaveLength(count);
  const mails = async () => {
    return (await stage.server.database.query("SELECT 1 FROM outbox WHERE kind = 'orders'")).length;
  };

  it('that is refused is told to its owner, with the reason, by a notice', async () => {
    const before = (await told()).length;
    await exit(stop);
    await stage.index(85_900);
    await tells(before + 1);
    expect((await told())[0]).toEqual(
      expect.objectContaining({
        title: 'A triggered order was not filled completely',
        body: [
          `Your order to sell in ${BTC_SWAP} was triggered at 85900.0, and nothing of it was filled.`,
          'The book has nothing this order could trade with.',
        ].join('\n'),
        path: '/trades/futures/BTC',
      }),
    );
    expect((await told('de'))[0]?.title).toBe('Eine ausgelöste Order wurde nicht vollständig ausgeführt');
  });

  it('that is filled in part is told with what was filled', async () => {
    const before = (await told()).length;
    await stage.order('bob', 'BUY', '0.03', '85000');
    await exit({ ...stop, quantity: '0.1' });
    await stage.index(85_900);
    await tells(before + 1);
    expect((await told())[0]?.body).toBe(
      [
        `Your order to sell in ${BTC_SWAP} was triggered at 85900.0. It sold 0.03000 BTC and ended.`,
        'The book had no more at a price that it accepts.',
      ].join('\n'),
    );
  });

  it('is told once with all that one price triggered, and not where it was filled, rests or was not needed', async () => {
    const before = (await told()).length;
    await exit({ ...stop, quantity: '0.01' });
    await exit({ ...stop, quantity: '0.02' });
    await stage.index(85_900);
    await tells(before + 1);
    expect((await told())[0]?.title).toBe('2 triggered orders were not filled completely');
    await stage.index(90_000);
    const size = Number(await quantity());
    await exit({
      kind: 'stop_limit',
      stop_price: '86000',
      stop_limit_price: '85950',
      quantity: '0.01',
      trigger_by: 'index',
    });
    await stage.order('bob', 'BUY', String(size), '85000');
    await exit(stop);
    await exit({ ...stop, stop_price: '85999' });
    await stage.index(85_900);
    expect(await quantity()).toBeUndefined();
    // Something that is told comes after it, so that this was looked at.
    await stage.index(90_000);
    await stage.trade('alice', 'carol', '0.1', '90000');
    await exit(stop);
    await stage.index(85_900);
    await tells(before + 2);
  });

  it('that is several, as its position is larger than the largest order, is told of the one that was not filled', async () => {
    const before = (await told()).length;
    const { sequencer, exchange } = stage.server.app.engine;
    const { id: market, ...spec } = exchange.markets().find(({ symbol }) => symbol === BTC_SWAP)!;
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm } = spec;
    const change = (most: number) =>
      sequencer.submit({
        ...{ kind: 'change-market', market, minimumLots, minimumNotional, priceBandPpm },
        maximumLots: most,
      });
    const size = Number(await quantity());
    await exit(stop);
    await stage.order('bob', 'BUY', '0.05', '85000');
    await change(4_000);
    await stage.index(85_900);
    await change(maximumLots);
    expect(Number(await quantity())).toBeCloseTo(size - 0.05, 8);
    await tells(before + 1);
    expect((await told())[0]?.body).toMatch(/ It sold 0.01000 BTC and ended.\n/);
  });

  it('is told by a mail too, one in ten minutes however often it happens', async () => {
    const before = (await told()).length;
    await exit(stop);
    await stage.index(85_900);
    await tells(before + 1);
    expect(await mails()).toBe(1);
    stage.server.advance(600_000);
    await stage.index(90_000);
    await exit(stop);
    await stage.index(85_900);
    await tells(before + 2);
    expect(await mails()).toBe(2);
  });
});
