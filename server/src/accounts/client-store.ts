/** Clients, and what they sign in with, at rest. Passwords are only ever stored hashed. */
import { ConstraintViolation, type Database, type Parameter } from '../platform/database.ts';

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
  anti_phishing_code, withdraw_limit, one_step, whitelist_only, deletion_at, created_at`;

const TAKEN = new Set(['clients_email_key_key', 'clients_by_mobile']);

async function unlessTaken<Result>(work: Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ConstraintViolation && TAKEN.has(error.constraint)) return 'taken';
    throw error;
  }
}

export function createClientStore(database: Database) {
  async function one(condition: string, value: Parameter): Promise<ClientRow | undefined> {
    const [row] = await database.query<ClientRow>(`SELECT ${columns} FROM clients WHERE ${condition}`, [value]);
    return row;
  }

  return {
    clientByEmail: (emailKey: string) => one('email_key = $1', emailKey),
    clientByMobile: (mobile: string) => one('mobile_number = $1', mobile),
    clientById: (id: number) => one('id = $1', id),
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
    /** @returns false when an address or a number is another's */
    async change(id: number, change: ClientChange): Promise<boolean> {
      const entries = CHANGEABLE.filter((column) => change[column] !== undefined);
      if (entries.length === 0) return true;
      const sets = entries.map((column, at) => `${column} = $${at + 2}`).join(', ');
      const values = entries.map((column) => change[column] as string | number | boolean | null);
      const done = await unlessTaken(database.query(`UPDATE clients SET ${sets} WHERE id = $1`, [id, ...values]));
      return done !== 'taken';
    },
    /** Whoever proves a number takes it from those who only claimed it. */
    async bindMobile(id: number, mobile: string, now: number): Promise<boolean> {
      const done = await unlessTaken(
        database.transaction([
          {
            sql: `UPDATE clients SET mobile_number = ''
                  WHERE mobile_number = $1 AND mobile_verified_at IS NULL AND id <> $2`,
            parameters: [mobile, id],
          },
          {
            sql: 'UPDATE clients SET mobile_number = $2, mobile_verified_at = $3 WHERE id = $1',
            parameters: [id, mobile, now],
          },
        ]),
      );
      return done !== 'taken';
    },
    frozen(): Promise<Pick<ClientRow, 'id' | 'freeze_reason' | 'frozen_until'>[]> {
      return database.query(`SELECT id, freeze_reason, frozen_until FROM clients WHERE status = 'FREEZE_ACCOUNT'`);
    },

    async clientByIdentity(provider: Provider, subject: string): Promise<number | undefined> {
      const [row] = await database.query<{ client_id: number }>(
        'SELECT client_id FROM identities WHERE provider = $1 AND subject = $2',
        [provider, subject],
      );
      return row?.client_id;
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
    async connect(clientId: number, provider: Provider, subject: string, email: string, now: number): Promise<boolean> {
      const [, rows] = await database.transaction([
        {
          sql: 'DELETE FROM identities WHERE client_id = $1 AND provider = $2 AND subject <> $3',
          parameters: [clientId, provider, subject],
        },
        {
          sql: `INSERT INTO identities (provider, subject, client_id, email, connected_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (provider, subject) DO UPDATE SET email = excluded.email
                WHERE identities.client_id = excluded.client_id RETURNING client_id`,
          parameters: [provider, subject, clientId, email, now],
        },
      ]);
      return rows?.length === 1;
    },
    async disconnect(clientId: number, provider: Provider): Promise<void> {
      await database.query('DELETE FROM identities WHERE client_id = $1 AND provider = $2', [clientId, provider]);
    },

    /** Newest first, the one in use included. */
    async pastPasswords(clientId: number, kind: PasswordKind, limit: number): Promise<string[]> {
      const rows = await database.query<{ hash: string }>(
        'SELECT hash FROM past_passwords WHERE client_id = $1 AND kind = $2 ORDER BY id DESC LIMIT $3',
        [clientId, kind, limit],
      );
      return rows.map(({ hash }) => hash);
    },
    /** Sets a password and remembers the one before it. */
    async setPassword(clientId: number, kind: PasswordKind, hash: string): Promise<void> {
      const column = kind === 'password' ? 'password_hash' : 'transaction_password_hash';
      await database.transaction([
        {
          sql: `INSERT INTO past_passwords (client_id, kind, hash)
                SELECT id, $2, ${column} FROM clients WHERE id = $1 AND ${column} <> ''`,
          parameters: [clientId, kind],
        },
        { sql: `UPDATE clients SET ${column} = $2 WHERE id = $1`, parameters: [clientId, hash] },
      ]);
    },
  };
}

export type ClientStore = ReturnType<typeof createClientStore>;
