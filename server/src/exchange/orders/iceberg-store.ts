/** Icebergs at rest: what the projection writes of them, and how they are read back. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { Database, Statement } from '../../platform/database.ts';

/** What an order shows at a time and what of it is not in the book, both in lots. */
export interface Iceberg {
  readonly visible: number;
  readonly hidden: number;
}

export const NO_ICEBERG: Iceberg = { visible: 0, hidden: 0 };

/** Columns of a statement that reads `orders`; null for an order that shows all of it. */
export const icebergColumns = `(SELECT visible FROM icebergs WHERE order_id = orders.id) AS visible,
  (SELECT hidden FROM icebergs WHERE order_id = orders.id) AS hidden`;

/** Icebergs by order, as a run of batches leaves them. */
export class IcebergRun {
  readonly #changed = new Map<number, Iceberg>();

  /** @param at of an iceberg */
  add(events: EventBatch, at: number): void {
    this.#changed.set(events.orderId(at), { visible: events.visible(at), hidden: events.hidden(at) });
  }

  clear(): void {
    this.#changed.clear();
  }

  statements(): Statement[] {
    if (this.#changed.size === 0) return [];
    const rows = [...this.#changed.values()];
    return [
      {
        sql: `INSERT INTO icebergs (order_id, visible, hidden) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
              ON CONFLICT (order_id) DO UPDATE SET visible = excluded.visible, hidden = excluded.hidden`,
        parameters: [[...this.#changed.keys()], rows.map(({ visible }) => visible), rows.map(({ hidden }) => hidden)],
      },
    ];
  }
}

/** Of open orders, by order. */
export async function readIcebergs(database: Database): Promise<ReadonlyMap<number, Iceberg>> {
  const rows = await database.query<{ readonly id: number; readonly visible: number; readonly hidden: number }>(
    'SELECT id, visible, hidden FROM icebergs JOIN orders ON id = order_id WHERE state = 0',
  );
  return new Map(rows.map(({ id, visible, hidden }) => [id, { visible, hidden }]));
}
