/**
 * Six-digit codes by mail and SMS: ten minutes, five tries, a minute between two of one asker. Stored as a keyed hash.
 * Without a session, the asker is the network or the known device: a stranger's request neither delays the owner's nor
 * replaces the owner's code, and a stranger's guesses are not taken from the owner's tries.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Statement } from '../../platform/database.ts';
import type { Encryption } from '../../platform/encryption.ts';
import type { SessionStore } from './session-store.ts';

/** What a code is good for; one for another purpose never fits. */
export type CodePurpose =
  | ('register' | 'reset' | 'password' | 'anti-phishing' | 'mobile' | 'bind-email')
  | ('withdrawal' | 'withdrawal-rules');

export interface CodeDeps {
  readonly store: Pick<
    SessionStore,
    'saveCode' | 'codeSentAt' | 'takeTries' | 'giveTryBack' | 'withdrawCode' | 'forgetCodes'
  >;
  readonly encryption: Pick<Encryption, 'hash'>;
  readonly clock: { now(): number };
}

const LIFETIME_MS = 10 * 60_000;
const TRIES = 5;
export const RESEND_AFTER_MS = 60_000;

export type SendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: 'too-soon' | 'not-sent'; readonly waitMs: number };

/** Who asks for a code or shows it. */
export interface Asker {
  readonly key: string;
  /** Counts a request of a stranger. @returns ms to wait, 0 when there may be one */
  readonly take: (target: string) => number;
}

/** A signed-in client: the target names the client already. */
const SELF: Asker = { key: '', take: () => 0 };

export function createCodes({ store, encryption, clock }: CodeDeps) {
  const hashOf = (target: string, purpose: CodePurpose, code: string) => encryption.hash(code, `${purpose}:${target}`);

  return {
    /**
     * @param target whom the code is for: the key of an address, a number, a client
     * @param deliver hands the code over; when it throws, no code is left behind
     */
    async send(
      target: string,
      purpose: CodePurpose,
      deliver: (code: string) => Promise<void>,
      asker: Asker = SELF,
    ): Promise<SendResult> {
      const now = clock.now();
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const code_hash = hashOf(target, purpose, code);
      const row = { code_hash, tries: TRIES, sent_at: now, expires_at: now + LIFETIME_MS };
      const key = { target, purpose, asker: asker.key };
      if (!(await store.saveCode(key, row, RESEND_AFTER_MS))) {
        const sentAt = (await store.codeSentAt(key)) ?? now;
        return { ok: false, error: 'too-soon', waitMs: Math.max(1, sentAt + RESEND_AFTER_MS - now) };
      }
      const waitMs = asker.take(`${purpose}:${target}`);
      if (waitMs > 0) {
        await store.withdrawCode(key, code_hash);
        return { ok: false, error: 'too-soon', waitMs };
      }
      try {
        await deliver(code);
      } catch {
        await store.withdrawCode(key, code_hash);
        return { ok: false, error: 'not-sent', waitMs: 0 };
      }
      return { ok: true };
    },
    /** Uses one of the tries; a right code is used up by `forget`. */
    async matches(target: string, purpose: CodePurpose, code: string, asker: Asker = SELF): Promise<boolean> {
      const given = Buffer.from(hashOf(target, purpose, code.trim()));
      const stored = await store.takeTries({ target, purpose, asker: asker.key }, clock.now());
      return stored.filter((hash) => timingSafeEqual(given, Buffer.from(hash))).length > 0;
    },
    /** Whether it would be right where it is used. Only a wrong code costs a try. */
    async fits(target: string, purpose: CodePurpose, code: string, asker: Asker = SELF): Promise<boolean> {
      if (!(await this.matches(target, purpose, code, asker))) return false;
      await store.giveTryBack({ target, purpose, asker: asker.key }, hashOf(target, purpose, code.trim()));
      return true;
    },
    /** For the transaction that it allows, which fails (`code`) where the code was used meanwhile. */
    using: (target: string, purpose: CodePurpose, code: string): Statement => ({
      sql: 'SELECT use_verification_code($1, $2, $3)',
      parameters: [target, purpose, hashOf(target, purpose, code.trim())],
    }),
    /** @returns false when another request has just used it */
    forget: (target: string, purpose: CodePurpose) => store.forgetCodes(target, purpose),
    /** Checks a code and uses it up. */
    async use(target: string, purpose: CodePurpose, code: string, asker: Asker = SELF): Promise<boolean> {
      return (await this.matches(target, purpose, code, asker)) && (await this.forget(target, purpose));
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
