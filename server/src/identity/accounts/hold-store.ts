/** Holds of withdrawals, and the maintenance of the platform. */
import type { Database } from '../../platform/database.ts';

export type HoldKind = 'password' | 'transaction-password' | 'factor' | 'whitelist' | 'operator';

export type HoldRow = {
  readonly id: number;
  readonly client_id: number;
  readonly kind: HoldKind;
  /** An operator's words; empty for the others, whose kind says why. */
  readonly reason: string;
  readonly from_at: number;
  readonly until_at: number | null;
  readonly by_id: number | null;
};

export type MaintenanceRow = {
  readonly since: number | null;
  readonly reason: string;
  readonly until_at: number | null;
  readonly by_id: number | null;
};

const columns = 'id, client_id, kind, reason, from_at, until_at, by_id';

export function createHoldStore(database: Database) {
  return {
    async insertHold(hold: Omit<HoldRow, 'id'>): Promise<number> {
      const [row] = await database.query<{ id: number }>(
        `INSERT INTO holds (client_id, kind, reason, from_at, until_at, by_id) VALUES ($1, $2, $3, $4, $5, $6)
         RETURNING id`,
        [hold.client_id, hold.kind, hold.reason, hold.from_at, hold.until_at, hold.by_id],
      );
      return (row as { id: number }).id;
    },
    activeHolds(clientId: number, now: number): Promise<HoldRow[]> {
      return database.query<HoldRow>(
        `SELECT ${columns} FROM holds
         WHERE client_id = $1 AND lifted_at IS NULL AND (until_at IS NULL OR until_at > $2) ORDER BY id`,
        [clientId, now],
      );
    },
    async liftHold(id: number, now: number): Promise<HoldRow | undefined> {
      const [row] = await database.query<HoldRow>(
        `UPDATE holds SET lifted_at = $2
         WHERE id = $1 AND lifted_at IS NULL AND (until_at IS NULL OR until_at > $2) RETURNING ${columns}`,
        [id, now],
      );
      return row;
    },
    async readMaintenance(): Promise<MaintenanceRow> {
      const [row] = await database.query<MaintenanceRow>('SELECT since, reason, until_at, by_id FROM maintenance');
      return row as MaintenanceRow;
    },
    async saveMaintenance({ since, reason, until_at, by_id }: MaintenanceRow): Promise<void> {
      await database.query('UPDATE maintenance SET since = $1, reason = $2, until_at = $3, by_id = $4', [
        since,
        reason,
        until_at,
        by_id,
      ]);
    },
  };
}

export type HoldStore = ReturnType<typeof createHoldStore>;
