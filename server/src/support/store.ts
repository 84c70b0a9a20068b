/** Conversations and their messages. */
import { emailKeyOf } from '@cambist/contract/email.ts';
import type { SUPPORT_TOPICS } from '@cambist/contract/support.ts';
import type { Database } from '../platform/database.ts';

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

export interface NewConversation {
  readonly customerId: number;
  readonly topic: Topic;
  readonly subject: string;
  readonly body: string;
  readonly address: string;
  readonly now: number;
}

const customerColumns = 'id, client_id, name, email, locale, seen_at';
const messageColumns = 'id, conversation_id, author, operator_id, body, mail, sent_at';
const PREVIEW_LENGTH = 140;

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
    async markSeen(customerId: number, now: number): Promise<void> {
      await database.query('UPDATE support_customers SET seen_at = $2 WHERE id = $1', [customerId, now]);
    },
  };
}

/** What the limits count. */
function createCounters(database: Database) {
  const count = async (sql: string, parameters: readonly (string | number)[]): Promise<number> => {
    const [row] = await database.query<{ count: number }>(sql, parameters);
    return row?.count ?? 0;
  };
  return {
    messagesSince: (customerId: number, time: number) =>
      count(
        `SELECT count(*)::int AS count FROM support_messages AS m
         JOIN support_conversations AS c ON c.id = conversation_id
         WHERE customer_id = $1 AND author = 'customer' AND sent_at > $2`,
        [customerId, time],
      ),
    conversationsSince: (customerId: number, time: number) =>
      count('SELECT count(*)::int AS count FROM support_conversations WHERE customer_id = $1 AND created_at > $2', [
        customerId,
        time,
      ]),
    conversationsFrom: (address: string, time: number) =>
      count('SELECT count(*)::int AS count FROM support_conversations WHERE created_at > $2 AND address = $1', [
        address,
        time,
      ]),
    confirmationsTo: (email: string, time: number) =>
      count('SELECT count(*)::int AS count FROM support_conversations WHERE created_at > $2 AND confirmed_to = $1', [
        emailKeyOf(email),
        time,
      ]),
  };
}

function createThreadStore(database: Database) {
  return {
    /** Both ids are drawn first, so that one statement writes the conversation and its first message. */
    async open({ customerId, topic, subject, body, address, now }: NewConversation): Promise<number> {
      const [row] = await database.query<{ id: number }>(
        `WITH ids AS (
           SELECT nextval(pg_get_serial_sequence('support_conversations', 'id')) AS conversation,
                  nextval(pg_get_serial_sequence('support_messages', 'id')) AS message
         ), opened AS (
           INSERT INTO support_conversations (id, customer_id, topic, subject, state, address, last_message,
                                              last_question, customer_read, desk_read, created_at, updated_at)
           SELECT conversation, $1::bigint, $2::text, $3::text, 'open', $4::text, message, message, message, 0,
                  $6::bigint, $6::bigint FROM ids
         ), written AS (
           INSERT INTO support_messages (id, conversation_id, author, body, sent_at)
           SELECT message, conversation, 'customer', $5::text, $6::bigint FROM ids
         )
         SELECT conversation AS id FROM ids`,
        [customerId, topic, subject, address, body, now],
      );
      return (row as { id: number }).id;
    },
    /** A message opens a closed conversation again; its writer has read what stands above it. */
    async write(
      conversationId: number,
      body: string,
      now: number,
      operatorId: number | undefined,
    ): Promise<MessageRow> {
      const isAnswer = operatorId !== undefined;
      const [row] = await database.query<MessageRow>(
        `WITH written AS (
           INSERT INTO support_messages (conversation_id, author, operator_id, body, sent_at)
           VALUES ($1, $2, $3, $4, $5) RETURNING ${messageColumns}
         ), moved AS (
           UPDATE support_conversations AS c
           SET last_message = written.id, state = 'open', updated_at = written.sent_at,
               ${isAnswer ? 'desk_read = written.id, assigned_to = coalesce(assigned_to, written.operator_id)' : 'customer_read = written.id, last_question = written.id'}
           FROM written WHERE c.id = $1
         )
         SELECT ${messageColumns} FROM written`,
        [conversationId, isAnswer ? 'operator' : 'customer', operatorId ?? null, body, now],
      );
      return row as MessageRow;
    },
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
    async setConfirmed(conversationId: number, email: string): Promise<void> {
      await database.query('UPDATE support_conversations SET confirmed_to = $2 WHERE id = $1', [
        conversationId,
        emailKeyOf(email),
      ]);
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

export function createSupportStore(database: Database) {
  return { ...createCustomerStore(database), ...createCounters(database), ...createThreadStore(database) };
}

export type SupportStore = ReturnType<typeof createSupportStore>;
