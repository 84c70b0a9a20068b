/** Clients, verification codes and sessions at rest. Passwords, codes and tokens are only ever stored hashed. */
import { ConstraintViolation, type Database } from '../platform/database.ts';

export type ClientRow = {
  readonly id: number;
  readonly email: string;
  readonly password_hash: string;
  readonly transaction_password_hash: string;
  readonly mobile_number: string;
  readonly unique_id: string;
  readonly role: 'client' | 'operator';
  readonly status: 'ACTIVE' | 'FREEZE_ACCOUNT';
};

export interface NewClient {
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string;
  readonly transactionPasswordHash: string;
  readonly mobileNumber: string;
  readonly referral: string;
  readonly uniqueId: string;
  readonly role: 'client' | 'operator';
  readonly createdAt: number;
}

export type CodeRow = {
  readonly code_hash: string;
  readonly tries_left: number;
  readonly sent_at: number;
  readonly expires_at: number;
};

export type SessionRow = {
  readonly id: number;
  readonly client_id: number;
  readonly role: 'client' | 'operator';
  readonly status: 'ACTIVE' | 'FREEZE_ACCOUNT';
  readonly expires_at: number;
  readonly trading_unlocked_until: number;
};

export interface NewSession {
  readonly tokenHash: string;
  readonly clientId: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly userAgent: string;
  readonly address: string;
}

const clientColumns = 'id, email, password_hash, transaction_password_hash, mobile_number, unique_id, role, status';

export function createAccountStore(database: Database) {
  return {
    async clientByEmail(emailKey: string): Promise<ClientRow | undefined> {
      const [row] = await database.query<ClientRow>(`SELECT ${clientColumns} FROM clients WHERE email_key = $1`, [
        emailKey,
      ]);
      return row;
    },
    async clientById(id: number): Promise<ClientRow | undefined> {
      const [row] = await database.query<ClientRow>(`SELECT ${clientColumns} FROM clients WHERE id = $1`, [id]);
      return row;
    },
    /** Answers undefined when the address was taken in the meantime. */
    async insertClient(client: NewClient): Promise<number | undefined> {
      try {
        const [row] = await database.query<{ id: number }>(
          `INSERT INTO clients (email, email_key, password_hash, transaction_password_hash, mobile_number, referral,
                                unique_id, role, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
          [
            client.email,
            client.emailKey,
            client.passwordHash,
            client.transactionPasswordHash,
            client.mobileNumber,
            client.referral,
            client.uniqueId,
            client.role,
            client.createdAt,
          ],
        );
        return row?.id;
      } catch (error) {
        if (error instanceof ConstraintViolation && error.constraint === 'clients_email_key_key') return undefined;
        throw error;
      }
    },
    async saveCode(emailKey: string, purpose: string, code: CodeRow): Promise<void> {
      await database.query(
        `INSERT INTO verification_codes (email_key, purpose, code_hash, tries_left, sent_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (email_key, purpose) DO UPDATE
         SET code_hash = excluded.code_hash, tries_left = excluded.tries_left, sent_at = excluded.sent_at,
             expires_at = excluded.expires_at`,
        [emailKey, purpose, code.code_hash, code.tries_left, code.sent_at, code.expires_at],
      );
    },
    async readCode(emailKey: string, purpose: string): Promise<CodeRow | undefined> {
      const [row] = await database.query<CodeRow>(
        'SELECT code_hash, tries_left, sent_at, expires_at FROM verification_codes WHERE email_key = $1 AND purpose = $2',
        [emailKey, purpose],
      );
      return row;
    },
    /** Takes one try, and answers the code if one was left: two requests at once can't share a try. */
    async takeTry(emailKey: string, purpose: string, now: number): Promise<string | undefined> {
      const [row] = await database.query<{ code_hash: string }>(
        `UPDATE verification_codes SET tries_left = tries_left - 1
         WHERE email_key = $1 AND purpose = $2 AND tries_left > 0 AND expires_at > $3 RETURNING code_hash`,
        [emailKey, purpose, now],
      );
      return row?.code_hash;
    },
    async forgetCode(emailKey: string, purpose: string): Promise<void> {
      await database.query('DELETE FROM verification_codes WHERE email_key = $1 AND purpose = $2', [emailKey, purpose]);
    },
    async insertSession(session: NewSession): Promise<number> {
      const [row] = await database.query<{ id: number }>(
        `INSERT INTO sessions (token_hash, client_id, created_at, expires_at, user_agent, address)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
        [session.tokenHash, session.clientId, session.createdAt, session.expiresAt, session.userAgent, session.address],
      );
      return (row as { id: number }).id;
    },
    async session(tokenHash: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>(
        `SELECT sessions.id, client_id, role, status, expires_at, trading_unlocked_until
         FROM sessions JOIN clients ON clients.id = client_id WHERE token_hash = $1`,
        [tokenHash],
      );
      return row;
    },
    async deleteSession(id: number): Promise<void> {
      await database.query('DELETE FROM sessions WHERE id = $1', [id]);
    },
    async deleteExpired(now: number): Promise<void> {
      await database.transaction([
        { sql: 'DELETE FROM sessions WHERE expires_at <= $1', parameters: [now] },
        { sql: 'DELETE FROM verification_codes WHERE expires_at <= $1', parameters: [now] },
      ]);
    },
    async unlockTrading(sessionId: number, until: number): Promise<void> {
      await database.query('UPDATE sessions SET trading_unlocked_until = $2 WHERE id = $1', [sessionId, until]);
    },
    async lockTrading(clientId: number): Promise<void> {
      await database.query('UPDATE sessions SET trading_unlocked_until = 0 WHERE client_id = $1', [clientId]);
    },
  };
}

export type AccountStore = ReturnType<typeof createAccountStore>;
