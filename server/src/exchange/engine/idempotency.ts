/**
 * The same key twice is one command: the second gets the first one's answer, for a day. Keys travel in the journal with
 * their command, so a restart does not forget them; the newest stay in memory, older ones are looked up.
 */

import type { Submitted } from './feed.ts';
import type { IdempotencyStore } from './idempotency-store.ts';

export type KeyedResult =
  | { readonly kind: 'done'; readonly submitted: Submitted; readonly repeated: boolean }
  | { readonly kind: 'key-reused' };

export interface Idempotency {
  run(owner: number, key: string, fingerprint: string, submit: () => Promise<Submitted>): Promise<KeyedResult>;
  /** What the key has led to already, for a command that can no longer be made out; undefined when it is new. */
  recall(owner: number, key: string, fingerprint: string): Promise<KeyedResult | undefined>;
  /** Forgets what is too old, in the store too. */
  forgetOld(): Promise<void>;
}

interface Remembered {
  readonly fingerprint: string;
  /** Ms; undefined until the outcome is known. */
  time: number | undefined;
  readonly result: Promise<Submitted>;
}

/** How long a key is remembered, wherever it is kept. */
export const KEY_AGE_MS = 86_400_000;
const MAXIMUM_REMEMBERED = 200_000;

const idOf = (owner: number, key: string) => `${owner}:${key}`;

class Idempotencies implements Idempotency {
  readonly #store: IdempotencyStore;
  readonly #clock: { now(): number };
  readonly #maximum: number;
  readonly #remembered = new Map<string, Remembered>();
  /** While every key ever stored is in memory, a miss needs no look-up. */
  #storeMayKnowMore: boolean;

  constructor(store: IdempotencyStore, clock: { now(): number }, maximum: number, storeMayKnowMore: boolean) {
    this.#store = store;
    this.#clock = clock;
    this.#maximum = maximum;
    this.#storeMayKnowMore = storeMayKnowMore;
  }

  async run(owner: number, key: string, fingerprint: string, submit: () => Promise<Submitted>): Promise<KeyedResult> {
    const known = this.#fromMemory(owner, key, fingerprint);
    if (known !== undefined) return known;
    if (this.#storeMayKnowMore) {
      const stored = await this.#fromStore(owner, key, fingerprint);
      if (stored !== undefined) return stored;
      // Another request may have come first while the store was asked.
      const raced = this.#fromMemory(owner, key, fingerprint);
      if (raced !== undefined) return raced;
    }
    const result = submit();
    this.#remember(idOf(owner, key), { fingerprint, time: undefined, result });
    return { kind: 'done', submitted: await result, repeated: false };
  }

  async recall(owner: number, key: string, fingerprint: string): Promise<KeyedResult | undefined> {
    return this.#fromMemory(owner, key, fingerprint) ?? this.#fromStore(owner, key, fingerprint);
  }

  async forgetOld(): Promise<void> {
    for (const [id, { time }] of this.#remembered) {
      // In the order of arrival: what comes later is younger.
      if (time === undefined || !this.#isOld(time)) break;
      this.#remembered.delete(id);
    }
    await this.#store.forgetBefore(this.#clock.now() - KEY_AGE_MS);
  }

  #isOld(time: number): boolean {
    return time < this.#clock.now() - KEY_AGE_MS;
  }

  #remember(id: string, entry: Remembered): void {
    this.#remembered.delete(id);
    this.#remembered.set(id, entry);
    entry.result.then(
      ({ time }) => {
        entry.time = time;
      },
      () => {
        if (this.#remembered.get(id) === entry) this.#remembered.delete(id);
      },
    );
    if (this.#remembered.size <= this.#maximum) return;
    this.#storeMayKnowMore = true;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }

  #fromMemory(owner: number, key: string, fingerprint: string): Promise<KeyedResult> | undefined {
    const entry = this.#remembered.get(idOf(owner, key));
    if (entry === undefined || (entry.time !== undefined && this.#isOld(entry.time))) return undefined;
    return answerAgain(entry, fingerprint);
  }

  async #fromStore(owner: number, key: string, fingerprint: string): Promise<KeyedResult | undefined> {
    const stored = this.#storeMayKnowMore ? await this.#store.find(owner, key) : undefined;
    if (stored === undefined || this.#isOld(stored.time)) return undefined;
    const { id, batch, reason, time } = stored;
    const outcome = reason === '' ? { ok: true as const } : { ok: false as const, reason };
    const result = Promise.resolve({ outcome, id, batch, time, order: undefined, ended: 0 });
    return answerAgain({ fingerprint: stored.fingerprint, time, result }, fingerprint);
  }
}

async function answerAgain(entry: Remembered, fingerprint: string): Promise<KeyedResult> {
  if (entry.fingerprint !== fingerprint) return { kind: 'key-reused' };
  return { kind: 'done', submitted: await entry.result, repeated: true };
}

export async function createIdempotency(
  store: IdempotencyStore,
  clock: { now(): number },
  maximumRemembered = MAXIMUM_REMEMBERED,
): Promise<Idempotency> {
  return new Idempotencies(store, clock, maximumRemembered, await store.hasAny());
}
