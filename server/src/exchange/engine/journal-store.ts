/** The journal's SQL. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Database } from '../../platform/database.ts';
import { JOURNAL_VERSION, type JournalRow } from './journal.ts';

export interface JournalStore {
  /** True when the row is there and ours, also when an earlier try had already written it; false when it is another's. */
  append(row: Omit<JournalRow, 'version'>): Promise<boolean>;
  /** Rows after a batch, ascending. */
  readAfter(batch: number, limit: number): Promise<JournalRow[]>;
  /** Whether a batch is in the journal or in its archive. */
  holds(batch: number): Promise<boolean>;
  /**
   * Moves batches older than a time (ms) to the archive, as far as the tables and every snapshot hold them; the newest
   * row always stays.
   * Found by number from the oldest on, a segment at a time, so a long journal is never scanned.
   */
  archive(before: number): Promise<void>;
}

const SEGMENT_ROWS = 2_000;
const compress = promisify(gzip);

/** @param writer names this process; a row by another under the same number means that a second writer is alive */
export function createJournalStore(database: Database, writer: string): JournalStore {
  const columns = 'batch, time, version, commands, digest';

  /** @returns whether there may be more */
  async function archiveSegment(before: number): Promise<boolean> {
    const rows = await database.query<JournalRow & Record<string, unknown>>(
      `SELECT ${columns} FROM journal
       WHERE batch < (SELECT batch FROM projection)
         AND batch <= coalesce((SELECT min(batch) FROM snapshots), batch) ORDER BY batch LIMIT ${SEGMENT_ROWS}`,
    );
    // Where a clock that was ahead was set back, a row is followed by older ones: all up to the last of those go.
    const old = rows.slice(0, rows.findLastIndex(({ time }) => time < before) + 1);
    const [first, last] = [old.at(0), old.at(-1)];
    if (first === undefined || last === undefined) return false;
    const segment = await compress(old.map((row) => JSON.stringify(row)).join('\n'));
    await database.transaction([
      {
        sql: `INSERT INTO journal_archive (first_batch, last_batch, segment) VALUES ($1, $2, $3)`,
        parameters: [first.batch, last.batch, segment],
      },
      { sql: 'DELETE FROM journal WHERE batch >= $1 AND batch <= $2', parameters: [first.batch, last.batch] },
    ]);
    return old.length === rows.length && rows.length === SEGMENT_ROWS;
  }

  return {
    async append({ batch, time, commands, digest }) {
      const inserted = await database.writeAlone({
        sql: `INSERT INTO journal (batch, writer, time, version, commands, digest)
              SELECT $1::bigint, $2::text, $3::bigint, $4::smallint, $5::text, $6::text FROM writer WHERE held
              ON CONFLICT (batch) DO NOTHING RETURNING batch`,
        parameters: [batch, writer, time, JOURNAL_VERSION, commands, digest],
      });
      if (inserted === 1) return true;
      const [row] = await database.query<{ writer: string }>('SELECT writer FROM journal WHERE batch = $1', [batch]);
      return row?.writer === writer;
    },
    readAfter(batch, limit) {
      return database.query<JournalRow & Record<string, unknown>>(
        `SELECT ${columns} FROM journal WHERE batch > $1 ORDER BY batch LIMIT $2`,
        [batch, limit],
      );
    },
    async holds(batch) {
      const rows = await database.query(
        `SELECT FROM journal WHERE batch = $1
         UNION ALL SELECT FROM journal_archive WHERE first_batch <= $1 AND last_batch >= $1`,
        [batch],
      );
      return rows.length > 0;
    },
    async archive(before) {
      while (await archiveSegment(before));
    },
  };
}
