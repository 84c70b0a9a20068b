/** The database goes away in the middle of trading and comes back: refusals are clear, nothing is lost or doubled. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/platform/postgres.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { type PostgresServer, startPostgresServer } from '../postgres-server.ts';

let postgres: PostgresServer;
let server: TestApp;
let token: string;

beforeAll(async () => {
  postgres = await startPostgresServer();
  const url = await postgres.createDatabase();
  const source = {
    open: async () => openPostgres({ url, connections: 4, connectTimeoutSeconds: 2 }),
    environment: { DATABASE_URL: url },
    remove: async () => undefined,
  };
  server = await startTestApp('postgres', source);
  token = await server.client('carol', { BTC: '10', USDT: '1000000' });
});
afterAll(async () => {
  await server.stop();
  await postgres.remove();
});

const payload = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' };
const place = (key: string) =>
  server.call({ method: 'POST', url: '/api/v3/orders', token, payload, headers: { 'idempotency-key': key } });

it('retries the batch in hand, refuses new ones with 503 and Retry-After, and goes on', async () => {
  expect((await place('before')).status).toBe(200);
  await postgres.stop();
  const inHand = place('in-hand');
  await expect.poll(() => server.app.engine.sequencer.statistics().available, { timeout: 10_000 }).toBe(false);
  const refused = await place('refused');
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' }, headers: { 'retry-after': '2' } });
  expect((await server.call({ method: 'GET', url: '/readyz' })).status).toBe(503);
  expect((await server.call({ method: 'GET', url: '/healthz' })).status).toBe(200);
  for (const url of ['/api/v3/wallets/spot', '/api/v3/trades/open-orders']) {
    expect((await server.call({ method: 'GET', url, token })).status).toBe(503);
  }
  await postgres.start();
  expect((await inHand).status).toBe(200);
  expect((await place('refused')).status).toBe(200);
  const open = () => server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token });
  await expect.poll(async () => (await open()).status, { timeout: 5000 }).toBe(200);
  expect((await open()).body.orders).toHaveLength(3);
  expect(await server.app.reconciler.check()).toEqual([]);
});
