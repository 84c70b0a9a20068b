/** The journal's SQL. The tables that follow it are in projection-store.ts. */
import type { Database } from '../../platform/database.ts';

export interface JournalRow {
  readonly batch: number;
  readonly time: number;
  readonly commands: string;
}

export interface JournalStore {
  /** True when the row is there and ours, also when an earlier try had already written it; false when it is another's. */
  append(batch: number, time: number, commands: string): Promise<boolean>;
  /** Rows after a batch, ascending. */
  readAfter(batch: number, limit: number): Promise<JournalRow[]>;
  /** Forgets batches older than a time (ms), as far as the tables hold them; the newest row always stays. */
  prune(before: number): Promise<void>;
}

/** @param writer names this process; a row by another under the same number means that a second writer is alive */
export function createJournalStore(database: Database, writer: string): JournalStore {
  return {
    async append(batch, time, commands) {
      const inserted = await database.writeAlone({
        sql: `INSERT INTO journal (batch, writer, time, commands)
              SELECT $1::bigint, $2::text, $3::bigint, $4::text FROM writer WHERE held
              ON CONFLICT (batch) DO NOTHING RETURNING batch`,
        parameters: [batch, writer, time, commands],
      });
      if (inserted === 1) return true;
      const [row] = await database.query<{ writer: string }>('SELECT writer FROM journal WHERE batch = $1', [batch]);
      return row?.writer === writer;
    },
    readAfter(batch, limit) {
      return database.query<{ batch: number; time: number; commands: string }>(
        'SELECT batch, time, commands FROM journal WHERE batch > $1 ORDER BY batch LIMIT $2',
        [batch, limit],
      );
    },
    async prune(before) {
      await database.query('DELETE FROM journal WHERE time < $1 AND batch < (SELECT batch FROM projection)', [before]);
    },
  };
}
