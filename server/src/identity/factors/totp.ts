/** Codes of an authenticator app (RFC 6238: six digits, 30 s, SHA-1) and ten recovery codes. Each is good once. */
import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Authority } from '../../platform/authority.ts';
import type { Encryption } from '../../platform/encryption.ts';
import { createThrottle } from '../../platform/throttle.ts';
import type { FactorStore } from './store.ts';

export interface TotpDeps {
  readonly store: FactorStore;
  readonly encryption: Encryption;
  readonly siteName: string;
  readonly clock: { now(): number };
}

const RECOVERY_CODES = 10;
/** One step to either side, for clocks that are not quite right. */
const TOLERANCE_S = 30;
/** Five wrong codes, then delays from 30 s: a million codes take longer than anybody lives. */
const guessRule = { free: 5, firstMs: 30_000, longestMs: 3_600_000, forgetMs: 3_600_000 };

/** Where a session asks: what strangers guess at the sign-in is not counted there. */
const SIGNED_IN = 'signed-in';

const context = (clientId: number) => `totp:${clientId}`;
/** 50 bits in two groups, such as `k3f9a-x72pq`. */
function newRecoveryCode(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const text = [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}
const plain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Counts the guesses of a client, apart for each lane. */
function createGuard(clock: TotpDeps['clock']) {
  const guesses = createThrottle(clock, guessRule);

  return async function guarded<Result>(
    clientId: number,
    lane: string,
    check: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const admission = await guesses.admit(`${clientId}|${lane}`);
    if (!admission.ok) return undefined;
    const { attempt } = admission;
    try {
      const result = await check();
      if (result) attempt.succeed();
      else attempt.fail();
      return result;
    } finally {
      // Only what was checked counts.
      attempt.giveBack();
    }
  };
}

/** Recovery codes, which are kept as keyed hashes. */
function createRecovery(encryption: Encryption) {
  const hashOf = (clientId: number, code: string) => encryption.hash(plain(code), `recovery:${clientId}`);

  function newRecoveryCodes(clientId: number) {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    return { codes, hashes: codes.map((code) => hashOf(clientId, code)) };
  }

  return { hashOf, newRecoveryCodes };
}

export function createTotp({ store, encryption, siteName, clock }: TotpDeps) {
  const guarded = createGuard(clock);
  const { hashOf, newRecoveryCodes } = createRecovery(encryption);

  /** @returns the encrypted secret whose code it is, where it is right and new */
  async function checkCode(clientId: number, code: string, isEnrolling: boolean): Promise<string | undefined> {
    const row = await store.totp(clientId);
    if (row === undefined || (row.enabled_at === null) !== isEnrolling) return undefined;
    const secret = encryption.decrypt(row.secret, context(clientId));
    const epoch = Math.floor(clock.now() / 1000);
    const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_S });
    const isNew = result.valid && 'timeStep' in result && (await store.useStep(clientId, result.timeStep));
    return isNew ? row.secret : undefined;
  }

  return {
    async enabledAt(clientId: number): Promise<number | null> {
      return (await store.totp(clientId))?.enabled_at ?? null;
    },
    recoveryCodesLeft: store.recoveryCodesLeft,
    /** A new secret that waits for its first code; undefined when an app is connected already. */
    async enrol(by: Authority, label: string): Promise<{ secret: string; uri: string } | undefined> {
      const secret = generateSecret();
      const isSaved = await store.saveEnrolment(by, encryption.encrypt(secret, context(by.clientId)));
      return isSaved ? { secret, uri: generateURI({ issuer: siteName, label, secret }) } : undefined;
    },
    /** @returns the recovery codes, this once; undefined for a wrong code */
    async enable(by: Authority, code: string): Promise<string[] | undefined> {
      const { clientId } = by;
      const secret = await guarded(clientId, SIGNED_IN, () => checkCode(clientId, code, true));
      if (secret === undefined) return undefined;
      const { codes, hashes } = newRecoveryCodes(clientId);
      await store.enableTotp(by, secret, clock.now(), hashes);
      return codes;
    },
    disable: (by: Authority) => store.deleteTotp(by),
    async renewRecoveryCodes(by: Authority): Promise<string[]> {
      const { codes, hashes } = newRecoveryCodes(by.clientId);
      await store.replaceRecoveryCodes(by, hashes);
      return codes;
    },
    /**
     * A code of the app, or a recovery code; either is used up.
     * @param lane as whom guesses are counted: at the sign-in strangers together, and each known device or network
     */
    check: async (clientId: number, code: string, lane = SIGNED_IN): Promise<boolean> => {
      const isApp = /^\d{6}$/.test(code);
      const result = await guarded<string | boolean | undefined>(clientId, lane, () =>
        isApp ? checkCode(clientId, code, false) : store.useRecoveryCode(clientId, hashOf(clientId, code)),
      );
      return Boolean(result);
    },
  };
}

export type Totp = ReturnType<typeof createTotp>;
