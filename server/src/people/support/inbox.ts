/** The operators' side of the support thread: one inbox for clients, visitors and the contact form. */

import type { IntentKey } from '../../platform/intent.ts';
import { shortly } from '../../platform/outbox.ts';
import { say } from '../../platform/texts.ts';
import type { Notifications } from '../notifications/service.ts';
import type { InboxFilter, InboxStore } from './inbox-store.ts';
import { ANSWER_MAIL, answeredBy, answerMail } from './mails.ts';
import { MESSAGES_SHOWN, type SupportDeps, sentBy, streamMessage } from './service.ts';
import type { ConversationRow, CustomerRow, MailState, MessageRow, State, SupportStore } from './store.ts';

export interface InboxDeps extends SupportDeps {
  readonly inboxStore: InboxStore;
  /** A client finds the answer among his notifications too. */
  readonly tell: Notifications['tell'];
}

export interface InboxConversation extends ConversationRow {
  readonly customer: CustomerRow;
  readonly assigned: { readonly client_id: number; readonly email: string } | null;
}

export interface InboxMessage extends MessageRow {
  readonly operator_email: string | null;
}

/** Who has not been heard of for so long gets an answer by mail too. */
const AWAY_MS = 2 * 60_000;

/** Conversations and messages with who wrote and who answers. */
function createDescriptions({ store, person }: Pick<InboxDeps, 'store' | 'person'>) {
  async function emailsOf(ids: readonly (number | null)[]): Promise<Map<number, string>> {
    const distinct = [...new Set(ids.filter((id) => id !== null))];
    const people = await Promise.all(distinct.map(async (id) => [id, (await person(id))?.email ?? ''] as const));
    return new Map(people);
  }

  async function describe(rows: readonly ConversationRow[]): Promise<InboxConversation[]> {
    const [customers, emails] = await Promise.all([
      store.customers([...new Set(rows.map((row) => row.customer_id))]),
      emailsOf(rows.map((row) => row.assigned_to)),
    ]);
    const byId = new Map(customers.map((customer) => [customer.id, customer]));
    return rows.map((row) => ({
      ...row,
      customer: byId.get(row.customer_id) as CustomerRow,
      assigned:
        row.assigned_to === null ? null : { client_id: row.assigned_to, email: emails.get(row.assigned_to) ?? '' },
    }));
  }

  async function describeMessages(rows: readonly MessageRow[]): Promise<InboxMessage[]> {
    const emails = await emailsOf(rows.map((row) => row.operator_id));
    return rows.map((row) => ({
      ...row,
      operator_email: row.operator_id === null ? null : (emails.get(row.operator_id) ?? ''),
    }));
  }

  return { describe, describeMessages };
}

/** Brings an answer to the customer. */
function createDelivery({ store, outbox, notify, siteName, clock, logger }: InboxDeps) {
  const keepState = (messageId: number, mail: MailState) =>
    store
      .setMail(messageId, mail)
      .catch((err: unknown) => logger.warn({ err, messageId }, 'How a mail went could not be written'));

  // A mail that failed is tried again, so this may change later.
  outbox.onAttempt(ANSWER_MAIL, (key, wasSent) => void keepState(answeredBy(key), wasSent ? 'sent' : 'failed'));

  /** @returns how the mail went, where that is known soon */
  async function mailAnswer(customer: CustomerRow, { conversation_id: reference, body, id }: MessageRow) {
    const template = { to: customer.email, site: siteName, reference, locale: customer.locale };
    try {
      const { attempt } = await outbox.put(answerMail(template, id, body));
      return await shortly<MailState>(
        attempt.then((wasSent) => (wasSent ? 'sent' : 'failed')),
        'none',
      );
    } catch (err) {
      logger.warn({ err, conversation: reference }, 'An answer of support could not be put into the outbox');
      await keepState(id, 'failed');
      return 'failed';
    }
  }

  /** The answer is kept first; then an open page gets it, or else the mail. */
  async function deliver(message: MessageRow, customer: CustomerRow): Promise<MailState> {
    const isListening = customer.client_id !== null && notify(customer.client_id, [streamMessage(message)]);
    const isThere = isListening || clock.now() - customer.seen_at <= AWAY_MS;
    return isThere || customer.email === '' ? 'none' : mailAnswer(customer, message);
  }

  return deliver;
}

export function createInbox(deps: InboxDeps) {
  const { inboxStore, person, clock } = deps;
  const store: SupportStore = deps.store;
  const { describe, describeMessages } = createDescriptions(deps);
  const deliver = createDelivery(deps);

  async function one(id: number): Promise<InboxConversation | undefined> {
    const row = await store.conversation(id);
    return row && (await describe([row]))[0];
  }

  async function bring(message: MessageRow, { customer_id, subject }: ConversationRow): Promise<MailState> {
    const customer = await store.customer(customer_id);
    const mail = await deliver(message, customer);
    if (customer.client_id !== null) {
      const title = say('Support has answered');
      const body = say('There is an answer in your conversation “{{subject}}”.', { subject });
      await deps.tell(customer.client_id, { type: 'support', title, body });
    }
    return mail;
  }

  return {
    async list(filter: InboxFilter) {
      // One more than asked for tells whether there is a next page.
      const [rows, counts] = await Promise.all([
        inboxStore.inbox({ ...filter, limit: filter.limit + 1 }),
        inboxStore.counts(),
      ]);
      const shown = rows.slice(0, filter.limit);
      const next = rows.length > filter.limit ? (shown.at(-1)?.last_message ?? null) : null;
      return { conversations: await describe(shown), next, counts };
    },

    async thread(id: number, after: number, seen: boolean) {
      if (seen) await store.markRead(id, 'desk');
      const conversation = await one(id);
      if (conversation === undefined) return undefined;
      return { conversation, messages: await describeMessages(await store.messages(id, after, MESSAGES_SHOWN)) };
    },

    async answer(id: number, operatorId: number, body: string, key: IntentKey | undefined) {
      const before = await store.conversation(id);
      if (before === undefined) return undefined;
      const sent = sentBy(`operator ${operatorId}`, key);
      const written = await store.answer(operatorId, { conversationId: id, body, now: clock.now(), sent });
      if (typeof written === 'string') return 'key-reused' as const;
      const { row, isNew } = written;
      const message = isNew ? { ...row, mail: await bring(row, before) } : row;
      const [[described], conversation] = await Promise.all([describeMessages([message]), one(id)]);
      return { message: described as InboxMessage, conversation: conversation as InboxConversation };
    },

    async assign(id: number, operatorId: number | null): Promise<InboxConversation | undefined | 'not-an-operator'> {
      if (operatorId !== null && (await person(operatorId))?.role !== 'operator') return 'not-an-operator';
      await store.assign(id, operatorId);
      return one(id);
    },

    async setState(id: number, state: State): Promise<InboxConversation | undefined> {
      await store.setState(id, state);
      return one(id);
    },
  };
}

export type Inbox = ReturnType<typeof createInbox>;
