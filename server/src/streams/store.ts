/** The open orders of clients with what was filled of them, read once at start. */
import type { Side } from '@cambist/core/exchange/command.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import type { Database } from '../platform/database.ts';
import type { TrackedOrder } from './order-tracker.ts';

interface OrderRow extends Record<string, unknown> {
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
}

const TYPES = ['limit', 'market'] as const;
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'POST_ONLY'] as const;

export function createStreamStore(database: Database, markets: readonly MarketSpec[]) {
  return {
    /** @param house owners whose orders nobody listens to */
    async openOrders(house: readonly number[]): Promise<TrackedOrder[]> {
      const rows = await database.query<OrderRow>(
        `SELECT id, owner, market, side, type, time_in_force, quote_total, filled, filled_quote, fee, created_at
         FROM orders WHERE state = 0 AND owner <> ALL ($1::bigint[])`,
        [house],
      );
      return rows.map((row) => ({
        orderId: row.id,
        owner: row.owner,
        market: row.market,
        side: row.side as Side,
        type: TYPES[row.type]!,
        timeInForce: TIMES_IN_FORCE[row.time_in_force]!,
        quoteTotal: row.quote_total,
        createdAt: row.created_at,
        filled: row.filled,
        filledTicksLots: row.filled_quote / quoteUnitsPerTickLot(markets[row.market]!),
        fee: row.fee,
      }));
    },
  };
}

export type StreamStore = ReturnType<typeof createStreamStore>;
