/** Orders and trades, as the tables take them from the events. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { STATUS_MASK, termsCode } from '@cambist/core/events/event-record.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { ClientOrderId } from '@cambist/core/orders/client-order-ids.ts';
import type { ExitPlan } from '@cambist/core/orders/exits/exit-plan.ts';
import { isOneConditional, type OneConditionalEvent, untriggeredView } from '@cambist/core/orders/order-view.ts';
import type { TwapSchedule } from '@cambist/core/orders/twap/twap.ts';
import { CopyWriter } from '../../platform/copy-writer.ts';
import type { Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { clientOrderIdStatement, restoreNamedViews } from './client-order-id-store.ts';
import { addMove, addUntriggered, type ConditionalRun } from './conditional-projection.ts';
import { conditionalStatements, restoreTriggers } from './conditional-store.ts';
import { exitPlanStatement, restorePlannedViews } from './exit-plan-store.ts';
import { IcebergRun } from './iceberg-store.ts';
import { OrderRecords } from './order-records.ts';
import { restoreOrders } from './recovery-store.ts';
import { restoreTwapViews, twapStatement } from './twap-store.ts';

const CANCELLED = 2;
/** In the tables alone: a conditional order before it is triggered. */
const UNTRIGGERED = 3;

/** Columns of an order that every change writes, in this order, after the id; then those that never change. */
const CHANGED = [
  ...['type', 'time_in_force', 'self_trade', 'reduce_only', 'price', 'quantity', 'quote_total', 'remaining', 'filled'],
  ...['filled_quote', 'fee', 'fee_credit', 'state', 'reason', 'priority', 'updated_at'],
];
const BEGUN = ['owner', 'market', 'side', 'created_at'];
const UPDATED = ['id', ...CHANGED];
const INSERTED = [...UPDATED, ...BEGUN];
const TRADED = [
  ...['id', 'market', 'price', 'quantity', 'taker_side', 'maker_order', 'taker_order', 'maker_owner', 'taker_owner'],
  ...['maker_fee', 'taker_fee', 'maker_credit', 'taker_credit', 'time'],
];

const copyInto = (table: string, columns: readonly string[]) =>
  `COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`;
const COPY_NEW = copyInto('orders', INSERTED);
const COPY_TRADES = copyInto('trades', TRADED);
/** Gone with the connection, and empty after each commit. */
const MAKE_CHANGED = `CREATE TEMPORARY TABLE IF NOT EXISTS changed_orders
  ON COMMIT DELETE ROWS AS SELECT ${UPDATED.join(', ')} FROM orders WITH NO DATA`;
const COPY_CHANGED = copyInto('changed_orders', UPDATED);
const UPDATE = `UPDATE orders SET ${CHANGED.map((name) => `${name} = n.${name}`).join(', ')}
  FROM changed_orders AS n WHERE orders.id = n.id`;
/** A conditional order has its row from the beginning. */
const UPSERT = `INSERT INTO orders (${INSERTED.join(', ')})
  SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::smallint[], $6::bigint[],
                       $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
                       $13::bigint[], $14::smallint[], $15::text[], $16::bigint[], $17::bigint[], $18::bigint[],
                       $19::smallint[], $20::smallint[], $21::bigint[])
  ON CONFLICT (id) DO UPDATE SET ${CHANGED.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Runs that were written: their memory is used again. */
const spare: OrderRun[] = [];

class OrderRun implements PartRun {
  readonly #started = new OrderRecords(true);
  readonly #changed = new OrderRecords(false);
  /** The market maker re-quotes all day: its orders that ended without a fill are not history that anybody reads. */
  readonly #forgotten = new Set<number>();
  /** Conditional orders by id, as they are before they are triggered, or after they ended untriggered. */
  readonly #untriggered = new Map<number, OneConditionalEvent>();
  readonly #conditional: ConditionalRun = { changes: new Map(), moves: new Map() };
  readonly #icebergs = new IcebergRun();
  readonly #trades = new CopyWriter(TRADED.length);
  readonly #clientOrderIds: ClientOrderId[] = [];
  /** By entry, as they are after the run. */
  readonly #exitPlans = new Map<number, ExitPlan>();
  readonly #twaps = new Map<number, TwapSchedule>();

  add({ events }: CommittedBatch): void {
    events.read(this);
  }

  order(events: EventBatch, at: number): void {
    const id = events.orderId(at);
    if (isForgettable(events, at)) this.#forgotten.add(id);
    const isStarted = events.isNew(at) || this.#started.has(id);
    (isStarted ? this.#started : this.#changed).put(id, events, at);
    this.#icebergs.add(events, at);
  }

  trade(events: EventBatch, at: number): void {
    const trades = this.#trades;
    trades.row();
    trades.int8(events.tradeId(at));
    trades.int2(events.market(at));
    trades.int8(events.price(at));
    trades.int8(events.lots(at));
    trades.int2(events.takerSide(at));
    trades.int8(events.orderId(at));
    trades.int8(events.takerOrderId(at));
    trades.int8(events.owner(at));
    trades.int8(events.takerOwner(at));
    const { words } = events;
    const [maker, taker] = [events.makerFeeWord(at), events.takerFeeWord(at)];
    trades.words(words[maker]!, words[maker + 1]!);
    trades.words(words[taker]!, words[taker + 1]!);
    trades.words(words[maker + 4]!, words[maker + 5]!);
    trades.words(words[taker + 4]!, words[taker + 5]!);
    trades.int8(events.time(at));
  }

  object(event: ObjectEvent): void {
    if (event.kind === 'trailing-moved') addMove(this.#conditional, event);
    if (event.kind === 'client-order-id-given') this.#clientOrderIds.push(event);
    if (event.kind === 'exit-plan-changed') this.#exitPlans.set(event.plan.orderId, event.plan);
    if (event.kind === 'twap-changed') this.#twaps.set(event.orderId, event);
    if (!isOneConditional(event)) return;
    addUntriggered(this.#conditional, event);
    const { orderId } = event.order;
    this.#untriggered.set(orderId, event);
  }

  release(): void {
    this.#started.clear();
    this.#changed.clear();
    this.#forgotten.clear();
    this.#untriggered.clear();
    this.#conditional.changes.clear();
    this.#conditional.moves.clear();
    this.#trades.reset();
    this.#clientOrderIds.length = 0;
    this.#exitPlans.clear();
    this.#twaps.clear();
    this.#icebergs.clear();
    spare.push(this);
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
    if (this.#started.size > 0) statements.push({ sql: COPY_NEW, copy: this.#started.copy() });
    if (this.#changed.size > 0) {
      statements.push({ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: this.#changed.copy() }, { sql: UPDATE });
    }
    if (this.#forgotten.size > 0) {
      const sql = 'DELETE FROM orders WHERE filled = 0 AND id = ANY ($1::bigint[])';
      statements.push({ sql, parameters: [[...this.#forgotten]] });
    }
    if (this.#clientOrderIds.length > 0) statements.push(clientOrderIdStatement(this.#clientOrderIds));
    if (this.#exitPlans.size > 0) statements.push(exitPlanStatement([...this.#exitPlans.values()]));
    if (this.#twaps.size > 0) statements.push(twapStatement(this.#twaps));
    statements.push(...this.#icebergs.statements());
    if (this.#trades.rows > 0) statements.push({ sql: COPY_TRADES, copy: this.#trades.finish() });
    return statements;
  }
}

function untriggeredColumns(event: OneConditionalEvent) {
  const { source, takeProfit, stop, trailing, best, owner, market, side, createdAt, entryId } = event.order;
  const status = event.kind === 'untriggered-ended' ? 'ended' : 'untriggered';
  const trigger = { source, takeProfit, stop, trailing, best, entryId, status, triggered: undefined } as const;
  const view = untriggeredView(event.order, trigger, event.time);
  const codes = termsCode(view.type, view.timeInForce, view.selfTrade);
  const [state, reason] = event.kind === 'untriggered-ended' ? [CANCELLED, event.reason] : [UNTRIGGERED, ''];
  const terms = [
    view.orderId,
    (codes >> 8) & 1,
    (codes >> 6) & 3,
    (codes >> 9) & 3,
    event.order.reduceOnly ? 1 : 0,
    view.price,
  ] as const;
  const sizes = [view.quantity, view.quoteTotal, view.remaining, 0, 0n, 0n, 0n] as const;
  return [...terms, ...sizes, state, reason, 0, event.time, owner, market, side, createdAt] as const;
}

function isForgettable(events: EventBatch, at: number): boolean {
  const owner = events.owner(at);
  return (owner === HOUSE_MAKER || owner === HOUSE_TAKER) && (events.codes(at) & STATUS_MASK) === CANCELLED;
}

export const orderProjection: ProjectionPart = {
  name: 'orders',
  tables: ['orders', 'conditional_orders', 'client_order_ids', 'exit_plans', 'icebergs', 'trades', 'twaps'],
  start: () => spare.pop() ?? new OrderRun(),
  restore: restoreOrders,
  async restoreViews(database, views) {
    await restoreTriggers(database, views);
    await restoreNamedViews(database, views);
    await restorePlannedViews(database, views);
    await restoreTwapViews(database, views);
  },
};
