/** Brings the exchange up: memory from the store, the sequencer on top, the projector behind. */
import { randomUUID } from 'node:crypto';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { createJournalStore, type JournalStore } from './journal-store.ts';
import type { KeyRecord } from './projection.ts';
import { createProjectionStore } from './projection-store.ts';
import { createProjector, type Projector } from './projector.ts';
import { type ReplayedBatch, replayJournal } from './recovery.ts';
import { restoreFromTables } from './recovery-store.ts';
import { createSequencer, type RunningSequencer } from './sequencer.ts';

export interface EngineDeps {
  readonly database: Database;
  readonly markets: readonly MarketSpec[];
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly limits: {
    readonly queue: number;
    readonly batch: number;
    readonly backlog: number;
    readonly unavailableMs: number;
  };
  readonly gatherMs: number;
  /** False leaves everything in memory: only to measure what durability costs. */
  readonly isDurable: boolean;
  readonly onFatal: (error: Error) => void;
}

export interface Engine {
  readonly exchange: Exchange;
  readonly sequencer: RunningSequencer;
  readonly projector: Projector;
  readonly idempotency: Idempotency;
  readonly journal: JournalStore;
  close(): Promise<void>;
}

/** PGlite does one thing at a time, and preparing a run holds up the orders: neither may take long. */
const RUN_EVENTS = { pglite: 800, postgres: 5000 } as const;

function keysOf(replayed: ReplayedBatch): KeyRecord[] {
  const { batch, time } = replayed.batch;
  return replayed.entries.flatMap(({ command, key, reason }) => {
    if (key === undefined || !('owner' in command)) return [];
    const orderId = 'orderId' in command ? command.orderId : 0;
    return [{ owner: command.owner, ...key, orderId, batch, reason, time }];
  });
}

export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { logger, markets } = deps;
  const database = deps.database.patient;
  const exchange = createExchange(markets);
  const stored = createJournalStore(database, randomUUID());
  const journal = deps.isDurable ? stored : { ...stored, append: async () => true };
  const recovered = await restoreFromTables(database, exchange);
  const projector = createProjector({
    store: createProjectionStore(database, markets),
    logger,
    batch: recovered.projectedBatch,
    exchange,
    gatherMs: deps.gatherMs,
    runEvents: RUN_EVENTS[database.kind],
    onFatal: deps.onFatal,
  });
  let { lastTime } = recovered;
  const lastBatch = await replayJournal(journal, exchange, recovered.projectedBatch, (replayed) => {
    projector.add(replayed.batch, keysOf(replayed));
    lastTime = Math.max(lastTime, replayed.batch.time);
  });
  await projector.caughtUp();
  const idempotency = await createIdempotency(createIdempotencyStore(database));
  const sequencer = createSequencer({
    exchange,
    journal,
    clock: deps.clock,
    logger,
    lastBatch,
    lastTime,
    limits: deps.limits,
    backlog: projector.backlog,
    onFatal: deps.onFatal,
    onCommitted: deps.isDurable ? projector.add : () => undefined,
  });
  logger.info(
    { batch: lastBatch, replayed: lastBatch - recovered.projectedBatch, openOrders: exchange.openOrderCount() },
    'The exchange is restored',
  );
  return {
    exchange,
    sequencer,
    projector,
    idempotency,
    journal,
    async close() {
      await sequencer.close();
      await projector.close();
    },
  };
}
