/**
 * The same key twice is one command: the second gets the first one's answer. Keys travel in the journal with their
 * command, so a restart does not forget them; the newest stay in memory, older ones are looked up.
 */

import type { IdempotencyStore } from './idempotency-store.ts';
import type { SubmittedWithEvents } from './sequencer.ts';

export type KeyedResult =
  | { readonly kind: 'done'; readonly submitted: SubmittedWithEvents; readonly repeated: boolean }
  | { readonly kind: 'key-reused' };

export interface Idempotency {
  run(
    owner: number,
    key: string,
    fingerprint: string,
    submit: () => Promise<SubmittedWithEvents>,
  ): Promise<KeyedResult>;
  /** What the key has led to already, for a command that can no longer be made out; undefined when it is new. */
  recall(owner: number, key: string, fingerprint: string): Promise<KeyedResult | undefined>;
  forgetBefore(time: number): Promise<void>;
}

interface Remembered {
  readonly fingerprint: string;
  readonly result: Promise<SubmittedWithEvents>;
}

const MAXIMUM_REMEMBERED = 200_000;

const idOf = (owner: number, key: string) => `${owner}:${key}`;

export async function createIdempotency(
  store: IdempotencyStore,
  maximumRemembered = MAXIMUM_REMEMBERED,
): Promise<Idempotency> {
  const remembered = new Map<string, Remembered>();
  // While every key ever stored is in memory, a miss needs no look-up.
  let storeMayKnowMore = await store.hasAny();

  function remember(id: string, entry: Remembered): void {
    remembered.set(id, entry);
    entry.result.catch(() => remembered.delete(id));
    if (remembered.size <= maximumRemembered) return;
    storeMayKnowMore = true;
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      break;
    }
  }

  async function answerAgain(entry: Remembered, fingerprint: string): Promise<KeyedResult> {
    if (entry.fingerprint !== fingerprint) return { kind: 'key-reused' };
    return { kind: 'done', submitted: await entry.result, repeated: true };
  }

  function recallFromMemory(owner: number, key: string, fingerprint: string): Promise<KeyedResult> | undefined {
    const entry = remembered.get(idOf(owner, key));
    return entry && answerAgain(entry, fingerprint);
  }

  async function recallFromStore(owner: number, key: string, fingerprint: string): Promise<KeyedResult | undefined> {
    const stored = storeMayKnowMore ? await store.find(owner, key) : undefined;
    if (stored === undefined) return undefined;
    const { orderId, batch, reason } = stored;
    const outcome = reason === '' ? { ok: true as const } : { ok: false as const, reason };
    const result = Promise.resolve({ outcome, orderId, batch, time: 0, events: [] });
    return answerAgain({ fingerprint: stored.fingerprint, result }, fingerprint);
  }

  return {
    async run(owner, key, fingerprint, submit) {
      const known = recallFromMemory(owner, key, fingerprint);
      if (known !== undefined) return known;
      if (storeMayKnowMore) {
        const stored = await recallFromStore(owner, key, fingerprint);
        if (stored !== undefined) return stored;
        // Another request may have come first while the store was asked.
        const raced = recallFromMemory(owner, key, fingerprint);
        if (raced !== undefined) return raced;
      }
      const result = submit();
      remember(idOf(owner, key), { fingerprint, result });
      return { kind: 'done', submitted: await result, repeated: false };
    },
    recall: async (owner, key, fingerprint) =>
      recallFromMemory(owner, key, fingerprint) ?? recallFromStore(owner, key, fingerprint),
    forgetBefore: (time) => store.forgetBefore(time),
  };
}
