/** The SQL of snapshots: which files are whole, and what their states must be. */
import type { Database } from '../../platform/database.ts';

export interface StoredSnapshot {
  /** The last batch of the journal that the state holds. */
  readonly batch: number;
  /** Its name in the folder of snapshots. */
  readonly file: string;
  readonly stateHash: string;
  readonly openOrders: number;
  readonly lastOrderId: number;
}

export interface SnapshotStore {
  /** Those that the tables can follow on from, newest first. */
  upTo(batch: number): Promise<StoredSnapshot[]>;
  /** Adds one and forgets all but the newest two. @returns the files that count, and those that no longer do */
  add(snapshot: StoredSnapshot, now: number): Promise<{ readonly kept: string[]; readonly forgotten: string[] }>;
  /** Forgets one that could not be used. */
  forget(batch: number): Promise<void>;
}

/** The one before the newest is for a newest that can't be read. */
const KEPT = 2;

type Row = {
  readonly batch: number;
  readonly file: string;
  readonly state_hash: string;
  readonly open_orders: number;
  readonly last_order: number;
};

export function createSnapshotStore(database: Database): SnapshotStore {
  return {
    async upTo(batch) {
      const rows = await database.query<Row>(
        `SELECT batch, file, state_hash, open_orders, last_order FROM snapshots WHERE batch <= $1 ORDER BY batch DESC`,
        [batch],
      );
      return rows.map((row) => ({
        batch: row.batch,
        file: row.file,
        stateHash: row.state_hash,
        openOrders: row.open_orders,
        lastOrderId: row.last_order,
      }));
    },
    async add({ batch, file, stateHash, openOrders, lastOrderId }, now) {
      const [, forgotten = [], kept = []] = await database.transaction([
        {
          sql: `INSERT INTO snapshots (batch, file, state_hash, open_orders, last_order, written_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (batch) DO UPDATE SET file = excluded.file, state_hash = excluded.state_hash`,
          parameters: [batch, file, stateHash, openOrders, lastOrderId, now],
        },
        {
          sql: `DELETE FROM snapshots WHERE batch < (SELECT min(batch) FROM (
                  SELECT batch FROM snapshots ORDER BY batch DESC LIMIT ${KEPT}) AS newest) RETURNING file`,
        },
        { sql: 'SELECT file FROM snapshots' },
      ]);
      const files = (rows: readonly Record<string, unknown>[]) => rows.map((row) => String(row.file));
      return { kept: files(kept), forgotten: files(forgotten) };
    },
    async forget(batch) {
      await database.query('DELETE FROM snapshots WHERE batch = $1', [batch]);
    },
  };
}
