/** Sessions, who signed in or tried to, and verification codes. Tokens and codes are only ever stored hashed. */
import { type Authority, byExchange, holdAuthority, moveEpoch } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

export type Way = 'password' | 'google' | 'apple' | 'wallet' | 'passkey';
export type Outcome = 'success' | 'wrong-password' | 'wrong-factor' | 'frozen' | 'maintenance';

export interface CodeKey {
  readonly target: string;
  readonly purpose: string;
  /** A network or a device; empty for a signed-in client. */
  readonly asker: string;
}

export interface CodeRow {
  readonly code_hash: string;
  /** For the asker, and as many for all others together. */
  readonly tries: number;
  readonly sent_at: number;
  readonly expires_at: number;
}

export type SessionRow = {
  readonly id: number;
  readonly client_id: number;
  readonly role: Identity['role'];
  readonly way: Way;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: number;
  readonly user_agent: string;
  readonly address: string;
  readonly place: string;
  readonly trading_unlocked_until: number;
};

export interface NewSession {
  readonly tokenHash: string;
  readonly clientId: number;
  /** `clients.auth_epoch` when the proof was checked. */
  readonly epoch: number;
  readonly locale: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly way: Way;
  readonly userAgent: string;
  readonly address: string;
  readonly place: string;
  /** Of the browser's secret, where it sent one. */
  readonly deviceHash: string | undefined;
}

export type SignInRow = {
  readonly id: number;
  readonly at: number;
  readonly way: Way;
  readonly outcome: Outcome;
  readonly user_agent: string;
  readonly address: string;
  readonly place: string;
};

const columns = `sessions.id, client_id, clients.role, way, sessions.created_at, expires_at, last_used_at, user_agent,
  sessions.address, place, trading_unlocked_until`;

/**
 * For the transaction that ends all sessions of a client but one. Whoever had a session may have its device's secret too.
 * The first statement answers the ids that were there.
 */
export const endingOf = (clientId: number, kept: number | undefined): Statement[] => [
  {
    sql: 'DELETE FROM sessions WHERE client_id = $1 AND id IS DISTINCT FROM $2::bigint RETURNING id',
    parameters: [clientId, kept ?? null],
  },
  { sql: 'DELETE FROM devices WHERE client_id = $1', parameters: [clientId] },
  moveEpoch(clientId),
];

function createCodeStatements(database: Database) {
  return {
    /**
     * @param pauseMs since the asker's last one; a clock that was set back by more ends it
     * @returns whether it was saved: of many at once one is
     */
    async saveCode({ target, purpose, asker }: CodeKey, code: CodeRow, pauseMs: number): Promise<boolean> {
      const rows = await database.query(
        `INSERT INTO verification_codes
           (email_key, purpose, asker, code_hash, tries_left, tries_elsewhere_left, sent_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6, $7)
         ON CONFLICT (email_key, purpose, asker) DO UPDATE
         SET code_hash = excluded.code_hash, tries_left = excluded.tries_left,
             tries_elsewhere_left = excluded.tries_elsewhere_left, sent_at = excluded.sent_at,
             expires_at = excluded.expires_at
         WHERE abs(excluded.sent_at - verification_codes.sent_at) >= $8::bigint RETURNING purpose`,
        [target, purpose, asker, code.code_hash, code.tries, code.sent_at, code.expires_at, pauseMs],
      );
      return rows.length > 0;
    },
    async codeSentAt({ target, purpose, asker }: CodeKey): Promise<number | undefined> {
      const [row] = await database.query<{ sent_at: number }>(
        'SELECT sent_at FROM verification_codes WHERE email_key = $1 AND purpose = $2 AND asker = $3',
        [target, purpose, asker],
      );
      return row?.sent_at;
    },
    /**
     * Takes a try of every code that is out for this target, the asker's own from the asker's tries and the others' from
     * those that all others share; answers the codes that had one left. Two requests at once can't share a try.
     */
    async takeTries({ target, purpose, asker }: CodeKey, now: number): Promise<string[]> {
      const rows = await database.query<{ code_hash: string }>(
        `UPDATE verification_codes
         SET tries_left = tries_left - (asker = $3)::int, tries_elsewhere_left = tries_elsewhere_left - (asker <> $3)::int
         WHERE email_key = $1 AND purpose = $2 AND expires_at > $4
           AND CASE WHEN asker = $3 THEN tries_left ELSE tries_elsewhere_left END > 0
         RETURNING code_hash`,
        [target, purpose, asker, now],
      );
      return rows.map(({ code_hash }) => code_hash);
    },
    /** After a code that was right and is still to be used. */
    async giveTryBack({ target, purpose, asker }: CodeKey, codeHash: string): Promise<void> {
      await database.query(
        `UPDATE verification_codes
         SET tries_left = tries_left + (asker = $3)::int, tries_elsewhere_left = tries_elsewhere_left + (asker <> $3)::int
         WHERE email_key = $1 AND purpose = $2 AND code_hash = $4`,
        [target, purpose, asker, codeHash],
      );
    },
    /** Forgets every code of a target. @returns whether one was still there: of two that come at once, one uses it */
    async forgetCodes(target: string, purpose: string): Promise<boolean> {
      const rows = await database.query(
        'DELETE FROM verification_codes WHERE email_key = $1 AND purpose = $2 RETURNING purpose',
        [target, purpose],
      );
      return rows.length > 0;
    },
    /** Of a code that could not be delivered; a newer one stays. */
    async withdrawCode({ target, purpose, asker }: CodeKey, codeHash: string): Promise<void> {
      await database.query(
        'DELETE FROM verification_codes WHERE email_key = $1 AND purpose = $2 AND asker = $3 AND code_hash = $4',
        [target, purpose, asker, codeHash],
      );
    },
  };
}

function createSignInStatements(database: Database) {
  return {
    async insertSignIn(clientId: number, entry: Omit<SignInRow, 'id'>): Promise<void> {
      await database.query(
        `INSERT INTO sign_ins (client_id, at, way, outcome, user_agent, address, place)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [clientId, entry.at, entry.way, entry.outcome, entry.user_agent, entry.address, entry.place],
      );
    },
    signIns(clientId: number, limit: number, before: number): Promise<SignInRow[]> {
      return database.query<SignInRow>(
        `SELECT id, at, way, outcome, user_agent, address, place FROM sign_ins
         WHERE client_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
        [clientId, before, limit],
      );
    },
    /** The one before the present one, where there is one. */
    async lastSignIn(clientId: number): Promise<SignInRow | undefined> {
      const rows = await database.query<SignInRow>(
        `SELECT id, at, way, outcome, user_agent, address, place FROM sign_ins
         WHERE client_id = $1 AND outcome = 'success' ORDER BY id DESC LIMIT 2`,
        [clientId],
      );
      return rows.at(-1);
    },
  };
}

/** Codes, sign-ins, and sessions as they begin. */
function createSessionRows(database: Database) {
  return {
    ...createCodeStatements(database),
    ...createSignInStatements(database),
    /**
     * The update takes the client's row before the session is made, so whoever moves the epoch comes either before it, and
     * there is no session, or after it, and finds the session to delete.
     * @returns undefined when the proof was of another epoch
     */
    async insertSession(session: NewSession): Promise<number | undefined> {
      const { tokenHash, clientId, epoch, createdAt, expiresAt, way, userAgent, address, place, locale } = session;
      const [row] = await database.query<{ id: number }>(
        `WITH client AS (
           UPDATE clients SET locale = $9, deletion_at = NULL WHERE id = $2 AND auth_epoch = $10 RETURNING id
         )
         INSERT INTO sessions (token_hash, client_id, created_at, expires_at, last_used_at, way, user_agent, address, place,
           device_since)
         SELECT $1, id, $3, $4, $3, $5, $6, $7, $8, coalesce(
             (SELECT created_at FROM devices WHERE client_id = $2 AND secret_hash = $11 AND expires_at > $3), $3)
         FROM client RETURNING id`,
        [
          ...[tokenHash, clientId, createdAt, expiresAt, way, userAgent, address, place, locale, epoch],
          session.deviceHash ?? null,
        ],
      );
      return row?.id;
    },
    async session(tokenHash: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>(
        `SELECT ${columns} FROM sessions JOIN clients ON clients.id = client_id WHERE token_hash = $1`,
        [tokenHash],
      );
      return row;
    },
    /** Whether the session's browser was first seen after a moment, while the client had others before. */
    async isOfNewDevice(clientId: number, sessionId: number, since: number): Promise<boolean> {
      const rows = await database.query(
        `SELECT id FROM sessions WHERE id = $2 AND client_id = $1 AND device_since > $3
           AND EXISTS (SELECT 1 FROM devices WHERE client_id = $1 AND created_at <= $3)`,
        [clientId, sessionId, since],
      );
      return rows.length > 0;
    },
    sessionsOf(clientId: number, now: number): Promise<SessionRow[]> {
      return database.query<SessionRow>(
        `SELECT ${columns} FROM sessions JOIN clients ON clients.id = client_id
         WHERE client_id = $1 AND expires_at > $2 ORDER BY last_used_at DESC, sessions.id DESC`,
        [clientId, now],
      );
    },
  };
}

/** What becomes of sessions. */
function createSessionChanges(database: Database) {
  return {
    /** @returns the id when it was there */
    async deleteSession(clientId: number, id: number): Promise<number[]> {
      const [, rows] = await database.transaction([
        holdAuthority(byExchange(clientId)),
        { sql: 'DELETE FROM sessions WHERE client_id = $1 AND id = $2 RETURNING id', parameters: [clientId, id] },
      ]);
      return (rows as { id: number }[]).map((row) => row.id);
    },
    /** All of a client but one. @returns the ids that were there */
    async deleteSessions(by: Authority, kept: number | undefined): Promise<number[]> {
      const [, rows] = await database.transaction([holdAuthority(by), ...endingOf(by.clientId, kept)]);
      return (rows as { id: number }[]).map(({ id }) => id);
    },
    /** Passes over rows that are being ended: it must not be in the way of that. */
    async touch(ids: readonly number[], times: readonly number[]): Promise<void> {
      await database.query(
        `UPDATE sessions SET last_used_at = used.at
         FROM (SELECT sessions.id, uses.at FROM sessions JOIN unnest($1::bigint[], $2::bigint[]) AS uses (id, at)
               ON uses.id = sessions.id FOR UPDATE OF sessions SKIP LOCKED) AS used
         WHERE sessions.id = used.id`,
        [ids, times],
      );
    },
    async deleteExpired(now: number, signInsBefore: number): Promise<void> {
      await database.transaction([
        {
          sql: `DELETE FROM sessions
                WHERE id IN (SELECT id FROM sessions WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)`,
          parameters: [now],
        },
        { sql: 'DELETE FROM verification_codes WHERE expires_at <= $1', parameters: [now] },
        { sql: 'DELETE FROM sign_ins WHERE at < $1', parameters: [signInsBefore] },
      ]);
    },
    async unlockTrading(by: Authority, until: number): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        { sql: 'UPDATE sessions SET trading_unlocked_until = $2 WHERE id = $1', parameters: [by.sessionId, until] },
      ]);
    },
    /** @param sessionId null locks all of the client */
    async lockTrading(clientId: number, sessionId: number | null): Promise<void> {
      await database.transaction([
        holdAuthority(byExchange(clientId)),
        {
          sql: `UPDATE sessions SET trading_unlocked_until = 0
                WHERE client_id = $1 AND ($2::bigint IS NULL OR id = $2::bigint)`,
          parameters: [clientId, sessionId],
        },
      ]);
    },
  };
}

export function createSessionStore(database: Database) {
  return { ...createSessionRows(database), ...createSessionChanges(database) };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** A session that began in the future would last that much longer. */
export const sessionTimes: readonly TimesAhead[] = [
  { name: 'sessions', table: 'sessions', where: 'greatest(created_at, last_used_at, device_since) > $1' },
  {
    name: 'unlocked order entry',
    table: 'sessions',
    where: 'trading_unlocked_until > $1',
    set: 'trading_unlocked_until = 0',
  },
  { name: 'codes by mail and SMS', table: 'verification_codes', where: 'sent_at > $1' },
  { name: 'sign-ins', table: 'sign_ins', where: 'at > $1', set: 'at = $1' },
];
