/**
 * Mails that nothing waits for: a few at a time, tried again when they fail, given up after three attempts. A recipient
 * that fails holds up one of the few for as long as an attempt lasts. What is still here when the process ends is lost,
 * so what must arrive has a table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Mail, Mailer } from './mail.ts';

export interface Post {
  /** Never waits for a server and never throws. */
  send(mail: Mail): void;
  /** Resolves once nothing is being sent, waiting ones for a later attempt aside. */
  idle(): Promise<void>;
  /** Ends after the mails that are being sent. */
  close(): Promise<void>;
}

export interface PostDeps {
  readonly mailer: Pick<Mailer, 'send'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly retryMs?: readonly number[];
}

interface Waiting {
  readonly mail: Mail;
  readonly attempts: number;
}

/** How long a request waits to say how it went; the mail itself goes on. */
const SHORTLY_MS = 1000;

/** @returns what comes of a mail if that is known soon, else `otherwise`; `work` must not reject */
export async function shortly<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, sleep(SHORTLY_MS, otherwise, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

const AT_ONCE = 4;
const QUEUE_LIMIT = 5000;
const RETRY_MS = [30_000, 300_000];

export function createPost({ mailer, logger, retryMs = RETRY_MS }: PostDeps): Post {
  const queue: Waiting[] = [];
  const sending = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;

  function add(waiting: Waiting): void {
    if (isClosed || queue.length >= QUEUE_LIMIT) {
      logger.warn({ waiting: queue.length }, 'A mail was given up: too many wait');
      return;
    }
    queue.push(waiting);
    sendNext();
  }

  function sendNext(): void {
    while (sending.size < AT_ONCE && !isClosed) {
      const next = queue.shift();
      if (next === undefined) return;
      const work = sendOne(next).finally(() => {
        sending.delete(work);
        sendNext();
      });
      sending.add(work);
    }
  }

  async function sendOne({ mail, attempts }: Waiting): Promise<void> {
    try {
      await mailer.send(mail);
    } catch (error) {
      const afterMs = retryMs[attempts];
      logger.warn({ err: error, attempts: attempts + 1, isGivenUp: afterMs === undefined }, 'A mail could not be sent');
      if (afterMs === undefined || timers.size >= QUEUE_LIMIT || isClosed) return;
      const again = () => {
        timers.delete(timer);
        add({ mail, attempts: attempts + 1 });
      };
      const timer = setTimeout(guarded(logger, 'mail', again), afterMs).unref();
      timers.add(timer);
    }
  }

  async function idle(): Promise<void> {
    while (sending.size > 0) await Promise.all(sending);
  }

  return {
    send: (mail) => add({ mail, attempts: 0 }),
    idle,
    async close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      await idle();
    },
  };
}
