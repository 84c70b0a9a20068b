/** Messages that are to leave the process, and those that could not. */
import { type Database, given, type Statement } from './database.ts';
import type { PersonalTables } from './personal-data.ts';
import type { TimesAhead } from './times-ahead.ts';

/** Two claims may see a clock that was set a little in between. */
const TOLERANCE_MS = 60_000;

export type OutboxRow = {
  readonly id: number;
  readonly key: string;
  readonly channel: string;
  readonly recipient: string;
  readonly kind: string;
  readonly payload: string;
  readonly max_attempts: number;
  /** The present one included. */
  readonly attempts: number;
};

export type DeadLetter = {
  readonly id: number;
  readonly channel: string;
  readonly recipient: string;
  readonly kind: string;
  readonly attempts: number;
  readonly error: string;
  readonly created_at: number;
  /** False once its text is gone. */
  readonly can_retry: boolean;
};

export interface NewMessage extends Omit<OutboxRow, 'id' | 'attempts'> {
  readonly created_at: number;
  readonly expires_at: number;
}

const columns = 'id, key, channel, recipient, kind, payload, max_attempts::int8, attempts::int8';

/** @param change writes what the messages are about, and returns a row where they are to be written */
export function insertStatement(messages: readonly NewMessage[], change?: Statement) {
  const texts = (['key', 'channel', 'recipient', 'kind', 'payload'] as const).map((name) =>
    messages.map((message) => message[name]),
  );
  const numbers = (['max_attempts', 'created_at', 'expires_at'] as const).map((name) =>
    messages.map((message) => message[name]),
  );
  const { before, condition, parameters } = given(change, [...texts, ...numbers]);
  return {
    sql: `${before}INSERT INTO outbox (key, channel, recipient, kind, payload, max_attempts, created_at, due_at, expires_at)
          SELECT key, channel, recipient, kind, payload, max_attempts, created_at, created_at, expires_at
          FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int4[], $7::int8[], $8::int8[])
            AS row (key, channel, recipient, kind, payload, max_attempts, created_at, expires_at)
          WHERE ${condition}
          ON CONFLICT (key) DO NOTHING RETURNING id`,
    parameters,
  } satisfies Statement;
}

/** Messages on their way. */
function createSending(database: Database) {
  return {
    /** @returns false where a message with this key was written before */
    insert: async ({ sql, parameters }: Statement): Promise<boolean> =>
      (await database.query(sql, parameters)).length > 0,
    /**
     * A lease that is longer than this one was written by a clock that was ahead.
     * Leases messages that are due, one of a recipient and of none that is being served; those waited for first.
     *
     * @returns none only where none is due
     */
    claim(now: number, leasedUntil: number, served: readonly string[], limit: number): Promise<OutboxRow[]> {
      // The order is that of the index `outbox_due`: a claim reads what it takes, however many are due.
      const order = 'max_attempts <> 1, due_at, id';
      return database.query<OutboxRow>(
        `UPDATE outbox SET leased_until = $2, attempts = attempts + 1
         WHERE id = ANY (ARRAY(SELECT DISTINCT ON (recipient) id
                               FROM (SELECT id, recipient, max_attempts, due_at FROM outbox
                                     WHERE state = 'waiting' AND due_at <= $1
                                           AND (leased_until <= $1 OR leased_until > $2::int8 + ${TOLERANCE_MS})
                                           AND expires_at > $1 AND recipient <> ALL ($3::text[])
                                     ORDER BY ${order} LIMIT $4 FOR UPDATE SKIP LOCKED) AS next
                               ORDER BY recipient, ${order}))
         RETURNING ${columns}`,
        [now, leasedUntil, served, limit],
      );
    },
    async sent(ids: readonly number[]): Promise<void> {
      await database.query(`UPDATE outbox SET state = 'sent', payload = '', error = '' WHERE id = ANY ($1::int8[])`, [
        ids,
      ]);
    },
    async remove(id: number): Promise<void> {
      await database.query('DELETE FROM outbox WHERE id = $1', [id]);
    },
    async bury(id: number, error: string): Promise<void> {
      await database.query(`UPDATE outbox SET state = 'dead', error = $2, leased_until = 0 WHERE id = $1`, [id, error]);
    },
    /** Puts a message off, and with it all that the same recipient is to get: in order, and one failure at a time. */
    async putOff({ id, channel, recipient }: OutboxRow, until: number, error: string): Promise<void> {
      await database.transaction([
        { sql: 'UPDATE outbox SET leased_until = 0, error = $2 WHERE id = $1', parameters: [id, error] },
        {
          sql: `UPDATE outbox SET due_at = greatest(due_at, $3)
                WHERE state = 'waiting' AND channel = $1 AND recipient = $2 AND max_attempts > 1`,
          parameters: [channel, recipient, until],
        },
      ]);
    },
  };
}

/** Messages that ended, and those that could not be sent. */
function createLetters(database: Database) {
  return {
    /** Ends what came too late, its text included, and forgets what ended before a time. */
    async forget(now: number, endedBefore: number): Promise<void> {
      await database.transaction([
        {
          sql: `DELETE FROM outbox WHERE expires_at <= $1 AND leased_until <= $1 AND state = 'waiting' AND attempts = 0`,
          parameters: [now],
        },
        {
          sql: `UPDATE outbox SET state = 'dead', payload = ''
                WHERE expires_at <= $1 AND leased_until <= $1 AND state = 'waiting'`,
          parameters: [now],
        },
        {
          sql: `UPDATE outbox SET payload = '' WHERE expires_at <= $1 AND state = 'dead' AND payload <> ''`,
          parameters: [now],
        },
        { sql: `DELETE FROM outbox WHERE state <> 'waiting' AND created_at < $1`, parameters: [endedBefore] },
      ]);
    },
    dead: (before: number, limit: number): Promise<DeadLetter[]> =>
      database.query<DeadLetter>(
        `SELECT id, channel, recipient, kind, attempts::int8, error, created_at, payload <> '' AS can_retry
         FROM outbox WHERE state = 'dead' AND id < $1 ORDER BY id DESC LIMIT $2`,
        [before, limit],
      ),
    /** @returns false where there is no dead message of this id that can still be sent */
    async retry(id: number, now: number): Promise<boolean> {
      const rows = await database.query(
        `UPDATE outbox SET state = 'waiting', attempts = 0, due_at = $2, leased_until = 0
         WHERE id = $1 AND state = 'dead' AND payload <> '' AND expires_at > $2 RETURNING id`,
        [id, now],
      );
      return rows.length > 0;
    },
  };
}

export function createOutboxStore(database: Database) {
  return { ...createSending(database), ...createLetters(database) };
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** Messages to a client by number; what goes to an address expires within minutes. */
export const outboxTables: PersonalTables = {
  exported: {},
  erased: [`DELETE FROM outbox WHERE recipient = 'client:' || $1::bigint`],
};

export const outboxTimes: readonly TimesAhead[] = [
  {
    name: 'mails and messages',
    table: 'outbox',
    where: "state = 'waiting' AND created_at > $1",
    set: `created_at = $1, due_at = $1::int8 + greatest(0, due_at - created_at), leased_until = 0,
          expires_at = $1::int8 + expires_at - created_at`,
  },
  {
    name: 'mails and messages that are tried again',
    table: 'outbox',
    where: "state = 'waiting' AND created_at <= $1 AND attempts > 0 AND greatest(due_at, leased_until) > $1",
    set: 'due_at = $1, leased_until = 0',
  },
];
