/** Brings the exchange up: memory from the store, the sequencer on top, the projector behind. */
import { randomUUID } from 'node:crypto';
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { ClockBehindJournal } from '../../platform/steady-clock.ts';
import { createClockStore } from './clock-store.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { keyProjection } from './idempotency-projection.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { createJournalStore, type JournalStore } from './journal-store.ts';
import type { ProjectionPart } from './projection.ts';
import { createProjectionStore } from './projection-store.ts';
import { Projector } from './projector.ts';
import { type ReplayedEntry, replayJournal } from './recovery.ts';
import { baseOf, type FollowerBase, type RefusedSnapshot, type Restored, restoreMemory } from './restore.ts';
import { Sequencer } from './sequencer.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshot-store.ts';

export interface EngineDeps {
  readonly database: Database;
  /** What follows the events in the tables, in the order in which it is restored from them. */
  readonly parts: readonly ProjectionPart[];
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly limits: {
    readonly queue: number;
    readonly batch: number;
    readonly backlog: number;
    readonly unavailableMs: number;
  };
  readonly gatherMs: number;
  /** The folder of snapshots. */
  readonly directory: string;
  /** Whether a second computation will want a state to begin from. */
  readonly isFollowed: boolean;
  readonly onFatal: (error: Error) => void;
}

export interface Engine {
  readonly exchange: FastExchange;
  readonly sequencer: Sequencer;
  readonly projector: Projector;
  readonly idempotency: Idempotency;
  readonly journal: JournalStore;
  readonly views: OrderViews;
  /** What memory came from, and what a second computation of the state begins from. */
  readonly snapshots: {
    readonly store: SnapshotStore;
    /** The batch of the snapshot that memory came from; 0 for the tables. */
    readonly newest: number;
    /** Hands it over once, because it may be large; undefined when the engine is not followed. */
    takeBase(): FollowerBase | undefined;
    readonly refused: readonly RefusedSnapshot[];
  };
  /** From now on everything stays in memory: only to measure what durability costs, and to be found out by tests. */
  stopKeeping(): void;
  close(): Promise<void>;
}

/**
 * What a run gathers before it is written in any case, in words of events: many short ones cost more than few long ones. PGlite
 * does one thing at a time, so that a run there may not take long.
 */
const RUN_SIZE = { pglite: 40_000, postgres: 250_000 } as const;

function keysOf(batch: { batch: number; time: number }, entries: readonly ReplayedEntry[]) {
  return entries.flatMap(({ key, id, reason }) => (key === undefined ? [] : [{ ...key, id, ...batch, reason }]));
}

function logRestored(logger: Logger, { exchange, batch: projected, snapshot }: Restored, batch: number): void {
  const from = snapshot === undefined ? 'tables' : `snapshot of batch ${snapshot.batch}`;
  const replayed = batch - (snapshot?.batch ?? projected);
  logger.info({ batch, from, replayed, openOrders: exchange.openOrderCount() }, 'The exchange is restored');
}

/** @returns what gives it away, once */
function givenOnce<Value>(value: Value): () => Value | undefined {
  let held: Value | undefined = value;
  return () => {
    const given = held;
    held = undefined;
    return given;
  };
}

/** A journal further ahead of the clock is refused: time would stand still for that long. */
const LONGEST_PIN_MS = 60_000;

/** @throws ClockBehindJournal @returns the time before which no batch is written, ms */
async function checkClock(database: Database, now: number): Promise<number> {
  const time = (await createClockStore(database).journalEnd())?.time ?? 0;
  if (time - now <= LONGEST_PIN_MS) return time;
  throw new ClockBehindJournal(time, now);
}

export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { logger } = deps;
  const database = deps.database.patient;
  const lastTime = await checkClock(database, deps.clock.now());
  const stored = createJournalStore(database, randomUUID());
  let isKept = true;
  const journal: JournalStore = { ...stored, append: async (row) => !isKept || stored.append(row) };
  const snapshots = createSnapshotStore(database);
  const restored = await restoreMemory({ ...deps, database, journal, snapshots });
  const { exchange, views, batch: projectedBatch, snapshot } = restored;
  const projector = new Projector({
    store: createProjectionStore(database),
    parts: [keyProjection, ...deps.parts],
    logger,
    batch: projectedBatch,
    gatherMs: deps.gatherMs,
    runSize: RUN_SIZE[database.kind],
    onFatal: deps.onFatal,
  });
  const lastBatch = await replayJournal(journal, exchange, projectedBatch, (batch, entries) => {
    for (const event of batch.events.objects) views.note(event);
    const { batch: number, time } = batch;
    projector.add(batch, keysOf({ batch: number, time }, entries));
  });
  // Before anything more happens: it takes the state at the end of a batch.
  const base = deps.isFollowed ? (snapshot ?? baseOf(exchange, lastBatch)) : undefined;
  projector.start();
  await projector.caughtUp();
  const idempotency = await createIdempotency(createIdempotencyStore(database), deps.clock);
  const sequencer = new Sequencer({
    exchange,
    journal,
    views,
    clock: deps.clock,
    logger,
    lastBatch,
    lastTime,
    limits: deps.limits,
    backlog: () => projector.backlog(),
    onFatal: deps.onFatal,
    onCommitted(batch, keys) {
      if (isKept) projector.add(batch, keys);
    },
  });
  logRestored(logger, restored, lastBatch);
  return {
    exchange,
    sequencer,
    projector,
    idempotency,
    journal,
    views,
    snapshots: {
      store: snapshots,
      newest: snapshot?.batch ?? 0,
      refused: restored.refused,
      takeBase: givenOnce(base),
    },
    stopKeeping() {
      isKept = false;
    },
    async close() {
      await sequencer.close();
      await projector.close();
    },
  };
}
