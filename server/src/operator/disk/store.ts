/** How large the database is, by its own word. */
import type { Database } from '../../platform/database.ts';

export async function databaseBytes(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  return row?.bytes ?? 0;
}
