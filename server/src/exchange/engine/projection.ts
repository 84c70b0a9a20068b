/**
 * What a run of committed batches changes in the tables, gathered until the next flush. A slice adds a part; the
 * projector writes all parts of a run in one transaction.
 */
import type { Counters, Exchange } from '@cambist/core/exchange/exchange.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { CommittedBatch } from './feed.ts';
import type { CommandKey } from './journal.ts';

/** One idempotency key that a batch carried, with the outcome that it stands for. */
export interface KeyRecord extends CommandKey {
  /** Of the order or transfer; 0 for other commands. */
  readonly id: number;
  readonly batch: number;
  /** Empty when the command was accepted. */
  readonly reason: string;
  readonly time: number;
}

/** What one part gathers for one run. */
export interface PartRun {
  /** Every batch of the run, once, in order. */
  add(batch: CommittedBatch, keys: readonly KeyRecord[]): void;
  /** The run's changes; none when there were none. */
  statements(): Statement[];
  /** The run is written: its memory may be used by another. */
  release?(): void;
}

/** A slice's tables that follow the events. */
export interface ProjectionPart {
  readonly name: string;
  /** Tables that nothing but this part's statements write. */
  readonly tables: readonly string[];
  start(): PartRun;
  /** Puts into an empty exchange what the tables hold; parts are restored in their order. */
  restore?(database: Database, exchange: Exchange): Promise<void>;
  /** Puts back what answers say of orders and the exchange does not know. */
  restoreViews?(database: Database, views: OrderViews): Promise<void>;
}

/** A run of all parts. */
export class ProjectionRun {
  readonly fromBatch: number;
  toBatch: number;
  /** Words of event records gathered: how much work the run is. */
  size = 0;
  #counters: Counters = { lastOrderId: 0, lastTradeId: 0, lastPriority: 0, lastTransferId: 0 };
  readonly #parts: readonly PartRun[];

  constructor(fromBatch: number, parts: readonly ProjectionPart[]) {
    this.fromBatch = fromBatch;
    this.toBatch = fromBatch;
    this.#parts = parts.map((part) => part.start());
  }

  add(batch: CommittedBatch, keys: readonly KeyRecord[]): void {
    if (batch.batch !== this.toBatch + 1)
      throw new Error(`Batch ${batch.batch} follows ${this.toBatch}: one is missing`);
    this.toBatch = batch.batch;
    this.size += batch.events.end;
    this.#counters = batch.counters;
    for (const part of this.#parts) part.add(batch, keys);
  }

  /** The run is written. */
  release(): void {
    for (const part of this.#parts) part.release?.();
  }

  /** `batch = NULL` breaks the constraint when the tables are not where this run starts, and with it the transaction. */
  statements(): Statement[] {
    const { lastOrderId, lastTradeId, lastPriority, lastTransferId } = this.#counters;
    const advance: Statement = {
      sql: `UPDATE projection SET batch = CASE WHEN batch = $1 THEN $2::bigint END,
                   last_order = $3, last_trade = $4, last_priority = $5, last_transfer = $6`,
      parameters: [this.fromBatch, this.toBatch, lastOrderId, lastTradeId, lastPriority, lastTransferId],
    };
    return [advance, ...this.#parts.flatMap((part) => part.statements())];
  }
}
