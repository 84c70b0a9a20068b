/** Second factors at rest: sealed secrets of authenticator apps, hashed recovery codes, public keys of passkeys. */
import { ConstraintViolation, type Database } from '../platform/database.ts';

export type TotpRow = {
  readonly secret: string;
  readonly enabled_at: number | null;
  readonly last_step: number;
};

export type PasskeyRow = {
  readonly id: number;
  readonly client_id: number;
  readonly credential_id: string;
  /** Base64url. */
  readonly public_key: string;
  readonly counter: number;
  /** Separated by commas. */
  readonly transports: string;
  readonly backed_up: boolean;
  readonly label: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
};

const passkeyColumns =
  'id, client_id, credential_id, public_key, counter, transports, backed_up, label, created_at, last_used_at';

const insertCodes = `INSERT INTO recovery_codes (client_id, code_hash) SELECT $1, unnest($2::text[])`;
const deleteCodes = 'DELETE FROM recovery_codes WHERE client_id = $1';

function createTotpStatements(database: Database) {
  return {
    async totp(clientId: number): Promise<TotpRow | undefined> {
      const [row] = await database.query<TotpRow>(
        'SELECT secret, enabled_at, last_step FROM totp WHERE client_id = $1',
        [clientId],
      );
      return row;
    },
    /** An enrolment that was not finished gives way to the next; one that was stays. */
    async saveEnrolment(clientId: number, secret: string): Promise<void> {
      await database.query(
        `INSERT INTO totp (client_id, secret) VALUES ($1, $2)
         ON CONFLICT (client_id) DO UPDATE SET secret = excluded.secret, last_step = 0 WHERE totp.enabled_at IS NULL`,
        [clientId, secret],
      );
    },
    /** A code is good once: the step must be newer than the last. @returns false for one that was used */
    async useStep(clientId: number, step: number): Promise<boolean> {
      const rows = await database.query(
        'UPDATE totp SET last_step = $2 WHERE client_id = $1 AND last_step < $2 RETURNING client_id',
        [clientId, step],
      );
      return rows.length > 0;
    },
    async enableTotp(clientId: number, now: number, codeHashes: readonly string[]): Promise<void> {
      await database.transaction([
        { sql: 'UPDATE totp SET enabled_at = $2 WHERE client_id = $1', parameters: [clientId, now] },
        { sql: deleteCodes, parameters: [clientId] },
        { sql: insertCodes, parameters: [clientId, codeHashes] },
      ]);
    },
    async deleteTotp(clientId: number): Promise<void> {
      await database.transaction([
        { sql: 'DELETE FROM totp WHERE client_id = $1', parameters: [clientId] },
        { sql: deleteCodes, parameters: [clientId] },
      ]);
    },
    async replaceRecoveryCodes(clientId: number, codeHashes: readonly string[]): Promise<void> {
      await database.transaction([
        { sql: deleteCodes, parameters: [clientId] },
        { sql: insertCodes, parameters: [clientId, codeHashes] },
      ]);
    },
    /** @returns whether it was there: of two that come at once, one uses it */
    async useRecoveryCode(clientId: number, codeHash: string): Promise<boolean> {
      const rows = await database.query(
        'DELETE FROM recovery_codes WHERE client_id = $1 AND code_hash = $2 RETURNING client_id',
        [clientId, codeHash],
      );
      return rows.length > 0;
    },
    async recoveryCodesLeft(clientId: number): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*)::int4 AS count FROM recovery_codes WHERE client_id = $1',
        [clientId],
      );
      return row?.count ?? 0;
    },
  };
}

export function createFactorStore(database: Database) {
  return {
    ...createTotpStatements(database),
    passkeys(clientId: number): Promise<PasskeyRow[]> {
      return database.query<PasskeyRow>(`SELECT ${passkeyColumns} FROM passkeys WHERE client_id = $1 ORDER BY id`, [
        clientId,
      ]);
    },
    async passkey(credentialId: string): Promise<PasskeyRow | undefined> {
      const [row] = await database.query<PasskeyRow>(
        `SELECT ${passkeyColumns} FROM passkeys WHERE credential_id = $1`,
        [credentialId],
      );
      return row;
    },
    /** Answers undefined when the credential is somebody's already. */
    async insertPasskey(passkey: Omit<PasskeyRow, 'id' | 'last_used_at'>): Promise<PasskeyRow | undefined> {
      const { client_id, credential_id, public_key, counter, transports, backed_up, label, created_at } = passkey;
      try {
        const [row] = await database.query<PasskeyRow>(
          `INSERT INTO passkeys (client_id, credential_id, public_key, counter, transports, backed_up, label, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${passkeyColumns}`,
          [client_id, credential_id, public_key, counter, transports, backed_up, label, created_at],
        );
        return row;
      } catch (error) {
        if (error instanceof ConstraintViolation) return undefined;
        throw error;
      }
    },
    /** A counter that does not grow means a copy; authenticators without one stay at 0. */
    async usePasskey(id: number, counter: number, now: number): Promise<boolean> {
      const rows = await database.query(
        `UPDATE passkeys SET counter = $2, last_used_at = $3
         WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
        [id, counter, now],
      );
      return rows.length > 0;
    },
    async renamePasskey(clientId: number, id: number, label: string): Promise<boolean> {
      const rows = await database.query(
        'UPDATE passkeys SET label = $3 WHERE id = $2 AND client_id = $1 RETURNING id',
        [clientId, id, label],
      );
      return rows.length > 0;
    },
    async deletePasskey(clientId: number, id: number): Promise<boolean> {
      const rows = await database.query('DELETE FROM passkeys WHERE id = $2 AND client_id = $1 RETURNING id', [
        clientId,
        id,
      ]);
      return rows.length > 0;
    },
  };
}

export type FactorStore = ReturnType<typeof createFactorStore>;
