/** Codes of an authenticator app (RFC 6238: six digits, 30 s, SHA-1) and ten recovery codes. Each is good once. */
import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Sealing } from '../platform/sealing.ts';
import { createThrottle } from '../platform/throttle.ts';
import type { FactorStore } from './store.ts';

export interface TotpDeps {
  readonly store: FactorStore;
  readonly sealing: Sealing;
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

export function createTotp({ store, sealing, siteName, clock }: TotpDeps) {
  const guesses = createThrottle(clock, guessRule);
  const hashOf = (clientId: number, code: string) => sealing.hash(plain(code), `recovery:${clientId}`);

  function newRecoveryCodes(clientId: number) {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    return { codes, hashes: codes.map((code) => hashOf(clientId, code)) };
  }

  async function checkCode(clientId: number, code: string, isEnrolling: boolean): Promise<boolean> {
    const row = await store.totp(clientId);
    if (row === undefined || (row.enabled_at === null) !== isEnrolling) return false;
    const secret = sealing.open(row.secret, context(clientId));
    const epoch = Math.floor(clock.now() / 1000);
    const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_S });
    return result.valid && 'timeStep' in result && (await store.useStep(clientId, result.timeStep));
  }

  async function guarded(clientId: number, lane: string, check: () => Promise<boolean>): Promise<boolean> {
    const admission = await guesses.admit(`${clientId}|${lane}`);
    if (!admission.ok) return false;
    const { attempt } = admission;
    try {
      const isGood = await check();
      if (isGood) attempt.succeed();
      else attempt.fail();
      return isGood;
    } finally {
      // Only what was checked counts.
      attempt.giveBack();
    }
  }

  return {
    async enabledAt(clientId: number): Promise<number | null> {
      return (await store.totp(clientId))?.enabled_at ?? null;
    },
    recoveryCodesLeft: store.recoveryCodesLeft,
    /** A new secret that waits for its first code; undefined when an app is connected already. */
    async enrol(clientId: number, label: string): Promise<{ secret: string; uri: string } | undefined> {
      if ((await store.totp(clientId))?.enabled_at) return undefined;
      const secret = generateSecret();
      await store.saveEnrolment(clientId, sealing.seal(secret, context(clientId)));
      return { secret, uri: generateURI({ issuer: siteName, label, secret }) };
    },
    /** @returns the recovery codes, this once; undefined for a wrong code */
    async enable(clientId: number, code: string): Promise<string[] | undefined> {
      if (!(await guarded(clientId, SIGNED_IN, () => checkCode(clientId, code, true)))) return undefined;
      const { codes, hashes } = newRecoveryCodes(clientId);
      await store.enableTotp(clientId, clock.now(), hashes);
      return codes;
    },
    disable: (clientId: number) => store.deleteTotp(clientId),
    async renewRecoveryCodes(clientId: number): Promise<string[]> {
      const { codes, hashes } = newRecoveryCodes(clientId);
      await store.replaceRecoveryCodes(clientId, hashes);
      return codes;
    },
    /**
     * A code of the app, or a recovery code; either is used up.
     * @param lane as whom guesses are counted: at the sign-in strangers together, and each known device or network
     */
    check: (clientId: number, code: string, lane = SIGNED_IN): Promise<boolean> =>
      guarded(clientId, lane, () =>
        /^\d{6}$/.test(code)
          ? checkCode(clientId, code, false)
          : store.useRecoveryCode(clientId, hashOf(clientId, code)),
      ),
  };
}

export type Totp = ReturnType<typeof createTotp>;
