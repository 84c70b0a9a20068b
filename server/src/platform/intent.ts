/** `Idempotency-Key`: what a client calls one wish, so that sending it again is no second one. */
import { hash } from 'node:crypto';
import { type Intent, Refusal } from './calls.ts';
import { say } from './texts.ts';

/** What the client says an intent is called, and what the intent was. */
export interface IntentKey {
  readonly key: string;
  readonly fingerprint: string;
}

export const MAXIMUM_KEY_LENGTH = 128;

/** Whether the tables keep it as it is: they take no NUL, and of half a character they make the same as of any other half. */
const isKept = (key: string): boolean => key.isWellFormed() && !key.includes('\0');

/** What the request asks for, so that the same key with another wish is noticed; secrets are left out. */
export function intentOf(
  { method, path, key }: Intent,
  wish: Record<string, unknown>,
  part = '',
): IntentKey | Refusal | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAXIMUM_KEY_LENGTH || !isKept(key)) {
    return new Refusal(
      422,
      'INVALID_IDEMPOTENCY_KEY',
      say('Idempotency-Key is 1 to {{maximum}} characters.', { maximum: MAXIMUM_KEY_LENGTH }),
    );
  }
  const { transaction_password: _secret, ...rest } = wish;
  const text = JSON.stringify([method, path, rest]);
  return { key: key + part, fingerprint: hash('sha256', text, 'base64url').slice(0, 22) };
}

/** One key for a list is a key for each of its parts. */
export function intentsOf(
  intent: Intent,
  wishes: readonly Record<string, unknown>[],
): (IntentKey | undefined)[] | Refusal {
  const intents = wishes.map((wish, index) => intentOf(intent, { index, ...wish }, `:${index}`));
  const unreadable = intents.find((one) => one instanceof Refusal);
  return unreadable instanceof Refusal ? unreadable : (intents as (IntentKey | undefined)[]);
}
