/** Positions with a term by the calls: offered, opened, kept from closing, and closed from the target on, at the end, and over a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const DAY_MS = 86_400_000;
const CLOSE = '/api/v3/futures/close';
const TERM = { term_days: 7, target_income: '100', funds_floor: '300' };

describe.each(databaseKinds)('terms of positions (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 50_000);
    await stage.trader('maker', 500_000);
    await stage.index(50_000);
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const ask = async (name: string, method: 'GET' | 'POST', path: string, body?: object) =>
    (await stage.ask(name, method, path, body)).body;
  const bid = (price: string) => stage.order('maker', 'BUY', '0.1', price);
  const offer = (price: string) => stage.order('maker', 'SELL', '0.1', price);
  const idOf = async (name: string) => {
    const positions: { readonly id: string }[] = (await stage.positions(name)).positions ?? [];
    return positions[0]?.id;
  };
  const time = () => stage.server.app.engine.exchange.holdings().flatMap(({ term }) => term?.startedAt ?? [])[0]!;

  it('says which terms there are, their bounds and their fee', async () => {
    const settings = await ask('alice', 'GET', `/api/v3/futures/settings?symbol=${BTC_SWAP}`);
    expect(settings).toMatchObject({
      taker_fee_percent: '0.0500',
      terms: {
        days: [7, 14, 30, 60, 90],
        minimum_target_percent: '5',
        maximum_floor_percent: '80',
        fee_percent: '0.0500',
        discount_percent: '0.0300',
      },
    });
  });

  it('refuses a term without a target, out of bounds, of an order that rests, and of a spot market', async () => {
    await offer('50000');
    const wish = { type: 'limit', time_in_force: 'IOC', ...TERM };
    const codeOf = async (more: object) => (await stage.order('alice', 'BUY', '0.1', '50000', more)).body.code;
    expect(await codeOf({ term_days: 7, time_in_force: 'IOC' })).toBe('INVALID_INPUT');
    expect(await codeOf({ ...wish, term_days: 8 })).toBe('INVALID_TERM');
    const low = await stage.order('alice', 'BUY', '0.1', '50000', { ...wish, target_income: '24.9' });
    expect(low.body.code).toBe('INVALID_TERM');
    expect(low.body.detail).toMatch(/a target of at least 5% and a floor of at most 80% of its initial margin\.$/);
    expect(await codeOf({ ...wish, funds_floor: '401' })).toBe('INVALID_TERM');
    expect(await codeOf({ ...wish, time_in_force: 'GTC' })).toBe('INVALID_TERM');
    expect(await codeOf({ ...wish, symbol: 'BTC-USDT' })).toBe('INVALID_FIELD');
  });

  it('opens with a term at the taker’s fee, and lists it with the position and what it may earn', async () => {
    const opened = await stage.order('alice', 'BUY', '0.1', '50000', { time_in_force: 'IOC', ...TERM });
    expect(opened.body).toMatchObject({ order: { state: 'APPROVED', fee: '2.50000000' } });
    const { margin } = await ask('alice', 'GET', '/api/v2/client-margin');
    const ends = time() + 7 * DAY_MS;
    expect(margin).toMatchObject([
      {
        ...{ duration: 7, start_date: time(), end_date: ends },
        term: {
          ...{ days: 7, ends_at: ends, target_income: '100.00000000', funds_floor: '300.00000000' },
          ...{ fee_discount: '1.50000000', may_close: false },
        },
      },
    ]);
  });

  it('answers closePositionError with what is left of the term, and closes nothing (T-calls-17, T-futures-51)', async () => {
    await bid('49990');
    const answer = {
      ...{ message: 'closePositionError', daysLeft: 7, futureTarget: '100.00000000' },
      ...{ futureFundsToAdd: '300.00000000', end_date: time() + 7 * DAY_MS },
    };
    const id = await idOf('alice');
    expect(await ask('alice', 'GET', `${CLOSE}?future_id=${id}`)).toEqual(answer);
    expect(await ask('alice', 'POST', CLOSE, { future_id: id })).toEqual(answer);
    expect(await ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP, share_percent: 50 })).toEqual(answer);
    const sold = await stage.order('alice', 'SELL', '0.1', '49990', { time_in_force: 'IOC' });
    expect(sold).toMatchObject({ status: 422, body: { code: 'TERM_RUNNING' } });
    const reversed = await stage.ask('alice', 'POST', '/api/v3/futures/reverse', { symbol: BTC_SWAP });
    expect(reversed).toMatchObject({ status: 422, body: { code: 'TERM_RUNNING' } });
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });

  it('is kept over a restart from tables alone', async () => {
    stage = await stage.restart(kind);
    for (const name of ['alice', 'bob', 'maker']) await stage.trader(name);
    const id = await idOf('alice');
    expect(await ask('alice', 'POST', CLOSE, { future_id: id })).toMatchObject({ message: 'closePositionError' });
    expect(await stage.server.app.reconciler.check()).toEqual([]);
  });

  it('closes from the target on', async () => {
    await stage.index(51_100);
    const { positions } = await stage.positions('alice');
    expect(positions).toMatchObject([{ term: { may_close: true } }]);
    await bid('51000');
    expect(await ask('alice', 'POST', CLOSE, { symbol: BTC_SWAP })).toMatchObject({ message: 'success' });
  });

  it('opens by the documented call, and closes at the end as ever', async () => {
    await stage.index(50_000);
    await stage.order('maker', 'BUY', '0.1', '50000');
    const wish = {
      name: BTC_SWAP,
      delegate_type: 'SELL_EMPTY',
      margin: '500',
      leverage: 'x10',
      opening_price: '50000',
    };
    const opened = await ask('bob', 'POST', '/api/v2/buy-more', { ...wish, ...TERM });
    expect(opened).toMatchObject({ message: 'success', order: { time_in_force: 'IOC', state: 'APPROVED' } });
    stage.server.advance(6 * DAY_MS + 1);
    await stage.trader('bob');
    const id = await idOf('bob');
    const refused = await ask('bob', 'POST', CLOSE, { future_id: id });
    expect(refused).toMatchObject({ message: 'closePositionError', daysLeft: 1 });
    stage.server.advance(DAY_MS);
    for (const name of ['bob', 'maker']) await stage.trader(name);
    await stage.index(50_000);
    await stage.order('maker', 'SELL', '0.1', '50000');
    expect(await ask('bob', 'POST', CLOSE, { future_id: id })).toMatchObject({ message: 'success' });
  });
});
