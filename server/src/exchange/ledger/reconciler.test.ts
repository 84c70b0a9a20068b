import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind, bothKinds, type DatabaseKind, databaseKinds } from '../../../test/databases.ts';
import type { Database } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import type { Submission } from '../engine/feed.ts';
import { createAlarmStore } from './alarm-store.ts';
import { Reconciler } from './reconciler.ts';
import { ReconcilerStore } from './reconciler-store.ts';

const ALICE = 5_001;
const BOB = 5_002;
const PLENTY = 1_000_000_000_000n;
const BTC_USDT = 0;
const REFERENCE = 500_000;

const limit = { kind: 'place-order', market: BTC_USDT, type: 'limit', timeInForce: 'GTC', quoteTotal: 0n } as const;
const order = { ...limit, selfTrade: 'CANCEL_NEWEST', price: REFERENCE, quantity: 20 } as const;
const stop = {
  kind: 'place-conditional-order',
  market: BTC_USDT,
  side: SELL,
  source: 'last',
  timeInForce: 'GTC',
  quantity: 10,
  quoteTotal: 0n,
  selfTrade: 'CANCEL_NEWEST',
  takeProfit: undefined,
  stop: { trigger: 400_000, price: 0 },
  trailing: undefined,
} as const;

const startWith = (kind: DatabaseKind, settings: Record<string, string>) =>
  startTestApp(kind, undefined, { RECONCILE_SECONDS: '3600', ...settings });

/** Funds owners in both assets of the market. */
async function fund(server: TestApp, owners: readonly number[]): Promise<void> {
  const { sequencer, exchange } = server.app.engine;
  const { base, quote } = exchange.markets()[0]!;
  const grants = owners.flatMap((owner) =>
    [base.id, quote.id].map((asset) => sequencer.submit(issue('development-credit', owner, asset, PLENTY))),
  );
  const outcomes = await Promise.all(grants);
  expect(outcomes.filter(({ outcome }) => !outcome.ok)).toEqual([]);
}

describe.each(bothKinds)('the reconciler and what is wrong in the tables (%s)', (kind) => {
  let server: TestApp;
  let database: Database;
  const submit = async (submission: Submission) => {
    const { outcome } = await server.app.engine.sequencer.submit(submission);
    expect(outcome).toEqual({ ok: true });
  };
  const kinds = async () => new Set((await server.app.reconciler.check()).map(({ kind: name }) => name));
  const account = (owner: number, bucket: Bucket, asset: 'base' | 'quote') =>
    accountKey(owner, Wallet.SPOT, bucket, server.app.engine.exchange.markets()[0]![asset].id);

  beforeAll(async () => {
    server = await startWith(kind, {});
    ({ database } = server);
    await submit({ kind: 'set-reference-price', market: BTC_USDT, price: REFERENCE });
    await fund(server, [ALICE, BOB]);
    await submit({ ...order, owner: ALICE, side: SELL, price: 520_000, quantity: 100 });
    await submit({ ...order, owner: ALICE, side: SELL, price: 510_000, quantity: 100 });
    await submit({ ...order, owner: BOB, side: BUY, price: 480_000 });
    await submit({ ...stop, owner: ALICE });
  });
  afterAll(() => server.remove());

  /** Changes the tables, says what is found, and puts them back. */
  async function foundAfter(change: string, back: string): Promise<Set<string>> {
    await database.query(change);
    const found = await kinds();
    await database.query(back);
    expect(await kinds()).toEqual(new Set());
    return found;
  }
  const addTo = (key: number, amount: number) =>
    `UPDATE balances SET amount = amount + ${amount} WHERE account = ${key}`;

  it('finds a balance that has changed', async () => {
    expect(await kinds()).toEqual(new Set());
    const key = account(BOB, Bucket.AVAILABLE, 'base');
    const expected = ['balance-differs-from-memory', 'balance-differs-from-ledger', 'asset-does-not-sum-to-zero'];
    expect(await foundAfter(addTo(key, 1), addTo(key, -1))).toEqual(new Set(expected));
    expect(server.app.reconciler.openAlarms()).toBeGreaterThan(0);
  });

  it('looks at the owner for whom a transfer waits, and at no other', async () => {
    const { reconciler, engine } = server.app;
    const ahead = () => engine.sequencer.statistics().lastBatch;
    await submit(issue('development-credit', ALICE, engine.exchange.markets()[0]!.base.id, 1n));
    const batch = ahead();
    await vi.waitUntil(() => reconciler.hasProven(batch, ALICE), { timeout: 10_000 });
    const key = account(BOB, Bucket.AVAILABLE, 'base');
    await database.query(addTo(key, 1));
    await database.query('UPDATE alarms SET acknowledged_at = 1');
    const open = () => database.query<{ kind: string }>('SELECT kind FROM alarms WHERE acknowledged_at IS NULL');
    await submit(issue('development-credit', ALICE, engine.exchange.markets()[0]!.base.id, 1n));
    // Alice's books are in order, although Bob's are not: no transfer waits for Bob yet.
    await vi.waitUntil(() => reconciler.hasProven(batch + 1, ALICE), { timeout: 10_000 });
    expect(await open()).toEqual([]);
    expect(reconciler.hasProven(batch, BOB)).toBe(false);
    await vi.waitUntil(async () => (await open()).length > 0, { timeout: 10_000 });
    expect(reconciler.hasProven(batch, BOB)).toBe(false);
    await database.query(addTo(key, -1));
    await vi.waitUntil(() => reconciler.hasProven(batch, BOB), { timeout: 10_000 });
    expect(await kinds()).toEqual(new Set());
  });

  it('finds money that changed its bucket', async () => {
    const [free, held] = [account(ALICE, Bucket.AVAILABLE, 'base'), account(ALICE, Bucket.HELD, 'base')];
    const move = (amount: number) =>
      `UPDATE balances SET amount = amount + CASE WHEN account = ${held} THEN ${amount} ELSE -${amount} END
       WHERE account IN (${free}, ${held})`;
    const expected = ['balance-differs-from-memory', 'held-differs-from-orders'];
    expect(await foundAfter(move(1), move(-1).replace('--', ''))).toEqual(new Set(expected));
  });

  it('finds a balance that is missing, and one that nobody has', async () => {
    const key = account(BOB, Bucket.AVAILABLE, 'base');
    const back = `INSERT INTO balances (account, amount) VALUES (${key}, ${PLENTY})`;
    const found = await foundAfter(`DELETE FROM balances WHERE account = ${key}`, back);
    expect(found).toContain('balance-differs-from-memory');
    const extra = accountKey(900_000, Wallet.FUNDING, Bucket.AVAILABLE, 1);
    const added = await foundAfter(
      `INSERT INTO balances (account, amount) VALUES (${extra}, 5)`,
      `DELETE FROM balances WHERE account = ${extra}`,
    );
    expect(added).toContain('balance-differs-from-memory');
  });

  it('finds an open order that ended, and one that is larger than it was while another is smaller', async () => {
    const bobs = `WHERE owner = ${BOB} AND side = ${BUY}`;
    const ended = await foundAfter(
      `UPDATE orders SET state = 2 ${bobs} AND state = 0`,
      `UPDATE orders SET state = 0 ${bobs} AND state = 2`,
    );
    expect(ended).toEqual(new Set(['orders-differ-from-memory', 'held-differs-from-orders']));
    const shift = (lots: number) =>
      `UPDATE orders SET remaining = remaining + CASE WHEN price = 510000 THEN ${lots} ELSE 0 - ${lots} END
       WHERE owner = ${ALICE} AND state = 0`;
    expect(await foundAfter(shift(3), shift(-3).replaceAll('- -3', '+ 3'))).toEqual(
      new Set(['orders-differ-from-memory']),
    );
  });

  it('finds an untriggered order that is gone', async () => {
    const change = (from: number, to: number) =>
      `UPDATE orders SET state = ${to} WHERE owner = ${ALICE} AND state = ${from}`;
    expect(await foundAfter(change(3, 2), change(2, 3))).toEqual(
      new Set(['orders-differ-from-memory', 'held-differs-from-orders']),
    );
  });

  it('finds a transfer that does not balance', async () => {
    await fund(server, [ALICE]);
    await server.app.engine.projector.caughtUp();
    const last = '(SELECT max(batch) FROM ledger_transactions)';
    const change = (by: string) =>
      `UPDATE ledger_transactions SET amounts[1] = amounts[1] ${by} WHERE batch = ${last} AND sequence = 1`;
    expect(await foundAfter(change('+ 1'), change('- 1'))).toEqual(
      new Set(['unbalanced-ledger-transaction', 'balance-differs-from-ledger']),
    );
  });

  it('finds a trade that was of another quantity', async () => {
    await submit({ ...order, owner: BOB, side: BUY, price: 510_000, quantity: 30 });
    await server.app.engine.projector.caughtUp();
    const change = (by: string) =>
      `UPDATE trades SET quantity = quantity ${by} WHERE id = (SELECT max(id) FROM trades)`;
    expect(await foundAfter(change('+ 1'), change('- 1'))).toEqual(new Set(['balance-differs-from-ledger']));
  });
});

describe('the reconciler that cannot compare', () => {
  it('raises one alarm for it, and another where it cannot again later', async () => {
    const server = await startWith(anyKind, {});
    const { exchange, sequencer, projector } = server.app.engine;
    const warned = vi.fn<() => void>();
    const alarmStore = createAlarmStore(server.database);
    /** Counted at the end of each pass that was done. */
    const ended = vi.fn(() => alarmStore.openAlarms());
    const reconciler = new Reconciler({
      store: new ReconcilerStore(server.database),
      alarms: { ...alarmStore, openAlarms: () => ended() },
      memory: {
        exchange,
        feed: sequencer,
        caughtUp: () => projector.caughtUp(),
        settled: () => sequencer.settled(),
      },
      marketOf: (id) => exchange.markets().find((market) => market.id === id),
      logger: Object.assign(createLogger('silent'), { warn: warned }),
      clock: server,
      everyMs: 20,
    });
    /** Waits until so many more passes have failed. */
    const fail = (times: number) => {
      const before = warned.mock.calls.length;
      return vi.waitUntil(() => warned.mock.calls.length >= before + times, { timeout: 30_000 });
    };
    const rename = (from: string, to: string) => server.database.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    const alarms = () => server.database.query<{ kind: string; detail: string }>('SELECT kind, detail FROM alarms');
    await rename('reconciliation', 'elsewhere');
    reconciler.start();
    await vi.waitUntil(async () => (await alarms()).length > 0, { timeout: 30_000 });
    // Two more passes fail, and say nothing new.
    await fail(2);
    const [alarm, ...more] = await alarms();
    expect(alarm?.kind).toBe('books-are-not-compared');
    expect(alarm?.detail).toMatch(/^5 passes in a row failed: .*reconciliation/);
    expect(more).toEqual([]);
    expect(reconciler.openAlarms()).toBe(1);
    await server.database.query('UPDATE alarms SET acknowledged_at = 1');
    await rename('elsewhere', 'reconciliation');
    // Passes of its own find the books in order.
    const before = ended.mock.calls.length;
    await vi.waitUntil(() => ended.mock.calls.length > before + 1, { timeout: 30_000 });
    await rename('reconciliation', 'elsewhere');
    await vi.waitUntil(async () => (await alarms()).length > 1, { timeout: 30_000 });
    await reconciler.close();
    await server.remove();
  });
});

describe.each(databaseKinds)('the reconciler under load (%s)', (kind) => {
  const OWNERS = Array.from({ length: 700 }, (_, index) => 20_000 + index);
  let server: TestApp;
  let database: Database;
  let token: string;
  let isTrading = true;
  let trading: Promise<void>;

  /** Places, amends and cancels at random, triggers included, until it is told to stop. */
  async function trade(seed: number): Promise<void> {
    const random = new Random(seed);
    const { sequencer } = server.app.engine;
    const mine: { readonly orderId: number; readonly owner: number }[] = [];
    const act = async () => {
      const owner = OWNERS[random.between(0, OWNERS.length - 1)]!;
      const side = random.chance(50) ? BUY : SELL;
      const price = REFERENCE + random.between(-50, 50) * 10;
      const [old] = random.chance(40) ? mine.splice(random.between(0, mine.length), 1) : [];
      if (old !== undefined) {
        const { orderId } = old;
        const amend = { kind: 'amend-order', timeInForce: 'GTC', selfTrade: 'CANCEL_NEWEST', price } as const;
        const change = random.chance(30) ? { ...amend, quantity: 5 } : ({ kind: 'cancel-order' } as const);
        await sequencer.submit({ ...change, orderId, owner: old.owner } as Submission);
        return;
      }
      const quantity = random.between(1, 20);
      const trigger = { trigger: REFERENCE - random.between(1, 40) * 10, price: 0 };
      const { outcome, id } = await sequencer.submit(
        random.chance(10) ? { ...stop, owner, quantity, stop: trigger } : { ...order, owner, side, price, quantity },
      );
      if (outcome.ok) mine.push({ orderId: id, owner });
    };
    while (isTrading) {
      await Promise.all(Array.from({ length: 20 }, act));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  beforeAll(async () => {
    server = await startWith(kind, { MARKET: 'simulated' });
    ({ database } = server);
    token = await server.trader('alice', { BTC: '2' });
    await fund(server, OWNERS);
    trading = trade(7);
  });
  afterAll(async () => {
    isTrading = false;
    await trading;
    await server.remove();
  });

  it('finds nothing, over more ranges than one, while lists are answered', { timeout: 180_000 }, async () => {
    const { exchange } = server.app.engine;
    const before = exchange.counters();
    /** Lists that were answered in one pass. */
    let most = 0;
    const isLoaded = () => {
      const { lastOrderId, lastTradeId } = exchange.counters();
      return lastOrderId - before.lastOrderId > 100 && lastTradeId > before.lastTradeId && most > 1;
    };
    // However slow the machine is: as many as it takes for orders and trades to come between.
    for (let pass = 0; pass < 3 || !isLoaded(); pass += 1) {
      let isRunning = true;
      const check = server.app.reconciler.check().finally(() => {
        isRunning = false;
      });
      let answered = 0;
      while (isRunning) {
        const { status } = await server.call({ method: 'GET', url: '/api/v3/trades/open-orders', token });
        expect(status).toBe(200);
        answered += 1;
      }
      expect(await check).toEqual([]);
      most = Math.max(most, answered);
    }
    const accounts = await database.query<{ count: number }>('SELECT count(*) AS count FROM balances');
    expect(accounts[0]?.count).toBeGreaterThan(1_400);
  });

  it('finds what is wrong all the same', { timeout: 180_000 }, async () => {
    const quiet = accountKey(OWNERS.at(-1)! + 5, Wallet.SPOT, Bucket.AVAILABLE, 0);
    await database.query(`INSERT INTO balances (account, amount) VALUES (${quiet}, 1)`);
    const found = (await server.app.reconciler.check()).map(({ kind: name }) => name);
    expect(found.toSorted()).toEqual([
      'asset-does-not-sum-to-zero',
      'balance-differs-from-ledger',
      'balance-differs-from-memory',
    ]);
    await database.query(`DELETE FROM balances WHERE account = ${quiet}`);
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
