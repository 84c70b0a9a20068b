/** Orders that a trigger placed in vain: what the projection keeps of them, and how their owners' notices read them. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { CancelReason, OrderState } from '@cambist/core/orders/order-state.ts';
import type { OneConditionalEvent } from '@cambist/core/orders/order-view.ts';
import type { RejectReason } from '@cambist/core/terms/outcome.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { ConditionalChange } from './conditional-projection.ts';

const PLACES = 2 ** 20;

/** Why an order ends that could not be filled when it was placed. */
const GAVE_UP: ReadonlySet<CancelReason | RejectReason> = new Set(['UNFILLED_REMAINDER', 'SELF_TRADE', 'PRICE_BAND']);

interface NewRow {
  readonly id: number;
  readonly orderId: number;
  readonly price: number;
}

/** Those of one run. */
export class UnplacedRun {
  readonly #rows: NewRow[] = [];
  #nextId = 0;
  /** Of the batch. */
  #lastTriggered: ConditionalChange | undefined;

  begin(batch: number): void {
    this.#nextId = batch * PLACES;
    this.#lastTriggered = undefined;
  }

  /** Of what was said of one conditional order. One that finds its position closed was not needed any more. */
  addEvent(change: ConditionalChange, event: OneConditionalEvent): void {
    if (event.kind === 'order-triggered') this.#lastTriggered = change;
    const isRefused = event.kind === 'untriggered-ended' && change.triggered !== undefined;
    if (isRefused && event.reason !== 'NOTHING_TO_CLOSE') this.#add(event.order.orderId, change);
  }

  /** Of a record of an order. One that rested first, and ends later, was placed. */
  addRecord(changes: ReadonlyMap<number, ConditionalChange>, events: EventBatch, at: number): void {
    if (this.#lastTriggered === undefined || events.status(at) !== 'cancelled') return;
    const order = events.orderState(at);
    if (!GAVE_UP.has(order.reason)) return;
    const trigger = changes.get(order.orderId) ?? this.#wholeOf(order);
    if (trigger?.triggered?.time === events.time(at)) this.#add(order.orderId, trigger);
  }

  /** The order of which one is a part: one of more lots than the market's largest order has is several, with ids of their own. */
  #wholeOf({ owner, market, side, type, reduceOnly }: OrderState): ConditionalChange | undefined {
    const last = this.#lastTriggered?.order;
    const isLike = owner === last?.owner && market === last.market && side === last.side;
    const isPart = isLike && type === 'market' && reduceOnly === last.reduceOnly;
    return isPart ? this.#lastTriggered : undefined;
  }

  #add(orderId: number, { triggered }: ConditionalChange): void {
    this.#rows.push({ id: this.#nextId, orderId, price: triggered!.price });
    this.#nextId += 1;
  }

  clear(): void {
    this.#rows.length = 0;
  }

  statements(): Statement[] {
    if (this.#rows.length === 0) return [];
    const pick = (column: (row: NewRow) => number) => this.#rows.map(column);
    const sql = `INSERT INTO unplaced_orders (id, order_id, price)
                 SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])`;
    return [{ sql, parameters: [pick(({ id }) => id), pick(({ orderId }) => orderId), pick(({ price }) => price)] }];
  }
}

export type UnplacedRow = {
  readonly id: number;
  readonly owner: number;
  readonly market: number;
  readonly side: number;
  /** Lots. */
  readonly filled: number;
  /** See `reasonOf`. */
  readonly reason: number;
  /** Ticks: what triggered it. */
  readonly price: number;
};

export function createUnplacedStore(database: Database) {
  return {
    /** After an id, oldest first. */
    unplacedAfter: (id: number, limit: number): Promise<UnplacedRow[]> =>
      database.query(
        `SELECT unplaced_orders.id, owner, market, side, filled, reason, unplaced_orders.price
         FROM unplaced_orders JOIN orders ON orders.id = order_id
         WHERE unplaced_orders.id > $1 ORDER BY unplaced_orders.id LIMIT $2`,
        [id, limit],
      ),
  };
}

export type UnplacedStore = ReturnType<typeof createUnplacedStore>;
