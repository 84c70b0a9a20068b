/** What a market shows of the time before its own trades. */
import { afterEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind, databaseKinds } from '../../../test/databases.ts';

let server: TestApp | undefined;
afterEach(async () => {
  await server?.remove();
  server = undefined;
});

async function shown({ call }: TestApp) {
  const ask = async (path: string) =>
    (await call({ method: 'GET', url: `/api/v5/market/${path}` })).body.data as unknown;
  const [ticker] = (await ask('ticker?instId=BTC-USDT')) as { vol24h: string; open24h: string; last: string }[];
  const days = (await ask('candles?instId=BTC-USDT&bar=1D&limit=100')) as string[][];
  return { ...ticker!, days: days.length };
}

describe.each(databaseKinds)('a market (%s)', (kind) => {
  it('that is not simulated has no past that is made up, and counts its own trades', async () => {
    server = await startTestApp(kind);
    const empty = await shown(server);
    expect([Number(empty.vol24h), empty.days, empty.open24h]).toEqual([0, 1, empty.last]);
    for (const timeframe of ['1min', '5min', '1hr', '4hr', '1D']) {
      const url = `/api/v2/chart/chart-series?symbol=BTCUSDT&timeframe=${timeframe}`;
      const { status, body } = await server.call({ method: 'GET', url });
      expect([status, (body.series as unknown as unknown[]).length], timeframe).toEqual([200, 1]);
    }
    const seller = await server.trader('seller', { BTC: '1' });
    const buyer = await server.trader('buyer', { USDT: '100000' });
    for (const [token, side] of [
      [seller, 'SELL'],
      [buyer, 'BUY'],
    ] as const) {
      const order = { symbol: 'BTC-USDT', side, type: 'limit', price: empty.last, quantity: '0.1' };
      expect((await server.call({ method: 'POST', url: '/api/v3/orders', token, payload: order })).status).toBe(200);
    }
    const traded = await shown(server);
    expect([Number(traded.vol24h), traded.days, traded.last]).toEqual([0.1, 1, empty.last]);
  });
});

it('a simulated market has a past in candles, which no production shows', async () => {
  server = await startTestApp(anyKind, undefined, { HISTORY: 'simulated' });
  const { vol24h, days } = await shown(server);
  expect([Number(vol24h) > 0, days]).toEqual([true, 100]);
});
