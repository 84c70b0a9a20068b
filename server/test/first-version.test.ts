/**
 * A database as the first version left it, killed while it traded: orders of all kinds, fees, fee credit, and two
 * batches in the journal that the tables lack. Beside it is what that version itself answered after a restart on it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { accountKey, type Bucket, type Wallet } from '@cambist/core/ledger/account.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../src/platform/database.ts';
import { migrate } from '../src/platform/migrations.ts';
import { startTestApp, type TestApp } from './app.ts';
import { databaseKinds, makeTestDatabase } from './databases.ts';
import { naiveBalances, storedBalances } from './naive-balances.ts';
import { naiveCostBasis, storedCostBasis } from './naive-cost-basis.ts';

const FILE = join(import.meta.dirname, 'fixtures/first-version.json.gz');
const LAST_MIGRATION = '0013_mails_and_operators.sql';

interface FirstVersion {
  /** Rows as JSON, by table. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** Owner, wallet, bucket, asset, amount. */
  readonly balances: readonly (readonly [number, Wallet, Bucket, number, string])[];
  /** By name of the client. */
  readonly lists: Readonly<
    Record<string, { readonly open: Record<string, unknown>[]; readonly funds: object[]; readonly trades: object[] }>
  >;
}

const firstVersion = JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as FirstVersion;
const clients = Object.keys(firstVersion.lists);

async function fill(database: Database): Promise<void> {
  await migrate(database, LAST_MIGRATION);
  const tables = Object.entries(firstVersion.tables);
  await database.transaction([
    // Rows in any order, in place of those that the migrations wrote.
    { sql: 'SET LOCAL session_replication_role = replica' },
    ...tables.flatMap(([table, rows]) => [
      { sql: `DELETE FROM ${table}` },
      {
        sql: `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
              SELECT row.* FROM unnest($1::text[]) AS line, json_populate_record(NULL::${table}, line::json) AS row`,
        parameters: [rows],
      },
    ]),
  ]);
  const identities = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND is_identity = 'YES' AND column_name = 'id'`,
  );
  for (const { name } of identities.filter((one) => one.name in firstVersion.tables)) {
    await database.query(`SELECT setval(pg_get_serial_sequence('${name}', 'id'), (SELECT max(id) FROM ${name}))`);
  }
}

/** What waiting market buys may spend, by order: today's total says it, the first version's said nothing. */
const FUNDS: Readonly<Record<string, string>> = { 9: '700.00000000', 12: '900.00000000' };

/** An order as it is said today: the words of conditional orders have changed, what they stand for has not. */
function inTodaysWords(order: Record<string, unknown>): Record<string, unknown> {
  if (typeof order.trigger !== 'object' || order.trigger === null) return order;
  const { fired_at, fired_leg, fired_price, status, ...rest } = order.trigger as Record<string, unknown>;
  const today = { waiting: 'untriggered', fired: 'triggered' }[String(status)] ?? status;
  return {
    ...order,
    total: FUNDS[String(order.id)] ?? order.total,
    trigger: {
      ...rest,
      status: today,
      triggered_at: fired_at,
      triggered_leg: fired_leg,
      triggered_price: fired_price,
    },
  };
}

describe.each(databaseKinds)('a database of the first version (%s)', (kind) => {
  let server: TestApp;
  const tokens: Record<string, string> = {};
  const list = async (name: string, path: string, field: string) =>
    (await server.call({ method: 'GET', url: `/api/v3/trades/${path}`, token: tokens[name]! })).body[field];

  beforeAll(async () => {
    const source = await makeTestDatabase(kind);
    const database = await source.open();
    await fill(database);
    await database.close();
    server = await startTestApp(kind, source);
    for (const name of clients) tokens[name] = await server.trader(name, {});
  });
  afterAll(() => server.remove());

  it('has a journal that goes on after its tables', () => {
    const [projection] = firstVersion.tables.projection!.map((row) => JSON.parse(row) as { batch: number });
    const batches = firstVersion.tables.journal!.map((row) => (JSON.parse(row) as { batch: number }).batch);
    expect(Math.max(...batches)).toBe(projection!.batch + 2);
  });

  it('starts with every balance as it was', () => {
    const { exchange } = server.app.engine;
    const found = firstVersion.balances.map(([owner, wallet, bucket, asset]) => {
      const key = accountKey(owner, wallet, bucket, asset);
      return [owner, wallet, bucket, asset, String(exchange.balance(key))];
    });
    expect(found).toEqual(firstVersion.balances);
    const owners = new Set(firstVersion.balances.map(([owner]) => owner));
    const known = [...owners]
      .flatMap((owner) => exchange.accountsOf(owner))
      .filter((key) => exchange.balance(key) !== 0n);
    expect(known.length).toBe(firstVersion.balances.filter(([, , , , amount]) => amount !== '0').length);
  });

  it.each(clients)('shows %s the same open orders, funds and trades', async (name) => {
    const { open, funds, trades } = firstVersion.lists[name]!;
    expect(await list(name, 'open-orders', 'orders')).toEqual(open.map(inTodaysWords));
    // Each with its price, which that version did not say.
    const shown = (await list(name, 'funds', 'funds')) as unknown as { readonly price: string | null }[];
    expect(shown.map(({ price: _, ...fund }) => fund)).toEqual(funds);
    expect(await list(name, 'trade-histories', 'trades')).toEqual(trades);
  });

  it('knows what its clients had on each day, and what their coins have cost, from the history that it came with', async () => {
    for (const name of clients) {
      const costs = async () =>
        (await server.call({ method: 'GET', url: '/api/v3/wallets/cost-basis', token: tokens[name]! })).body;
      await vi.waitFor(async () => expect(await costs()).toMatchObject({ complete: true }), { timeout: 20_000 });
      const history = async () =>
        (await server.call({ method: 'GET', url: '/api/v3/wallets/balance-history', token: tokens[name]! })).body;
      await vi.waitFor(async () => expect(await history()).toMatchObject({ complete: true }), { timeout: 20_000 });
    }
    await server.stop();
    const database = await server.source.open();
    const stored = await storedCostBasis(database);
    expect(stored).toEqual(await naiveCostBasis(database, server.app.engine.exchange.markets()));
    expect(stored.length).toBeGreaterThan(clients.length - 1);
    const balances = await storedBalances(database);
    expect(balances).toEqual(await naiveBalances(database, server.app.engine.exchange.markets()));
    expect(balances.length).toBeGreaterThan(clients.length);
    // Where each transfer was among the trades follows from its time.
    const wrong = await database.query(
      `SELECT batch FROM ledger_transactions AS posted WHERE reason NOT IN ('order-holds', 'trade')
       AND after_trade <> (SELECT coalesce(max(id), 0) FROM trades WHERE trades.time < posted.time)`,
    );
    expect(wrong).toEqual([]);
    await database.close();
    server = await startTestApp(kind, server.source);
    for (const name of clients) tokens[name] = await server.trader(name, {});
  });

  it('trades on, triggers what waited, and adds up, after a restart too', async () => {
    expect(await server.app.reconciler.check()).toEqual([]);
    const place = async (name: string, side: string, quantity: string, price?: string) => {
      const type = price === undefined ? 'market' : 'limit';
      const payload = { symbol: 'BTC-USDT', side, type, quantity, ...(price === undefined ? {} : { price }) };
      return (await server.call({ method: 'POST', url: '/api/v3/orders', token: tokens[name]!, payload })).body;
    };
    expect(await place('carol', 'BUY', '0.1')).toMatchObject({
      order: { state: 'APPROVED', average_price: '50100.0', fee: '0.00000000' },
    });
    // Through all bids.
    expect(await place('alice', 'SELL', '0.3')).toMatchObject({ order: { filled: '0.23000' } });
    await place('bob', 'BUY', '0.1', '48900');
    await place('alice', 'SELL', '0.05');
    // The stop at 49,000 was reached, and its limit order rests at 48,990.
    const triggered = {
      final_price: '48990.0',
      state: 'PENDING',
      trigger: { status: 'triggered', triggered_price: '48900.0' },
    };
    // A trade is not enough for it: the price has to stay there.
    server.advance(10_000);
    const stop = async () => {
      const open = (await list('carol', 'open-orders', 'orders')) as unknown as { id: string }[];
      return open.find(({ id }) => id === '8');
    };
    await expect.poll(stop).toMatchObject(triggered);
    expect(await server.app.reconciler.check()).toEqual([]);
    const hash = server.app.engine.exchange.stateHash();
    await server.stop();
    server = await startTestApp(kind, server.source);
    expect(server.app.engine.exchange.stateHash()).toBe(hash);
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
