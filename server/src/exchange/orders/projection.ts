/** Orders and trades, as the tables take them from the events. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { REASON_MASK, REASON_SHIFT, REASONS, STATUS_MASK, termsCode } from '@cambist/core/events/event-record.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { isOneConditional, type OneConditionalEvent, untriggeredView } from '@cambist/core/orders/order-view.ts';
import type { Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { addMove, addUntriggered, type ConditionalRun } from './conditional-projection.ts';
import { conditionalStatements } from './conditional-store.ts';
import { restoreOrders } from './recovery-store.ts';

const CANCELLED = 2;
/** In the tables alone: a conditional order before it is triggered. */
const UNTRIGGERED = 3;

/** Columns of an order that every change writes, in this order, after the id. */
const CHANGED = [
  ['type', 'smallint'],
  ['time_in_force', 'smallint'],
  ['self_trade', 'smallint'],
  ['price', 'bigint'],
  ['quantity', 'bigint'],
  ['quote_total', 'bigint'],
  ['remaining', 'bigint'],
  ['filled', 'bigint'],
  ['filled_quote', 'bigint'],
  ['fee', 'bigint'],
  ['fee_credit', 'bigint'],
  ['state', 'smallint'],
  ['reason', 'text'],
  ['priority', 'bigint'],
  ['updated_at', 'bigint'],
] as const;
const BEGUN = [
  ['owner', 'bigint'],
  ['market', 'smallint'],
  ['side', 'smallint'],
  ['created_at', 'bigint'],
] as const;

const namesOf = (columns: readonly (readonly [string, string])[]) => columns.map(([name]) => name).join(', ');
const unnestOf = (columns: readonly (readonly [string, string])[]) =>
  `unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})`;
const ID = ['id', 'bigint'] as const;
const UPDATED = [ID, ...CHANGED] as const;
const INSERTED = [ID, ...CHANGED, ...BEGUN] as const;

const INSERT = `INSERT INTO orders (${namesOf(INSERTED)}) SELECT * FROM ${unnestOf(INSERTED)}`;
/** A conditional order has its row from the beginning. */
const UPSERT = `${INSERT} ON CONFLICT (id) DO UPDATE SET ${CHANGED.map(([name]) => `${name} = excluded.${name}`).join(', ')}`;
const UPDATE = `UPDATE orders SET ${CHANGED.map(([name]) => `${name} = n.${name}`).join(', ')}
  FROM ${unnestOf(UPDATED)} AS n (${namesOf(UPDATED)}) WHERE orders.id = n.id`;

class OrderRun implements PartRun {
  /** Row of each order in one of the two. */
  readonly #newRows = new Map<number, number>();
  readonly #changedRows = new Map<number, number>();
  readonly #started = new Columns(INSERTED.length);
  readonly #changed = new Columns(UPDATED.length);
  /** The market maker re-quotes all day: its orders that ended without a fill are not history that anybody reads. */
  readonly #forgotten = new Set<number>();
  /** Conditional orders by id, as they are before they are triggered, or after they ended untriggered. */
  readonly #untriggered = new Map<number, OneConditionalEvent>();
  readonly #conditional: ConditionalRun = { changes: new Map(), moves: new Map() };
  readonly #trades = new Columns(14);

  add({ events }: CommittedBatch): void {
    events.read(this);
  }

  order(events: EventBatch, at: number): void {
    const id = events.orderId(at);
    const isKnown = this.#newRows.get(id);
    if (isForgettable(events, at)) this.#forgotten.add(id);
    if (isKnown !== undefined) {
      this.#started.set(isKnown, ...changedColumns(events, at));
    } else if (events.isNew(at)) {
      const begun = [events.owner(at), events.market(at), events.side(at), events.createdAt(at)] as const;
      this.#newRows.set(id, this.#started.add(...changedColumns(events, at), ...begun));
    } else {
      const row = this.#changedRows.get(id);
      if (row !== undefined) this.#changed.set(row, ...changedColumns(events, at));
      else this.#changedRows.set(id, this.#changed.add(...changedColumns(events, at)));
    }
  }

  trade(events: EventBatch, at: number): void {
    const id = events.tradeId(at);
    const [market, price, lots, takerSide] = [
      events.market(at),
      events.price(at),
      events.lots(at),
      events.takerSide(at),
    ];
    const [makerOwner, takerOwner] = [events.owner(at), events.takerOwner(at)];
    const [makerFee, takerFee] = [events.makerFee(at), events.takerFee(at)];
    const parties = [events.orderId(at), events.takerOrderId(at), makerOwner, takerOwner] as const;
    const credits = [events.makerCredit(at), events.takerCredit(at)] as const;
    const time = events.time(at);
    this.#trades.add(id, market, price, lots, takerSide, ...parties, makerFee, takerFee, ...credits, time);
  }

  object(event: ObjectEvent): void {
    if (event.kind === 'trailing-moved') addMove(this.#conditional, event);
    if (!isOneConditional(event)) return;
    addUntriggered(this.#conditional, event);
    const { orderId } = event.order;
    this.#untriggered.set(orderId, event);
    // What was placed and then refused has no other row.
    if (event.kind === 'untriggered-ended') this.#changedRows.delete(orderId);
  }

  #upsertUntriggered(): Statement {
    const rows = new Columns(INSERTED.length);
    for (const event of this.#untriggered.values()) rows.add(...untriggeredColumns(event));
    return { sql: UPSERT, parameters: rows.parameters() };
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    // First, because an order that was triggered in this run is changed below. The moves come before the rows of this
    // run, which know themselves how far their orders have come.
    if (this.#untriggered.size > 0) statements.push(this.#upsertUntriggered());
    statements.push(...conditionalStatements(this.#conditional));
    if (this.#started.size > 0) statements.push({ sql: INSERT, parameters: this.#started.parameters() });
    if (this.#changed.size > 0) statements.push({ sql: UPDATE, parameters: this.#changed.parameters() });
    if (this.#forgotten.size > 0) {
      const sql = 'DELETE FROM orders WHERE filled = 0 AND id = ANY ($1::bigint[])';
      statements.push({ sql, parameters: [[...this.#forgotten]] });
    }
    if (this.#trades.size > 0) statements.push(insertTrades(this.#trades));
    return statements;
  }
}

function changedColumns(events: EventBatch, at: number) {
  const codes = events.codes(at);
  const status = codes & STATUS_MASK;
  const reason = REASONS[(codes >> REASON_SHIFT) & REASON_MASK]!;
  const [quantity, remaining] = [events.quantity(at), events.remaining(at)];
  // Of an order that rests or was taken, what is not remaining is filled.
  return [
    events.orderId(at),
    (codes >> 8) & 1,
    (codes >> 6) & 3,
    (codes >> 9) & 3,
    events.price(at),
    quantity,
    events.quoteTotal(at),
    remaining,
    quantity - remaining,
    events.filledValue(at),
    events.fee(at),
    events.credit(at),
    status,
    reason === 'NONE' ? '' : reason,
    events.priority(at),
    events.time(at),
  ] as const;
}

function untriggeredColumns(event: OneConditionalEvent) {
  const { source, takeProfit, stop, trailing, best, owner, market, side, createdAt } = event.order;
  const status = event.kind === 'untriggered-ended' ? 'ended' : 'untriggered';
  const trigger = { source, takeProfit, stop, trailing, best, status, triggered: undefined } as const;
  const view = untriggeredView(event.order, trigger, event.time);
  const codes = termsCode(view.type, view.timeInForce, view.selfTrade);
  const [state, reason] = event.kind === 'untriggered-ended' ? [CANCELLED, event.reason] : [UNTRIGGERED, ''];
  const terms = [view.orderId, (codes >> 8) & 1, (codes >> 6) & 3, (codes >> 9) & 3, view.price] as const;
  const sizes = [view.quantity, view.quoteTotal, view.remaining, 0, 0n, 0n, 0n] as const;
  return [...terms, ...sizes, state, reason, 0, event.time, owner, market, side, createdAt] as const;
}

function isForgettable(events: EventBatch, at: number): boolean {
  const owner = events.owner(at);
  return (owner === HOUSE_MAKER || owner === HOUSE_TAKER) && (events.codes(at) & STATUS_MASK) === CANCELLED;
}

function insertTrades(trades: Columns): Statement {
  return {
    sql: `INSERT INTO trades (id, market, price, quantity, taker_side, maker_order, taker_order, maker_owner,
                              taker_owner, maker_fee, taker_fee, maker_credit, taker_credit, time)
          SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[],
                               $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
                               $12::bigint[], $13::bigint[], $14::bigint[])`,
    parameters: trades.parameters(),
  };
}

export const orderProjection: ProjectionPart = {
  name: 'orders',
  tables: ['orders', 'conditional_orders', 'trades'],
  start: () => new OrderRun(),
  restore: ({ database, exchange, views }) => restoreOrders(database, exchange, views),
};
