/** The fields of what the spot screen reads, on the wire under their documented names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';

let server: TestApp;
let alice: string;
let bob: string;

const get = async (url: string) => (await server.call({ method: 'GET', url, token: alice })).body;

beforeAll(async () => {
  server = await startTestApp(anyKind);
  alice = await server.trader('alice', { BTC: '1' });
  bob = await server.trader('bob', { USDT: '100000' });
  await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  const order = { symbol: 'BTC', type: 'limit', price: '50000', quantity: '0.25' };
  for (const [side, token] of [
    ['SELL', alice],
    ['BUY', bob],
    ['SELL', alice],
  ] as const) {
    await server.call({ method: 'POST', url: '/api/v3/orders', token, payload: { ...order, side } });
  }
});
afterAll(() => server.remove());

describe('entities of the spot screen', () => {
  it.each(['/api/v3/trades/open-orders', '/api/v3/trades/order-histories'])(
    'an order of %s has its price and its total (T-spot-69, T-spot-73)',
    async (url) => {
      const { orders } = await get(url);
      expect(orders).toEqual([expect.objectContaining({ final_price: '50000.0', total: '12500.00000000' })]);
    },
  );

  it('a coin pair has its name, image, close, change and volume (T-spot-59..63)', async () => {
    const { coinpair } = await get('/api/v3/all-pairs');
    const pairs = coinpair as unknown as Record<string, string>[];
    const pair = pairs.find(({ coin_pair_name }) => coin_pair_name === 'BTCUSDT');
    expect(pair?.close).toBe('50000.0');
    expect(pair?.increase_in_value).toMatch(/^-?\d+\.\d{4}$/);
    expect(Number(pair?.volume)).toBeGreaterThanOrEqual(0.25);
    const icon = await server.app.http.inject({ url: String(pair?.image) });
    expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, expect.stringContaining('image/')]);
  });

  it('a coin profile has value, supplies, issue date, extremes and intro (T-spot-78, T-spot-80..85)', async () => {
    const { coin_profile } = await get('/api/v3/coin-profile?name=BTC');
    expect(coin_profile).toMatchObject({
      // 19.95 million coins at 50,000.
      market_cap: '997500000000.00',
      total_supply: '19950000',
      max_supply: '21000000',
      issue_date: '2009-01-03',
      all_time_high: expect.stringMatching(/^\d+(\.\d+)?$/),
      all_time_low: expect.stringMatching(/^\d+(\.\d+)?$/),
      intro: expect.stringContaining('Bitcoin'),
    });
  });
});
