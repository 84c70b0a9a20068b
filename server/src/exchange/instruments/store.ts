/** Table `favorites`. The instruments' own tables follow the events: see projection.ts. */
import type { Database } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';

export function createMarketsStore(database: Database) {
  return {
    async favoritesOf(clientId: number): Promise<number[]> {
      const rows = await database.query<{ market: number }>(
        'SELECT market FROM favorites WHERE client_id = $1 ORDER BY added_at, market',
        [clientId],
      );
      return rows.map((row) => row.market);
    },

    /** @returns whether there was one to remove */
    async removeFavorite(clientId: number, market: number): Promise<boolean> {
      const rows = await database.query('DELETE FROM favorites WHERE client_id = $1 AND market = $2 RETURNING market', [
        clientId,
        market,
      ]);
      return rows.length > 0;
    },

    async addFavorite(clientId: number, market: number, now: number): Promise<void> {
      await database.query(
        'INSERT INTO favorites (client_id, market, added_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [clientId, market, now],
      );
    },
  };
}

export type MarketsStore = ReturnType<typeof createMarketsStore>;

export const favoriteTables: PersonalTables = {
  exported: { favorites: 'SELECT market FROM favorites WHERE client_id = $1' },
  erased: ['DELETE FROM favorites WHERE client_id = $1'],
};
