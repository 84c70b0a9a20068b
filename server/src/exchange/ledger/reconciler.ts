/**
 * Runs while serving and compares what must agree. A pass fixes a batch, adds up what moved since the last pass, then
 * walks all owners in ranges. Each range is one short transaction at one batch of the tables, which is compared with
 * memory at the same batch; what memory has changed since is taken back by the balances and orders that the committed
 * batches recorded. Nothing waits for a pass: it rests four times as long as a range took. Owners for whom a transfer
 * waits are looked at before that, in the rests of a pass or between two. What is found is an alarm
 * that an operator sees, not a line in a log.
 */
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountParts, MAXIMUM_OWNER } from '@cambist/core/ledger/account.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { BatchFeed } from '../engine/feed.ts';
import type { AlarmStore } from './alarm-store.ts';
import { ChangeRecord } from './change-record.ts';
import {
  type Amounts,
  add,
  addTrades,
  compareBalances,
  compareHeld,
  compareLedger,
  compareOrders,
  comparePositions,
  compareUntriggered,
  type Discrepancy,
  type MarketOf,
  type MemoryRange,
  withoutBuckets,
} from './reconciler-checks.ts';
import type { Marks, OwnerRange, RangeRows, ReconcilerStore } from './reconciler-store.ts';
import { Wishes } from './wishes.ts';

/** Memory, and how far it is committed and in the tables. */
export interface Memory {
  readonly exchange: Pick<
    FastExchange,
    | 'markets'
    | 'ownersBetween'
    | 'accountsOf'
    | 'balance'
    | 'openOrdersOf'
    | 'twaps'
    | 'untriggeredOrdersOf'
    | 'positionsOf'
  >;
  readonly feed: BatchFeed;
  /** Resolves once the tables hold every batch that is committed now. */
  caughtUp(): Promise<void>;
  /** Resolves once everything that memory holds now is committed. */
  settled(): Promise<void>;
}

export interface ReconcilerDeps {
  readonly store: ReconcilerStore;
  readonly alarms: AlarmStore;
  readonly memory: Memory;
  readonly marketOf: MarketOf;
  readonly logger: Logger;
  readonly clock: { now(): number };
  readonly everyMs: number;
}

/** For each millisecond that a range took. */
const REST_MS = 4;
/** Findings of a pass that become alarms; a table that is all wrong is found by the first of them. */
const MAXIMUM_FOUND = 100;

/** Passes in a row that could not be done, of which an alarm tells: by then it is no outage of a moment. */
const FAILED_PASSES = 5;
const UNPROVEN = 'books-are-not-compared';

type Paced = <Result>(work: () => Promise<Result>) => Promise<Result>;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What is compared with what moved up to a batch. */
interface Look {
  readonly record: ChangeRecord;
  readonly found: Discrepancy[];
  /** Sum of all accounts, by asset. */
  readonly totals: Amounts;
  /** What accounts that moved hold now. */
  readonly proven: Amounts;
}

/** What is known of one pass. */
interface Pass extends Look {
  readonly marks: Marks;
  readonly moved: Moved;
}

/** What moved since the last pass, as far as it was read: by owner, then by account of bucket 0. */
interface Moved {
  /** Where the last pass ended. */
  readonly since: number;
  batch: number;
  trade: number;
  readonly byOwner: Map<number, Amounts>;
}

const movedSince = ({ proven_batch: batch, proven_trade: trade }: Marks): Moved => ({
  ...{ since: batch, batch, trade, byOwner: new Map() },
});

export class Reconciler {
  readonly #deps: ReconcilerDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  readonly #wishes = new Wishes();
  /** What the looks at single owners have read of it. */
  #movedForLooks: Moved | undefined;
  #openAlarms = 0;
  #provenBatch = 0;
  /** Since the last pass that was done. */
  #failed = 0;
  #isFailureTold = false;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  /** One whole pass. Answers what it found. */
  check(): Promise<Discrepancy[]> {
    const pass = this.#running.then(() => this.#check());
    this.#running = pass.catch(() => undefined);
    return pass;
  }

  /** As they were counted last. */
  openAlarms(): number {
    return this.#openAlarms;
  }

  async countAlarms(): Promise<void> {
    this.#openAlarms = await this.#deps.alarms.openAlarms();
  }

  /** Whether this process has found an owner's books in order at a batch or later. Where it has not, it looks at them soon. */
  hasProven(batch: number, owner: number): boolean {
    if (this.#provenBatch >= batch || this.#wishes.isGranted(owner, batch)) return true;
    const isFirst = this.#wishes.add(owner);
    // A pass that is underway sees to it in its rests, and what comes after it to what it has left.
    if (isFirst && this.#timer !== undefined) this.#running = this.#running.then(() => this.#lookAtWanted());
    return false;
  }

  /** Begins with the passes. */
  start(): void {
    const { logger, everyMs } = this.#deps;
    this.#timer = setTimeout(
      guarded(logger, 'reconciler', () => this.#pass()),
      everyMs,
    );
  }

  #pass(): void {
    void this.check()
      .then(
        () => {
          this.#failed = 0;
          this.#isFailureTold = false;
        },
        (error: Error) => this.#onFailure(error),
      )
      .finally(() => {
        if (this.#timer !== undefined) this.start();
      });
  }

  /** Where the books are not compared any more, nothing would be found. */
  async #onFailure(err: Error): Promise<void> {
    const { logger, alarms, clock } = this.#deps;
    this.#failed += 1;
    logger.warn({ err, passes: this.#failed }, 'A reconciliation pass could not be done');
    if (this.#failed < FAILED_PASSES || this.#isFailureTold) return;
    try {
      await alarms.raise(UNPROVEN, `${this.#failed} passes in a row failed: ${err.message}`, clock.now());
      this.#isFailureTold = true;
      logger.error({ kind: UNPROVEN }, 'ALARM: the books are not compared');
      await this.countAlarms();
    } catch (error) {
      // The database is away altogether, which /readyz says; the next pass tries again.
      logger.warn({ err: error }, 'An alarm could not be written');
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wishes.close();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  async #check(): Promise<Discrepancy[]> {
    const { store, memory } = this.#deps;
    const record = new ChangeRecord(memory.feed);
    try {
      const pass = await this.#begin(record);
      await this.#walk(pass);
      if (this.#isClosed) return [];
      // Only what was proven right is what the next pass begins from.
      if (pass.found.length === 0) {
        await store.advance(pass.marks, pass.proven);
        this.#provenBatch = pass.marks.batch;
        this.#wishes.forgetGranted(pass.marks.batch);
      }
      return await this.#raise(pass.found);
    } finally {
      record.close();
    }
  }

  async #raise(all: readonly Discrepancy[]): Promise<Discrepancy[]> {
    const { alarms, logger, clock } = this.#deps;
    const found = all.slice(0, MAXIMUM_FOUND);
    for (const { kind, detail } of found) {
      const isNews = await alarms.raise(kind, detail, clock.now());
      if (isNews) logger.error({ kind, detail }, 'ALARM: the books do not agree');
    }
    await this.countAlarms();
    return found;
  }

  /** Compares the owners for whom a transfer waits. One that cannot be compared now is asked for again. */
  async #lookAtWanted(): Promise<void> {
    const owners = this.#isClosed ? [] : this.#wishes.take();
    if (owners.length === 0) return;
    const { memory, store, logger } = this.#deps;
    const record = new ChangeRecord(memory.feed);
    const begunAt = performance.now();
    try {
      await memory.caughtUp();
      const marks = await store.marks();
      record.prove(marks.batch);
      if (this.#movedForLooks?.since !== marks.proven_batch) this.#movedForLooks = movedSince(marks);
      const moved = this.#movedForLooks;
      await this.#readMoved(moved, marks, (work) => work());
      // A server that stops leaves off in the middle of the history: what is missing is no discrepancy.
      if (this.#isClosed) return;
      for (const owner of owners) {
        const look = { record, found: [], totals: new Map(), proven: new Map() };
        record.follow({ first: owner, last: owner });
        await memory.caughtUp();
        await this.#checkRange(look, { first: owner, last: owner }, moved.byOwner.get(owner) ?? new Map());
        if (look.found.length === 0) this.#wishes.grant(owner, marks.batch);
        else await this.#raise(look.found);
      }
    } catch (err) {
      this.#movedForLooks = undefined;
      logger.warn({ err }, 'Owners for whom a transfer waits could not be compared');
    } finally {
      record.close();
    }
    // As long again, which leaves the database to others.
    await sleep(performance.now() - begunAt);
  }

  /** Fixes the batch that the pass proves, and adds up what moved up to it. */
  async #begin(record: ChangeRecord): Promise<Pass> {
    const { store, memory } = this.#deps;
    // So that no batch is committed, not recorded, and not in the tables yet.
    await memory.caughtUp();
    const marks = await store.marks();
    record.prove(marks.batch);
    const moved = movedSince(marks);
    const found = await this.#readMoved(moved, marks, (work) => this.#unhurried(work));
    return { marks, record, moved, found, totals: new Map(), proven: new Map() };
  }

  /** Adds what moved up to the marks. @returns what does not balance of it */
  async #readMoved(moved: Moved, { batch: to, trade: toTrade }: Marks, paced: Paced): Promise<Discrepancy[]> {
    const { store, marketOf } = this.#deps;
    const sums: Amounts = new Map();
    const found: Discrepancy[] = [];
    for (let trade = moved.trade; trade < toTrade && !this.#isClosed; ) {
      const page = await paced(() => store.trades(trade, toTrade));
      addTrades(sums, page.sums, marketOf);
      trade = page.next;
    }
    let after: { batch: number; sequence: number } | undefined = { batch: moved.batch + 1, sequence: -1 };
    while (after !== undefined && !this.#isClosed) {
      const from: { batch: number; sequence: number } = after;
      const page = await paced(() => store.transfers(from, to));
      for (const { account, amount } of page.moved) add(sums, account, amount);
      for (const { batch, sequence } of page.unbalanced) {
        found.push({ kind: 'unbalanced-ledger-transaction', detail: `batch ${batch}, sequence ${sequence}` });
      }
      after = page.next;
    }
    for (const [account, amount] of sums) {
      const { owner } = accountParts(account);
      const own = moved.byOwner.get(owner) ?? new Map();
      add(own, account, amount);
      moved.byOwner.set(owner, own);
    }
    Object.assign(moved, { batch: to, trade: toTrade });
    return found;
  }

  async #walk(pass: Pass): Promise<void> {
    const { store, memory } = this.#deps;
    const { byOwner } = pass.moved;
    const owners = [...byOwner.keys()].sort((left, right) => left - right);
    let first: number | undefined = 0;
    while (first !== undefined && !this.#isClosed) {
      const from: number = first;
      const end = await this.#unhurried(() => store.lastOfRange(from));
      const range = { first: from, last: end ?? MAXIMUM_OWNER };
      const moved: Amounts = new Map();
      for (; owners.length > 0 && owners[0]! <= range.last; owners.shift()) {
        for (const [account, amount] of byOwner.get(owners[0]!)!) moved.set(account, amount);
      }
      pass.record.follow(range);
      // Under load the tables are behind: a wait, and no work that others must be left time for.
      await memory.caughtUp();
      await this.#unhurried(() => this.#checkRange(pass, range, moved));
      first = end === undefined ? undefined : end + 1;
    }
    for (const [asset, total] of pass.totals) {
      if (total === 0n) continue;
      pass.found.push({ kind: 'asset-does-not-sum-to-zero', detail: `asset ${asset}: all accounts sum to ${total}` });
    }
  }

  async #checkRange(look: Look, range: OwnerRange, moved: Amounts): Promise<void> {
    const { store, memory, marketOf } = this.#deps;
    const listed = memory.exchange.markets();
    const perpetuals = listed.filter(({ perpetual }) => perpetual !== undefined).map(({ id }) => id);
    const rows = await store.range(range, perpetuals);
    const held = this.#readMemory(range);
    await memory.settled();
    const before = look.record.after(rows.batch);
    look.found.push(
      ...compareBalances(rows, held, before),
      ...compareOrders(rows, held, before),
      ...compareUntriggered(rows, held, before),
      ...comparePositions(rows, held, before),
      ...compareHeld(rows, marketOf),
      ...this.#checkLedger(look, rows, moved),
    );
  }

  /** Nothing is awaited in here: it is one moment of memory, as far as that is applied. */
  #readMemory({ first, last }: OwnerRange): MemoryRange {
    const { exchange } = this.#deps.memory;
    const owners = exchange.ownersBetween(first, last);
    const keys = owners.flatMap((owner) => exchange.accountsOf(owner));
    const orders = owners.flatMap((owner) => [...exchange.openOrdersOf(owner), ...exchange.twaps(owner)]);
    return {
      balances: new Map(keys.map((key) => [key, exchange.balance(key)])),
      orders: new Map(orders.map((order) => [order.orderId, { ...order, lots: order.remaining }])),
      untriggered: owners.flatMap((owner) => exchange.untriggeredOrdersOf(owner)),
      positions: owners.flatMap((owner) => exchange.positionsOf(owner)),
    };
  }

  /** The tables' balances at the batch of the look are what was proven with what moved. */
  #checkLedger(look: Look, rows: RangeRows, moved: Amounts): Discrepancy[] {
    const { sinceProven } = look.record;
    const balances = new Map(rows.balances.map(({ account, amount }) => [account, amount]));
    for (const account of balances.keys()) {
      const then = sinceProven.get(account);
      if (then !== undefined) balances.set(account, then);
    }
    for (const [account, amount] of balances) add(look.totals, accountParts(account).asset, amount);
    const expected: Amounts = new Map(rows.proven.map(({ account, amount }) => [account, amount]));
    for (const [account, amount] of moved) {
      add(expected, account, amount);
      look.proven.set(account, expected.get(account)!);
    }
    return compareLedger(expected, withoutBuckets(balances));
  }

  /** Leaves the database to others for a while after each piece of work. */
  async #unhurried<Result>(work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const result = await work();
    const until = performance.now() + (performance.now() - started) * REST_MS;
    for (let left = until - performance.now(); left > 0 && !this.#isClosed; left = until - performance.now()) {
      await Promise.race([sleep(left), this.#wishes.next()]);
      await this.#lookAtWanted();
    }
    return result;
  }
}
