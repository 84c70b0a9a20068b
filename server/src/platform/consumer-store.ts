/** How far each consumer has come. */
import type { Database, Statement } from './database.ts';

export interface ConsumerStore {
  /** @returns undefined for a consumer that has never run */
  position(name: string): Promise<number | undefined>;
  /** The effects and the position in one transaction. A position never goes back. */
  write(name: string, position: number, effects: readonly Statement[]): Promise<void>;
}

export function createConsumerStore(database: Database): ConsumerStore {
  return {
    async position(name) {
      const [row] = await database.query<{ position: number }>('SELECT position FROM consumers WHERE name = $1', [
        name,
      ]);
      return row?.position;
    },
    async write(name, position, effects) {
      await database.transaction([
        ...effects,
        {
          sql: `INSERT INTO consumers (name, position) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET position = greatest(consumers.position, excluded.position)`,
          parameters: [name, position],
        },
      ]);
    },
  };
}
