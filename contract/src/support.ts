/**
 * The support thread. Who writes is a signed-in client, or a visitor: the first message of a visitor answers a token,
 * which his browser keeps and sends with every further call. All calls go by POST, so that no address carries the token.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { visibleText } from './email.ts';
import { email } from './fields.ts';
import { localeOf } from './locales.ts';

const tag = 'Support';
const adminTag = 'Support inbox';

export const SUPPORT_TOPICS = [
  'account',
  'deposit',
  'withdrawal',
  'trading',
  'verification',
  'security',
  'business',
  'other',
] as const;

const topic = z.enum(SUPPORT_TOPICS, 'Choose one of: {{values}}');
const subject = z.string().trim().min(1, 'Field is required').max(150, 'Use at most {{maximum}} characters');
const message = z.string().trim().min(1, 'Enter a message').max(4000, 'A message has at most 4000 characters');
const personName = z.string().trim().max(100, 'Use at most {{maximum}} characters');
/** Mails that belong to the conversation are written in it. */
const locale = z
  .string()
  .max(40)
  .default('en')
  .transform((name) => localeOf(name).name);

/** Of a visitor; not looked at when the call carries a client's bearer token. */
const visitorToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Not a valid support conversation token')
  .optional();
/**
 * Made by the browser of a visitor who has no token yet: under an `Idempotency-Key` it finds his first message again where the
 * answer to it, which has the token, was lost.
 */
const firstToken = visitorToken;
const conversationParams = z.object({ id: z.coerce.number().int().min(1) });
const state = z.enum(['open', 'closed']);

export const conversation = z.object({
  id: z.number().int(),
  topic,
  subject: z.string(),
  state,
  created_at: z.number().int(),
  /** Of its newest message. */
  updated_at: z.number().int(),
  last_message: z.string(),
  /** Messages that the one who asks has not seen. */
  unread: z.number().int(),
});

export const supportMessage = z.object({
  id: z.number().int(),
  conversation_id: z.number().int(),
  author: z.enum(['customer', 'operator']),
  body: z.string(),
  sent_at: z.number().int(),
});

const thread = z.object({ conversation, messages: z.array(supportMessage) });

/** Takes an `Idempotency-Key` header. */
export const openConversation = defineCall({
  methods: ['POST'],
  path: '/api/v3/support/conversations',
  access: 'visitor',
  keys: 'never',
  idempotent: { except: ['visitor_token', 'first_token', 'locale'] },
  tag,
  summary: 'Begin a conversation; a visitor without a token gets one',
  body: z.object({
    topic: topic.default('other'),
    subject,
    message,
    /** Of a visitor; with an address, answers reach him by mail when he has left. */
    name: personName.transform(visibleText).default(''),
    email: email.or(z.literal('')).default(''),
    locale,
    visitor_token: visitorToken,
    first_token: firstToken,
  }),
  answer: thread.extend({ visitor_token: z.string().nullable() }),
  sensitive: true,
});

export const conversations = defineCall({
  methods: ['POST'],
  path: '/api/v3/support/conversations/list',
  access: 'visitor',
  keys: 'never',
  tag,
  summary: "The asker's conversations, newest first, and how many messages he has not seen",
  body: z.object({ visitor_token: visitorToken }),
  answer: z.object({ conversations: z.array(conversation), unread: z.number().int() }),
  sensitive: true,
});

export const readConversation = defineCall({
  methods: ['POST'],
  path: '/api/v3/support/conversations/:id/read',
  access: 'visitor',
  keys: 'never',
  tag,
  summary: 'Messages of a conversation, oldest first; visitors ask again every few seconds',
  params: conversationParams,
  body: z.object({
    visitor_token: visitorToken,
    /** Only messages after this id. */
    after: z.number().int().min(0).default(0),
    /** The person is looking at it: nothing of it stays unread. */
    seen: z.boolean().default(false),
  }),
  answer: thread,
  sensitive: true,
});

/** Takes an `Idempotency-Key` header. */
export const writeMessage = defineCall({
  methods: ['POST'],
  path: '/api/v3/support/conversations/:id/messages',
  access: 'visitor',
  keys: 'never',
  idempotent: { except: ['visitor_token'] },
  tag,
  summary: 'Write into a conversation; a closed one opens again',
  params: conversationParams,
  body: z.object({ visitor_token: visitorToken, message }),
  answer: z.object({ conversation, message: supportMessage }),
  sensitive: true,
});

export const closeConversation = defineCall({
  methods: ['POST'],
  path: '/api/v3/support/conversations/:id/close',
  access: 'visitor',
  keys: 'never',
  tag,
  summary: 'Say that the matter is settled',
  params: conversationParams,
  body: z.object({ visitor_token: visitorToken }),
  answer: z.object({ conversation }),
  sensitive: true,
});

/** Takes an `Idempotency-Key` header. */
export const contact = defineCall({
  methods: ['POST'],
  path: '/api/v3/support/contact',
  access: 'visitor',
  keys: 'never',
  idempotent: { except: ['visitor_token', 'first_token', 'locale'] },
  tag,
  summary: 'The contact form: a conversation in the same inbox, confirmed by mail',
  body: z.object({
    name: personName.min(1, 'Field is required').transform(visibleText),
    /** Of a visitor; a signed-in client is answered at his account's address. */
    email,
    topic,
    message,
    locale,
    visitor_token: visitorToken,
    first_token: firstToken,
  }),
  answer: z.object({
    message: z.literal('success'),
    /** The conversation's number, which the mail names too. */
    reference: z.number().int(),
    /** False when the confirmation could not be sent, or one went to this address a short time ago. */
    confirmation_sent: z.boolean(),
    visitor_token: z.string().nullable(),
  }),
  sensitive: true,
});

export const inboxConversation = conversation.extend({
  customer: z.object({
    /** Null for a visitor, whose name and address are not checked. */
    client_id: z.number().int().nullable(),
    name: z.string(),
    email: z.string(),
    locale: z.string(),
    seen_at: z.number().int(),
  }),
  assigned_to: z.object({ client_id: z.number().int(), email: z.string() }).nullable(),
});

const inboxMessage = supportMessage.extend({
  operator_email: z.string().nullable(),
  /** Whether an answer also went by mail: `none` when the customer was there or has no address. */
  mail: z.enum(['none', 'sent', 'failed']),
});

export const supportInbox = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/support/conversations',
  access: 'operator:support',
  audit: { reads: 'read-conversations' },
  tag: adminTag,
  summary: 'The inbox, newest message first',
  query: z.object({
    state: state.optional(),
    assigned: z.enum(['me', 'nobody', 'anybody']).default('anybody'),
    topic: topic.optional(),
    unread: z.enum(['true', 'false']).default('false'),
    /** In subject, name or address. */
    search: z.string().trim().max(100).default(''),
    limit: z.coerce.number().int().min(1).max(100).default(30),
    /** `next` of the page before. */
    before: z.coerce.number().int().min(1).optional(),
  }),
  answer: z.object({
    conversations: z.array(inboxConversation),
    next: z.number().int().nullable(),
    counts: z.object({ open: z.number().int(), unread: z.number().int(), unassigned: z.number().int() }),
  }),
});

const inboxThread = z.object({ conversation: inboxConversation, messages: z.array(inboxMessage) });

export const supportThread = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/support/conversations/:id',
  access: 'operator:support',
  audit: { reads: 'read-conversation' },
  tag: adminTag,
  summary: 'One conversation with its messages; `seen` marks it read for the operators',
  params: conversationParams,
  query: z.object({
    after: z.coerce.number().int().min(0).default(0),
    seen: z.enum(['true', 'false']).default('false'),
  }),
  answer: inboxThread,
});

/** Takes an `Idempotency-Key` header. */
export const answerConversation = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/support/conversations/:id/answer',
  access: 'operator:support',
  idempotent: { except: [] },
  audit: { acts: ['answer-conversation'] },
  tag: adminTag,
  summary: 'Answer; it goes by mail too when the customer is away',
  params: conversationParams,
  body: z.object({ message }),
  answer: z.object({ conversation: inboxConversation, message: inboxMessage }),
});

export const assignConversation = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/support/conversations/:id/assign',
  access: 'operator:support',
  audit: { acts: ['assign-conversation'] },
  tag: adminTag,
  summary: 'Give a conversation to an operator, or to none',
  params: conversationParams,
  body: z.object({ operator_id: z.number().int().min(1).nullable() }),
  answer: z.object({ conversation: inboxConversation }),
});

export const setConversationState = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/support/conversations/:id/state',
  access: 'operator:support',
  audit: { acts: ['close-conversation', 'reopen-conversation'] },
  tag: adminTag,
  summary: 'Close a conversation, or open it again',
  params: conversationParams,
  body: z.object({ state }),
  answer: z.object({ conversation: inboxConversation }),
});
