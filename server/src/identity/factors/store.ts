/** Second factors at rest: encrypted secrets of authenticator apps, hashed recovery codes, public keys of passkeys. */
import { type Authority, byExchange, holdAuthority, moveEpoch } from '../../platform/authority.ts';
import { AuthorityEnded, ConstraintViolation, type Database } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

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

/** Authenticator apps. */
/** Authenticator apps as they stand. */
function createAppReading(database: Database) {
  return {
    /** Of these clients, those who have connected an authenticator app. */
    async withApp(ids: readonly number[]): Promise<Set<number>> {
      const rows = await database.query<{ client_id: number }>(
        'SELECT client_id FROM totp WHERE client_id = ANY ($1::int8[]) AND enabled_at IS NOT NULL',
        [ids],
      );
      return new Set(rows.map(({ client_id }) => client_id));
    },
    async totp(clientId: number): Promise<TotpRow | undefined> {
      const [row] = await database.query<TotpRow>(
        'SELECT secret, enabled_at, last_step FROM totp WHERE client_id = $1',
        [clientId],
      );
      return row;
    },
    /**
     * An enrolment that was not finished gives way to the next; one that was stays.
     * @returns whether it was saved
     */
    async saveEnrolment(by: Authority, secret: string): Promise<boolean> {
      const rows = await database.transaction([
        holdAuthority(by),
        {
          sql: `INSERT INTO totp (client_id, secret) VALUES ($1, $2)
                ON CONFLICT (client_id) DO UPDATE SET secret = excluded.secret, last_step = 0
                WHERE totp.enabled_at IS NULL RETURNING client_id`,
          parameters: [by.clientId, secret],
        },
      ]);
      return rows[1]?.length === 1;
    },
  };
}

/** What happens to authenticator apps. */
function createAppChanges(database: Database) {
  return {
    /**
     * A code is good once: the step must be newer than the last. A last one that is later than any code of now was remembered by a clock
     * that was ahead, and does not lock its owner out until then.
     * @param newest the latest step whose code is right now @returns false for one that was used
     */
    async useStep(clientId: number, step: number, newest: number): Promise<boolean> {
      const rows = await database.query(
        `UPDATE totp SET last_step = $2
         WHERE client_id = $1 AND (last_step < $2 OR last_step > $3) RETURNING client_id`,
        [clientId, step, newest],
      );
      return rows.length > 0;
    },
    /** @param secret the one whose code was right: another enrolment may have begun since */
    async enableTotp(by: Authority, secret: string, now: number, codeHashes: readonly string[]): Promise<void> {
      const { clientId } = by;
      const isMine = 'EXISTS (SELECT 1 FROM totp WHERE client_id = $1 AND secret = $2 AND enabled_at = $3)';
      const rows = await database.transaction([
        holdAuthority(by),
        {
          sql: `UPDATE totp SET enabled_at = $3 WHERE client_id = $1 AND secret = $2 AND enabled_at IS NULL
                RETURNING client_id`,
          parameters: [clientId, secret, now],
        },
        moveEpoch(clientId),
        { sql: `${deleteCodes} AND ${isMine}`, parameters: [clientId, secret, now] },
        {
          sql: `INSERT INTO recovery_codes (client_id, code_hash) SELECT $1, unnest($4::text[]) WHERE ${isMine}`,
          parameters: [clientId, secret, now, codeHashes],
        },
      ]);
      if (rows[1]?.length === 0) throw new AuthorityEnded('proof', 'Another enrolment has begun');
    },
    async deleteTotp(by: Authority): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        moveEpoch(by.clientId),
        { sql: 'DELETE FROM totp WHERE client_id = $1', parameters: [by.clientId] },
        { sql: deleteCodes, parameters: [by.clientId] },
      ]);
    },
  };
}

function createAppStatements(database: Database) {
  return { ...createAppReading(database), ...createAppChanges(database) };
}

/** Recovery codes. */
function createCodeStatements(database: Database) {
  return {
    /** Of two at once the later one's codes are left: the client's row is held from before the first is deleted. */
    async replaceRecoveryCodes(by: Authority, codeHashes: readonly string[]): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        moveEpoch(by.clientId),
        { sql: deleteCodes, parameters: [by.clientId] },
        { sql: insertCodes, parameters: [by.clientId, codeHashes] },
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

function createTotpStatements(database: Database) {
  return { ...createAppStatements(database), ...createCodeStatements(database) };
}

/** Passkeys, and new ones. */
function createPasskeyRows(database: Database) {
  return {
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
    /** Answers undefined when the credential belongs to a client already. */
    async insertPasskey(
      by: Authority,
      passkey: Omit<PasskeyRow, 'id' | 'last_used_at'>,
      maximum: number,
    ): Promise<PasskeyRow | 'too-many' | undefined> {
      const { client_id, credential_id, public_key, counter, transports, backed_up, label, created_at } = passkey;
      try {
        const rows = await database.transaction([
          holdAuthority(by),
          {
            sql: `INSERT INTO passkeys (client_id, credential_id, public_key, counter, transports, backed_up, label,
                                        created_at)
                  SELECT $1, $2, $3, $4, $5, $6, $7, $8
                  WHERE (SELECT count(*) FROM passkeys WHERE client_id = $1) < $9 RETURNING ${passkeyColumns}`,
            parameters: [
              client_id,
              credential_id,
              public_key,
              counter,
              transports,
              backed_up,
              label,
              created_at,
              maximum,
            ],
          },
          moveEpoch(client_id),
        ]);
        return (rows[1] as PasskeyRow[])[0] ?? 'too-many';
      } catch (error) {
        if (error instanceof ConstraintViolation) return undefined;
        throw error;
      }
    },
  };
}

/** What happens to passkeys. */
function createPasskeyChanges(database: Database) {
  return {
    /**
     * A counter that does not grow means a copy; authenticators without one stay at 0.
     * @returns the client's epoch while the passkey was there; undefined for a copy, and for one that is gone
     */
    async usePasskey(id: number, counter: number, now: number): Promise<number | undefined> {
      const [row] = await database.query<{ auth_epoch: number }>(
        `UPDATE passkeys SET counter = $2, last_used_at = $3 FROM clients
         WHERE passkeys.id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) AND clients.id = client_id
         RETURNING auth_epoch`,
        [id, counter, now],
      );
      return row?.auth_epoch;
    },
    async renamePasskey(clientId: number, id: number, label: string): Promise<boolean> {
      const rows = await database.query(
        'UPDATE passkeys SET label = $3 WHERE id = $2 AND client_id = $1 RETURNING id',
        [clientId, id, label],
      );
      return rows.length > 0;
    },
    async deletePasskey(by: Authority, id: number): Promise<boolean> {
      const rows = await database.transaction([
        holdAuthority(by),
        moveEpoch(by.clientId),
        {
          sql: 'DELETE FROM passkeys WHERE id = $2 AND client_id = $1 RETURNING id',
          parameters: [by.clientId, id],
        },
      ]);
      return rows[2]?.length === 1;
    },
  };
}

/** All factors together. */
function createRemoval(database: Database) {
  return {
    /** @param by the operator who does it @returns whether there were any */
    async removeAll(by: Authority, clientId: number): Promise<boolean> {
      const parameters = [clientId];
      const [, , , apps, keys] = await database.transaction([
        holdAuthority(by),
        holdAuthority(byExchange(clientId)),
        moveEpoch(clientId),
        { sql: 'DELETE FROM totp WHERE client_id = $1 RETURNING enabled_at', parameters },
        { sql: 'DELETE FROM passkeys WHERE client_id = $1 RETURNING id', parameters },
        { sql: deleteCodes, parameters },
      ]);
      const hadApp = (apps as Pick<TotpRow, 'enabled_at'>[]).some(({ enabled_at }) => enabled_at !== null);
      return hadApp || (keys as unknown[]).length > 0;
    },
  };
}

function createPasskeyStatements(database: Database) {
  return { ...createPasskeyRows(database), ...createPasskeyChanges(database) };
}

export function createFactorStore(database: Database) {
  return { ...createTotpStatements(database), ...createPasskeyStatements(database), ...createRemoval(database) };
}

export type FactorStore = ReturnType<typeof createFactorStore>;

export const factorTables: PersonalTables = {
  exported: { passkeys: 'SELECT label, created_at, last_used_at FROM passkeys WHERE client_id = $1' },
  erased: ['totp', 'recovery_codes', 'passkeys'].map((table) => `DELETE FROM ${table} WHERE client_id = $1`),
};

export const factorTimes: readonly TimesAhead[] = [
  {
    name: 'used steps of authenticator apps',
    table: 'totp',
    where: 'last_step > $1::int8 / 30000 + 1',
    set: 'last_step = $1::int8 / 30000',
  },
  { name: 'uses of passkeys', table: 'passkeys', where: 'last_used_at > $1', set: 'last_used_at = $1' },
];
