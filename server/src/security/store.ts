/** Withdrawal addresses, API keys and data exports at rest. Keys are hashed, exports sealed. */
import { ConstraintViolation, type Database } from '../platform/database.ts';

export type WhitelistRow = {
  readonly id: number;
  readonly label: string;
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  readonly created_at: number;
  readonly active_at: number;
};

export type KeyRow = {
  readonly id: number;
  readonly client_id: number;
  readonly role: 'client' | 'operator';
  readonly prefix: string;
  readonly label: string;
  /** Separated by commas. */
  readonly permissions: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: number | null;
};

export type ExportRow = {
  readonly id: number;
  readonly client_id: number;
  readonly state: 'waiting' | 'ready' | 'failed';
  readonly document: string;
  readonly asked_at: number;
  readonly expires_at: number;
};

const addressColumns = 'id, label, coin, network, address, created_at, active_at';
const keyColumns =
  'api_keys.id, client_id, role, prefix, label, permissions, api_keys.created_at, expires_at, last_used_at';
const keyTables = 'api_keys JOIN clients ON clients.id = client_id';
const exportColumns = 'id, client_id, state, document, asked_at, expires_at';

function createKeyStatements(database: Database) {
  return {
    async insertKey(key: Omit<KeyRow, 'id' | 'last_used_at' | 'role'> & { readonly keyHash: string }): Promise<void> {
      await database.query(
        `INSERT INTO api_keys (client_id, key_hash, prefix, label, permissions, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [key.client_id, key.keyHash, key.prefix, key.label, key.permissions, key.created_at, key.expires_at],
      );
    },
    keys(clientId: number, now: number): Promise<KeyRow[]> {
      return database.query<KeyRow>(
        `SELECT ${keyColumns} FROM ${keyTables} WHERE client_id = $1 AND expires_at > $2 ORDER BY api_keys.id DESC`,
        [clientId, now],
      );
    },
    async keyByHash(hash: string): Promise<KeyRow | undefined> {
      const [row] = await database.query<KeyRow>(`SELECT ${keyColumns} FROM ${keyTables} WHERE key_hash = $1`, [hash]);
      return row;
    },
    async useKey(id: number, now: number): Promise<void> {
      await database.query('UPDATE api_keys SET last_used_at = $2 WHERE id = $1', [id, now]);
    },
    /** @returns the ids that were there; all of the client's without an id */
    async deleteKeys(clientId: number, id?: number): Promise<number[]> {
      const rows = await database.query<{ id: number }>(
        'DELETE FROM api_keys WHERE client_id = $1 AND ($2::bigint IS NULL OR id = $2::bigint) RETURNING id',
        [clientId, id ?? null],
      );
      return rows.map((row) => row.id);
    },
  };
}

function createExportStatements(database: Database) {
  return {
    async insertExport(clientId: number, now: number, expiresAt: number): Promise<number> {
      const [row] = await database.query<{ id: number }>(
        'INSERT INTO data_exports (client_id, asked_at, expires_at) VALUES ($1, $2, $3) RETURNING id',
        [clientId, now, expiresAt],
      );
      return (row as { id: number }).id;
    },
    exports(clientId: number, now: number): Promise<ExportRow[]> {
      return database.query<ExportRow>(
        `SELECT ${exportColumns} FROM data_exports WHERE client_id = $1 AND expires_at > $2 ORDER BY id DESC LIMIT 50`,
        [clientId, now],
      );
    },
    waitingExports(after: number): Promise<ExportRow[]> {
      return database.query<ExportRow>(
        `SELECT ${exportColumns} FROM data_exports WHERE state = 'waiting' AND id > $1 ORDER BY id LIMIT 20`,
        [after],
      );
    },
    async finishExport(id: number, state: 'ready' | 'failed', document: string): Promise<void> {
      await database.query('UPDATE data_exports SET state = $2, document = $3 WHERE id = $1', [id, state, document]);
    },
    async deleteOldExports(now: number): Promise<void> {
      await database.query('DELETE FROM data_exports WHERE expires_at <= $1', [now]);
    },
  };
}

export function createSecurityStore(database: Database) {
  return {
    ...createKeyStatements(database),
    ...createExportStatements(database),
    whitelist(clientId: number): Promise<WhitelistRow[]> {
      return database.query<WhitelistRow>(
        `SELECT ${addressColumns} FROM whitelist WHERE client_id = $1 ORDER BY id DESC`,
        [clientId],
      );
    },
    /** Answers undefined when it is there already. */
    async insertAddress(clientId: number, entry: Omit<WhitelistRow, 'id'>): Promise<WhitelistRow | undefined> {
      const { label, coin, network, address, created_at, active_at } = entry;
      try {
        const [row] = await database.query<WhitelistRow>(
          `INSERT INTO whitelist (client_id, label, coin, network, address, created_at, active_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${addressColumns}`,
          [clientId, label, coin, network, address, created_at, active_at],
        );
        return row;
      } catch (error) {
        if (error instanceof ConstraintViolation) return undefined;
        throw error;
      }
    },
    async deleteAddress(clientId: number, id: number): Promise<boolean> {
      const rows = await database.query('DELETE FROM whitelist WHERE client_id = $1 AND id = $2 RETURNING id', [
        clientId,
        id,
      ]);
      return rows.length > 0;
    },
  };
}

export type SecurityStore = ReturnType<typeof createSecurityStore>;
