/** Table `settling_prices`: the price of a settlement that was begun, until the market trades again. */
import type { Database } from '../../platform/database.ts';

export function createSettlingStore(database: Database) {
  return {
    /** Ticks; undefined for a market of which nothing is settled. */
    async priceOf(market: number): Promise<number | undefined> {
      const [row] = await database.query<{ price: number }>('SELECT price FROM settling_prices WHERE market = $1', [
        market,
      ]);
      return row?.price;
    },
    async begin(market: number, price: number): Promise<void> {
      await database.query(
        'INSERT INTO settling_prices (market, price) VALUES ($1, $2) ON CONFLICT (market) DO UPDATE SET price = $2',
        [market, price],
      );
    },
    async forget(market: number): Promise<void> {
      await database.query('DELETE FROM settling_prices WHERE market = $1', [market]);
    },
  };
}

export type SettlingStore = ReturnType<typeof createSettlingStore>;
