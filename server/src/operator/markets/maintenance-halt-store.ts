/** Table `maintenance_halts`: the pairs that maintenance has halted. */
import type { Database } from '../../platform/database.ts';

export function createMaintenanceHaltStore(database: Database) {
  return {
    async all(): Promise<number[]> {
      const rows = await database.query<{ market: number }>('SELECT market FROM maintenance_halts');
      return rows.map(({ market }) => market);
    },
    async add(markets: readonly number[]): Promise<void> {
      const sql = 'INSERT INTO maintenance_halts SELECT * FROM unnest($1::integer[]) ON CONFLICT DO NOTHING';
      await database.query(sql, [markets]);
    },
    async remove(market: number): Promise<void> {
      await database.query('DELETE FROM maintenance_halts WHERE market = $1', [market]);
    },
  };
}

export type MaintenanceHaltStore = ReturnType<typeof createMaintenanceHaltStore>;
