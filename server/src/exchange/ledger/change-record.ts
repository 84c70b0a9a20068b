/**
 * What memory held before the batches that were committed while the reconciler reads, so that memory can be taken back
 * to the batch that the tables were read at.
 */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { PositionRecords } from '@cambist/core/events/position-records.ts';
import { OWNER_KEYS } from '@cambist/core/ledger/account.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import type { BatchFeed, CommittedBatch } from '../engine/feed.ts';
import type { OwnerRange } from './reconciler-store.ts';

/** What rested of an order; 0 lots when nothing did. */
export interface Resting {
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  /** Ticks. */
  readonly price: number;
  readonly lots: number;
}

/** What was there before the first change after a batch. */
export interface Before {
  readonly balances: ReadonlyMap<number, bigint>;
  readonly orders: ReadonlyMap<number, Resting>;
  /** Owners of untriggered orders that came, changed or went. */
  readonly untriggered: ReadonlySet<number>;
  /** Owners of positions that changed. */
  readonly positions: ReadonlySet<number>;
}

interface Changes {
  readonly batch: number;
  readonly keys: Float64Array;
  readonly balances: BigInt64Array;
  readonly orders: ReadonlyMap<number, Resting>;
  readonly untriggered: readonly number[];
  readonly positions: readonly number[];
}

/** Reads the orders of some owners out of a batch, as they were before it, and whose positions it changed. */
class OrdersBefore {
  readonly orders = new Map<number, Resting>();
  readonly untriggered: number[] = [];
  readonly positions: number[] = [];
  readonly #range: OwnerRange;

  constructor(range: OwnerRange) {
    this.#range = range;
  }

  order(batch: EventBatch, at: number): void {
    const owner = batch.owner(at);
    const orderId = batch.orderId(at);
    if (!this.#has(owner) || this.orders.has(orderId)) return;
    const [market, side] = [batch.market(at), batch.side(at)];
    this.orders.set(orderId, {
      owner,
      market,
      side,
      price: batch.beforePrice(at),
      lots: batch.beforeLots(at) + batch.beforeHidden(at),
    });
  }

  position(records: PositionRecords, at: number): void {
    const owner = records.owner(at);
    if (this.#has(owner)) this.positions.push(owner);
  }

  object(event: ObjectEvent): void {
    if ('order' in event && this.#has(event.order.owner)) this.untriggered.push(event.order.owner);
  }

  #has(owner: number): boolean {
    return owner >= this.#range.first && owner <= this.#range.last;
  }
}

export class ChangeRecord {
  readonly #unsubscribe: () => void;
  /** The batch that the pass proves, once it is known, and what was there before the first change after it. */
  #proven: number | undefined;
  readonly #sinceProven = new Map<number, bigint>();
  #range: OwnerRange = { first: 0, last: -1 };
  /** Since the range was named, oldest first; before the pass's batch is known, since the subscription. */
  #changes: Changes[] = [];

  constructor(feed: BatchFeed) {
    this.#unsubscribe = feed.subscribe((batch) => this.#note(batch));
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Says which batch the pass proves: one that was committed after the subscription or is the newest before it. */
  prove(batch: number): void {
    this.#proven = batch;
    for (const changes of this.#changes) this.#noteSinceProven(changes);
    this.#changes = [];
  }

  /** Balances as they were at the batch that the pass proves, of the accounts that have changed since. */
  get sinceProven(): ReadonlyMap<number, bigint> {
    return this.#sinceProven;
  }

  /** Records orders of these owners from the next batch on, and forgets what was recorded of others. */
  follow(range: OwnerRange): void {
    this.#range = range;
    this.#changes = [];
  }

  /** What the owners that are followed had at a batch, as far as it has changed since. */
  after(batch: number): Before {
    const balances = new Map<number, bigint>();
    const orders = new Map<number, Resting>();
    const untriggered = new Set<number>();
    const positions = new Set<number>();
    const [first, end] = [this.#range.first * OWNER_KEYS, (this.#range.last + 1) * OWNER_KEYS];
    for (const changes of this.#changes) {
      if (changes.batch <= batch) continue;
      changes.keys.forEach((key, index) => {
        if (key >= first && key < end && !balances.has(key)) balances.set(key, changes.balances[index]!);
      });
      for (const [orderId, order] of changes.orders) if (!orders.has(orderId)) orders.set(orderId, order);
      for (const owner of changes.untriggered) untriggered.add(owner);
      for (const owner of changes.positions) positions.add(owner);
    }
    return { balances, orders, untriggered, positions };
  }

  #note({ batch, events }: CommittedBatch): void {
    const orders = new OrdersBefore(this.#range);
    if (this.#range.last >= this.#range.first) events.read(orders);
    const changes = {
      batch,
      keys: events.balanceKeys.slice(0, events.balanceCount),
      balances: events.balancesBefore.slice(0, events.balanceCount),
      orders: orders.orders,
      untriggered: orders.untriggered,
      positions: orders.positions,
    };
    this.#changes.push(changes);
    if (this.#proven !== undefined) this.#noteSinceProven(changes);
  }

  #noteSinceProven({ batch, keys, balances }: Changes): void {
    if (batch <= this.#proven!) return;
    keys.forEach((key, index) => {
      if (!this.#sinceProven.has(key)) this.#sinceProven.set(key, balances[index]!);
    });
  }
}
