/** Kills the server with SIGKILL while it writes a snapshot: the half-written file is never read, and nothing is lost. */
import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { readSnapshot } from '@cambist/core/exchange/snapshot.ts';
import { accountKey, BUCKET_KEYS, Bucket, OWNER_KEYS, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { afterEach, expect, it } from 'vitest';
import { SNAPSHOT_VERSION } from '../../src/exchange/engine/journal.ts';
import { restoreFromTables } from '../../src/exchange/engine/restore.ts';
import { exchangeProjections } from '../../src/exchange/projections.ts';
import type { Database } from '../../src/platform/database.ts';
import { makeTestDatabase, type TestDatabase } from '../databases.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { signUp } from './traders.ts';

const ORDERS = 100_000;
const MOST_ROUNDS = 10;

let server: ServerProcess | undefined;
let source: TestDatabase | undefined;
afterEach(async () => {
  await server?.kill();
  await source?.remove();
});

/** Open orders of one owner, with what they hold and who paid for it, as if they had been placed. */
async function fill(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO orders (id, owner, market, side, type, time_in_force, price, quantity, quote_total, remaining, filled,
                         filled_quote, fee, fee_credit, state, reason, priority, created_at, updated_at)
     SELECT 1000 + n, 5000, 0, 0, 0, 0, 400000 + n % 20000, 20, 0, 20, 0, 0, 0, 0, 0, 0, n, 0, 0
     FROM generate_series(1, ${ORDERS}) AS n`,
  );
  const held = 5000 * OWNER_KEYS + Bucket.HELD * BUCKET_KEYS;
  const paid = accountKey(SystemOwner.DEVELOPMENT, Wallet.SPOT, Bucket.AVAILABLE, 0);
  for (const [account, sign] of [
    [held, 1],
    [paid, -1],
  ] as const) {
    await database.query(
      `INSERT INTO balances (account, amount)
       SELECT $1::bigint + asset.id, sum(price * remaining) * 100 * $2
       FROM orders, (SELECT id FROM assets WHERE code = 'USDT') AS asset WHERE owner = 5000 GROUP BY asset.id
       ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount`,
      [account, sign],
    );
  }
  await database.query(`UPDATE projection SET last_order = ${ORDERS + 1000}, last_priority = ${ORDERS + 1000}`);
}

async function placeOrder(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/v3/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ symbol: 'BTC', side: 'SELL', type: 'limit', price: '99000', quantity: '0.001' }),
  });
  return answer.status;
}

async function openOrders(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^cambist_open_orders (\d+)/m.exec(metrics)?.[1]);
}

it('is survived: the next start has every order, and the snapshot of a clean stop is what the tables hold', {
  timeout: 240_000,
}, async () => {
  source = await makeTestDatabase('pglite', 'migrated');
  const folder = join(source.environment.DATA_DIR, 'snapshots');
  mkdirSync(folder, { recursive: true });
  server = await startServerProcess(source.environment);
  const token = await signUp(server.url, 'first@example.test');
  await server.stop();
  const database = await source.open();
  await fill(database);
  await database.close();

  const partials = () => readdirSync(folder).filter((name) => name.endsWith('.partial'));
  let placed = 0;
  for (let round = 0; round < MOST_ROUNDS && partials().length === 0; round += 1) {
    const dying = await startServerProcess(source.environment);
    server = dying;
    expect(await openOrders(dying.url)).toBe(ORDERS + placed);
    expect(await placeOrder(dying.url, token)).toBe(200);
    placed += 1;
    const watcher = watch(folder, (_event, name) => {
      if (name?.endsWith('.partial')) process.kill(dying.processId, 'SIGKILL');
    });
    watcher.on('error', () => undefined);
    await dying.stop();
    watcher.close();
  }
  expect(partials()).toHaveLength(1);

  server = await startServerProcess(source.environment);
  expect(await openOrders(server.url)).toBe(ORDERS + placed);
  expect(await placeOrder(server.url, token)).toBe(200);
  expect(await server.stop()).toBe(0);
  const after = await source.open();
  const { exchange, batch } = await restoreFromTables(after, exchangeProjections);
  await after.close();
  const whole = readdirSync(folder).find((name) => name.startsWith(`${batch}-`) && name.endsWith('.snapshot'))!;
  const snapshot = readSnapshot(readFileSync(join(folder, whole)), SNAPSHOT_VERSION);
  expect([snapshot.batch, snapshot.stateHash]).toEqual([batch, exchange.stateHash()]);
  expect(exchange.openOrderCount()).toBe(ORDERS + placed + 1);
});
