/** `Idempotency-Key`: what a client calls one wish, so that sending it again is no second one. */
import { hash } from 'node:crypto';
import type { Idempotent } from '@cambist/contract/call.ts';

/** What the client says an intent is called, and what the intent was. */
export interface IntentKey {
  readonly key: string;
  readonly fingerprint: string;
}

type Wish = Readonly<Record<string, unknown>>;

export const MAXIMUM_KEY_LENGTH = 128;

const fingerprintOf = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);

/** Whether the tables keep it as it is: they take no NUL, and of half a character they make the same as of any other half. */
export function isKey(key: unknown): key is string {
  if (typeof key !== 'string' || key.length === 0 || key.length > MAXIMUM_KEY_LENGTH) return false;
  return key.isWellFormed() && !key.includes('\0');
}

/** @param call method and path. The same key with another wish is noticed by its fingerprint */
export function intentOf(key: string, call: readonly string[], wish: Wish, { except }: Idempotent): IntentKey {
  const wished = Object.fromEntries(Object.entries(wish).filter(([name]) => !except.includes(name)));
  return { key, fingerprint: fingerprintOf([...call, wished]) };
}

/** One key for a list is a key for each of its entries. */
export function intentsOf(intent: IntentKey | undefined, wishes: readonly Wish[]): readonly (IntentKey | undefined)[] {
  return wishes.map((wish, index) => {
    if (intent === undefined) return undefined;
    return { key: `${intent.key}:${index}`, fingerprint: fingerprintOf([intent.fingerprint, index, wish]) };
  });
}
