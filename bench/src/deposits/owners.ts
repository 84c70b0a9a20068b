/** Clients with addresses of their own, written into the tables as if each had asked for one. */
import type { Database } from '@cambist/server/platform/database.ts';

/** Above the numbers of all who sign up here. */
const FIRST_OWNER = 1_000_000;

/** Of no key: nothing is ever sent from them. */
export const addressOf = (index: number): string => `0x${(FIRST_OWNER + index).toString(16).padStart(40, '0')}`;

/** @param count as many as there are to be, with those that are there */
export async function fillOwners(database: Database, count: number): Promise<void> {
  const [from, to] = [FIRST_OWNER, FIRST_OWNER + count - 1];
  const range = 'generate_series($1::int, $2::int) AS n';
  await database.query(
    `INSERT INTO clients (id, email, email_key, password_hash, transaction_password_hash, unique_id, created_at)
     OVERRIDING SYSTEM VALUE
     SELECT n, 'owner-' || n || '@example.test', 'owner-' || n || '@example.test', 'none', 'none', 'owner-' || n, 0
     FROM ${range} ON CONFLICT DO NOTHING`,
    [from, to],
  );
  await database.query(`INSERT INTO deposit_keys (client_id) SELECT n FROM ${range} ON CONFLICT DO NOTHING`, [
    from,
    to,
  ]);
  await database.query(
    `INSERT INTO deposit_addresses (family, address, client_id, created_at)
     SELECT 'EVM', '0x' || lpad(to_hex(n), 40, '0'), n, 0 FROM ${range} ON CONFLICT DO NOTHING`,
    [from, to],
  );
  await database.query('ANALYZE deposit_addresses');
}
