/** A refusal for a bound says the bound: an API client knows what to change from the answer alone. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind, databaseKinds } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const ORDER = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' };

describe.each(databaseKinds)('refusals of sizes (%s)', (kind) => {
  let server: TestApp;
  let token: string;
  const send = (method: 'POST' | 'PATCH', url: string, payload: object, language = 'en') =>
    server.call({ method, url, token, payload, headers: { 'accept-language': language } });

  beforeAll(async () => {
    server = await startTestApp(kind);
    token = await server.trader('alice', { USDT: '100000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(() => server.remove());

  it.each([
    [
      { quantity: '0.00001' },
      'BELOW_MINIMUM_NOTIONAL',
      'Amount must be greater than minimum buy amount (1.00000000 USDT)',
    ],
    [{ quantity: '3' }, 'INSUFFICIENT_FUNDS', 'Insufficient balance (100000.00000000 USDT)'],
    [{ quantity: '1', side: 'SELL' }, 'INSUFFICIENT_FUNDS', 'Insufficient balance (0.00000000 BTC)'],
    [{ quantity: '100.00001' }, 'ABOVE_MAXIMUM_SIZE', 'The quantity may be at most 100.00000 BTC.'],
  ])('%o: %s', async (change, code, detail) => {
    const order = { ...ORDER, ...change };
    expect(await send('POST', '/api/v3/orders', order)).toMatchObject({ status: 422, body: { code, detail } });
    const { body } = await send('POST', '/api/v3/orders/batch', { orders: [order] });
    expect(body.results).toEqual([{ message: 'refused', code, detail }]);
  });

  it('say it of amendments and conditional orders, and in the language of the asker', async () => {
    const { body } = await send('POST', '/api/v3/orders', ORDER);
    const { id } = body.order as unknown as { id: string };
    const amended = await send('PATCH', `/api/v3/orders/${id}`, { quantity: '0.00001' }, 'de');
    expect(amended.body.detail).toBe('Die Order muss mindestens 1,00000000 USDT wert sein.');
    const stop = { symbol: 'BTC', side: 'BUY', kind: 'stop_market', stop_price: '51000', quote_total: '0.5' };
    expect((await send('POST', '/api/v3/orders/conditional', stop)).body).toMatchObject({
      code: 'BELOW_MINIMUM_NOTIONAL',
      detail: 'The order must be worth at least 1.00000000 USDT.',
    });
  });
});

it('of an order that closes says that it would cost more than backs the position, whatever is available', async () => {
  const stage = await FuturesStage.start(anyKind);
  onTestFinished(() => stage.server.remove());
  for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
  await stage.index(90_000);
  const settings = { symbol: BTC_SWAP, leverage: 50, margin_mode: 'isolated' };
  expect((await stage.ask('alice', 'PATCH', '/api/v3/futures/leverage', settings)).status).toBe(200);
  await stage.trade('alice', 'bob', '0.1', '90000');
  await stage.order('bob', 'BUY', '0.01', '85000');
  const closed = await stage.order('alice', 'SELL', '0.01', '85000', { reduce_only: true });
  const code = 'INSUFFICIENT_FUNDS';
  expect(closed.body).toMatchObject({ code, detail: expect.stringContaining('cost more than backs it') });
  const opened = await stage.order('bob', 'BUY', '20', '85000');
  expect(opened.body).toMatchObject({ code, detail: 'Your available balance does not cover this order.' });
});
