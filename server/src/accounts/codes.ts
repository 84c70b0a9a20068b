/** Six-digit codes by mail and SMS: ten minutes, five tries, a minute between two. Stored as a keyed hash. */
import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Sealing } from '../platform/sealing.ts';
import type { SessionStore } from './session-store.ts';

/** What a code is good for; one for another purpose never fits. */
export type CodePurpose = 'register' | 'reset' | 'password' | 'anti-phishing' | 'mobile' | 'bind-email' | 'withdrawal';

export interface CodeDeps {
  readonly store: Pick<SessionStore, 'saveCode' | 'withdrawCode' | 'readCode' | 'takeTry' | 'forgetCode'>;
  readonly sealing: Pick<Sealing, 'hash'>;
  readonly clock: { now(): number };
}

const LIFETIME_MS = 10 * 60_000;
const TRIES = 5;
export const RESEND_AFTER_MS = 60_000;

export type SendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: 'too-soon' | 'not-sent'; readonly waitMs: number };

export function createCodes({ store, sealing, clock }: CodeDeps) {
  const hashOf = (target: string, purpose: CodePurpose, code: string) => sealing.hash(code, `${purpose}:${target}`);

  return {
    /**
     * @param target whom the code is for: the key of an address, a number, a client
     * @param deliver hands the code over; when it throws, no code is left behind
     */
    async send(target: string, purpose: CodePurpose, deliver: (code: string) => Promise<void>): Promise<SendResult> {
      const now = clock.now();
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const code_hash = hashOf(target, purpose, code);
      const row = { code_hash, tries_left: TRIES, sent_at: now, expires_at: now + LIFETIME_MS };
      if (!(await store.saveCode(target, purpose, row, now - RESEND_AFTER_MS))) {
        const sentAt = (await store.readCode(target, purpose))?.sent_at ?? now;
        return { ok: false, error: 'too-soon', waitMs: Math.max(1, sentAt + RESEND_AFTER_MS - now) };
      }
      try {
        await deliver(code);
      } catch {
        await store.withdrawCode(target, purpose, code_hash);
        return { ok: false, error: 'not-sent', waitMs: 0 };
      }
      return { ok: true };
    },
    /** Uses one of the tries; a right code is used up by `forget`. */
    async matches(target: string, purpose: CodePurpose, code: string): Promise<boolean> {
      const stored = await store.takeTry(target, purpose, clock.now());
      const given = Buffer.from(hashOf(target, purpose, code.trim()));
      const expected = Buffer.from(stored ?? hashOf(target, purpose, 'none'));
      return timingSafeEqual(given, expected) && stored !== undefined;
    },
    /** @returns false when another request has just used it */
    forget: (target: string, purpose: CodePurpose) => store.forgetCode(target, purpose),
    /** Checks a code and uses it up. */
    async use(target: string, purpose: CodePurpose, code: string): Promise<boolean> {
      return (await this.matches(target, purpose, code)) && (await this.forget(target, purpose));
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
