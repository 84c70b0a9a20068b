/** Clients, and what they sign in with, at rest. Passwords are only ever stored hashed. */
import { type Authority, byExchange, holdAuthority, moveEpoch } from '../../platform/authority.ts';
import {
  AuthorityEnded,
  ConstraintViolation,
  type Database,
  type Parameter,
  type Statement,
} from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import { endingOf } from './session-store.ts';

export type Role = 'client' | 'operator';
export type Provider = 'google' | 'apple' | 'wallet';
export type PasswordKind = 'password' | 'transaction-password';

export type ClientRow = {
  readonly id: number;
  /** Empty for an account that came by wallet. */
  readonly email: string;
  readonly password_hash: string;
  readonly transaction_password_hash: string;
  /** E.164, or empty. */
  readonly mobile_number: string;
  readonly mobile_verified_at: number | null;
  readonly unique_id: string;
  readonly role: Role;
  readonly status: 'ACTIVE' | 'FREEZE_ACCOUNT';
  readonly freeze_reason: string;
  readonly frozen_until: number | null;
  readonly verified: boolean;
  readonly provider: 'email' | Provider;
  readonly locale: string;
  readonly name: string;
  readonly gender: '' | 'Male' | 'Female';
  readonly date_of_birth: string;
  readonly address: string;
  readonly anti_phishing_code: string;
  readonly withdraw_limit: 500 | 1000 | 1500 | null;
  readonly one_step: boolean;
  readonly whitelist_only: boolean;
  readonly deletion_at: number | null;
  readonly created_at: number;
  /** Moves on with every change of what proves the client, and with every ending of all sessions. */
  readonly auth_epoch: number;
};

export interface NewClient {
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string;
  readonly transactionPasswordHash: string;
  readonly mobileNumber: string;
  readonly referral: string;
  readonly uniqueId: string;
  readonly role: Role;
  readonly provider: 'email' | Provider;
  readonly locale: string;
  readonly createdAt: number;
}

/** Columns that a person or an operator changes, by name; nothing else can be. */
const CHANGEABLE = [
  'email',
  'email_key',
  'password_hash',
  'transaction_password_hash',
  'mobile_number',
  'mobile_verified_at',
  'locale',
  'name',
  'gender',
  'date_of_birth',
  'address',
  'anti_phishing_code',
  'withdraw_limit',
  'one_step',
  'whitelist_only',
  'status',
  'freeze_reason',
  'frozen_until',
  'deletion_at',
] as const;
export type ClientChange = { readonly [Column in (typeof CHANGEABLE)[number]]?: string | number | boolean | null };

const columns = `id, email, password_hash, transaction_password_hash, mobile_number, mobile_verified_at, unique_id, role,
  status, freeze_reason, frozen_until, verified, provider, locale, name, gender, date_of_birth, address,
  anti_phishing_code, withdraw_limit, one_step, whitelist_only, deletion_at, created_at, auth_epoch`;

interface ChangeOptions {
  readonly movesEpoch?: boolean;
  readonly from?: ClientChange;
}

/** Of the columns that may be changed alone. @param first the number of the first parameter */
function assignments(change: ClientChange, first: number) {
  const entries = CHANGEABLE.flatMap((column) =>
    change[column] === undefined ? [] : [[column, change[column]] as const],
  );
  return entries.map(([column, parameter], at) => ({ column, parameter, value: `$${first + at}` }));
}

const TAKEN = new Set(['clients_email_key_key', 'clients_by_mobile']);

async function unlessTaken<Result>(work: Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ConstraintViolation && TAKEN.has(error.constraint)) return 'taken';
    throw error;
  }
}

/** Rows of clients, and their changes. */
/** Clients by what they sign in with, and new ones. */
function createLookups(database: Database) {
  async function one(condition: string, value: Parameter): Promise<ClientRow | undefined> {
    const [row] = await database.query<ClientRow>(`SELECT ${columns} FROM clients WHERE ${condition}`, [value]);
    return row;
  }

  return {
    clientByEmail: (emailKey: string) => one('email_key = $1', emailKey),
    clientByMobile: (mobile: string) => one('mobile_number = $1', mobile),
    clientById: (id: number) => one('id = $1', id),
    clientsById: (ids: readonly number[]): Promise<ClientRow[]> =>
      database.query<ClientRow>(`SELECT ${columns} FROM clients WHERE id = ANY ($1::int8[])`, [ids]),
    /** Answers undefined when the address or the number was taken in the meantime. */
    async insertClient(client: NewClient): Promise<number | undefined> {
      const rows = await unlessTaken(
        database.query<{ id: number }>(
          `INSERT INTO clients (email, email_key, password_hash, transaction_password_hash, mobile_number, referral,
                                unique_id, role, provider, locale, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
          [
            client.email,
            client.emailKey,
            client.passwordHash,
            client.transactionPasswordHash,
            client.mobileNumber,
            client.referral,
            client.uniqueId,
            client.role,
            client.provider,
            client.locale,
            client.createdAt,
          ],
        ),
      );
      return rows === 'taken' ? undefined : rows[0]?.id;
    },
  };
}

/** Changes of a client, each under an authority. */
function createChanges(database: Database) {
  return {
    /**
     * @param options `movesEpoch` where the change is of what proves the client; `from` are values that were looked at
     * before: where one is another by now, the change is refused as outdated
     * @returns false when an address or a number is another's
     */
    async change(by: Authority, change: ClientChange, options: ChangeOptions = {}): Promise<boolean> {
      const sets = assignments(change, 2);
      if (sets.length === 0) return true;
      const from = assignments(options.from ?? {}, 2 + sets.length);
      const statements: Statement[] = [
        holdAuthority(by),
        {
          sql: `UPDATE clients SET ${sets.map(({ column, value }) => `${column} = ${value}`).join(', ')}
                WHERE id = $1${from.map(({ column, value }) => ` AND ${column} IS NOT DISTINCT FROM ${value}`).join('')}
                RETURNING id`,
          parameters: [by.clientId, ...[...sets, ...from].map(({ parameter }) => parameter)],
        },
        ...(options.movesEpoch ? [moveEpoch(by.clientId)] : []),
      ];
      const done = await unlessTaken(database.transaction(statements));
      if (done !== 'taken' && done[1]?.length === 0)
        throw new AuthorityEnded('proof', 'The client has changed meanwhile');
      return done !== 'taken';
    },
    /** Whoever proves a number takes it from those who only claimed it. */
    async bindMobile(by: Authority, mobile: string, now: number): Promise<boolean> {
      const done = await unlessTaken(
        database.transaction([
          holdAuthority(by),
          {
            sql: `UPDATE clients SET mobile_number = ''
                  WHERE mobile_number = $1 AND mobile_verified_at IS NULL AND id <> $2`,
            parameters: [mobile, by.clientId],
          },
          {
            sql: 'UPDATE clients SET mobile_number = $2, mobile_verified_at = $3 WHERE id = $1',
            parameters: [by.clientId, mobile, now],
          },
          moveEpoch(by.clientId),
        ]),
      );
      return done !== 'taken';
    },
  };
}

function createClientRows(database: Database) {
  return { ...createLookups(database), ...createChanges(database) };
}

/** Accounts that end, and those that are frozen. */
function createEndings(database: Database) {
  return {
    /** Ends all sessions with it, and writes what tells of it. */
    async beginDeletion(by: Authority, at: number, news: readonly Statement[] = []): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        { sql: 'UPDATE clients SET deletion_at = $2 WHERE id = $1', parameters: [by.clientId, at] },
        ...endingOf(by.clientId, undefined),
        ...news,
      ]);
    },
    async dueDeletions(now: number, after: number): Promise<number[]> {
      const rows = await database.query<{ id: number }>(
        'SELECT id FROM clients WHERE deletion_at <= $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT 100',
        [now, after],
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Leaves a row without a person, together with the other slices' statements.
     * @returns false when the deletion was taken back meanwhile; then nothing was done
     */
    async erase(clientId: number, now: number, others: readonly Statement[]): Promise<boolean> {
      try {
        await database.transaction([
          holdAuthority(byExchange(clientId)),
          { sql: 'SELECT begin_erasure($1, $2)', parameters: [clientId, now] },
          ...others,
        ]);
        return true;
      } catch (error) {
        if (error instanceof AuthorityEnded) return false;
        throw error;
      }
    },
    /** Those whose accounts have ended: their rows stay, and no one can open them. */
    async erasedOf(clientIds: readonly number[]): Promise<ReadonlySet<number>> {
      const rows = await database.query<{ id: number }>(
        'SELECT id FROM clients WHERE id = ANY ($1::bigint[]) AND deleted_at IS NOT NULL',
        [clientIds],
      );
      return new Set(rows.map(({ id }) => id));
    },
    frozen(): Promise<Pick<ClientRow, 'id' | 'freeze_reason' | 'frozen_until'>[]> {
      return database.query(`SELECT id, freeze_reason, frozen_until FROM clients WHERE status = 'FREEZE_ACCOUNT'`);
    },
  };
}

/** Accounts elsewhere that may sign in here. */
function createConnections(database: Database) {
  return {
    /** One statement: the epoch is that under which the connection was there. */
    async clientByIdentity(provider: Provider, subject: string): Promise<ClientRow | undefined> {
      const [row] = await database.query<ClientRow>(
        `SELECT ${columns} FROM clients
         WHERE id = (SELECT client_id FROM identities WHERE provider = $1 AND subject = $2)`,
        [provider, subject],
      );
      return row;
    },
    identitiesOf(
      clientId: number,
    ): Promise<{ provider: Provider; subject: string; email: string; connected_at: number }[]> {
      return database.query(
        'SELECT provider, subject, email, connected_at FROM identities WHERE client_id = $1 ORDER BY connected_at',
        [clientId],
      );
    },
    /** The newest connection of a kind stands for the client. @returns false when it is another's */
    async connect(by: Authority, provider: Provider, subject: string, email: string, now: number): Promise<boolean> {
      const { clientId } = by;
      const rows = await database.transaction([
        holdAuthority(by),
        {
          sql: `DELETE FROM identities WHERE client_id = $1 AND provider = $2 AND subject <> $3 AND NOT EXISTS (
                  SELECT 1 FROM identities AS known
                  WHERE known.provider = $2 AND known.subject = $3 AND known.client_id <> $1)`,
          parameters: [clientId, provider, subject],
        },
        {
          sql: `INSERT INTO identities (provider, subject, client_id, email, connected_at)
                SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (
                  SELECT 1 FROM identities WHERE client_id = $3 AND provider = $1 AND subject <> $2)
                ON CONFLICT (provider, subject) DO UPDATE SET email = excluded.email
                WHERE identities.client_id = excluded.client_id RETURNING client_id`,
          parameters: [provider, subject, clientId, email, now],
        },
      ]);
      return rows[2]?.length === 1;
    },
    async disconnect(by: Authority, provider: Provider): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        moveEpoch(by.clientId),
        {
          sql: 'DELETE FROM identities WHERE client_id = $1 AND provider = $2',
          parameters: [by.clientId, provider],
        },
      ]);
    },
  };
}

/** Passwords, and those before them. */
function createPasswordRows(database: Database) {
  return {
    /** Newest first, the one in use included. */
    async pastPasswords(clientId: number, kind: PasswordKind, limit: number): Promise<string[]> {
      const rows = await database.query<{ hash: string }>(
        'SELECT hash FROM past_passwords WHERE client_id = $1 AND kind = $2 ORDER BY id DESC LIMIT $3',
        [clientId, kind, limit],
      );
      return rows.map(({ hash }) => hash);
    },
    /**
     * Sets a password, remembers the one before it, and locks every session for orders; another sign-in password also ends
     * all sessions but one.
     */
    async setPassword(by: Authority, kind: PasswordKind, hash: string, kept: number | undefined): Promise<void> {
      const { clientId } = by;
      const column = kind === 'password' ? 'password_hash' : 'transaction_password_hash';
      await database.transaction([
        holdAuthority(by),
        {
          sql: `INSERT INTO past_passwords (client_id, kind, hash)
                SELECT id, $2, ${column} FROM clients WHERE id = $1 AND ${column} <> ''`,
          parameters: [clientId, kind],
        },
        { sql: `UPDATE clients SET ${column} = $2 WHERE id = $1`, parameters: [clientId, hash] },
        ...(kind === 'password' ? endingOf(clientId, kept) : [moveEpoch(clientId)]),
        { sql: 'UPDATE sessions SET trading_unlocked_until = 0 WHERE client_id = $1', parameters: [clientId] },
      ]);
    },
  };
}

export function createClientStore(database: Database) {
  return {
    ...createClientRows(database),
    ...createEndings(database),
    ...createConnections(database),
    ...createPasswordRows(database),
  };
}

export type ClientStore = ReturnType<typeof createClientStore>;

export const accountTables: PersonalTables = {
  exported: {
    account: `SELECT id, email, mobile_number, unique_id, referral, provider, locale, verified, name, gender,
                date_of_birth, address, status, freeze_reason, withdraw_limit, one_step, whitelist_only, created_at
              FROM clients WHERE id = $1`,
    connected_accounts: 'SELECT provider, subject, email, connected_at FROM identities WHERE client_id = $1',
    sessions:
      'SELECT way, created_at, last_used_at, expires_at, user_agent, address, place FROM sessions WHERE client_id = $1',
    known_devices: 'SELECT created_at, last_used_at, expires_at FROM devices WHERE client_id = $1',
    sign_ins: 'SELECT at, way, outcome, user_agent, address, place FROM sign_ins WHERE client_id = $1 ORDER BY id',
    withdrawal_holds: 'SELECT kind, reason, from_at, until_at FROM holds WHERE client_id = $1 ORDER BY id',
  },
  erased: ['sessions', 'identities', 'past_passwords', 'sign_ins', 'devices'].map(
    (table) => `DELETE FROM ${table} WHERE client_id = $1`,
  ),
};
