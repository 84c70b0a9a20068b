/** Positions of more than the market's largest order, closed and reversed by one call each. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const CLOSE = '/api/v3/futures/close';
const REVERSE = '/api/v3/futures/reverse';
/** Lots of 0.00001 BTC. */
const LARGEST = 4_000;

interface InParts {
  readonly order_ids: readonly string[];
}

describe.each(databaseKinds)('positions of more than the largest order (%s)', (kind) => {
  let stage: FuturesStage;
  let usual: number;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 50_000);
    await stage.index(90_000);
    usual = market().maximumLots;
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const market = () => stage.server.app.engine.exchange.markets().find(({ symbol }) => symbol === BTC_SWAP)!;
  const setLargest = async (maximumLots: number) => {
    const { id, minimumLots, minimumNotional, priceBandPpm } = market();
    await stage.submit({ kind: 'change-market', market: id, minimumLots, maximumLots, minimumNotional, priceBandPpm });
  };
  const open = async () => {
    const { positions } = await stage.positions('alice');
    return (positions as unknown as { side: string; quantity: string }[]).map(
      ({ side, quantity }) => `${side} ${quantity}`,
    );
  };
  const bids = async (...bids: (readonly [quantity: string, price: string])[]) => {
    for (const [quantity, price] of bids) await stage.order('bob', 'BUY', quantity, price);
  };
  const cancelAll = async () => {
    for (const name of ['alice', 'bob'])
      await stage.submit({ kind: 'cancel-all-orders', owner: await stage.owner(name), market: undefined });
  };

  /** Each begins with a long of 0.1 BTC, and orders of at most 0.04. */
  beforeEach(async () => {
    await cancelAll();
    await setLargest(usual);
    for (const held of await open()) {
      const [side, quantity = ''] = held.split(' ');
      await stage.order('bob', side === 'long' ? 'BUY' : 'SELL', quantity, '90000');
      await stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP });
    }
    expect(await open()).toEqual([]);
    await stage.trade('alice', 'bob', '0.1', '90000');
    await setLargest(LARGEST);
  });

  it('are closed by one call, which is answered the same again, also by another process', async () => {
    await bids(['0.04', '89900'], ['0.04', '89800'], ['0.04', '89700']);
    const close = () => stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP }, 'all-of-it');
    const [first, second] = await Promise.all([close(), close()]);
    const parts = { quantity: '0.10000', filled: '0.10000', open: '0.00000', reason: '' };
    expect(first.body).toMatchObject({ message: 'success', in_parts: parts, order: { filled: '0.04000' } });
    const { order_ids } = first.body.in_parts as unknown as InParts;
    expect(order_ids).toHaveLength(3);
    expect(first.body.order).toMatchObject({ id: order_ids[0], reduce_only: true });
    expect(second.body).toEqual(first.body);
    expect((await close()).body).toEqual(first.body);
    expect(await open()).toEqual([]);
    const { body } = await stage.ask('alice', 'GET', '/api/v3/trades/order-histories?market=futures');
    const sizes = (body.orders as unknown as { id: string; filled: string }[])
      .filter(({ id }) => order_ids.includes(id))
      .map(({ filled }) => filled);
    expect(sizes).toEqual(['0.02000', '0.04000', '0.04000']);
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob']) await stage.trader(name);
    await stage.index(90_000);
    expect((await close()).body).toEqual(first.body);
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });

  it('are closed as far as the book goes, and the answer says how far', async () => {
    await bids(['0.04', '89900'], ['0.03', '89800']);
    const { body } = await stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP });
    const parts = { quantity: '0.10000', filled: '0.07000', open: '0.00000', reason: 'UNFILLED_REMAINDER' };
    expect(body).toMatchObject({ message: 'success', in_parts: parts });
    expect(await open()).toEqual(['long 0.03000']);
    // What one order can do is one order.
    await bids(['0.03', '89800']);
    const rest = await stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP });
    expect(rest.body).toMatchObject({ message: 'success', order: { filled: '0.03000' } });
    expect(rest.body).not.toHaveProperty('in_parts');
  });

  it('say why an order behind the others was refused', async () => {
    await bids(['0.04', '89900'], ['0.04', '89800']);
    const close = () => stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP }, 'twice');
    const { body } = await close();
    expect(body).toMatchObject({ in_parts: { filled: '0.08000', reason: 'NO_LIQUIDITY' } });
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob']) await stage.trader(name);
    await stage.index(90_000);
    expect((await close()).body).toEqual(body);
  });

  it('are closed by the documented call, whose rest is several orders', async () => {
    await bids(['0.025', '89900'], ['0.025', '89900']);
    const { body } = await stage.ask('alice', 'GET', `${CLOSE}?future_id=${stage.market}`);
    const parts = { quantity: '0.10000', filled: '0.05000', open: '0.05000', reason: '' };
    expect(body).toMatchObject({ message: 'closeRequest', in_parts: parts });
    // A second one takes the place of the first.
    const again = await stage.ask('alice', 'GET', `${CLOSE}?future_id=${stage.market}`);
    expect(again).toMatchObject({ status: 200, body: { in_parts: { filled: '0.00000', open: '0.05000' } } });
    expect(stage.server.app.engine.exchange.openOrderCount()).toBe(2);
  });

  it('are closed by a share or a quantity, and wholly or not at all', async () => {
    await bids(['0.04', '89900'], ['0.03', '89800']);
    const fok = { symbol: BTC_SWAP, time_in_force: 'FOK' };
    expect(await stage.ask('alice', 'POST', CLOSE, fok)).toMatchObject({ status: 422, body: { code: 'NOT_FILLABLE' } });
    expect(await open()).toEqual(['long 0.10000']);
    const half = await stage.ask('alice', 'POST', CLOSE, { ...fok, share_percent: 50 });
    expect(half.body).toMatchObject({ message: 'success', in_parts: { quantity: '0.05000', filled: '0.05000' } });
    const none = await stage.ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP, quantity: '0' });
    expect(none.status).toBe(422);
    expect(await open()).toEqual(['long 0.05000']);
  });

  it('are not closed with a wrong password, nor in a halted market', async () => {
    await bids(['0.04', '89900']);
    const wrong = { symbol: BTC_SWAP, transaction_password: 'wrong-password-1' };
    for (const url of [CLOSE, REVERSE])
      expect((await stage.ask('alice', 'POST', url, wrong)).body.message).toBe('wrong_transaction_password');
    await stage.submit({ kind: 'halt-market', market: stage.market, halted: true });
    for (const url of [CLOSE, REVERSE]) {
      const halted = await stage.ask('alice', 'POST', url, { symbol: BTC_SWAP });
      expect(halted).toMatchObject({ status: 422, body: { code: 'MARKET_HALTED' } });
    }
    await stage.submit({ kind: 'halt-market', market: stage.market, halted: false });
    expect(await open()).toEqual(['long 0.10000']);
  });

  it('are reversed by one call, as far as the book goes', async () => {
    await bids(['0.04', '89900'], ['0.04', '89800'], ['0.04', '89700'], ['0.04', '89600']);
    const { body } = await stage.ask('alice', 'POST', REVERSE, { symbol: BTC_SWAP });
    const parts = { quantity: '0.20000', filled: '0.16000', open: '0.00000', reason: 'NO_LIQUIDITY' };
    expect(body).toMatchObject({ message: 'success', in_parts: parts });
    expect(await open()).toEqual(['short 0.06000']);
  });
});
