/**
 * What must leave the process (mail, text messages) goes through one table: it is written before it is sent, tried
 * again after a growing while, and where every attempt fails it stays as a dead letter that an operator sees. A message
 * is leased while it is sent, so two processes do not send it at once; after a crash in between it is sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from './database.ts';
import type { Encryption } from './encryption.ts';
import type { Logger } from './logger.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { insertStatement, type NewMessage, type OutboxRow, type OutboxStore } from './outbox-store.ts';
import { newToken } from './random-token.ts';

export interface Message {
  readonly channel: string;
  /** One message at a time is sent to a recipient. */
  readonly recipient: string;
  /** What it is about, such as `code`: shown to operators. */
  readonly kind: string;
  /** JSON; encrypted at rest, and removed once it is sent or has expired. */
  readonly content: unknown;
  /** After that it is not worth sending any more. */
  readonly lifetimeMs: number;
  /** Tried once: for a sender who waits for how it went and withdraws it otherwise. */
  readonly once?: boolean;
  /** Tried until it expires: for what must not wait in the list of what could not be sent. */
  readonly untilItExpires?: boolean;
  /** Where the same message may be written twice. */
  readonly key?: string;
}

/** Hands a message over; rejects where that failed. */
export type Deliver = (content: unknown, recipient: string) => Promise<void>;

export interface OutboxDeps {
  readonly store: OutboxStore;
  readonly encryption: Encryption;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** In [0, 1). */
  readonly random?: () => number;
}

const AT_ONCE = 16;
/** While more are due than are taken at once: those that end within it make room for one claim together. */
const GATHER_MS = 25;
const ATTEMPTS = 8;
/** After the first failure; it doubles with each further one, up to an hour, and is shortened by up to half at random. */
const BACK_OFF_MS = 60_000;
const DOUBLED = 6;
/** More than fit into any lifetime. */
const UNLIMITED_ATTEMPTS = 1_000_000;
/** Longer than any attempt takes. */
const LEASE_MS = 60_000;
const KEPT_MS = 30 * 86_400_000;
const ERROR_LENGTH = 300;
/** How long a request waits to say how it went; the message itself goes on. */
const SHORTLY_MS = 1000;

/** @returns what comes of an attempt if that is known soon, else `otherwise`; `attempt` must not reject */
export async function shortly<Result>(attempt: Promise<Result>, otherwise: Result): Promise<Result> {
  const timer = new AbortController();
  try {
    return await Promise.race([attempt, sleep(SHORTLY_MS, otherwise, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

const contextOf = (key: string) => `outbox:${key}`;

/** Makes an attempt and writes how it went. */
function createAttempts(deps: OutboxDeps, channels: ReadonlyMap<string, Deliver>) {
  const { store, encryption, clock, logger, random = Math.random } = deps;

  async function fail(row: OutboxRow, err: unknown): Promise<void> {
    const { id, channel, kind, attempts, max_attempts } = row;
    const isLast = attempts >= max_attempts;
    logger.warn({ err, message: id, channel, kind, attempts, isLast }, 'A message could not be sent');
    // Another server's words: a NUL, which the table does not take, would keep the attempt from being counted.
    const text = (err instanceof Error ? err.message : String(err)).replaceAll('\0', '').slice(0, ERROR_LENGTH);
    if (max_attempts === 1) await store.remove(id);
    else if (isLast) await store.bury(id, text);
    else {
      const waitMs = BACK_OFF_MS * 2 ** Math.min(attempts - 1, DOUBLED) * (1 - random() / 2);
      await store.putOff(row, clock.now() + Math.round(waitMs), text);
    }
  }

  let sent: number[] = [];
  /** Those that were sent while the last ones were written are written together. */
  const writeSent = oneAtATime(() => {
    const ids = sent;
    sent = [];
    return store.sent(ids);
  });

  /** @returns whether the message was handed over */
  return async (row: OutboxRow): Promise<boolean> => {
    try {
      const deliver = channels.get(row.channel);
      if (deliver === undefined) throw new Error(`Nothing sends by ${row.channel}`);
      await deliver(JSON.parse(encryption.decrypt(row.payload, contextOf(row.key))), row.recipient);
    } catch (err) {
      await fail(row, err);
      return false;
    }
    if (row.max_attempts === 1) await store.remove(row.id);
    else {
      sent.push(row.id);
      await writeSent();
    }
    return true;
  };
}

/** Takes what is due and has it attempted, several at once, and never two for the same recipient. */
function createAttendance(
  { store, clock, logger }: OutboxDeps,
  attempt: (row: OutboxRow) => Promise<boolean>,
  settle: (row: OutboxRow, wasSent: boolean) => void,
) {
  const busy = new Set<Promise<void>>();
  const served = new Set<string>();
  let isClosed = false;
  /** Whether the last claim got all that it had room for. */
  let isBehind = false;
  let gathering: Promise<void> | undefined;

  /** One claim after another, each for all that are free: thousands of messages are not to keep the database from orders. */
  const take = oneAtATime(async () => {
    while (!isClosed && served.size < AT_ONCE) {
      const now = clock.now();
      const room = AT_ONCE - served.size;
      const rows = await store.claim(now, now + LEASE_MS, [...served], room);
      isBehind = rows.length === room;
      if (rows.length === 0) return;
      for (const row of rows) {
        served.add(row.recipient);
        keep(attend(row));
      }
    }
  });

  async function attend(row: OutboxRow): Promise<void> {
    let wasSent = false;
    try {
      wasSent = await attempt(row);
    } finally {
      served.delete(row.recipient);
      settle(row, wasSent);
    }
    if (isBehind && !isClosed) await gather();
    await take();
  }

  /** One pause for all that have ended meanwhile. */
  function gather(): Promise<void> {
    gathering ??= sleep(GATHER_MS).finally(() => {
      gathering = undefined;
    });
    return gathering;
  }

  function keep(work: Promise<void>): void {
    const kept = work
      .catch((err: unknown) => logger.warn({ err }, 'The outbox could not be read or written; it is tried again'))
      .finally(() => busy.delete(kept));
    busy.add(kept);
  }

  async function idle(): Promise<void> {
    while (busy.size > 0) await Promise.all(busy);
  }

  return {
    wake: (): void => keep(take()),
    idle,
    async close(): Promise<void> {
      isClosed = true;
      await idle();
    },
  };
}

/** A message as a row, encrypted. */
function createWriter({ encryption, clock }: OutboxDeps) {
  return function rowOf({
    channel,
    recipient,
    kind,
    content,
    lifetimeMs,
    once = false,
    untilItExpires = false,
    key = newToken(),
  }: Message): NewMessage {
    const now = clock.now();
    const payload = encryption.encrypt(JSON.stringify(content), contextOf(key));
    const max_attempts = once ? 1 : untilItExpires ? UNLIMITED_ATTEMPTS : ATTEMPTS;
    return { key, channel, recipient, kind, payload, max_attempts, created_at: now, expires_at: now + lifetimeMs };
  };
}

interface PutParts {
  readonly store: OutboxStore;
  readonly rowOf: (message: Message) => NewMessage;
  readonly waiting: Map<string, (wasSent: boolean) => void>;
  readonly wake: () => void;
}

function createPut({ store, rowOf, waiting, wake }: PutParts) {
  /**
   * Resolves once the message is written, with how its first attempt goes, which never rejects; true for one that was not written.
   * @param write runs the message's statement in a transaction that writes what it is about; false where it was not written
   * @param change as in `statementGiven`
   */
  return async (
    message: Message,
    write: (statement: Statement) => Promise<boolean> = store.insert,
    change?: Statement,
  ): Promise<{ readonly attempt: Promise<boolean> }> => {
    const row = rowOf(message);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // Before it is written: a worker may take it at once.
    if (!waiting.has(row.key)) waiting.set(row.key, resolve);
    const forget = () => waiting.get(row.key) === resolve && waiting.delete(row.key);
    try {
      if (!(await write(insertStatement([row], change)))) {
        forget();
        resolve(true);
      }
    } catch (error) {
      forget();
      throw error;
    }
    wake();
    return { attempt: promise };
  };
}

export function createOutbox(deps: OutboxDeps) {
  const { store, clock } = deps;
  const channels = new Map<string, Deliver>();
  const listeners = new Map<string, (key: string, wasSent: boolean) => void>();
  /** Senders who wait for the first attempt, by key. */
  const waiting = new Map<string, (wasSent: boolean) => void>();
  const rowOf = createWriter(deps);
  const attendance = createAttendance(deps, createAttempts(deps, channels), settle);
  const { wake, idle } = attendance;

  function settle({ key, kind }: OutboxRow, wasSent: boolean): void {
    waiting.get(key)?.(wasSent);
    waiting.delete(key);
    listeners.get(kind)?.(key, wasSent);
  }

  return {
    /** Says who hands over the messages of a channel. */
    serve: (channel: string, deliver: Deliver): void => void channels.set(channel, deliver),
    /** Calls after every attempt of a kind of message, in this process. */
    onAttempt: (kind: string, listener: (key: string, wasSent: boolean) => void): void =>
      void listeners.set(kind, listener),
    /** For a transaction that writes what the message is about; call `wake` after it. */
    statement: (...messages: readonly Message[]): Statement => insertStatement(messages.map(rowOf)),
    /** The same of what a change that returns a row makes true; where it returns none, there is no message. */
    statementGiven: (change: Statement, ...messages: readonly Message[]): Statement =>
      insertStatement(messages.map(rowOf), change),
    wake,
    put: createPut({ store, rowOf, waiting, wake }),
    /** A job: sends what is due, and resolves once nothing is. */
    async run(): Promise<void> {
      wake();
      await idle();
    },
    forgetOld: (): Promise<void> => store.forget(clock.now(), clock.now() - KEPT_MS),
    dead: store.dead,
    async retry(id: number): Promise<boolean> {
      const isThere = await store.retry(id, clock.now());
      if (isThere) wake();
      return isThere;
    },
    /** Waits for the attempts that are being made. */
    async close(): Promise<void> {
      await attendance.close();
      for (const resolve of waiting.values()) resolve(false);
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;
