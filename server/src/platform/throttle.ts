/** Delays that grow with each failure of one key (an address, an identifier), and are forgotten after a while. */
export interface ThrottleRule {
  /** Failures that cost nothing. */
  readonly free: number;
  /** The delay after the first one that does; it doubles from there. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Quiet after which a key begins anew. */
  readonly forgetMs: number;
}

export interface Throttle {
  /** Ms until the key may try again; 0 when it may now. */
  waitMs(key: string): number;
  fail(key: string): void;
  succeed(key: string): void;
}

interface Entry {
  failures: number;
  until: number;
  last: number;
}

const KEYS = 100_000;

export function createThrottle(clock: { now(): number }, rule: ThrottleRule): Throttle {
  const entries = new Map<string, Entry>();

  function dropOld(): void {
    const now = clock.now();
    for (const [key, { last, until }] of entries) {
      if (entries.size < KEYS && Math.max(last, until) + rule.forgetMs > now) return;
      entries.delete(key);
    }
  }

  return {
    waitMs(key) {
      return Math.max(0, (entries.get(key)?.until ?? 0) - clock.now());
    },
    fail(key) {
      const now = clock.now();
      const known = entries.get(key);
      const isStale = known === undefined || Math.max(known.last, known.until) + rule.forgetMs <= now;
      const failures = isStale ? 1 : known.failures + 1;
      const over = failures - rule.free;
      const delay = over < 0 ? 0 : Math.min(rule.longestMs, rule.firstMs * 2 ** Math.min(over, 30));
      // Written anew, so that the oldest key is the first of the map.
      entries.delete(key);
      entries.set(key, { failures, last: now, until: now + delay });
      dropOld();
    },
    succeed(key) {
      entries.delete(key);
    },
  };
}

/** One household or office: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':');
}
