/** Withdrawal addresses, API keys and data exports at rest. Keys are hashed, exports encrypted. */
import { type Authority, byExchange, holdAuthority } from '../../platform/authority.ts';
import { ConstraintViolation, type Database } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

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
  readonly networks: string;
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
  'api_keys.id, client_id, role, prefix, label, permissions, networks, api_keys.created_at, expires_at, last_used_at';
const keyTables = 'api_keys JOIN clients ON clients.id = client_id';
const exportColumns = 'id, client_id, state, document, asked_at, expires_at';

function createKeyStatements(database: Database) {
  return {
    /** @returns false when there are as many as there may be */
    async insertKey(
      by: Authority,
      key: Omit<KeyRow, 'id' | 'last_used_at' | 'role'> & { readonly keyHash: string },
      maximum: number,
    ): Promise<boolean> {
      const { client_id, keyHash, prefix, label, permissions, networks, created_at, expires_at } = key;
      const rows = await database.transaction([
        holdAuthority(by),
        {
          sql: `INSERT INTO api_keys (client_id, key_hash, prefix, label, permissions, networks, created_at, expires_at)
                SELECT $1, $2, $3, $4, $5, $9, $6, $7
                WHERE (SELECT count(*) FROM api_keys WHERE client_id = $1 AND expires_at > $6) < $8 RETURNING id`,
          parameters: [client_id, keyHash, prefix, label, permissions, created_at, expires_at, maximum, networks],
        },
      ]);
      return rows[1]?.length === 1;
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
    async touchKeys(ids: readonly number[], times: readonly number[]): Promise<void> {
      await database.query(
        `UPDATE api_keys SET last_used_at = used.at
         FROM (SELECT api_keys.id, uses.at FROM api_keys JOIN unnest($1::bigint[], $2::bigint[]) AS uses (id, at)
               ON uses.id = api_keys.id FOR UPDATE OF api_keys SKIP LOCKED) AS used
         WHERE api_keys.id = used.id`,
        [ids, times],
      );
    },
    /** @returns the ids that were there; all of the client's without an id */
    async deleteKeys(clientId: number, id?: number): Promise<number[]> {
      const rows = await database.transaction([
        holdAuthority(byExchange(clientId)),
        {
          sql: 'DELETE FROM api_keys WHERE client_id = $1 AND ($2::bigint IS NULL OR id = $2::bigint) RETURNING id',
          parameters: [clientId, id ?? null],
        },
      ]);
      return (rows[1] as { id: number }[]).map((row) => row.id);
    },
  };
}

function createExportStatements(database: Database) {
  return {
    /** @returns undefined when there are as many as there may be */
    async insertExport(by: Authority, now: number, expiresAt: number, maximum: number): Promise<number | undefined> {
      const rows = await database.transaction([
        holdAuthority(by),
        {
          sql: `INSERT INTO data_exports (client_id, asked_at, expires_at) SELECT $1, $2, $3
                WHERE (SELECT count(*) FROM data_exports WHERE client_id = $1 AND expires_at > $2) < $4 RETURNING id`,
          parameters: [by.clientId, now, expiresAt, maximum],
        },
      ]);
      return (rows[1] as { id: number }[])[0]?.id;
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
    async insertAddress(
      by: Authority,
      entry: Omit<WhitelistRow, 'id'>,
      maximum: number,
    ): Promise<WhitelistRow | 'exist' | 'too-many'> {
      const { label, coin, network, address, created_at, active_at } = entry;
      try {
        const rows = await database.transaction([
          holdAuthority(by),
          {
            sql: `INSERT INTO whitelist (client_id, label, coin, network, address, created_at, active_at)
                  SELECT $1, $2, $3, $4, $5, $6, $7
                  WHERE (SELECT count(*) FROM whitelist WHERE client_id = $1) < $8 RETURNING ${addressColumns}`,
            parameters: [by.clientId, label, coin, network, address, created_at, active_at, maximum],
          },
        ]);
        return (rows[1] as WhitelistRow[])[0] ?? 'too-many';
      } catch (error) {
        if (error instanceof ConstraintViolation) return 'exist';
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

export const securityTables: PersonalTables = {
  exported: {
    withdrawal_addresses: 'SELECT label, coin, network, address, created_at FROM whitelist WHERE client_id = $1',
    api_keys:
      'SELECT label, prefix, permissions, networks, created_at, expires_at, last_used_at FROM api_keys WHERE client_id = $1',
  },
  erased: ['whitelist', 'api_keys', 'data_exports'].map((table) => `DELETE FROM ${table} WHERE client_id = $1`),
};

export const securityTimes: readonly TimesAhead[] = [
  {
    name: 'saved addresses',
    table: 'whitelist',
    where: 'created_at > $1',
    set: 'created_at = $1, active_at = $1::int8 + active_at - created_at',
  },
  {
    name: 'API keys',
    table: 'api_keys',
    where: 'created_at > $1',
    set: 'created_at = $1, expires_at = $1::int8 + expires_at - created_at',
  },
  {
    name: 'copies of data',
    table: 'data_exports',
    where: 'asked_at > $1',
    set: 'asked_at = $1, expires_at = $1::int8 + expires_at - asked_at',
  },
];
