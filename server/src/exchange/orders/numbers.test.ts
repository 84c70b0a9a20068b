/** Numbers beyond what a market has: they are refused, and the journal that keeps the refused commands can be read again. */
import { afterEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { decodeEntries } from '../engine/journal.ts';

/** The first that no order can have: beyond 2^53, and so rounded. */
const BEYOND = '9999999999999999';

describe.each(databaseKinds)('numbers that no order can have (%s)', (kind) => {
  let server: TestApp;
  afterEach(() => server.remove());

  it('are refused, and a start goes on behind them', async () => {
    server = await startTestApp(kind);
    const token = await server.trader('alice', { USDT: '1000' });
    const send = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
      server.call({
        method,
        url,
        token,
        headers: { 'idempotency-key': `${method} ${url}` },
        ...(payload && { payload }),
      });
    const tooLarge = { status: 422, body: { code: 'ABOVE_MAXIMUM_SIZE' } };
    const total = { quote_total: '92233720368.54775807', price: '0.1' };
    const order = { symbol: 'BTC', side: 'BUY', type: 'limit', ...total };
    expect(await send('POST', '/api/v3/orders', order)).toMatchObject(tooLarge);
    const twap = { ...order, twap: { duration_seconds: 60, interval_seconds: 10 } };
    expect(await send('POST', '/api/v3/orders?twap', twap)).toMatchObject(tooLarge);
    expect(await send('DELETE', `/api/v3/orders/${BEYOND}`)).toMatchObject({
      status: 404,
      body: { code: 'ORDER_NOT_FOUND' },
    });

    const rows = await server.database.query<{ version: number; commands: string }>(
      'SELECT version, commands FROM journal ORDER BY batch',
    );
    for (const row of rows) expect(() => decodeEntries(row)).not.toThrow();
    const { source } = server;
    await server.stop();
    server = await startTestApp(kind, source);
    expect(await send('DELETE', `/api/v3/orders/${BEYOND}`)).toMatchObject({ status: 404 });
  });
});
