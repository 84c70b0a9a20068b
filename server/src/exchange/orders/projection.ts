/** Orders and trades, as the tables take them from the events. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { STATUS_MASK, termsCode } from '@cambist/core/events/event-record.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { ClosedInParts } from '@cambist/core/margin/event.ts';
import type { ClientOrderId } from '@cambist/core/orders/client-order-ids.ts';
import type { ExitPlan } from '@cambist/core/orders/exits/exit-plan.ts';
import { isOneConditional, type OneConditionalEvent, untriggeredView } from '@cambist/core/orders/order-view.ts';
import type { TwapSchedule } from '@cambist/core/orders/twap/twap.ts';
import { copyInto } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { clientOrderIdStatement, restoreNamedViews } from './client-order-id-store.ts';
import { closingStatement } from './closing-store.ts';
import { addMove, addUntriggered, emptyRun } from './conditional-projection.ts';
import { conditionalStatements, restoreTriggers } from './conditional-store.ts';
import { exitPlanStatement, restorePlannedViews } from './exit-plan-store.ts';
import { IcebergRun } from './iceberg-store.ts';
import { CHANGED, INSERTED, OrderRows, UPDATED } from './order-rows.ts';
import { reasonCode } from './reasons.ts';
import { restoreOrders } from './recovery-store.ts';
import { TRADED, TradeRows } from './trade-rows.ts';
import { restoreTwapViews, twapStatement } from './twap-store.ts';
import { UnplacedRun } from './unplaced-store.ts';

const CANCELLED = 2;
/** In the tables alone: a conditional order before it is triggered. */
const UNTRIGGERED = 3;

const COPY_NEW = copyInto('orders', INSERTED);
const COPY_TRADES = copyInto('trades', TRADED);
/** Gone with the connection, and empty after each commit. */
const MAKE_CHANGED = `CREATE TEMPORARY TABLE IF NOT EXISTS changed_orders
  ON COMMIT DELETE ROWS AS SELECT ${Object.keys(UPDATED).join(', ')} FROM orders WITH NO DATA`;
const COPY_CHANGED = copyInto('changed_orders', UPDATED);
const setFrom = (row: string) =>
  Object.keys(CHANGED)
    .map((name) => `${name} = ${row}.${name}`)
    .join(', ');
const UPDATE = `UPDATE orders SET ${setFrom('n')} FROM changed_orders AS n WHERE orders.id = n.id`;
const ARRAYS = Object.values(INSERTED).map((width, index) => `$${index + 1}::${width === 8 ? 'bigint' : 'smallint'}[]`);
/** A conditional order has its row from the beginning. */
const UPSERT = `INSERT INTO orders (${Object.keys(INSERTED).join(', ')}) SELECT * FROM unnest(${ARRAYS.join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${setFrom('excluded')}`;

/** Runs that were written: their memory is used again. */
const spare: OrderRun[] = [];

class OrderRun implements PartRun {
  readonly #orders = new OrderRows();
  /** The market maker re-quotes all day: its orders that ended without a fill are not history that anybody reads. */
  readonly #forgotten = new Set<number>();
  /** Conditional orders by id, as they are before they are triggered, or after they ended untriggered. */
  readonly #untriggered = new Map<number, OneConditionalEvent>();
  readonly #conditional = emptyRun();
  readonly #icebergs = new IcebergRun();
  readonly #unplaced = new UnplacedRun();
  readonly #trades = new TradeRows();
  readonly #clientOrderIds: ClientOrderId[] = [];
  /** By entry, as they are after the run. */
  readonly #exitPlans = new Map<number, ExitPlan>();
  readonly #twaps = new Map<number, TwapSchedule>();
  readonly #closings: ClosedInParts[] = [];

  add({ batch, events }: CommittedBatch): void {
    this.#unplaced.begin(batch);
    events.read(this);
  }

  order(events: EventBatch, at: number): void {
    if (isForgettable(events, at)) this.#forgotten.add(events.orderId(at));
    this.#orders.put(events, at);
    this.#unplaced.addRecord(this.#conditional.changes, events, at);
    if (events.visible(at) > 0) this.#icebergs.add(events, at);
  }

  trade(events: EventBatch, at: number): void {
    this.#trades.add(events, at);
  }

  object(event: ObjectEvent): void {
    if (event.kind === 'trailing-moved') addMove(this.#conditional, event);
    if (event.kind === 'client-order-id-given') this.#clientOrderIds.push(event);
    if (event.kind === 'exit-plan-changed') this.#exitPlans.set(event.plan.orderId, event.plan);
    if (event.kind === 'closed-in-parts') this.#closings.push(event);
    if (event.kind === 'twap-changed') this.#twaps.set(event.orderId, event);
    if (!isOneConditional(event)) return;
    const { orderId } = event.order;
    this.#unplaced.addEvent(addUntriggered(this.#conditional, event), event);
    this.#untriggered.set(orderId, event);
  }

  release(): void {
    this.#orders.clear();
    this.#forgotten.clear();
    this.#untriggered.clear();
    this.#conditional.changes.clear();
    this.#conditional.moves.clear();
    this.#conditional.followers.clear();
    this.#trades.clear();
    this.#clientOrderIds.length = 0;
    this.#exitPlans.clear();
    this.#twaps.clear();
    this.#closings.length = 0;
    this.#icebergs.clear();
    this.#unplaced.clear();
    spare.push(this);
  }

  #upsertUntriggered(): Statement {
    const names = Object.keys(INSERTED) as (keyof typeof INSERTED)[];
    const rows = new Columns(names.length);
    for (const event of this.#untriggered.values()) {
      const values = untriggeredValues(event);
      rows.add(...names.map((name) => values[name]));
    }
    return { sql: UPSERT, parameters: rows.parameters() };
  }

  statements(): Statement[] {
    const statements: Statement[] = [];
    // First, because an order that was triggered in this run is changed below. The moves come before the rows of this
    // run, which know themselves how far their orders have come.
    if (this.#untriggered.size > 0) statements.push(this.#upsertUntriggered());
    statements.push(...conditionalStatements(this.#conditional));
    if (this.#orders.started > 0) statements.push({ sql: COPY_NEW, copy: this.#orders.copyStarted() });
    if (this.#orders.changed > 0) {
      statements.push({ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: this.#orders.copyChanged() }, { sql: UPDATE });
    }
    if (this.#forgotten.size > 0) {
      const sql = 'DELETE FROM orders WHERE filled = 0 AND id = ANY ($1::bigint[])';
      statements.push({ sql, parameters: [[...this.#forgotten]] });
    }
    if (this.#clientOrderIds.length > 0) statements.push(clientOrderIdStatement(this.#clientOrderIds));
    if (this.#exitPlans.size > 0) statements.push(exitPlanStatement([...this.#exitPlans.values()]));
    if (this.#twaps.size > 0) statements.push(twapStatement(this.#twaps));
    if (this.#closings.length > 0) statements.push(closingStatement(this.#closings));
    statements.push(...this.#icebergs.statements(), ...this.#unplaced.statements());
    if (this.#trades.size > 0) statements.push({ sql: COPY_TRADES, copy: this.#trades.copy() });
    return statements;
  }
}

function untriggeredValues(event: OneConditionalEvent): Record<keyof typeof INSERTED, number | bigint> {
  const { source, takeProfit, stop, trailing, best, owner, market, side, createdAt, entryId } = event.order;
  const status = event.kind === 'untriggered-ended' ? 'ended' : 'untriggered';
  const trigger = { source, takeProfit, stop, trailing, best, entryId, status, triggered: undefined } as const;
  const view = untriggeredView(event.order, trigger, event.time);
  const codes = termsCode(view.type, view.timeInForce, view.selfTrade);
  const isEnded = event.kind === 'untriggered-ended';
  const { orderId: id, price, quantity, remaining } = view;
  return {
    ...{ id, price, quantity, quote_total: view.quoteTotal, remaining, owner, market, side, created_at: createdAt },
    ...{ filled: 0, filled_quote: 0n, fee: 0n, fee_credit: 0n, priority: 0, updated_at: event.time },
    type: (codes >> 8) & 1,
    time_in_force: (codes >> 6) & 3,
    self_trade: (codes >> 9) & 3,
    reduce_only: event.order.reduceOnly ? 1 : 0,
    is_hedged: event.order.positionSide ? 1 : 0,
    state: isEnded ? CANCELLED : UNTRIGGERED,
    reason: reasonCode(isEnded ? event.reason : 'NONE'),
  };
}

function isForgettable(events: EventBatch, at: number): boolean {
  const owner = events.owner(at);
  return (owner === HOUSE_MAKER || owner === HOUSE_TAKER) && (events.codes(at) & STATUS_MASK) === CANCELLED;
}

export const orderProjection: ProjectionPart = {
  name: 'orders',
  tables: [
    'orders',
    'conditional_orders',
    'client_order_ids',
    'closings',
    'exit_plans',
    'icebergs',
    'trades',
    'twaps',
    'unplaced_orders',
  ],
  start: () => spare.pop() ?? new OrderRun(),
  restore: restoreOrders,
  async restoreViews(database, views) {
    await restoreTriggers(database, views);
    await restoreNamedViews(database, views);
    await restorePlannedViews(database, views);
    await restoreTwapViews(database, views);
  },
};
