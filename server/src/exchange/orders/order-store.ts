/** Reads of orders and trades for the lists that people see. Rows are as the projection wrote them. */
import type { Database } from '../../platform/database.ts';
import type { FeeTier } from '../ledger/fee-tiers.ts';
import { type ConditionalColumns, conditionalColumns } from './conditional-store.ts';

export type OrderRow = {
  readonly id: number;
  readonly owner: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly time_in_force: number;
  readonly price: number;
  readonly quantity: number;
  readonly quote_total: bigint;
  readonly remaining: number;
  readonly filled: number;
  readonly filled_quote: bigint;
  readonly fee: bigint;
  readonly state: number;
  readonly reason: string;
  readonly created_at: number;
  readonly updated_at: number;
} & ConditionalColumns;

export type FillRow = {
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly quantity: number;
  readonly taker_side: number;
  readonly maker_order: number;
  readonly taker_order: number;
  readonly maker_owner: number;
  readonly maker_fee: bigint;
  readonly taker_fee: bigint;
  readonly taker: boolean;
  readonly time: number;
};

export interface ListFilter {
  readonly owner: number;
  readonly market: number | undefined;
  readonly side?: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

export interface OrderStore {
  order(owner: number, id: number): Promise<OrderRow | undefined>;
  open(filter: ListFilter): Promise<OrderRow[]>;
  ended(filter: ListFilter): Promise<OrderRow[]>;
  bySide(filter: ListFilter): Promise<OrderRow[]>;
  fills(filter: ListFilter): Promise<FillRow[]>;
  /** Undefined for a client who was never given a tier. */
  feesOf(owner: number): Promise<FeeTier | undefined>;
}

const columns = `id, owner, orders.market, orders.side, type, time_in_force, price, quantity, quote_total::numeric, remaining, filled,
  filled_quote::numeric, fee::numeric, state, reason, created_at, updated_at, ${conditionalColumns}`;
const tables = 'orders LEFT JOIN conditional_orders USING (id)';

const LAST_ID = Number.MAX_SAFE_INTEGER;

export function createOrderStore(database: Database): OrderStore {
  const list = (condition: string, filter: ListFilter) =>
    database.query<OrderRow>(
      `SELECT ${columns} FROM ${tables}
       WHERE owner = $1 AND id < $2 AND ($3::smallint IS NULL OR orders.market = $3)
             AND ($4::smallint IS NULL OR orders.side = $4) AND ${condition}
       ORDER BY id DESC LIMIT $5`,
      [filter.owner, filter.before ?? LAST_ID, filter.market ?? null, filter.side ?? null, filter.limit],
    );
  return {
    async order(owner, id) {
      const [row] = await database.query<OrderRow>(`SELECT ${columns} FROM ${tables} WHERE id = $1 AND owner = $2`, [
        id,
        owner,
      ]);
      return row;
    },
    open: (filter) => list('state IN (0, 3)', filter),
    ended: (filter) => list('state IN (1, 2)', filter),
    bySide: (filter) => list('true', filter),
    async feesOf(owner) {
      const [row] = await database.query<{ maker_ppm: number; taker_ppm: number }>(
        'SELECT maker_ppm, taker_ppm FROM fee_rates WHERE owner = $1',
        [owner],
      );
      return row && { makerPpm: row.maker_ppm, takerPpm: row.taker_ppm };
    },
    fills: (filter) =>
      database.query<FillRow>(
        `SELECT id, market, price, quantity, taker_side, maker_order, taker_order, maker_owner,
                maker_fee::numeric, taker_fee::numeric, taker, time
         FROM (
           (SELECT *, false AS taker FROM trades
            WHERE maker_owner = $1 AND id < $2 AND ($3::smallint IS NULL OR market = $3) ORDER BY id DESC LIMIT $4)
           UNION ALL
           (SELECT *, true AS taker FROM trades
            WHERE taker_owner = $1 AND id < $2 AND ($3::smallint IS NULL OR market = $3) ORDER BY id DESC LIMIT $4)
         ) AS fills
         ORDER BY id DESC, taker DESC LIMIT $4`,
        [filter.owner, filter.before ?? LAST_ID, filter.market ?? null, filter.limit],
      ),
  };
}
