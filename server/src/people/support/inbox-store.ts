/** The operators' view over all conversations. */
import type { Database } from '../../platform/database.ts';
import { type ConversationRow, conversationColumns, type State, type Topic } from './store.ts';

export interface InboxFilter {
  readonly state: State | undefined;
  readonly topic: Topic | undefined;
  /** An operator, `null` for none, undefined for all. */
  readonly assignedTo: number | null | undefined;
  readonly unreadOnly: boolean;
  readonly search: string;
  /** A message's id: conversations whose newest message is older. */
  readonly before: number | undefined;
  readonly limit: number;
}

export type InboxCounts = { readonly open: number; readonly unread: number; readonly unassigned: number };

const asPattern = (search: string) => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

export function createInboxStore(database: Database) {
  return {
    /** Newest message first. */
    inbox(filter: InboxFilter): Promise<ConversationRow[]> {
      const { state, topic, assignedTo, unreadOnly, search, before, limit } = filter;
      return database.query<ConversationRow>(
        `SELECT ${conversationColumns} FROM support_conversations AS c
         JOIN support_customers AS k ON k.id = customer_id
         WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR topic = $2)
           AND ($3::boolean OR assigned_to IS NOT DISTINCT FROM $4::bigint)
           AND (NOT $5::boolean OR last_question > desk_read)
           AND ($6::text IS NULL OR subject ILIKE $6 OR name ILIKE $6 OR email ILIKE $6)
           AND ($7::bigint IS NULL OR last_message < $7)
         ORDER BY last_message DESC LIMIT $8`,
        [
          state ?? null,
          topic ?? null,
          assignedTo === undefined,
          assignedTo ?? null,
          unreadOnly,
          search === '' ? null : asPattern(search),
          before ?? null,
          limit,
        ],
      );
    },
    async counts(): Promise<InboxCounts> {
      const [row] = await database.query<InboxCounts>(
        `SELECT count(*) FILTER (WHERE state = 'open')::int AS open,
                count(*) FILTER (WHERE last_question > desk_read)::int AS unread,
                count(*) FILTER (WHERE state = 'open' AND assigned_to IS NULL)::int AS unassigned
         FROM support_conversations`,
      );
      return row as InboxCounts;
    },
  };
}

export type InboxStore = ReturnType<typeof createInboxStore>;
