/** Conditional orders at rest: what the projection writes of them, and how they are read back. */
import { SELF_TRADE_MODES, TIMES_IN_FORCE } from '@cambist/core/events/event-record.ts';
import {
  TRIGGER_SOURCES,
  type TriggeredLeg,
  type UntriggeredOrder,
} from '@cambist/core/orders/conditional/conditional-order.ts';
import type { OrderViews, TriggerView } from '@cambist/core/orders/order-view.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import type { Database, Parameter, Statement } from '../../platform/database.ts';
import type { ConditionalRun } from './conditional-projection.ts';
import { type PositionColumns, positionOf } from './position-columns.ts';

/** Columns of `conditional_orders` beside an order's own; all null for an order that never waited. */
export type ConditionalColumns = {
  readonly source: number | null;
  readonly profit_trigger: number;
  readonly profit_price: number;
  readonly stop_trigger: number;
  readonly stop_price: number;
  readonly callback_ppm: number;
  readonly callback_ticks: number;
  readonly activation: number;
  readonly best: number;
  readonly status: number;
  readonly triggered_leg: string;
  readonly triggered_price: number;
  readonly triggered_at: number;
  readonly entry_id: number;
};

/** Named with their table, because the exits of an entry have columns of the same names. */
export const conditionalColumns = [
  ...['source', 'profit_trigger', 'profit_price', 'stop_trigger', 'stop_price', 'callback_ppm', 'callback_ticks'],
  ...['activation', 'best', 'status', 'triggered_leg', 'triggered_price', 'triggered_at', 'entry_id'],
]
  .map((name) => `conditional_orders.${name}`)
  .join(', ');

export const STATUSES = ['untriggered', 'triggered', 'ended'] as const;

/** What triggers or triggered an order, from its columns; undefined for one without triggers. */
export function triggerOf(row: ConditionalColumns): TriggerView | undefined {
  if (row.source === null) return undefined;
  const { callback_ppm: callbackPpm, callback_ticks: callbackTicks, activation } = row;
  const leg = (trigger: number, price: number) => (trigger === 0 ? undefined : { trigger, price });
  const triggered = { leg: row.triggered_leg as TriggeredLeg, price: row.triggered_price, time: row.triggered_at };
  return {
    source: TRIGGER_SOURCES[row.source]!,
    takeProfit: leg(row.profit_trigger, row.profit_price),
    stop: leg(row.stop_trigger, row.stop_price),
    trailing: callbackPpm + callbackTicks === 0 ? undefined : { callbackPpm, callbackTicks, activation },
    best: row.best,
    status: STATUSES[row.status] ?? 'ended',
    triggered: row.triggered_leg === '' ? undefined : triggered,
    entryId: row.entry_id || undefined,
  };
}

export type UntriggeredRow = ConditionalColumns &
  PositionColumns & {
    readonly id: number;
    readonly owner: number;
    readonly market: number;
    readonly side: number;
    readonly time_in_force: number;
    readonly quantity: number;
    readonly quote_total: bigint;
    readonly created_at: number;
    readonly self_trade: number;
  };

const UNTRIGGERED = `SELECT id, owner, orders.market, orders.side, time_in_force, quantity, quote_total::numeric,
    created_at, self_trade, reduce_only, is_hedged, ${conditionalColumns}
  FROM orders JOIN conditional_orders USING (id) WHERE state = 3`;

/** Untriggered orders of the owners from one number up to another, both included. */
export function untriggeredBetween(first: number, last: number): Statement {
  return { sql: `${UNTRIGGERED} AND owner BETWEEN $1 AND $2`, parameters: [first, last] };
}

/** Every untriggered order, oldest first. */
export async function readUntriggeredOrders(database: Database): Promise<UntriggeredOrder[]> {
  return (await database.query<UntriggeredRow>(`${UNTRIGGERED} ORDER BY id`)).map(untriggeredOf);
}

export function untriggeredOf(row: UntriggeredRow): UntriggeredOrder {
  const { source, takeProfit, stop, trailing, best, entryId } = triggerOf(row)!;
  return { ...termsOf(row), source, takeProfit, stop, trailing, best, entryId };
}

function termsOf(row: UntriggeredRow) {
  return {
    orderId: row.id,
    owner: row.owner,
    market: row.market,
    side: row.side as Side,
    timeInForce: TIMES_IN_FORCE[row.time_in_force]!,
    quantity: row.quantity,
    quoteTotal: row.quote_total,
    ...positionOf(row.side as Side, row),
    selfTrade: SELF_TRADE_MODES[row.self_trade]!,
    createdAt: row.created_at,
  };
}

/** What triggered the orders that are open since. */
export async function restoreTriggers(database: Database, views: OrderViews): Promise<void> {
  const rows = await database.query<ConditionalColumns & { readonly id: number }>(
    `SELECT id, ${conditionalColumns} FROM orders JOIN conditional_orders USING (id) WHERE state = 0`,
  );
  for (const row of rows) views.restore(row.id, triggerOf(row)!);
}

function moveStatement({ moves }: ConditionalRun): Statement {
  const rows = [...moves.values()];
  return {
    sql: `UPDATE conditional_orders SET best = n.best
          FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::bigint[]) AS n (market, side, source, best)
          WHERE status = 0 AND conditional_orders.best > 0 AND conditional_orders.market = n.market
                AND conditional_orders.side = n.side AND conditional_orders.source = n.source
                AND CASE n.side WHEN 1 THEN conditional_orders.best < n.best ELSE conditional_orders.best > n.best END`,
    parameters: [
      rows.map(({ market }) => market),
      rows.map(({ side }) => side),
      rows.map(({ source }) => TRIGGER_SOURCES.indexOf(source)),
      rows.map(({ best }) => best),
    ],
  };
}

function upsertStatement({ changes }: ConditionalRun): Statement {
  const rows = [...changes.values()].sort((left, right) => left.order.orderId - right.order.orderId);
  const pick = (column: (row: (typeof rows)[number]) => string | number): Parameter => rows.map(column);
  return {
    sql: `INSERT INTO conditional_orders (id, market, side, source, profit_trigger, profit_price,
                 stop_trigger, stop_price, callback_ppm, callback_ticks, activation, best, status, triggered_leg,
                 triggered_price, triggered_at, entry_id)
          SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::bigint[],
                               $6::bigint[], $7::bigint[], $8::bigint[], $9::integer[], $10::bigint[], $11::bigint[],
                               $12::bigint[], $13::smallint[], $14::text[], $15::bigint[], $16::bigint[],
                               $17::bigint[])
          ON CONFLICT (id) DO UPDATE
          SET profit_trigger = excluded.profit_trigger, profit_price = excluded.profit_price,
              stop_trigger = excluded.stop_trigger, stop_price = excluded.stop_price, best = excluded.best,
              status = excluded.status, triggered_leg = excluded.triggered_leg, triggered_price = excluded.triggered_price,
              triggered_at = excluded.triggered_at`,
    parameters: [
      pick(({ order }) => order.orderId),
      pick(({ order }) => order.market),
      pick(({ order }) => order.side),
      pick(({ order }) => TRIGGER_SOURCES.indexOf(order.source)),
      pick(({ order }) => order.takeProfit?.trigger ?? 0),
      pick(({ order }) => order.takeProfit?.price ?? 0),
      pick(({ order }) => order.stop?.trigger ?? 0),
      pick(({ order }) => order.stop?.price ?? 0),
      pick(({ order }) => order.trailing?.callbackPpm ?? 0),
      pick(({ order }) => order.trailing?.callbackTicks ?? 0),
      pick(({ order }) => order.trailing?.activation ?? 0),
      pick(({ order }) => order.best),
      pick(({ state }) => STATUSES.indexOf(state)),
      pick(({ triggered }) => triggered?.leg ?? ''),
      pick(({ triggered }) => triggered?.price ?? 0),
      pick(({ triggered }) => triggered?.time ?? 0),
      pick(({ order }) => order.entryId ?? 0),
    ],
  };
}

/** The moves first: the rows of this run say themselves how far their orders have come. */
export function conditionalStatements(run: ConditionalRun): Statement[] {
  const statements: Statement[] = [];
  if (run.moves.size > 0) statements.push(moveStatement(run));
  if (run.changes.size > 0) statements.push(upsertStatement(run));
  return statements;
}
