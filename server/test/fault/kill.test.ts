/**
 * Kills the server with SIGKILL at random moments under load, again and again on the same data, and proves after each
 * death: what was acknowledged is there, once; what was not answered happened once or not at all; and at the end the
 * tables are what the whole journal, replayed from nothing, gives.
 *
 * FAULT_ROUNDS and FAULT_SEED choose how often and which run; a failure names its seed.
 */
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJournalStore } from '../../src/exchange/engine/journal-store.ts';
import { replayJournal } from '../../src/exchange/engine/recovery.ts';
import { restoreFromTables } from '../../src/exchange/engine/restore.ts';
import { createAlarmStore } from '../../src/exchange/ledger/alarm-store.ts';
import { Reconciler } from '../../src/exchange/ledger/reconciler.ts';
import { ReconcilerStore } from '../../src/exchange/ledger/reconciler-store.ts';
import { exchangeProjections } from '../../src/exchange/projections.ts';
import type { Database } from '../../src/platform/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../databases.ts';
import { followedTo, naiveCostBasis, storedCostBasis } from '../naive-cost-basis.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { isFullSuite } from '../suite.ts';
import {
  type Acknowledged,
  askForAlerts,
  CONDITIONAL_PATH,
  costBasisCounted,
  send,
  signUp,
  someTriggered,
  tradeUntilDeath,
} from './traders.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? (isFullSuite ? 6 : 2));
const SEED = Number(process.env.FAULT_SEED ?? 20_261_121);
const TRADERS = 8;
const CHECKED_PER_ROUND = 60;

/** The tables after a last start and stop must be what the journal says. */
async function checkBooks(database: Database): Promise<{ orders: number; distinct: number }> {
  const journal = createJournalStore(database, 'auditor');
  const { exchange: fromTables, batch: projectedBatch } = await restoreFromTables(database, exchangeProjections);
  const fromJournal = createExchange();
  expect(await replayJournal(journal, fromJournal, 0, () => undefined)).toBe(projectedBatch);
  expect(fromJournal.stateHash()).toBe(fromTables.stateHash());
  const specs = new Map(fromTables.markets().map((spec) => [spec.id, spec]));
  const done = async () => undefined;
  const reconciler = new Reconciler({
    store: new ReconcilerStore(database),
    alarms: createAlarmStore(database),
    // What the journal alone gives, at rest.
    memory: { exchange: fromJournal, feed: { subscribe: () => () => undefined }, caughtUp: done, settled: done },
    marketOf: (id) => specs.get(id),
    logger: createLogger('silent'),
    clock: Date,
    everyMs: 60_000,
  });
  expect(await reconciler.check()).toEqual([]);
  const [row] = await database.query<{ orders: number; distinct: number }>(
    'SELECT count(*) AS orders, count(DISTINCT (owner, key)) AS distinct FROM idempotency_keys',
  );
  return row ?? { orders: 0, distinct: 0 };
}

/** What was acknowledged waits, was placed once, or has ended; an order's two rows say the same. */
async function checkWaiting(database: Database, promised: readonly Acknowledged[]): Promise<void> {
  const rows = await database.query<{ id: number; status: number; state: number; triggered: boolean }>(
    `SELECT id, status::int8, coalesce(state, -1)::int8 AS state, triggered_leg <> '' AS triggered
     FROM conditional_orders LEFT JOIN orders USING (id)`,
  );
  const wrong = rows.filter(({ status, state, triggered }) => {
    if (status === 0) return state !== 3 || triggered;
    return status === 1 ? !triggered || state < 0 || state > 2 : state !== 2;
  });
  expect(wrong).toEqual([]);
  const known = new Set(rows.map(({ id }) => String(id)));
  const told = promised.filter(({ intent, status }) => intent.path === CONDITIONAL_PATH && status === 200);
  expect(told.filter(({ orderId }) => !known.has(orderId))).toEqual([]);
  expect(rows.length).toBe(new Set(told.map(({ orderId }) => orderId)).size);
  expect(rows.filter(({ status }) => status === 1).length).toBeGreaterThan(0);
}

/** Slices were placed across the deaths; an order that is open is within its schedule. */
async function checkTwaps(database: Database): Promise<void> {
  const rows = await database.query<{ slices: number; done: number; state: number }>(
    'SELECT slices, done, state::int8 AS state FROM twaps LEFT JOIN orders ON id = order_id',
  );
  expect(rows.filter(({ slices, done, state }) => done > slices || ![0, 1, 2].includes(state))).toEqual([]);
  expect(rows.filter(({ done }) => done > 0).length).toBeGreaterThan(0);
}

/** Every alert that a trade has reached has triggered, once; no other has. */
async function checkAlerts(database: Database): Promise<void> {
  const rows = await database.query<{ done: boolean; triggerings: number; reached: boolean }>(
    `SELECT done, (SELECT count(*) FROM triggered_alerts WHERE alert_id = a.id) AS triggerings,
            EXISTS (SELECT 1 FROM trades AS t WHERE t.id > a.after_trade AND t.market = a.market
                    AND CASE WHEN a.above THEN t.price >= a.price ELSE t.price <= a.price END) AS reached
     FROM price_alerts AS a`,
  );
  expect(
    rows.filter(({ done, triggerings, reached }) => done !== reached || triggerings !== (reached ? 1 : 0)),
  ).toEqual([]);
  expect(rows.filter(({ done }) => done).length).toBeGreaterThan(0);
}

/**
 * What coins have cost was counted from each trade and transfer exactly once, as far as the follower says that it has come:
 * a schedule may trade again before the process ends.
 */
async function checkCostBasis(database: Database): Promise<void> {
  const { exchange } = await restoreFromTables(database, exchangeProjections);
  const stored = await storedCostBasis(database);
  expect(stored).toEqual(await naiveCostBasis(database, exchange.markets(), await followedTo(database)));
  expect(stored.length).toBeGreaterThanOrEqual(TRADERS);
}

describe.concurrent.each(databaseKinds)('kill -9 under load (%s)', (kind) => {
  let source: TestDatabase;
  let tokens: string[] = [];
  const promised: Acknowledged[] = [];
  let server: ServerProcess;

  const start = async () => {
    server = await startServerProcess(source.environment);
  };
  /** Kills the server before each round in the full suite. A start takes seconds of CPU time. */
  async function killBetween(): Promise<void> {
    if (server.isAlive() && !isFullSuite) return;
    await server.kill();
    await start();
  }

  beforeAll(async () => {
    source = await makeTestDatabase(kind);
    await start();
    tokens = await Promise.all(
      Array.from({ length: TRADERS }, (_, index) => signUp(server.url, `t${index}@example.test`)),
    );
  });
  afterAll(async () => {
    await server.kill();
    await source.remove();
  });

  async function oneRound(round: number): Promise<void> {
    const seed = SEED + round;
    const random = new Random(seed);
    await killBetween();
    await askForAlerts(server.url, tokens, seed);
    const death = new Promise((resolve) => setTimeout(resolve, 30 + random.fraction() * 500)).then(() => server.kill());
    const { acknowledged, unanswered } = await tradeUntilDeath(server.url, tokens, `r${round}`, seed);
    await death;
    await start();
    for (const { intent, status, orderId } of acknowledged.slice(-CHECKED_PER_ROUND)) {
      const again = await send(server.url, intent);
      expect({ seed, key: intent.key, status: again.status, orderId: again.orderId }).toEqual({
        seed,
        key: intent.key,
        status,
        orderId,
      });
    }
    for (const intent of unanswered) promised.push(await send(server.url, intent));
    promised.push(...acknowledged);
  }

  it(`loses nothing over ${ROUNDS} deaths (seed ${SEED})`, { timeout: 60_000 + ROUNDS * 40_000 }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await oneRound(round);
    await server.kill();
    await start();
    await costBasisCounted(server.url, tokens);
    await someTriggered(server.url, tokens);
    expect(await server.stop()).toBe(0);
    const database = await source.open();
    const { orders, distinct } = await checkBooks(database);
    await checkWaiting(database, promised);
    await checkTwaps(database);
    await checkAlerts(database);
    await checkCostBasis(database);
    await database.close();
    const told = promised.filter(({ status }) => status < 500);
    expect(distinct).toBe(orders);
    expect(told.length).toBeGreaterThan(ROUNDS);
    // Each key that was answered is in the tables exactly once, and nothing else is.
    expect(orders).toBe(new Set(told.map(({ intent }) => intent.key)).size);
  });
});
