/** Which key is a client's, and which addresses were shown. */
import type { Database } from '../../platform/database.ts';
import type { Family } from '../chains/service.ts';

export interface KeptAddress {
  readonly index: number;
  /** Canonical; null before one was made in the family. */
  readonly address: string | null;
}

/** More than an exchange gives between two backups; the tree of keys has 2^31. */
const SKIPPED = 1_000_000;

export function createAddressStore(database: Database) {
  return {
    async find(clientId: number, family: Family): Promise<KeptAddress | undefined> {
      const [row] = await database.query<{ key_index: number; address: string | null }>(
        `SELECT key_index, address FROM deposit_keys LEFT JOIN deposit_addresses
           ON deposit_addresses.client_id = deposit_keys.client_id AND family = $2
         WHERE deposit_keys.client_id = $1`,
        [clientId, family],
      );
      return row && { index: row.key_index, address: row.address };
    },

    /** The client's index, taken at the first call and the same at each later one, also of two at once. */
    async takeIndex(clientId: number): Promise<number> {
      // A number is drawn only where there is none yet, so that asking often uses none up.
      await database.query(
        `INSERT INTO deposit_keys (client_id)
         SELECT $1 WHERE NOT EXISTS (SELECT FROM deposit_keys WHERE client_id = $1) ON CONFLICT DO NOTHING`,
        [clientId],
      );
      const [row] = await database.query<{ key_index: number }>(
        'SELECT key_index FROM deposit_keys WHERE client_id = $1',
        [clientId],
      );
      if (row === undefined) throw new Error(`Client ${clientId} has no key`);
      return row.key_index;
    },

    /** Indexes far above those that a database of an earlier moment knows of are drawn from now on. @returns the next one */
    async skipIndexes(): Promise<number> {
      const [row] = await database.query<{ next: number }>(
        `SELECT setval(keys, nextval(keys) + $1)::int + 1 AS next FROM pg_get_serial_sequence('deposit_keys', 'key_index') AS keys`,
        [SKIPPED],
      );
      return row?.next ?? 0;
    },

    /** Writing the same address again changes nothing. */
    async add(clientId: number, family: Family, address: string, now: number): Promise<void> {
      await database.query(
        `INSERT INTO deposit_addresses (family, address, client_id, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (family, client_id) DO NOTHING`,
        [family, address, clientId, now],
      );
    },

    /** The clients of those addresses that are the exchange's own. */
    async owners(family: Family, addresses: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await database.query<{ address: string; client_id: number }>(
        'SELECT address, client_id FROM deposit_addresses WHERE family = $1 AND address = ANY ($2::text[])',
        [family, addresses],
      );
      return new Map(rows.map((row) => [row.address, row.client_id]));
    },
  };
}

export type AddressStore = ReturnType<typeof createAddressStore>;
