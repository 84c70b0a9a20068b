/** Table `maintenance_halts`: the pairs that maintenance has halted. */
import type { Database } from '../../platform/database.ts';

export function createMaintenanceHaltStore(database: Database) {
  return {
    async all(): Promise<number[]> {
      const rows = await database.query<{ market: number }>('SELECT market FROM maintenance_halts');
      return rows.map(({ market }) => market);
    },
    /** Puts these in the place of what was there. */
    async save(markets: readonly number[]): Promise<void> {
      await database.query(
        `WITH gone AS (DELETE FROM maintenance_halts WHERE market <> ALL ($1::integer[]))
         INSERT INTO maintenance_halts SELECT * FROM unnest($1::integer[]) ON CONFLICT DO NOTHING`,
        [markets],
      );
    },
  };
}

export type MaintenanceHaltStore = ReturnType<typeof createMaintenanceHaltStore>;
