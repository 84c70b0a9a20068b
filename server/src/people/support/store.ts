/** Conversations and their messages. */
import { emailKeyOf } from '@cambist/contract/email.ts';
import type { SUPPORT_TOPICS } from '@cambist/contract/support.ts';
import { ConstraintViolation, type Database, type Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';
import { lockCustomer, lockName, type Quota, type Quotas, withinQuotas } from './quota-store.ts';

export type Topic = (typeof SUPPORT_TOPICS)[number];
export type State = 'open' | 'closed';
export type MailState = 'none' | 'sent' | 'failed';

export type CustomerRow = {
  readonly id: number;
  readonly client_id: number | null;
  readonly name: string;
  readonly email: string;
  readonly locale: string;
  readonly seen_at: number;
};

export type ConversationRow = {
  readonly id: number;
  readonly customer_id: number;
  readonly topic: Topic;
  readonly subject: string;
  readonly state: State;
  readonly assigned_to: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_message: number;
  readonly last_body: string;
  readonly customer_unread: number;
  readonly desk_unread: number;
};

export type MessageRow = {
  readonly id: number;
  readonly conversation_id: number;
  readonly author: 'customer' | 'operator';
  readonly operator_id: number | null;
  readonly body: string;
  readonly mail: MailState;
  readonly sent_at: number;
};

/** The key under which a writer sends a message, and what he asks for by it. */
export interface Sent {
  /** Of this writer among all. */
  readonly key: string;
  readonly fingerprint: string;
}

/** What was written now, or before under the same key. */
export type Written<Row> = { readonly row: Row; readonly isNew: boolean } | 'key-reused' | 'too-many';

export interface NewConversation {
  readonly customerId: number;
  readonly topic: Topic;
  readonly subject: string;
  readonly body: string;
  readonly address: string;
  readonly now: number;
  readonly sent: Sent | undefined;
}

export interface NewMessage {
  readonly conversationId: number;
  readonly body: string;
  readonly now: number;
  readonly sent: Sent | undefined;
}

const customerColumns = 'id, client_id, name, email, locale, seen_at';
const messageColumns = 'id, conversation_id, author, operator_id, body, mail, sent_at';
const PREVIEW_LENGTH = 140;
/** The index that no two messages of one key are in. */
const BY_INTENT = 'support_messages_by_intent';

type KeyedRow = MessageRow & { readonly intent: string };

const underKey = (sent: Sent | undefined) => ({
  sql: `SELECT ${messageColumns}, intent FROM support_messages WHERE intent_key = $1`,
  parameters: [sent?.key ?? null],
});

/** @param before what is there under the key */
function writtenOf(
  before: KeyedRow | undefined,
  now: MessageRow | undefined,
  sent: Sent | undefined,
): Written<MessageRow> {
  if (now) return { row: now, isNew: true };
  if (!before) return 'too-many';
  const { intent, ...row } = before;
  return intent === sent?.fingerprint ? { row, isNew: false } : 'key-reused';
}

/** Of table `c`. */
export const conversationColumns = `c.id, customer_id, topic, subject, state, assigned_to, created_at, updated_at, last_message,
  (SELECT left(body, ${PREVIEW_LENGTH}) FROM support_messages WHERE id = last_message) AS last_body,
  (SELECT count(*)::int FROM support_messages
   WHERE conversation_id = c.id AND id > customer_read AND author = 'operator') AS customer_unread,
  (SELECT count(*)::int FROM support_messages
   WHERE conversation_id = c.id AND id > desk_read AND author = 'customer') AS desk_unread`;

function createCustomerStore(database: Database) {
  return {
    async customerOfClient(clientId: number): Promise<CustomerRow | undefined> {
      const [row] = await database.query<CustomerRow>(
        `SELECT ${customerColumns} FROM support_customers WHERE client_id = $1`,
        [clientId],
      );
      return row;
    },
    async customerOfToken(tokenHash: string, seenSince: number): Promise<CustomerRow | undefined> {
      const [row] = await database.query<CustomerRow>(
        `SELECT ${customerColumns} FROM support_customers WHERE token_hash = $1 AND seen_at >= $2`,
        [tokenHash, seenSince],
      );
      return row;
    },
    async customer(id: number): Promise<CustomerRow> {
      const [row] = await database.query<CustomerRow>(
        `SELECT ${customerColumns} FROM support_customers WHERE id = $1`,
        [id],
      );
      return row as CustomerRow;
    },
    async customers(ids: readonly number[]): Promise<CustomerRow[]> {
      return database.query<CustomerRow>(
        `SELECT ${customerColumns} FROM support_customers WHERE id = ANY ($1::bigint[])`,
        [ids],
      );
    },
    /** A client's is made once and brought up to date; a visitor's is new. */
    async saveCustomer(
      who: { readonly clientId: number } | { readonly tokenHash: string },
      { name, email, locale }: Pick<CustomerRow, 'name' | 'email' | 'locale'>,
      now: number,
    ): Promise<CustomerRow> {
      const [clientId, tokenHash] = 'clientId' in who ? [who.clientId, null] : [null, who.tokenHash];
      const [row] = await database.query<CustomerRow>(
        `INSERT INTO support_customers (client_id, token_hash, name, email, locale, seen_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT ${clientId === null ? '(token_hash)' : '(client_id)'} DO UPDATE
         SET name = coalesce(nullif(excluded.name, ''), support_customers.name),
             email = coalesce(nullif(excluded.email, ''), support_customers.email),
             locale = excluded.locale, seen_at = excluded.seen_at
         RETURNING ${customerColumns}`,
        [clientId, tokenHash, name, email, locale, now],
      );
      return row as CustomerRow;
    },
    async conversationsFrom(address: string, time: number): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM support_conversations WHERE created_at > $2 AND address = $1',
        [address, time],
      );
      return row?.count ?? 0;
    },
    async markSeen(customerId: number, now: number): Promise<void> {
      await database.query('UPDATE support_customers SET seen_at = $2 WHERE id = $1', [customerId, now]);
    },
  };
}

/** New conversations. */
function createOpening(database: Database) {
  return {
    /**
     * Both ids are drawn first, so that one statement writes the conversation and its first message.
     * @returns the first message
     */
    async open(opening: NewConversation, quotas: Quotas): Promise<Written<MessageRow>> {
      const { customerId, topic, subject, body, address, now, sent } = opening;
      const allowed = withinQuotas(quotas, 9);
      const rows = await database.transaction([
        ...(address === '' ? [] : [lockName(`support ${address}`)]),
        lockCustomer(customerId),
        underKey(sent),
        {
          sql: `WITH ids AS (
             SELECT nextval(pg_get_serial_sequence('support_conversations', 'id')) AS conversation,
                    nextval(pg_get_serial_sequence('support_messages', 'id')) AS message
             WHERE ${allowed.sql} AND NOT EXISTS (SELECT FROM support_messages WHERE intent_key = $7::text)
           ), opened AS (
             INSERT INTO support_conversations (id, customer_id, topic, subject, state, address, last_message,
                                                last_question, customer_read, desk_read, created_at, updated_at)
             SELECT conversation, $1::bigint, $3::text, $4::text, 'open', $2::text, message, message, message, 0,
                    $6::bigint, $6::bigint FROM ids
           ), written AS (
             INSERT INTO support_messages (id, conversation_id, author, body, sent_at, intent_key, intent)
             SELECT message, conversation, 'customer', $5::text, $6::bigint, $7::text, $8::text FROM ids
             RETURNING ${messageColumns}
           )
           SELECT ${messageColumns} FROM written`,
          parameters: [
            ...[customerId, address, topic, subject, body, now, sent?.key ?? null, sent?.fingerprint ?? null],
            ...allowed.parameters,
          ],
        },
      ]);
      const [[before], [opened]] = rows.slice(-2) as [KeyedRow[], MessageRow[]];
      return writtenOf(before, opened, sent);
    },
  };
}

/** Messages of customers. */
function createWriting(database: Database) {
  return {
    /** A message of the customer. It opens a closed conversation again; its writer has read what stands above it. */
    async ask(
      customerId: number,
      { conversationId, body, now, sent }: NewMessage,
      messages: readonly Quota[],
    ): Promise<Written<MessageRow>> {
      const allowed = withinQuotas({ messages }, 7);
      const rows = await database.transaction([
        lockCustomer(customerId),
        underKey(sent),
        {
          sql: `WITH written AS (
             INSERT INTO support_messages (conversation_id, author, body, sent_at, intent_key, intent)
             SELECT $2::bigint, 'customer', $3::text, $4::bigint, $5::text, $6::text
             WHERE ${allowed.sql} AND NOT EXISTS (SELECT FROM support_messages WHERE intent_key = $5::text)
             RETURNING ${messageColumns}
           ), moved AS (
             UPDATE support_conversations AS c
             SET last_message = written.id, state = 'open', updated_at = written.sent_at, customer_read = written.id,
                 last_question = written.id
             FROM written WHERE c.id = $2
           )
           SELECT ${messageColumns} FROM written`,
          parameters: [
            ...[customerId, conversationId, body, now, sent?.key ?? null, sent?.fingerprint ?? null],
            ...allowed.parameters,
          ],
        },
      ]);
      const [[before], [asked]] = rows.slice(-2) as [KeyedRow[], MessageRow[]];
      return writtenOf(before, asked, sent);
    },
    async isSent(sent: Sent): Promise<boolean> {
      const { sql, parameters } = underKey(sent);
      return (await database.query(sql, parameters)).length > 0;
    },
  };
}

/** Answers of operators. */
function createAnswering(database: Database) {
  return {
    async nextMessage(): Promise<number> {
      const [row] = await database.query<{ id: number }>(
        `SELECT nextval(pg_get_serial_sequence('support_messages', 'id')) AS id`,
      );
      return (row as { id: number }).id;
    },
    /**
     * An operator's, with what tells its reader of it. The second of two at once waits for the first.
     * @param id from `nextMessage`
     */
    async answer(
      operatorId: number,
      { id, conversationId, body, now, sent }: NewMessage & { readonly id: number },
      news: readonly Statement[],
    ): Promise<Written<MessageRow>> {
      const insert = {
        sql: `WITH written AS (
           INSERT INTO support_messages (id, conversation_id, author, operator_id, body, sent_at, intent_key, intent)
           VALUES ($7, $1, 'operator', $2, $3, $4, $5, $6) RETURNING ${messageColumns}
         ), moved AS (
           UPDATE support_conversations AS c
           SET last_message = written.id, state = 'open', updated_at = written.sent_at, desk_read = written.id,
               assigned_to = coalesce(assigned_to, written.operator_id)
           FROM written WHERE c.id = $1
         )
         SELECT ${messageColumns} FROM written`,
        parameters: [conversationId, operatorId, body, now, sent?.key ?? null, sent?.fingerprint ?? null, id],
      };
      try {
        const [[answered]] = (await database.transaction([insert, ...news])) as [MessageRow[]];
        return writtenOf(undefined, answered, sent);
      } catch (error) {
        if (!(error instanceof ConstraintViolation) || error.constraint !== BY_INTENT) throw error;
        const { sql, parameters } = underKey(sent);
        const [before] = await database.query<KeyedRow>(sql, parameters);
        return writtenOf(before, undefined, sent);
      }
    },
  };
}

function createMessages(database: Database) {
  return { ...createOpening(database), ...createWriting(database), ...createAnswering(database) };
}

/** Conversations as both sides read them. */
function createReading(database: Database) {
  return {
    async conversation(id: number): Promise<ConversationRow | undefined> {
      const [row] = await database.query<ConversationRow>(
        `SELECT ${conversationColumns} FROM support_conversations AS c WHERE c.id = $1`,
        [id],
      );
      return row;
    },
    /** The newest first. */
    conversationsOf(customerId: number, limit: number): Promise<ConversationRow[]> {
      return database.query<ConversationRow>(
        `SELECT ${conversationColumns} FROM support_conversations AS c WHERE customer_id = $1
         ORDER BY last_message DESC LIMIT $2`,
        [customerId, limit],
      );
    },
    /** The newest that fit, oldest first. */
    messages(conversationId: number, after: number, limit: number): Promise<MessageRow[]> {
      return database.query<MessageRow>(
        `SELECT ${messageColumns} FROM (
           SELECT ${messageColumns} FROM support_messages WHERE conversation_id = $1 AND id > $2
           ORDER BY id DESC LIMIT $3
         ) AS newest ORDER BY id`,
        [conversationId, after, limit],
      );
    },
  };
}

/** What becomes of conversations and of the mails about them. */
function createStates(database: Database) {
  return {
    async markRead(conversationId: number, reader: 'customer' | 'desk'): Promise<void> {
      await database.query(`UPDATE support_conversations SET ${reader}_read = last_message WHERE id = $1`, [
        conversationId,
      ]);
    },
    async setState(conversationId: number, state: State): Promise<void> {
      await database.query('UPDATE support_conversations SET state = $2 WHERE id = $1', [conversationId, state]);
    },
    async assign(conversationId: number, operatorId: number | null): Promise<void> {
      await database.query('UPDATE support_conversations SET assigned_to = $2 WHERE id = $1', [
        conversationId,
        operatorId,
      ]);
    },
    async setMail(messageId: number, mail: MailState): Promise<void> {
      await database.query('UPDATE support_messages SET mail = $2 WHERE id = $1', [messageId, mail]);
    },
    /** Returns a row unless the address has had its share. */
    confirmation: (conversationId: number, email: string, { since, most }: Quota): Statement => ({
      sql: `UPDATE support_conversations SET confirmed_to = $2 WHERE id = $1 AND (
              SELECT count(*) FROM support_conversations WHERE created_at > $3 AND confirmed_to = $2) < $4
            RETURNING id`,
      parameters: [conversationId, emailKeyOf(email), since, most],
    }),
    /** Runs the statement that confirms and mails it. @returns whether it did */
    async confirm(email: string, statement: Statement): Promise<boolean> {
      const rows = await database.transaction([lockName(`confirmation ${emailKeyOf(email)}`), statement]);
      return rows[1]?.length === 1;
    },
    async isConfirmed(conversationId: number): Promise<boolean> {
      const rows = await database.query(`SELECT FROM support_conversations WHERE id = $1 AND confirmed_to <> ''`, [
        conversationId,
      ]);
      return rows.length > 0;
    },
    async withdrawConfirmation(conversationId: number): Promise<void> {
      await database.query(`UPDATE support_conversations SET confirmed_to = '' WHERE id = $1`, [conversationId]);
    },
    async deleteClosedBefore(time: number): Promise<void> {
      await database.transaction([
        { sql: `DELETE FROM support_conversations WHERE state = 'closed' AND updated_at < $1`, parameters: [time] },
        {
          sql: `DELETE FROM support_customers AS k WHERE seen_at < $1
                AND NOT EXISTS (SELECT 1 FROM support_conversations WHERE customer_id = k.id)`,
          parameters: [time],
        },
      ]);
    },
  };
}

function createThreadStore(database: Database) {
  return { ...createMessages(database), ...createReading(database), ...createStates(database) };
}

export function createSupportStore(database: Database) {
  return { ...createCustomerStore(database), ...createThreadStore(database) };
}

export type SupportStore = ReturnType<typeof createSupportStore>;

/** What was written stays with the exchange; who wrote it does not. */
export const supportTables: PersonalTables = {
  exported: {
    support: `SELECT messages.* FROM support_messages AS messages
                JOIN support_conversations ON support_conversations.id = messages.conversation_id
                JOIN support_customers ON support_customers.id = support_conversations.customer_id
              WHERE support_customers.client_id = $1`,
  },
  erased: [
    `UPDATE support_conversations SET confirmed_to = ''
     WHERE customer_id IN (SELECT id FROM support_customers WHERE client_id = $1)`,
    `UPDATE support_customers SET name = '', email = '' WHERE client_id = $1`,
  ],
};

/** They count for the limits of an hour and a day. */
export const supportTimes: readonly TimesAhead[] = [
  {
    name: 'conversations of support',
    table: 'support_conversations',
    where: 'greatest(created_at, updated_at) > $1',
    set: 'created_at = least(created_at, $1), updated_at = $1',
  },
  { name: 'messages of support', table: 'support_messages', where: 'sent_at > $1', set: 'sent_at = $1' },
  { name: 'customers of support', table: 'support_customers', where: 'seen_at > $1', set: 'seen_at = $1' },
];
