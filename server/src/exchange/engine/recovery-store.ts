/** The row that says how far the tables have come. */
import type { Counters } from '@cambist/core/exchange/exchange.ts';
import type { Database } from '../../platform/database.ts';

export interface Progress {
  /** The batch that the tables hold. */
  readonly batch: number;
  readonly counters: Counters;
}

type Row = {
  readonly batch: number;
  readonly last_order: number;
  readonly last_trade: number;
  readonly last_priority: number;
  readonly last_transfer: number;
};

/** @throws when the row is missing: the database is not one of ours */
export async function readProgress(database: Database): Promise<Progress> {
  const [row] = await database.query<Row>('SELECT * FROM projection');
  if (row === undefined) throw new Error('The projection row is missing: the database is not one of ours');
  const counters = {
    lastOrderId: row.last_order,
    lastTradeId: row.last_trade,
    lastPriority: row.last_priority,
    lastTransferId: row.last_transfer,
  };
  return { batch: row.batch, counters };
}
