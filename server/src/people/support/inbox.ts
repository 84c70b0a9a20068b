/** The operators' side of the support thread: one inbox for clients, visitors and the contact form. */

import type { Statement } from '../../platform/database.ts';
import type { IntentKey } from '../../platform/intent.ts';
import { shortly } from '../../platform/outbox.ts';
import { say } from '../../platform/texts.ts';
import type { Notifications } from '../notifications/service.ts';
import type { InboxFilter, InboxStore } from './inbox-store.ts';
import { ANSWER_MAIL, answeredBy, answerMail } from './mails.ts';
import { MESSAGES_SHOWN, type SupportDeps, sentBy, streamMessage } from './service.ts';
import type { ConversationRow, CustomerRow, MailState, MessageRow, State, SupportStore, Written } from './store.ts';

export interface InboxDeps extends SupportDeps {
  readonly inboxStore: InboxStore;
  /** A client finds the answer among their notifications too. */
  readonly notifications: Pick<Notifications, 'noticeStatement' | 'announce'>;
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

/** Writes an answer with what brings it to the customer: a notice, and where no page of theirs is open, a mail. */
function createAnswers(deps: InboxDeps) {
  const { store, outbox, person, isHeard, notify, notifications, siteName, clock, logger } = deps;
  const keepState = (messageId: number, mail: MailState) =>
    store
      .setMail(messageId, mail)
      .catch((err: unknown) => logger.warn({ err, messageId }, 'How a mail went could not be written'));

  // A mail that failed is tried again, so this may change later.
  outbox.onAttempt(ANSWER_MAIL, (key, wasSent) => void keepState(answeredBy(key), wasSent ? 'sent' : 'failed'));

  function noticesFor({ client_id: clientId }: CustomerRow, subject: string): Statement[] {
    if (clientId === null) return [];
    const title = say('Support has answered');
    const body = say('There is an answer in your conversation “{{subject}}”.', { subject });
    return [notifications.noticeStatement([{ clientId, type: 'support', title, body }])];
  }

  async function isAway({ client_id: clientId, email, seen_at }: CustomerRow): Promise<boolean> {
    const isThere = clientId !== null && isHeard(clientId);
    // Ahead of a clock that was set back it says nothing.
    if (isThere || Math.abs(clock.now() - seen_at) <= AWAY_MS) return false;
    const address = clientId === null ? email : ((await person(clientId))?.email ?? '');
    return address !== '';
  }

  async function bring(message: MessageRow, { client_id }: CustomerRow): Promise<void> {
    if (client_id === null) return;
    notify(client_id, [streamMessage(message)]);
    await notifications
      .announce([client_id])
      .catch((err: unknown) => logger.warn({ err, message: message.id }, 'A page was not told of a notice'));
  }

  /** @returns the answer, with how its mail went where that is known soon */
  return async function answer(
    operatorId: number,
    { subject, customer_id }: ConversationRow,
    message: Parameters<SupportStore['answer']>[1],
  ): Promise<MessageRow | 'key-reused'> {
    const customer = await store.customer(customer_id);
    const notices = noticesFor(customer, subject);
    let written: Written<MessageRow> = 'key-reused';
    const write = async (...mail: readonly Statement[]) => {
      written = await store.answer(operatorId, message, [...notices, ...mail]);
      return typeof written !== 'string' && written.isNew;
    };
    // A client's goes to the address of the account, and goes with the account.
    const to = customer.client_id === null ? customer.email : { clientId: customer.client_id };
    const letter = { to, site: siteName, reference: message.conversationId, locale: customer.locale };
    let attempt: Promise<boolean> | undefined;
    if (await isAway(customer)) ({ attempt } = await outbox.put(answerMail(letter, message.id, message.body), write));
    else await write();
    const done = written as Written<MessageRow>;
    if (typeof done === 'string') return 'key-reused';
    if (!done.isNew) return done.row;
    await bring(done.row, customer);
    const mail =
      attempt?.then((wasSent): MailState => (wasSent ? 'sent' : 'failed')) ?? Promise.resolve('none' as const);
    return { ...done.row, mail: await shortly<MailState>(mail, 'none') };
  };
}

export function createInbox(deps: InboxDeps) {
  const { inboxStore, person, noteChange, clock } = deps;
  const store: SupportStore = deps.store;
  const { describe, describeMessages } = createDescriptions(deps);
  const write = createAnswers(deps);

  async function one(id: number): Promise<InboxConversation | undefined> {
    const row = await store.conversation(id);
    return row && (await describe([row]))[0];
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
      const messageId = await store.nextMessage();
      const facts = { id: messageId, conversationId: id, body, now: clock.now(), sent };
      const message = await write(operatorId, before, facts);
      if (message === 'key-reused') return message;
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
      const conversation = await one(id);
      const clientId = conversation?.customer.client_id ?? null;
      if (clientId !== null) noteChange(clientId);
      return conversation;
    },
  };
}

export type Inbox = ReturnType<typeof createInbox>;
