/** The open and waiting orders of a client with what was filled of them, read when the client first listens. */
import type { Side } from '@cambist/core/terms/order-terms.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import type { Database } from '../../platform/database.ts';
import { type ConditionalColumns, conditionalColumns, describeRowTrigger } from '../orders/service.ts';
import type { TrackedOrder } from './order-tracker.ts';

interface OrderRow extends Record<string, unknown>, ConditionalColumns {
  id: number;
  owner: number;
  market: number;
  side: number;
  type: number;
  time_in_force: number;
  quote_total: bigint;
  filled: number;
  filled_quote: bigint;
  fee: bigint;
  created_at: number;
  last_trade: number;
}

const TYPES = ['limit', 'market'] as const;
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'POST_ONLY'] as const;

export function createStreamStore(database: Database, markets: readonly MarketSpec[]) {
  return {
    /** One statement, one state of the tables: the sums count every trade up to `lastTrade`, and none after it. */
    async openOrdersOf(owner: number): Promise<{ readonly lastTrade: number; readonly orders: TrackedOrder[] }> {
      const rows = await database.query<OrderRow>(
        `SELECT id, owner, orders.market, orders.side, type, time_in_force, quote_total::numeric, filled,
                filled_quote::numeric, fee::numeric, created_at, (SELECT last_trade FROM projection) AS last_trade,
                ${conditionalColumns}
         FROM orders LEFT JOIN conditional_orders USING (id) WHERE state IN (0, 3) AND owner = $1`,
        [owner],
      );
      const orders = rows.map((row) => ({
        orderId: row.id,
        owner: row.owner,
        market: row.market,
        side: row.side as Side,
        type: TYPES[row.type]!,
        timeInForce: TIMES_IN_FORCE[row.time_in_force]!,
        quoteTotal: row.quote_total,
        createdAt: row.created_at,
        trigger: describeRowTrigger(markets[row.market]!, row),
        filled: row.filled,
        filledTicksLots: row.filled_quote / quoteUnitsPerTickLot(markets[row.market]!),
        fee: row.fee,
      }));
      return { lastTrade: rows[0]?.last_trade ?? 0, orders };
    },
  };
}

export type StreamStore = ReturnType<typeof createStreamStore>;
