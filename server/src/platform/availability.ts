/**
 * Whether a database server answers, and the connections to it. A server that is gone, or accepts and says nothing, is
 * found out by a connection of its own: while it does not answer, statements fail at once instead of waiting for it;
 * when it does again, there are fresh connections, for the old ones may never say anything more.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
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

export interface Availability<Connections> {
  /**
   * @param limitMs the longest that the work may take
   * @throws DatabaseUnavailable while the server does not answer, and past the limit; then what was asked may be done
   */
  run<T>(work: (connections: Connections) => Promise<T>, limitMs?: number): Promise<T>;
  /** The present connections, whatever state the server is in. */
  connections(): Connections;
  /** Have the server looked at now. */
  suspect(): void;
  close(): Promise<void>;
}

const WATCH_MS = 250;
const RETURN_MS = 250;
/** After a good look, a slow statement is only slow. */
const TRUST_MS = 2000;
/** Connections on which a statement took too long may be dead while others live; they are given up now and then. */
const RENEW_MS = 60_000;
const RENEWED_SECONDS = 30;

/** Rejects past the limit, but not before what has arrived by then was looked at. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const ended = new AbortController();
  const late = (async () => {
    await sleep(limitMs, undefined, { ref: false, signal: ended.signal });
    // A busy process reads its timers before its sockets.
    await nextTurn();
    await nextTurn();
    throw new DatabaseUnavailable(`The database did not answer within ${limitMs} ms`);
  })();
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

export function watchAvailability<Connections>(options: AvailabilityOptions<Connections>): Availability<Connections> {
  let current = options.open();
  let isAway = false;
  let closed = false;
  let isLooking = false;
  let trustedUntil = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  const waiting = new Set<{ readonly since: number }>();

  const answers = () =>
    within(options.probe(), options.probeMs).then(
      () => true,
      () => false,
    );

  function replace(seconds: number): void {
    const old = current;
    current = options.open();
    renewedAt = performance.now();
    options.discard(old, seconds).catch(() => undefined);
    options.onFresh();
  }

  async function look(): Promise<void> {
    if (await answers()) {
      trustedUntil = performance.now() + TRUST_MS;
      return;
    }
    isAway = true;
    await options.discard(current, 0);
    while (!closed && !(await answers())) await sleep(RETURN_MS, undefined, { ref: false });
    if (closed) return;
    current = options.open();
    isAway = false;
    options.onFresh();
  }

  function suspect(): void {
    if (closed || isLooking) return;
    isLooking = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }

  async function watch(): Promise<void> {
    while (!closed) {
      await sleep(WATCH_MS, undefined, { ref: false });
      const now = performance.now();
      const [oldest] = waiting;
      if (oldest !== undefined && now - oldest.since > options.suspectMs && now > trustedUntil) suspect();
    }
  }
  watch().catch(() => undefined);

  return {
    async run(work, limitMs) {
      if (isAway) throw new DatabaseUnavailable('The database is away');
      const entry = { since: performance.now() };
      waiting.add(entry);
      try {
        const working = work(current);
        return await (limitMs === undefined ? working : within(working, limitMs));
      } catch (error) {
        const isLate = limitMs !== undefined && performance.now() - entry.since >= limitMs;
        if (error instanceof DatabaseUnavailable) suspect();
        if (isLate && !isAway && performance.now() - renewedAt > RENEW_MS) replace(RENEWED_SECONDS);
        throw error;
      } finally {
        waiting.delete(entry);
      }
    },
    connections: () => current,
    suspect,
    async close() {
      closed = true;
      await options.discard(current, 5);
    },
  };
}
