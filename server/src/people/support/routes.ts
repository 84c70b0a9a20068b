import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import * as calls from '@cambist/contract/support.ts';
import type { FastifyRequest } from 'fastify';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { networkOf } from '../../platform/throttle.ts';
import type { Inbox, InboxConversation, InboxMessage } from './inbox.ts';
import type { Asker, Support, SupportError } from './service.ts';
import type { ConversationRow, MessageRow } from './store.ts';

const noConversation = new Refusal(404, 'CONVERSATION_NOT_FOUND', 'You have no such conversation.');
const notAnOperator = new Refusal(
  422,
  'NOT_AN_OPERATOR',
  say('Assign the conversation to an operator.', {}, 'operator_id'),
);

const keyReused = new Refusal(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request.');

const refusals: Readonly<Record<SupportError, Refusal>> = {
  'unknown-token': new Refusal(403, 'UNKNOWN_VISITOR', 'This conversation has ended. Start a new one.'),
  'no-such-conversation': noConversation,
  'too-many': new Refusal(429, 'TOO_MANY_MESSAGES', "You've sent too many messages. Wait a while, then try again.", {
    'retry-after': '60',
  }),
  'key-reused': keyReused,
};

function askerOf(identity: Identity | undefined, token: string | undefined, http: FastifyRequest): Asker {
  const address = networkOf(http.ip);
  return { clientId: identity?.clientId, token: identity === undefined ? token : undefined, address };
}

const messageOf = ({ id, conversation_id, author, body, sent_at }: MessageRow) => ({
  id,
  conversation_id,
  author,
  body,
  sent_at,
});

function conversationOf(row: ConversationRow, unread: number) {
  const { id, topic, subject, state, created_at, updated_at, last_body } = row;
  return { id, topic, subject, state, created_at, updated_at, last_message: last_body, unread };
}
const ownConversation = (row: ConversationRow) => conversationOf(row, row.customer_unread);

function inboxConversation(row: InboxConversation) {
  const { client_id, name, email, locale, seen_at } = row.customer;
  const customer = { client_id, name, email, locale, seen_at };
  return { ...conversationOf(row, row.desk_unread), customer, assigned_to: row.assigned };
}
const inboxMessage = (row: InboxMessage) => ({
  ...messageOf(row),
  operator_email: row.operator_email,
  mail: row.mail,
});

function serveCustomers(server: CallServer, support: Support): void {
  server.serve(calls.openConversation, async ({ body, identity, http, intent }) => {
    const { visitor_token, first_token: firstToken, ...opening } = body;
    const result = await support.open({ ...askerOf(identity, visitor_token, http), firstToken, key: intent }, opening);
    if (!result.ok) return refusals[result.error];
    const { conversation, messages, token = null } = result.value;
    return { conversation: ownConversation(conversation), messages: messages.map(messageOf), visitor_token: token };
  });

  server.serve(calls.contact, async ({ body, identity, http, intent }) => {
    const { visitor_token, first_token: firstToken, ...form } = body;
    const result = await support.contact({ ...askerOf(identity, visitor_token, http), firstToken, key: intent }, form);
    if (!result.ok) return refusals[result.error];
    const { reference, isConfirmed, token = null } = result.value;
    return { message: 'success' as const, reference, confirmation_sent: isConfirmed, visitor_token: token };
  });

  server.serve(calls.conversations, async ({ body, identity, http }) => {
    const result = await support.list(askerOf(identity, body.visitor_token, http));
    if (!result.ok) return refusals[result.error];
    const conversations = result.value.map(ownConversation);
    return { conversations, unread: conversations.reduce((sum, { unread }) => sum + unread, 0) };
  });

  server.serve(calls.readConversation, async ({ params, body, identity, http }) => {
    const result = await support.read(askerOf(identity, body.visitor_token, http), params.id, body);
    if (!result.ok) return refusals[result.error];
    const { conversation, messages } = result.value;
    return { conversation: ownConversation(conversation), messages: messages.map(messageOf) };
  });

  server.serve(calls.writeMessage, async ({ params, body, identity, http, intent }) => {
    const asker = { ...askerOf(identity, body.visitor_token, http), key: intent };
    const result = await support.write(asker, params.id, body.message);
    if (!result.ok) return refusals[result.error];
    const { conversation, messages } = result.value;
    return { conversation: ownConversation(conversation), message: messageOf(messages[0] as MessageRow) };
  });

  server.serve(calls.closeConversation, async ({ params, body, identity, http }) => {
    const result = await support.close(askerOf(identity, body.visitor_token, http), params.id);
    return result.ok ? { conversation: ownConversation(result.value) } : refusals[result.error];
  });
}

function serveInbox(server: CallServer, inbox: Inbox, audit: AuditLog): void {
  /** Before it is done. The words of an answer are in the conversation, not in the log. */
  async function record(
    { identity, http }: { readonly identity: Identity; readonly http: FastifyRequest },
    act: AuditAct,
    detail: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await audit.record({ actorId: identity.clientId, act, detail, address: http.ip });
  }

  server.serve(calls.supportInbox, async ({ query, identity }) => {
    const { assigned, unread, state, topic, search, before, limit } = query;
    const assignedTo = { me: identity.clientId, nobody: null, anybody: undefined }[assigned];
    const page = await inbox.list({ state, topic, search, before, limit, assignedTo, unreadOnly: unread === 'true' });
    return { ...page, conversations: page.conversations.map(inboxConversation) };
  });

  server.serve(calls.supportThread, async ({ params, query }) => {
    const thread = await inbox.thread(params.id, query.after, query.seen === 'true');
    if (thread === undefined) return noConversation;
    return { conversation: inboxConversation(thread.conversation), messages: thread.messages.map(inboxMessage) };
  });

  server.serve(calls.answerConversation, async ({ params, body, identity, intent, http }) => {
    await record({ identity, http }, 'answer-conversation', { conversation: params.id });
    const answered = await inbox.answer(params.id, identity.clientId, body.message, intent);
    if (answered === 'key-reused') return keyReused;
    if (answered === undefined) return noConversation;
    return { conversation: inboxConversation(answered.conversation), message: inboxMessage(answered.message) };
  });

  server.serve(calls.assignConversation, async ({ params, body, ...given }) => {
    await record(given, 'assign-conversation', { conversation: params.id, operator: body.operator_id });
    const assigned = await inbox.assign(params.id, body.operator_id);
    if (assigned === 'not-an-operator') return notAnOperator;
    return assigned === undefined ? noConversation : { conversation: inboxConversation(assigned) };
  });

  server.serve(calls.setConversationState, async ({ params, body, ...given }) => {
    const act = body.state === 'closed' ? 'close-conversation' : 'reopen-conversation';
    await record(given, act, { conversation: params.id });
    const conversation = await inbox.setState(params.id, body.state);
    return conversation === undefined ? noConversation : { conversation: inboxConversation(conversation) };
  });
}

export function serveSupport(
  server: CallServer,
  { support, inbox, audit }: { readonly support: Support; readonly inbox: Inbox; readonly audit: AuditLog },
): void {
  serveCustomers(server, support);
  serveInbox(server, inbox, audit);
}
