/** Schedules of TWAPs at rest: what the projection writes of them, and how they are read back. */
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { TwapSchedule } from '@cambist/core/orders/twap/twap.ts';
import type { Database, Statement } from '../../platform/database.ts';

/** Joined to `orders`; all null for an order that is no TWAP. */
export type TwapColumns = {
  readonly interval_ms: number | null;
  readonly slices: number;
  readonly done: number;
  readonly next_at: number;
  readonly ends_at: number;
};

export const twapColumns = 'twaps.interval_ms, twaps.slices, twaps.done, twaps.next_at, twaps.ends_at';
export const twapJoin = 'twaps ON twaps.order_id = orders.id';

export function twapOf(row: TwapColumns): TwapSchedule | undefined {
  if (row.interval_ms === null) return undefined;
  const { slices, done, next_at: nextAt, ends_at: endsAt } = row;
  return { intervalMs: row.interval_ms, slices, done, nextAt, endsAt };
}

/** Schedules by order, as a run of batches leaves them. */
export function twapStatement(schedules: ReadonlyMap<number, TwapSchedule>): Statement {
  const rows = [...schedules.values()];
  return {
    sql: `INSERT INTO twaps (order_id, interval_ms, slices, done, next_at, ends_at)
          SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[], $5::bigint[], $6::bigint[])
          ON CONFLICT (order_id) DO UPDATE SET done = excluded.done, next_at = excluded.next_at,
            ends_at = excluded.ends_at`,
    parameters: [
      [...schedules.keys()],
      rows.map(({ intervalMs }) => intervalMs),
      rows.map(({ slices }) => slices),
      rows.map(({ done }) => done),
      rows.map(({ nextAt }) => nextAt),
      rows.map(({ endsAt }) => endsAt),
    ],
  };
}

/** Of open orders, by order. */
export async function readTwaps(database: Database): Promise<ReadonlyMap<number, TwapSchedule>> {
  const rows = await database.query<TwapColumns & { readonly id: number }>(
    `SELECT id, ${twapColumns} FROM orders JOIN ${twapJoin} WHERE state = 0`,
  );
  return new Map(rows.map((row) => [row.id, twapOf(row)!]));
}

export async function restoreTwapViews(database: Database, views: OrderViews): Promise<void> {
  for (const [orderId, schedule] of await readTwaps(database)) views.restoreTwap(orderId, schedule);
}
