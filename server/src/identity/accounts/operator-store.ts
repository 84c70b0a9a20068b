/** Operators, their links, and what the running server has yet to end. */
import { byExchange, holdAuthority, moveEpoch } from '../../platform/authority.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';
import { factorTables } from '../factors/service.ts';

export type OperatorRow = {
  readonly id: number;
  readonly email: string;
  readonly is_set_up: boolean;
  /** Of a link that was not used yet. */
  readonly link_expires_at: number | null;
};

export type LinkRow = { readonly client_id: number; readonly email: string; readonly expires_at: number };

export interface NewLink {
  readonly tokenHash: string;
  readonly expiresAt: number;
}

/** What opens an account beside its sessions and keys, which the server ends itself. */
const OPENERS = [
  ...factorTables.erased,
  ...['identities', 'devices', 'operator_links'].map((table) => `DELETE FROM ${table} WHERE client_id = $1`),
];

/** Nothing that was known before opens the account any more. */
function closing(clientId: number, isRemoved: boolean): Statement[] {
  return [
    holdAuthority(byExchange(clientId)),
    // Proofs that were given before open nothing any more, a sign-in on its way included.
    moveEpoch(clientId),
    ...OPENERS.map((sql) => ({ sql, parameters: [clientId] })),
    {
      sql: `DELETE FROM verification_codes WHERE email_key = (SELECT email_key FROM clients WHERE id = $1)`,
      parameters: [clientId],
    },
    {
      sql: `UPDATE clients SET password_hash = '', transaction_password_hash = '' WHERE id = $1`,
      parameters: [clientId],
    },
    {
      sql: 'INSERT INTO pending_revocations (client_id, is_removed) VALUES ($1, $2)',
      parameters: [clientId, isRemoved],
    },
  ];
}

/** Operators, who is made one and who is one no more. */
function createOperatorRows(database: Database) {
  return {
    operators(): Promise<OperatorRow[]> {
      return database.query<OperatorRow>(
        `SELECT id, email, password_hash <> '' AS is_set_up,
                (SELECT expires_at FROM operator_links WHERE client_id = clients.id) AS link_expires_at
         FROM clients WHERE role = 'operator' AND deleted_at IS NULL ORDER BY id`,
      );
    },
    /** Ends what opens the account, and gives it a link instead. */
    async rekey(clientId: number, { tokenHash, expiresAt }: NewLink): Promise<void> {
      await database.transaction([
        ...closing(clientId, false),
        {
          sql: 'INSERT INTO operator_links (client_id, token_hash, expires_at) VALUES ($1, $2, $3)',
          parameters: [clientId, tokenHash, expiresAt],
        },
      ]);
    },
    /** @returns false for the last operator, unless it is forced: of two that are removed at once one stays */
    async demote(clientId: number, isForced: boolean): Promise<boolean> {
      const [, rows = []] = await database.transaction([
        { sql: 'LOCK TABLE operator_links IN EXCLUSIVE MODE' },
        {
          sql: `UPDATE clients SET role = 'client' WHERE id = $1 AND role = 'operator'
                  AND ($2 OR (SELECT count(*) FROM clients WHERE role = 'operator' AND deleted_at IS NULL) > 1)
                RETURNING id`,
          parameters: [clientId, isForced],
        },
      ]);
      return rows.length > 0;
    },
    async remove(clientId: number, now: number): Promise<void> {
      await database.transaction([
        ...closing(clientId, true),
        {
          // The address is free at once; the rest goes when the server has ended what it holds.
          sql: `UPDATE clients SET role = 'client', email = '', email_key = 'deleted:' || id, deletion_at = $2 WHERE id = $1`,
          parameters: [clientId, now],
        },
      ]);
    },
  };
}

/** Links of operators, and what the running server has yet to end. */
function createLinkRows(database: Database) {
  return {
    async link(tokenHash: string, now: number): Promise<LinkRow | undefined> {
      const [row] = await database.query<LinkRow>(
        `SELECT client_id, email, operator_links.expires_at FROM operator_links JOIN clients ON clients.id = client_id
         WHERE token_hash = $1 AND operator_links.expires_at > $2 AND role = 'operator'`,
        [tokenHash, now],
      );
      return row;
    },
    /** Uses the link up and sets the passwords, in one statement: of two that come at once one does. */
    async useLink(
      tokenHash: string,
      now: number,
      hashes: { readonly password: string; readonly transactionPassword: string },
    ): Promise<number | undefined> {
      const [row] = await database.query<{ id: number }>(
        `WITH used AS (DELETE FROM operator_links WHERE token_hash = $1 AND expires_at > $2 RETURNING client_id)
         UPDATE clients SET password_hash = $3, transaction_password_hash = $4, auth_epoch = auth_epoch + 1
         FROM used WHERE clients.id = used.client_id AND role = 'operator' RETURNING clients.id`,
        [tokenHash, now, hashes.password, hashes.transactionPassword],
      );
      return row?.id;
    },
    pendingRevocations(): Promise<{ id: number; client_id: number; is_removed: boolean }[]> {
      return database.query('SELECT id, client_id, is_removed FROM pending_revocations ORDER BY id LIMIT 100');
    },
    async revoked(id: number): Promise<void> {
      await database.query('DELETE FROM pending_revocations WHERE id = $1', [id]);
    },
  };
}

export function createOperatorStore(database: Database) {
  return { ...createOperatorRows(database), ...createLinkRows(database) };
}

export type OperatorStore = ReturnType<typeof createOperatorStore>;

export const operatorLinkTimes: readonly TimesAhead[] = [
  { name: 'links of new operators', table: 'operator_links', where: 'expires_at > $1::int8 + 86400000' },
];
