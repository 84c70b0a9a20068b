/** The customer's side of the support thread; the operators' side is in inbox.ts. */
import { hash, randomBytes } from 'node:crypto';
import type { StreamSupportMessage } from '@cambist/contract/stream.ts';
import type { Statement } from '../../platform/database.ts';
import type { IntentKey } from '../../platform/intent.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Outbox, shortly } from '../../platform/outbox.ts';
import { confirmationMail } from './mails.ts';
import type { Quota, Quotas } from './quota-store.ts';
import type { ConversationRow, CustomerRow, MessageRow, Sent, SupportStore, Topic } from './store.ts';

export { supportTimes } from './store.ts';

export interface SupportDeps {
  readonly store: SupportStore;
  readonly outbox: Pick<Outbox, 'put' | 'onAttempt'>;
  /** Of a client; undefined when there is none of this number. */
  readonly person: (clientId: number) => Promise<{ readonly email: string; readonly role: string } | undefined>;
  readonly isHeard: (clientId: number) => boolean;
  /** Pushes to a client's open pages. @returns whether there was one */
  readonly notify: (clientId: number, messages: readonly StreamSupportMessage[]) => boolean;
  /** Of what is not pushed and stands in a client's lists: a page that comes back to its stream reads them again. */
  readonly noteChange: (clientId: number) => void;
  readonly siteName: string;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Who asks: a client by his number, or a visitor by his token, if he has one yet. */
export interface Asker {
  readonly clientId: number | undefined;
  readonly token: string | undefined;
  /** Of a visitor who has none: his first message is found again by it. */
  readonly firstToken?: string | undefined;
  /** What he calls the message that he sends. */
  readonly key?: IntentKey | undefined;
  /** Where visitors are counted: an address of IPv4, or the first half of one of IPv6. */
  readonly address: string;
}

export interface Opening {
  readonly topic: Topic;
  readonly subject: string;
  readonly message: string;
  readonly name: string;
  readonly email: string;
  readonly locale: string;
}

export type SupportError = 'unknown-token' | 'no-such-conversation' | 'too-many' | 'key-reused';
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: SupportError };

export interface Thread {
  readonly conversation: ConversationRow;
  readonly messages: readonly MessageRow[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TOKEN_BYTES = 32;
/** A visitor's token that was not used for so long is no longer valid. */
const TOKEN_IDLE_MS = 90 * DAY_MS;
const KEPT_MS = 3 * 365 * DAY_MS;
/** Presence is written this often at most. */
const SEEN_EVERY_MS = 30_000;
export const MESSAGES_SHOWN = 200;
const CONVERSATIONS_SHOWN = 50;
const SUBJECT_LENGTH = 80;
const LIMITS = {
  messages: [
    { within: MINUTE_MS, most: 10 },
    { within: DAY_MS, most: 200 },
  ],
  conversations: { within: HOUR_MS, most: 5 },
  /** Visitors behind one address share it. */
  conversationsFromAddress: { within: HOUR_MS, most: 15 },
  confirmations: { within: HOUR_MS, most: 1 },
};

const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value });
const failed = (error: SupportError) => ({ ok: false, error }) as const;
const hashToken = (token: string) => hash('sha256', token, 'base64url');

/** @param writer who gave the key; another's of the same name is another key */
export const sentBy = (writer: string, key: IntentKey | undefined): Sent | undefined =>
  key && { key: `${writer} ${key.key}`, fingerprint: key.fingerprint };
const customerSent = (customerId: number, key: IntentKey | undefined) => sentBy(`customer ${customerId}`, key);

export const streamMessage = ({ id, conversation_id, author, body, sent_at }: MessageRow): StreamSupportMessage => ({
  id,
  conversation_id,
  author,
  body,
  sent_at,
});

/** The form has no subject: the beginning of what was written serves as one. */
function subjectOf(message: string): string {
  const line = message.split('\n', 1)[0]?.trim() || message.trim();
  return line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH - 1)}…` : line;
}

/** Who asks, and what of the conversations is theirs. */
function createCustomers({ store, clock }: SupportDeps) {
  /** Undefined for one who has never written; `unknown-token` for a token that is wrong or too old. */
  async function customerOf({ clientId, token }: Asker): Promise<CustomerRow | undefined | 'unknown-token'> {
    if (clientId === undefined && token === undefined) return undefined;
    const customer =
      clientId === undefined
        ? ((await store.customerOfToken(hashToken(token ?? ''), clock.now() - TOKEN_IDLE_MS)) ?? 'unknown-token')
        : await store.customerOfClient(clientId);
    if (typeof customer === 'object' && Math.abs(clock.now() - customer.seen_at) > SEEN_EVERY_MS) {
      await store.markSeen(customer.id, clock.now());
    }
    return customer;
  }

  async function ownConversation(asker: Asker, id: number): Promise<Result<ConversationRow>> {
    const customer = await customerOf(asker);
    if (customer === 'unknown-token') return failed(customer);
    const conversation = customer && (await store.conversation(id));
    // Another client's is refused like an unknown one, so that numbers cannot be probed.
    if (conversation?.customer_id !== customer?.id || conversation === undefined) return failed('no-such-conversation');
    return ok(conversation);
  }

  return { customerOf, ownConversation };
}

type Customers = ReturnType<typeof createCustomers>;

function messageQuotas(now: number): Quota[] {
  return LIMITS.messages.map(({ within, most }) => ({ since: now - within, most }));
}

function openingQuotas({ clientId }: Asker, now: number): Quotas {
  const since = (limit: { within: number; most: number }) => ({
    since: now - limit.within,
    most: limit.most,
  });
  return {
    messages: messageQuotas(now),
    conversations: since(LIMITS.conversations),
    ...(clientId === undefined ? { fromAddress: since(LIMITS.conversationsFromAddress) } : {}),
  };
}

/** The thread, and the page of a client that has it open. */
function createThreads({ store, notify }: SupportDeps) {
  async function thread(id: number, after: number): Promise<Thread> {
    const messages = await store.messages(id, after, MESSAGES_SHOWN);
    return { conversation: (await store.conversation(id)) as ConversationRow, messages };
  }

  function push({ clientId }: Asker, message: MessageRow | undefined): void {
    if (clientId !== undefined && message !== undefined) notify(clientId, [streamMessage(message)]);
  }

  return { thread, push };
}

type Threads = ReturnType<typeof createThreads>;

/** New conversations. */
function createOpenings({ store, person, clock }: SupportDeps, { customerOf }: Customers, { thread, push }: Threads) {
  /** Spares the row of a visitor who would be refused anyway; `store.open` decides. */
  async function isUsedUp(asker: Asker, known: CustomerRow | undefined): Promise<boolean> {
    const { within, most } = LIMITS.conversationsFromAddress;
    if (asker.clientId !== undefined) return false;
    if ((await store.conversationsFrom(asker.address, clock.now() - within)) < most) return false;
    const sent = known && customerSent(known.id, asker.key);
    return !(sent && (await store.isSent(sent)));
  }

  /** A client's address is the account's, whatever he writes; a visitor's is what he writes. */
  async function saveCustomer(asker: Asker, { name, email, locale }: Opening) {
    const { clientId } = asker;
    if (clientId !== undefined) {
      const address = (await person(clientId))?.email ?? '';
      const customer = await store.saveCustomer({ clientId }, { name, email: address, locale }, clock.now());
      return { customer, token: undefined };
    }
    const token = asker.token ?? asker.firstToken ?? randomBytes(TOKEN_BYTES).toString('base64url');
    const customer = await store.saveCustomer({ tokenHash: hashToken(token) }, { name, email, locale }, clock.now());
    return { customer, token };
  }

  return async function open(asker: Asker, opening: Opening) {
    const known = await customerOf(asker);
    if (known === 'unknown-token') return failed(known);
    const begun = known ?? (await customerOf({ ...asker, token: asker.token ?? asker.firstToken }));
    if (await isUsedUp(asker, begun === 'unknown-token' ? undefined : begun)) return failed('too-many');
    const { customer, token } = await saveCustomer(asker, opening);
    const { topic, subject, message: body } = opening;
    // Only visitors are counted by address, so a client's isn't kept.
    const address = asker.clientId === undefined ? asker.address : '';
    const sent = customerSent(customer.id, asker.key);
    const conversation = { customerId: customer.id, topic, subject, body, address, now: clock.now(), sent };
    const written = await store.open(conversation, openingQuotas(asker, clock.now()));
    if (typeof written === 'string') return failed(written);
    const { row, isNew } = written;
    if (isNew) push(asker, row);
    return ok({ ...(await thread(row.conversation_id, 0)), customer, token });
  };
}

/** The mail that says that a message has come. */
function createConfirmations({ store, outbox, siteName, clock, logger }: SupportDeps) {
  async function sendConfirmation(reference: number, { email, locale }: CustomerRow): Promise<boolean> {
    const { within, most } = LIMITS.confirmations;
    const change = store.confirmation(reference, email, { since: clock.now() - within, most });
    const mail = confirmationMail({ to: email, site: siteName, reference, locale });
    let isTaken = false;
    try {
      const write = async (statement: Statement) => {
        isTaken = await store.confirm(email, statement);
        return isTaken;
      };
      const { attempt } = await outbox.put(mail, write, change);
      if (await attempt) return isTaken;
    } catch (error) {
      logger.warn({ err: error, reference }, 'The confirmation of a support message could not be sent');
    }
    if (isTaken) await store.withdrawConfirmation(reference);
    return false;
  }

  /** @returns false when it has not been sent by now, or one went to this address within the hour */
  async function confirm(reference: number, customer: CustomerRow): Promise<boolean> {
    // Of a form that was sent again.
    if (await store.isConfirmed(reference)) return true;
    return shortly(sendConfirmation(reference, customer), false);
  }

  return confirm;
}

export function createSupport(deps: SupportDeps) {
  const { store, clock } = deps;
  const noteChange = ({ clientId }: Asker) => clientId !== undefined && deps.noteChange(clientId);
  const customers = createCustomers(deps);
  const { customerOf, ownConversation } = customers;
  const threads = createThreads(deps);
  const { thread, push } = threads;
  const open = createOpenings(deps, customers, threads);
  const confirm = createConfirmations(deps);

  return {
    /** The answer's token is the visitor's, new or as he gave it. */
    open,

    async contact(asker: Asker, form: Omit<Opening, 'subject'>) {
      const opened = await open(asker, { ...form, subject: subjectOf(form.message) });
      if (!opened.ok) return opened;
      const { conversation, customer, token } = opened.value;
      return ok({ reference: conversation.id, token, isConfirmed: await confirm(conversation.id, customer) });
    },

    async list(asker: Asker): Promise<Result<ConversationRow[]>> {
      const customer = await customerOf(asker);
      if (customer === 'unknown-token') return failed(customer);
      return ok(customer === undefined ? [] : await store.conversationsOf(customer.id, CONVERSATIONS_SHOWN));
    },

    async read(asker: Asker, id: number, { after, seen }: { after: number; seen: boolean }): Promise<Result<Thread>> {
      const own = await ownConversation(asker, id);
      if (!own.ok) return own;
      if (seen) {
        await store.markRead(id, 'customer');
        noteChange(asker);
      }
      return ok(await thread(id, after));
    },

    async write(asker: Asker, id: number, body: string): Promise<Result<Thread>> {
      const own = await ownConversation(asker, id);
      if (!own.ok) return own;
      const { customer_id: customerId } = own.value;
      const message = { conversationId: id, body, now: clock.now(), sent: customerSent(customerId, asker.key) };
      const written = await store.ask(customerId, message, messageQuotas(clock.now()));
      if (typeof written === 'string') return failed(written);
      const { row, isNew } = written;
      if (isNew) push(asker, row);
      return ok({ ...(await thread(id, row.id)), messages: [row] });
    },

    async close(asker: Asker, id: number): Promise<Result<ConversationRow>> {
      const own = await ownConversation(asker, id);
      if (!own.ok) return own;
      await store.setState(id, 'closed');
      noteChange(asker);
      return ok({ ...own.value, state: 'closed' });
    },

    /** What was settled years ago. */
    forgetOld: () => store.deleteClosedBefore(clock.now() - KEPT_MS),
  };
}

export type Support = ReturnType<typeof createSupport>;
