/** Positions that were closed by several orders at once: what the projection writes of that, and how far those orders have come. */
import type { ClosedInParts } from '@cambist/core/margin/event.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { ClosedParts } from '../engine/feed.ts';
import { reasonCode, reasonOf } from './reasons.ts';

export function closingStatement(closings: readonly ClosedInParts[]): Statement {
  return {
    sql: `INSERT INTO closings (order_id, last_order_id, lots, reason)
          SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[])`,
    parameters: [
      closings.map(({ orderId }) => orderId),
      closings.map(({ lastOrderId }) => lastOrderId),
      closings.map(({ lots }) => lots),
      closings.map(({ reason }) => reasonCode(reason ?? 'NONE')),
    ],
  };
}

type ClosingRow = {
  readonly last_order_id: number;
  readonly lots: number;
  readonly filled: number;
  readonly open: number;
  readonly reason: number;
};

/** By the first order, as its orders are now; undefined for one that was placed alone. */
export async function readClosing(database: Database, owner: number, id: number): Promise<ClosedParts | undefined> {
  const [row] = await database.query<ClosingRow>(
    `SELECT last_order_id, lots, sum(quantity - remaining)::bigint AS filled,
            coalesce(sum(remaining) FILTER (WHERE state = 0), 0)::bigint AS open,
            CASE closings.reason WHEN 0 THEN max(orders.reason) FILTER (WHERE orders.id = last_order_id AND state = 2)
              ELSE closings.reason END AS reason
     FROM closings JOIN orders ON orders.id BETWEEN order_id AND last_order_id
     WHERE order_id = $2 AND owner = $1
     GROUP BY closings.order_id`,
    [owner, id],
  );
  if (row === undefined) return undefined;
  const { last_order_id: lastOrderId, lots, filled, open, reason } = row;
  return { firstOrderId: id, lastOrderId, lots, filled, open, reason: reasonOf(reason ?? 0) };
}
