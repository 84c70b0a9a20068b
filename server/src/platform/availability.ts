/**
 * Whether a database server answers, and the connections to it. A server that is gone, or accepts and says nothing, is
 * found out by a connection of its own: while it does not answer, statements fail at once instead of waiting for it;
 * when it does again, there are fresh connections, for the old ones may never say anything more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './database.ts';

export interface AvailabilityOptions<Connections> {
  /** Opens connections; nothing is sent before the first statement. */
  readonly open: () => Connections;
  /** Rejects what waits on them after so many seconds; 0 at once. */
  readonly discard: (connections: Connections, seconds: number) => Promise<void>;
  /** Resolves when the server answers a connection of its own; rejects, or hangs, when not. */
  readonly probe: () => Promise<unknown>;
  /** Called with fresh connections, whenever older ones were given up. */
  readonly onFresh: () => void;
  /** A statement that waits longer has the server looked at. */
  readonly suspectMs: number;
  /** A server that takes longer to answer a look is away. */
  readonly probeMs: number;
}

const WATCH_MS = 250;
const RETURN_MS = 250;
/** After a good look, a slow statement is only slow. */
const TRUST_MS = 2000;
/** Connections are renewed for a slow statement no more often than this. */
const RENEW_MS = 60_000;
const RENEWED_SECONDS = 30;
const CLOSING_SECONDS = 5;

/** Rejects past the limit, but not before what has arrived by then was looked at. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new DatabaseUnavailable(`The database did not answer within ${limitMs} ms`));
  // A busy process reads its timers before its sockets.
  const rejectLater = () => setImmediate(() => setImmediate(giveUp));
  const timer = setTimeout(rejectLater, limitMs).unref();
  late.promise.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export class Availability<Connections> {
  readonly #options: AvailabilityOptions<Connections>;
  readonly #waiting = new Set<{ readonly since: number }>();
  #connections: Connections;
  #isAway = false;
  #isLooking = false;
  #isClosed = false;
  #trustedUntil = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AvailabilityOptions<Connections>) {
    this.#options = options;
    this.#connections = options.open();
    this.#watch().catch(() => undefined);
  }

  /**
   * @param limitMs the longest that the work may take
   * @throws DatabaseUnavailable while the server does not answer, and past the limit; then what was asked may be done
   */
  async run<T>(work: (connections: Connections) => Promise<T>, limitMs?: number): Promise<T> {
    if (this.#isAway) throw new DatabaseUnavailable('The database is away');
    const entry = { since: performance.now() };
    this.#waiting.add(entry);
    try {
      const working = work(this.#connections);
      return await (limitMs === undefined ? working : within(working, limitMs));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#suspect();
      if (limitMs !== undefined && performance.now() - entry.since >= limitMs) this.#renew();
      throw error;
    } finally {
      this.#waiting.delete(entry);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#options.discard(this.#connections, CLOSING_SECONDS);
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      await sleep(WATCH_MS, undefined, { ref: false });
      const now = performance.now();
      const [oldest] = this.#waiting;
      const isLong = oldest !== undefined && now - oldest.since > this.#options.suspectMs;
      if (isLong && now > this.#trustedUntil) this.#suspect();
    }
  }

  #suspect(): void {
    if (this.#isClosed || this.#isLooking) return;
    this.#isLooking = true;
    this.#look()
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  #answers(): Promise<boolean> {
    return within(this.#options.probe(), this.#options.probeMs).then(
      () => true,
      () => false,
    );
  }

  async #look(): Promise<void> {
    if (await this.#answers()) {
      this.#trustedUntil = performance.now() + TRUST_MS;
      return;
    }
    this.#isAway = true;
    await this.#options.discard(this.#connections, 0);
    while (!this.#isClosed && !(await this.#answers())) await sleep(RETURN_MS, undefined, { ref: false });
    if (this.#isClosed) return;
    this.#connections = this.#options.open();
    this.#isAway = false;
    this.#options.onFresh();
  }

  /** Connections on which a statement took too long may be dead while others live. */
  #renew(): void {
    if (this.#isAway || this.#isClosed || performance.now() - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = performance.now();
    const old = this.#connections;
    this.#connections = this.#options.open();
    this.#options.discard(old, RENEWED_SECONDS).catch(() => undefined);
    this.#options.onFresh();
  }
}
