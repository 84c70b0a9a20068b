/** Reads of orders and trades for the lists that clients see. Rows are as the projection wrote them. */
import { SELF_TRADE_MODES, TIMES_IN_FORCE, TYPES } from '@cambist/core/events/event-record.ts';
import type { OrderView } from '@cambist/core/orders/order-view.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import type { Database } from '../../platform/database.ts';
import type { ClosedParts } from '../engine/feed.ts';
import { clientOrderIdColumn, isConversionOf } from './client-order-id-store.ts';
import { readClosing } from './closing-store.ts';
import { type ConditionalColumns, conditionalColumns, triggerOf } from './conditional-store.ts';
import { type ExitColumns, exitColumns, exitJoin, exitPlanOf } from './exit-plan-store.ts';
import { icebergColumns } from './iceberg-store.ts';
import { type PositionColumns, positionOf } from './position-columns.ts';
import { reasonOf } from './reasons.ts';
import { type TwapColumns, twapColumns, twapJoin, twapOf } from './twap-store.ts';

type OrderRow = {
  readonly id: number;
  readonly owner: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly time_in_force: number;
  readonly self_trade: number;
  readonly price: number;
  readonly quantity: number;
  readonly quote_total: bigint;
  readonly remaining: number;
  readonly filled_quote: bigint;
  readonly fee: bigint;
  readonly fee_credit: bigint;
  readonly priority: number;
  readonly state: number;
  readonly reason: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly client_order_id: string | null;
  readonly visible: number | null;
  readonly hidden: number | null;
} & PositionColumns &
  ConditionalColumns &
  ExitColumns &
  TwapColumns;

export interface ListFilter {
  readonly owner: number;
  readonly markets: readonly number[];
  readonly side?: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

/** Orders that have ended, within a span of ids: `first` up to the one before `before`. */
export interface EndedFilter {
  readonly owner: number;
  readonly markets: readonly number[];
  readonly side: number | undefined;
  readonly type: 'limit' | 'market' | 'conditional' | 'twap' | 'convert' | undefined;
  readonly state: 'filled' | 'cancelled' | undefined;
  readonly first: number;
  readonly before: number;
}

export interface OrderStore {
  order(owner: number, id: number): Promise<OrderView | undefined>;
  /** By the first of several orders that closed a position; undefined for another one. */
  closing(owner: number, id: number): Promise<ClosedParts | undefined>;
  open(filter: ListFilter): Promise<OrderView[]>;
  /** Newest first. */
  ended(filter: EndedFilter): Promise<OrderView[]>;
  bySide(filter: ListFilter): Promise<OrderView[]>;
}

const columns = `id, owner, orders.market, orders.side, type, time_in_force, self_trade, reduce_only, is_hedged, price, quantity,
  quote_total::numeric, remaining, filled_quote::numeric, fee::numeric, fee_credit::numeric, priority, state, reason, created_at, updated_at,
  ${clientOrderIdColumn}, ${conditionalColumns}, ${exitColumns},
  ${icebergColumns}, ${twapColumns}`;
const tables = `orders LEFT JOIN conditional_orders USING (id) LEFT JOIN ${exitJoin} LEFT JOIN ${twapJoin}`;

const STATES = ['open', 'filled', 'cancelled', 'untriggered'] as const;

const ENDED = { filled: [1], cancelled: [2], either: [1, 2] } as const;

function viewOf(row: OrderRow): OrderView {
  const twap = twapOf(row);
  return {
    orderId: row.id,
    owner: row.owner,
    market: row.market,
    side: row.side as Side,
    type: TYPES[row.type]!,
    timeInForce: TIMES_IN_FORCE[row.time_in_force]!,
    selfTrade: SELF_TRADE_MODES[row.self_trade]!,
    ...positionOf(row.side as Side, row),
    price: row.price,
    quantity: row.quantity,
    quoteTotal: row.quote_total,
    remaining: row.remaining,
    priority: row.priority,
    filledValue: row.filled_quote,
    fee: row.fee,
    credit: row.fee_credit,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    status: STATES[row.state]!,
    reason: reasonOf(row.reason),
    trigger: triggerOf(row),
    clientOrderId: row.client_order_id ?? undefined,
    exits: exitPlanOf(row),
    visible: row.visible ?? 0,
    hidden: twap !== undefined && row.state === 0 ? row.remaining : (row.hidden ?? 0),
    twap,
  };
}

const LAST_ID = Number.MAX_SAFE_INTEGER;

export function createOrderStore(database: Database): OrderStore {
  const list = async (condition: string, filter: ListFilter) => {
    const rows = await database.query<OrderRow>(
      `SELECT ${columns} FROM ${tables}
       WHERE owner = $1 AND id < $2 AND orders.market = ANY ($3::smallint[])
             AND ($4::smallint IS NULL OR orders.side = $4) AND ${condition}
       ORDER BY id DESC LIMIT $5`,
      [filter.owner, filter.before ?? LAST_ID, filter.markets, filter.side ?? null, filter.limit],
    );
    return rows.map(viewOf);
  };
  return {
    async order(owner, id) {
      const [row] = await database.query<OrderRow>(`SELECT ${columns} FROM ${tables} WHERE id = $1 AND owner = $2`, [
        id,
        owner,
      ]);
      return row && viewOf(row);
    },
    closing: (owner, id) => readClosing(database, owner, id),
    open: (filter) => list('state IN (0, 3)', filter),
    async ended({ owner, markets, side, type, state, first, before }) {
      const rows = await database.patient.query<OrderRow>(
        `SELECT ${columns} FROM ${tables}
         WHERE owner = $1 AND id >= $2 AND id < $3 AND state = ANY ($4::smallint[])
               AND orders.market = ANY ($5::smallint[]) AND ($6::smallint IS NULL OR orders.side = $6)
               AND ($7::text IS NULL OR CASE WHEN conditional_orders.source IS NOT NULL THEN 'conditional'
                    WHEN twaps.order_id IS NOT NULL THEN 'twap' WHEN ${isConversionOf('orders.id')} THEN 'convert'
                    WHEN type = 0 THEN 'limit' ELSE 'market' END = $7)
         ORDER BY id DESC`,
        [owner, first, before, ENDED[state ?? 'either'], markets, side ?? null, type ?? null],
      );
      return rows.map(viewOf);
    },
    bySide: (filter) => list('true', filter),
  };
}
