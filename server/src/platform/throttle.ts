/**
 * Delays that grow with each failure of one key (an address, an identifier), and are forgotten after a while. An attempt
 * is counted in the same step that admits it and given back when it was none: however many come at once, no more are
 * checked than may fail.
 */
export interface ThrottleRule {
  /** Failures that cost nothing. */
  readonly free: number;
  /** The delay after the first one that does; it doubles from there. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Quiet after which a key begins anew. */
  readonly forgetMs: number;
}

/** One attempt that was admitted. The first of its three ends counts, any further one is ignored. */
export interface Attempt {
  fail(): void;
  /** The key is proven: what failed before is forgotten. */
  succeed(): void;
  /** Neither: it never was an attempt of this key. */
  giveBack(): void;
}

export type Admission =
  | { readonly ok: true; readonly attempt: Attempt }
  /** Ms until the key may try again. */
  | { readonly ok: false; readonly waitMs: number };

export interface Throttle {
  /** Waits for attempts in flight where they take up what is free; at most `WAITING` wait, and each for `PATIENCE_MS`. */
  admit(key: string): Promise<Admission>;
  /** For what counts however it ends. @returns ms until the key may try again; 0 when it may now, and was counted */
  take(key: string): number;
}

interface Entry {
  failures: number;
  until: number;
  last: number;
  inFlight: number;
  waiting: (() => void)[];
}

const KEYS = 100_000;
const WAITING = 500;
const PATIENCE_MS = 10_000;
/** What is answered when too many wait. */
const BUSY_MS = 1000;

/** Waits to be woken, for a while. */
async function turn(entry: Entry, patienceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  entry.waiting.push(resolve);
  await promise;
  clearTimeout(timer);
  const index = entry.waiting.indexOf(resolve);
  if (index >= 0) entry.waiting.splice(index, 1);
}

class KeyedThrottle implements Throttle {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: { now(): number };
  readonly #rule: ThrottleRule;

  constructor(clock: { now(): number }, rule: ThrottleRule) {
    this.#clock = clock;
    this.#rule = rule;
  }

  async admit(key: string): Promise<Admission> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const entry = this.#entryOf(key);
      const waitMs = entry.until - this.#clock.now();
      if (waitMs > 0) return { ok: false, waitMs };
      if (entry.inFlight < this.#room(entry)) return { ok: true, attempt: this.#begin(key, entry) };
      const patienceMs = deadline - performance.now();
      if (entry.waiting.length >= WAITING || patienceMs <= 0) return { ok: false, waitMs: BUSY_MS };
      await turn(entry, patienceMs);
    }
  }

  take(key: string): number {
    const entry = this.#entryOf(key);
    const waitMs = entry.until - this.#clock.now();
    if (waitMs > 0) return waitMs;
    this.#fail(key, entry);
    return 0;
  }

  #entryOf(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#follow(known);
      if (this.#isStale(known)) known.failures = 0;
      return known;
    }
    const entry = { failures: 0, until: 0, last: this.#clock.now(), inFlight: 0, waiting: [] };
    this.#entries.set(key, entry);
    this.#dropOld();
    return entry;
  }

  /** Where the clock was set back, a delay lasts no longer than it would have. */
  #follow(entry: Entry): void {
    const back = entry.last - this.#clock.now();
    if (back <= 0) return;
    entry.last -= back;
    entry.until -= back;
  }

  #isStale({ last, until }: Entry): boolean {
    return Math.max(last, until) + this.#rule.forgetMs <= this.#clock.now();
  }

  #dropOld(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= KEYS && !this.#isStale(entry)) return;
      if (isIdle(entry)) this.#entries.delete(key);
    }
  }

  /** As many at once as may fail without a delay; past that, one after the other. */
  #room({ failures }: Entry): number {
    return Math.max(1, this.#rule.free - failures);
  }

  #begin(key: string, entry: Entry): Attempt {
    let isOpen = true;
    entry.inFlight += 1;
    const end = (count: () => void) => () => {
      if (!isOpen) return;
      isOpen = false;
      entry.inFlight -= 1;
      count();
      this.#wake(entry);
      if (entry.failures === 0 && isIdle(entry)) this.#entries.delete(key);
    };
    return {
      fail: end(() => this.#fail(key, entry)),
      succeed: end(() => {
        entry.failures = 0;
        entry.until = 0;
      }),
      giveBack: end(() => undefined),
    };
  }

  #fail(key: string, entry: Entry): void {
    const { free, firstMs, longestMs } = this.#rule;
    entry.failures += 1;
    entry.last = this.#clock.now();
    // Written anew, so that the key whose last failure is oldest is the first of the map.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const over = entry.failures - free;
    const delay = over < 0 ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(over, 30));
    entry.until = this.#clock.now() + delay;
  }

  #wake(entry: Entry): void {
    const isClosed = entry.until > this.#clock.now();
    const room = Math.max(0, this.#room(entry) - entry.inFlight);
    for (const resume of entry.waiting.splice(0, isClosed ? entry.waiting.length : room)) resume();
  }
}

const isIdle = ({ inFlight, waiting }: Entry) => inFlight === 0 && waiting.length === 0;

export const createThrottle = (clock: { now(): number }, rule: ThrottleRule): Throttle =>
  new KeyedThrottle(clock, rule);

const uncounted: Attempt = { fail: () => undefined, succeed: () => undefined, giveBack: () => undefined };

/** Where nothing is limited. */
export const unlimited: Throttle = { admit: async () => ({ ok: true, attempt: uncounted }), take: () => 0 };

/**
 * Admits to all, in their order, or to none.
 * @returns the attempts in the same order
 */
export async function admitToAll(
  asked: readonly (readonly [Throttle, string])[],
): Promise<{ readonly ok: true; readonly attempts: readonly Attempt[] } | (Admission & { readonly ok: false })> {
  const attempts: Attempt[] = [];
  for (const [throttle, key] of asked) {
    const admission = await throttle.admit(key);
    if (!admission.ok) {
      for (const attempt of attempts) attempt.giveBack();
      return admission;
    }
    attempts.push(admission.attempt);
  }
  return { ok: true, attempts };
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
