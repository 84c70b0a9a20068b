/** Snapshots of the state: what writes them, what a start makes of them, and what happens when one is wrong. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import type { Database } from '../../platform/database.ts';
import { createAlarmStore } from '../ledger/alarm-store.ts';
import { exchangeProjections } from '../projections.ts';
import { restoreFromTables } from './restore.ts';

const ALICE = 5_001;
const BOB = 5_002;
const PLENTY = 1_000_000_000_000n;
const BTC_USDT = 0;

const limit = {
  kind: 'place-order',
  market: BTC_USDT,
  type: 'limit',
  timeInForce: 'GTC',
  quoteTotal: 0n,
  selfTrade: 'CANCEL_NEWEST',
  price: 500_000,
  quantity: 20,
} as const;

const conditional = {
  kind: 'place-conditional-order',
  owner: BOB,
  market: BTC_USDT,
  side: SELL,
  source: 'last',
  timeInForce: 'GTC',
  selfTrade: 'CANCEL_NEWEST',
  quantity: 7,
  quoteTotal: 0n,
  takeProfit: undefined,
  trailing: undefined,
} as const;

describe.each(databaseKinds)('snapshots (%s)', (kind) => {
  let server: TestApp;
  let source: TestDatabase;
  let current: Database;
  let folder: string;

  async function start(): Promise<TestApp> {
    server = await startTestApp(kind, source, { RECONCILE_SECONDS: '3600', FOLLOW_SECONDS: '3600' });
    return server;
  }
  async function submit(command: Parameters<TestApp['app']['engine']['sequencer']['submit']>[0]) {
    const submitted = await server.app.engine.sequencer.submit(command);
    expect(submitted.outcome).toEqual({ ok: true });
    return submitted;
  }
  const snapshots = () => server.app.snapshots!;
  const files = () => readdirSync(folder).sort();
  const fileOf = (batch: number) => files().find((name) => name.startsWith(`${batch}-`))!;
  const alarms = async () => (await createAlarmStore(current).alarms()).map((alarm) => alarm.kind);

  /** Every kind of state: open orders, one that traded, untriggered and triggered ones, a pending transfer, fees. */
  async function trade(round: number): Promise<void> {
    // Each round trades below the one before and triggers a stop there.
    const price = 500_000 - round;
    await submit({ ...limit, owner: ALICE, side: BUY, price: 490_000 + round });
    await submit({ ...limit, owner: BOB, side: SELL, price: 510_000 + round });
    await submit({ ...limit, owner: BOB, side: SELL, price, quantity: 30 });
    await submit({ ...conditional, stop: { trigger: price, price: 505_000 } });
    await submit({ ...conditional, stop: { trigger: 470_000, price: 469_000 } });
    await submit({ ...limit, owner: ALICE, side: BUY, price, quantity: 10 });
    await submit({ kind: 'set-reference-price', market: BTC_USDT, price, isReferenceOnly: true });
    await submit({ kind: 'set-fees', owner: ALICE, makerPpm: round, takerPpm: round });
    const from = accountKey(ALICE, Wallet.SPOT, Bucket.AVAILABLE, 0);
    const legs = [{ from, to: accountKey(ALICE, Wallet.FUNDING, Bucket.AVAILABLE, 0), amount: BigInt(round) }];
    const transfer = { reference: ALICE, detail: 'x', isPending: true, legs };
    await submit({ kind: 'transfer', reason: 'wallet-transfer', ...transfer });
    await server.app.engine.projector.caughtUp();
  }
  /** Stops without a word to the second computation, as a crash would: no snapshot is written at the end. */
  async function crash(): Promise<void> {
    const ended = snapshots();
    Object.assign(ended, { close: () => ended.end() });
    await server.stop();
  }
  /** Memory, and what the tables alone give. */
  async function hashes(): Promise<[string, string]> {
    const { engine } = server.app;
    await engine.projector.caughtUp();
    const { exchange } = await restoreFromTables(current, exchangeProjections);
    return [engine.exchange.stateHash(), exchange.stateHash()];
  }

  beforeEach(async () => {
    const made = await makeTestDatabase(kind, 'migrated');
    source = {
      ...made,
      async open() {
        current = await made.open();
        return current;
      },
    };
    folder = join(made.environment.DATA_DIR, 'snapshots');
    await start();
    await submit({ kind: 'set-reference-price', market: BTC_USDT, price: 500_000 });
    for (const owner of [ALICE, BOB]) {
      for (const asset of [0, 1]) await submit(issue('development-credit', owner, asset, PLENTY));
    }
    await trade(1);
  });
  afterEach(async () => {
    await server.stop();
    await source.remove();
  });

  it('are what a start restores memory from, with the journal after them; the same as from the tables', async () => {
    await snapshots().write();
    const { snapshotBatch, verifiedBatch } = snapshots().figures();
    expect([snapshotBatch, verifiedBatch]).toEqual(Array(2).fill(server.app.engine.sequencer.statistics().lastBatch));
    await trade(2);
    const hash = server.app.engine.exchange.stateHash();
    await crash();

    await start();
    const { engine, reconciler } = server.app;
    expect(engine.snapshots).toMatchObject({ newest: snapshotBatch, refused: [] });
    expect(await hashes()).toEqual([hash, hash]);
    expect(await reconciler.check()).toEqual([]);
    // What triggered an order is known again: half of it before the snapshot, half after.
    const triggered = engine.exchange.openOrdersOf(BOB).filter(({ quantity }) => quantity === 7);
    expect(triggered).toHaveLength(2);
    for (const { orderId } of triggered) {
      const { order } = await submit({ kind: 'cancel-order', orderId, owner: BOB });
      expect(order).toMatchObject({ orderId, trigger: { status: 'triggered', triggered: { leg: 'stop' } } });
    }
    await trade(3);
    await snapshots().follow();
    expect(snapshots().figures().verifiedBatch).toBe(engine.sequencer.statistics().lastBatch);
  });

  it('that are changed or gone are refused: the one before serves, else the tables, and an alarm says so', async () => {
    await snapshots().write();
    const older = snapshots().figures().snapshotBatch;
    await trade(2);
    await snapshots().write();
    const newer = snapshots().figures().snapshotBatch;
    await trade(3);
    const hash = server.app.engine.exchange.stateHash();
    await crash();
    const newest = join(folder, fileOf(newer));
    const bytes = readFileSync(newest);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(newest, bytes);

    await start();
    expect(server.app.engine.snapshots).toMatchObject({ newest: older, refused: [{ batch: newer }] });
    expect(await hashes()).toEqual([hash, hash]);
    expect(await alarms()).toEqual(['snapshot-refused']);
    await crash();
    rmSync(join(folder, fileOf(older)));

    await start();
    expect(server.app.engine.snapshots).toMatchObject({ newest: 0, refused: [{ batch: older }] });
    expect(await hashes()).toEqual([hash, hash]);
    expect(await alarms()).toEqual(['snapshot-refused', 'snapshot-refused']);
    await trade(4);
    await snapshots().write();
    expect(snapshots().figures().snapshotBatch).toBe(server.app.engine.sequencer.statistics().lastBatch);
  });

  it('that do not lead to where the tables are do not serve', async () => {
    await snapshots().write();
    await trade(2);
    await current.query('UPDATE projection SET last_priority = last_priority + 1');
    await crash();
    await start();
    const [refused] = server.app.engine.snapshots.refused;
    expect([server.app.engine.snapshots.newest, refused?.reason]).toEqual([
      0,
      expect.stringContaining('the tables have'),
    ]);
  });

  it('are kept as the newest two, and the journal after the older one is not archived', async () => {
    const batches: number[] = [];
    for (const round of [2, 3, 4]) {
      await trade(round);
      await snapshots().write();
      batches.push(snapshots().figures().snapshotBatch);
    }
    await trade(5);
    const hash = server.app.engine.exchange.stateHash();
    expect(files()).toEqual([fileOf(batches[1]!), fileOf(batches[2]!)].sort());
    await server.app.engine.journal.archive(Date.now() + 1_000);
    const [kept] = await current.query<{ first: number }>('SELECT min(batch) AS first FROM journal');
    expect(kept?.first).toBe(batches[1]! + 1);
    await crash();
    rmSync(join(folder, fileOf(batches[2]!)));
    await start();
    expect(server.app.engine.snapshots.newest).toBe(batches[1]);
    expect(await hashes()).toEqual([hash, hash]);
  });

  it('are written at a clean stop where a second computation runs, so that nothing is left to replay', async () => {
    await snapshots().follow();
    await trade(2);
    const { lastBatch } = server.app.engine.sequencer.statistics();
    await server.stop();
    expect(files().some((name) => name.startsWith(`${lastBatch}-`))).toBe(true);
    await start();
    expect(server.app.engine.snapshots.newest).toBe(lastBatch);
    await server.stop();
    // Nothing has changed since, and the process was not there for long.
    expect(files().filter((name) => name.startsWith(`${lastBatch}-`))).toHaveLength(1);
  });

  it('are not written from a journal that was changed: an alarm says so, and trading goes on', async () => {
    await snapshots().write();
    const { snapshotBatch } = snapshots().figures();
    await trade(2);
    await current.query(
      `UPDATE journal SET commands = replace(commands, '490002', '490003') WHERE commands LIKE '%490002%'`,
    );
    await snapshots().write();
    expect(await alarms()).toEqual(['second-computation-disagrees']);
    expect(snapshots().figures()).toMatchObject({ snapshotBatch, snapshotFailures: 1 });
    await trade(3);
    await snapshots().write();
    const { lastBatch } = server.app.engine.sequencer.statistics();
    expect(snapshots().figures().verifiedBatch).toBeLessThan(lastBatch);
    expect(await snapshots().pendingLegs(1, lastBatch)).toBeUndefined();
    expect(files()).toEqual([fileOf(snapshotBatch)]);
    // Nor is the snapshot before the change of use to a start, which has the tables.
    const hash = server.app.engine.exchange.stateHash();
    await server.stop();
    await start();
    expect(server.app.engine.snapshots).toMatchObject({ newest: 0, refused: [{ batch: snapshotBatch }] });
    expect(server.app.engine.exchange.stateHash()).toBe(hash);
  });

  it('are not kept where memory has another state in the end: an alarm says so', async () => {
    await snapshots().write();
    const { snapshotBatch } = snapshots().figures();
    await trade(2);
    const { engine } = server.app;
    engine.exchange.restoreFees(BOB, { makerPpm: 1, takerPpm: 1 });
    await server.stop();
    await start();
    expect(server.app.engine.snapshots).toMatchObject({ newest: snapshotBatch, refused: [] });
    expect(await alarms()).toEqual(['second-computation-disagrees']);
  });

  it('that cannot be written raise an alarm, trading goes on, and the next one is tried', async () => {
    writeFileSync(folder, 'in the way');
    await snapshots().write();
    expect(await alarms()).toEqual(['snapshot-not-written']);
    await trade(2);
    rmSync(folder);
    await snapshots().write();
    expect(snapshots().figures().snapshotBatch).toBe(server.app.engine.sequencer.statistics().lastBatch);
  });

  it('know a pending transfer once the second computation has come to its batch, and say nothing before', async () => {
    const legs = { from: accountKey(BOB, Wallet.SPOT, Bucket.AVAILABLE, 0), amount: 77n };
    const leg = { ...legs, to: accountKey(BOB, Wallet.FUNDING, Bucket.AVAILABLE, 0) };
    const facts = { reference: BOB, detail: '', isPending: true, legs: [leg] };
    const { id, batch } = await submit({ kind: 'transfer', reason: 'wallet-transfer', ...facts });
    await server.app.engine.projector.caughtUp();
    expect(await snapshots().pendingLegs(id, batch)).toBeUndefined();
    expect(snapshots().figures().verifiedBatch).toBeLessThan(batch);
    await expect.poll(() => snapshots().pendingLegs(id, batch), { timeout: 10_000 }).toEqual([leg]);
    expect(await snapshots().pendingLegs(id + 1, batch)).toEqual([]);
  });
});
