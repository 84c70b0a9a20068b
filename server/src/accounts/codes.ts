/** Six-digit codes by mail: ten minutes, five tries, a minute between two. Stored as a keyed hash. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { type Mailer, writeLetter } from '../mail/service.ts';
import { say } from '../platform/texts.ts';
import type { AccountStore } from './store.ts';

export interface CodeDeps {
  readonly store: AccountStore;
  readonly mailer: Mailer;
  readonly clock: { now(): number };
}

const LIFETIME_MS = 10 * 60_000;
const TRIES = 5;
export const RESEND_AFTER_MS = 60_000;

/** Six digits can be tried out, so the hash is bound to the address; the tries and the ten minutes do the rest. */
function hashCode(emailKey: string, purpose: string, code: string): string {
  return createHmac('sha256', `${purpose}:${emailKey}`).update(code).digest('base64url');
}

function mailFor(to: string, code: string, locale: string) {
  return writeLetter({
    to,
    locale,
    code,
    subject: say('{{code}} is your verification code', { code }),
    paragraphs: [
      say('Your Cambist verification code is'),
      say(
        'It is good for ten minutes. We never ask for it by phone or chat. If you did not ask for it, ignore this mail.',
      ),
    ],
  });
}

export type SendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: 'too-soon' | 'not-sent'; readonly waitMs: number };

export function createCodes(deps: CodeDeps) {
  const { store, mailer, clock } = deps;
  return {
    async send(email: string, emailKey: string, purpose: string, locale: string): Promise<SendResult> {
      const now = clock.now();
      const earlier = await store.readCode(emailKey, purpose);
      const waitMs = earlier === undefined ? 0 : earlier.sent_at + RESEND_AFTER_MS - now;
      if (waitMs > 0) return { ok: false, error: 'too-soon', waitMs };
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const code_hash = hashCode(emailKey, purpose, code);
      await store.saveCode(emailKey, purpose, {
        code_hash,
        tries_left: TRIES,
        sent_at: now,
        expires_at: now + LIFETIME_MS,
      });
      try {
        await mailer.send(mailFor(email, code, locale));
      } catch {
        await store.forgetCode(emailKey, purpose);
        return { ok: false, error: 'not-sent', waitMs: 0 };
      }
      return { ok: true };
    },
    /** Uses one of the tries; a right code is used up by `forget`. */
    async matches(emailKey: string, purpose: string, code: string): Promise<boolean> {
      const stored = await store.takeTry(emailKey, purpose, clock.now());
      const given = Buffer.from(hashCode(emailKey, purpose, code.trim()));
      const expected = Buffer.from(stored ?? hashCode(emailKey, purpose, 'none'));
      return timingSafeEqual(given, expected) && stored !== undefined;
    },
    forget: (emailKey: string, purpose: string) => store.forgetCode(emailKey, purpose),
  };
}

export type Codes = ReturnType<typeof createCodes>;
