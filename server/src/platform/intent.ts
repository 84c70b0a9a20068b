/** `Idempotency-Key`: what a client calls one wish, so that sending it again is no second one. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from './calls.ts';
import { say } from './texts.ts';

/** What the client says an intent is called, and what the intent was. */
export interface IntentKey {
  readonly key: string;
  readonly fingerprint: string;
}

const MAXIMUM_KEY_LENGTH = 128;

/** What the request asks for, so that the same key with another wish is noticed; secrets are left out. */
export function intentOf(
  http: FastifyRequest,
  wish: Record<string, unknown>,
  part = '',
): IntentKey | Refusal | undefined {
  const key = http.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAXIMUM_KEY_LENGTH) {
    return new Refusal(
      422,
      'INVALID_IDEMPOTENCY_KEY',
      say('Idempotency-Key is 1 to {{maximum}} characters.', { maximum: MAXIMUM_KEY_LENGTH }),
    );
  }
  const { transaction_password: _secret, ...rest } = wish;
  const text = JSON.stringify([http.method, http.url.split('?')[0], rest]);
  return { key: key + part, fingerprint: createHash('sha256').update(text).digest('base64url').slice(0, 22) };
}
