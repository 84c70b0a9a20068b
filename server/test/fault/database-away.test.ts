/** The database goes away in the middle of trading and comes back: refusals are clear, nothing is lost or doubled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/platform/postgres.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { type BlackHole, startBlackHole } from '../black-hole.ts';
import { type PostgresServer, startPostgresServer } from '../postgres-server.ts';

const data = mkdtempSync(join(tmpdir(), 'cambist-away-'));
let postgres: PostgresServer;
let network: BlackHole;
/** As an operator's own session. */
let besides: ReturnType<typeof openPostgres>;
let server: TestApp;
let token: string;

beforeAll(async () => {
  postgres = await startPostgresServer();
  const address = await postgres.createDatabase();
  network = await startBlackHole(address);
  besides = openPostgres({ url: address, connections: 2, connectTimeoutSeconds: 2 });
  const { url } = network;
  const source = {
    open: async () => openPostgres({ url, connections: 4, connectTimeoutSeconds: 2 }),
    environment: { DATABASE_URL: url, DATA_DIR: data },
    remove: async () => undefined,
  };
  server = await startTestApp('postgres', source);
  token = await server.trader('carol', { BTC: '10', USDT: '1000000' });
});
afterAll(async () => {
  await server.stop();
  await besides.close();
  await network.close();
  await postgres.remove();
  rmSync(data, { recursive: true, force: true });
});

const payload = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' };
const place = (key: string) =>
  server.call({ method: 'POST', url: '/api/v3/orders', token, payload, headers: { 'idempotency-key': key } });

/** The status of an order that was in hand: asked for again under its key where the database was away for too long to wait. */
async function statusOf(key: string, inHand: ReturnType<typeof place>): Promise<number> {
  const { status, body } = await inHand;
  return String(body.code) === 'OUTCOME_UNKNOWN' ? (await place(key)).status : status;
}

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
  expect(await statusOf('in-hand', inHand)).toBe(200);
  expect((await place('refused')).status).toBe(200);
  const open = () => server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token });
  await expect.poll(async () => (await open()).status, { timeout: 5000 }).toBe(200);
  expect((await open()).body.orders).toHaveLength(3);
  expect(await server.app.reconciler.check()).toEqual([]);
});

/** What a person asks first, and how long the answer took. */
async function timed(ask: () => ReturnType<TestApp['call']>) {
  const begun = performance.now();
  const answer = await ask();
  return { ...answer, ms: performance.now() - begun };
}
const profile = () => server.call({ method: 'GET', url: '/api/v3/profile', token });
const signIn = () =>
  server.call({
    method: 'POST',
    url: '/api/v3/login',
    payload: { username: 'carol@example.test', password: 'a-long-password' },
  });
const reads = ['/api/v3/trades/open-orders', '/api/v3/alerts'];

it.each([
  ['refuses', { leave: () => postgres.stop(), comeBack: () => postgres.start() }],
  ['says nothing', { leave: async () => network.swallow(), comeBack: async () => network.carry() }],
])(
  'a database that %s: 503 within seconds, then at once, and all is well after it',
  async (how, { leave, comeBack }) => {
    await expect.poll(async () => (await profile()).status, { timeout: 10_000 }).toBe(200);
    const key = how.replace(' ', '-');
    await leave();
    const inHand = place(`${key}-in-hand`);
    const first = await Promise.all(
      [profile, signIn, ...reads.map((url) => () => server.call({ method: 'GET', url, token }))].map(timed),
    );
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 503));
    for (const { headers, ms } of first) {
      expect(headers['retry-after']).toBeDefined();
      expect(ms).toBeLessThan(6000);
    }
    for (let round = 0; round < 3; round += 1) {
      for (const { status, ms } of await Promise.all([profile, signIn, () => place(`${key}-refused`)].map(timed))) {
        expect(status).toBe(503);
        expect(ms).toBeLessThan(500);
      }
    }
    await comeBack();
    expect(await statusOf(`${key}-in-hand`, inHand)).toBe(200);
    // Under load a look at the server can take too long once more.
    const reached = async () => [(await profile()).status, (await signIn()).status];
    await expect.poll(reached, { timeout: 5000 }).toEqual([200, 200]);
    expect((await place(`${key}-after`)).status).toBe(200);
    const statuses = async () =>
      Promise.all(reads.map(async (url) => (await server.call({ method: 'GET', url, token })).status));
    await expect.poll(statuses, { timeout: 5000 }).toEqual(reads.map(() => 200));
    expect(await server.app.reconciler.check()).toEqual([]);
  },
);

it('an exchange where nobody trades says so too', async () => {
  const ready = async () => (await server.call({ method: 'GET', url: '/readyz' })).status;
  await expect.poll(ready, { timeout: 5000 }).toBe(200);
  network.swallow();
  expect(await ready()).toBe(503);
  network.carry();
  await expect.poll(ready, { timeout: 5000 }).toBe(200);
});

/** @returns how many statements of the journal waited for a lock, and were cancelled */
async function cancelJournal(): Promise<number> {
  const [row] = await besides.query<{ cancelled: number }>(
    `SELECT count(pg_cancel_backend(pid))::int AS cancelled FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INTO journal%'`,
  );
  return row?.cancelled ?? 0;
}

it('a statement of the journal that an administrator cancels, or that times out, is retried: the exchange goes on', async () => {
  await expect.poll(async () => (await profile()).status, { timeout: 10_000 }).toBe(200);
  const holding = besides.patient.transaction([
    { sql: 'LOCK TABLE journal IN ACCESS EXCLUSIVE MODE' },
    { sql: 'SELECT pg_sleep(1.5)' },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const inHand = place('cancelled');
  await expect.poll(cancelJournal, { timeout: 5000 }).toBeGreaterThan(0);
  await holding;
  expect((await inHand).status).toBe(200);
  expect((await place('after-cancelled')).status).toBe(200);
  expect(await server.app.reconciler.check()).toEqual([]);
});

it('a database that takes no writes for a while is as one that is away', async () => {
  const readOnly = async (is: string) => {
    await besides.query(`ALTER SYSTEM SET default_transaction_read_only = ${is}`);
    await besides.query('SELECT pg_reload_conf()');
  };
  await readOnly('on');
  // A session of the database hears of it after its next statement.
  const placed: ReturnType<typeof place>[] = [];
  const isAvailable = () => {
    placed.push(place(`read-only-${placed.length}`));
    return server.app.engine.sequencer.statistics().available;
  };
  await expect.poll(isAvailable, { timeout: 10_000 }).toBe(false);
  expect((await place('refused-read-only')).status).toBe(503);
  await readOnly('off');
  const statuses = (await Promise.all(placed)).map(({ status }) => status);
  // The first was in hand, and those that came once it was known were refused.
  expect([statuses[0], ...statuses.filter((status) => ![200, 503].includes(status))]).toEqual([200]);
  await expect.poll(async () => (await place('after-read-only')).status, { timeout: 5000 }).toBe(200);
});
