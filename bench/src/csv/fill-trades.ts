/** A database with many fills of one client. */
import type { Database } from '@cambist/server/platform/database.ts';

const TRADES_PER_SECOND = 10;

/**
 * Puts trades of a client into the tables as if they had been made, half of them as maker, and sets the counters. What
 * they moved is taken to be proven, so the balances stay as they are.
 */
export async function fillTrades(database: Database, email: string, count: number): Promise<void> {
  const [client] = await database.query<{ id: number }>('SELECT id FROM clients WHERE email = $1', [email]);
  if (client === undefined) throw new Error(`There is no client ${email}`);
  const [newest] = await database.query<{ id: number }>('SELECT last_trade AS id FROM projection');
  const first = newest?.id ?? 0;
  const begun = Date.now() - (count / TRADES_PER_SECOND) * 1000;
  await database.query(
    `INSERT INTO trades (id, market, price, quantity, taker_side, maker_order, taker_order, maker_owner, taker_owner,
                         maker_fee, taker_fee, maker_credit, taker_credit, time)
     SELECT $1::bigint + n, 0, 500000 + n % 2000, 1 + n % 5000, n % 2, n, n, CASE WHEN n % 4 < 2 THEN $2::bigint ELSE 5000 END,
            CASE WHEN n % 4 < 2 THEN 5000 ELSE $2::bigint END, 40 + n % 100, 50 + n % 100, 0, 0,
            $3::bigint + n * ${1000 / TRADES_PER_SECOND}
     FROM generate_series(1, $4::int) AS n`,
    [first, client.id, begun, count],
  );
  await database.query('UPDATE projection SET last_trade = last_trade + $1::bigint', [count]);
  await database.query('UPDATE reconciliation SET trade = (SELECT last_trade FROM projection)');
  await database.query('UPDATE bar_checkpoint SET last_trade = (SELECT last_trade FROM projection)');
  await database.query('ANALYZE trades');
}
