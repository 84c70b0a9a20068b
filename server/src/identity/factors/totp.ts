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
const STEP_S = 30;
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
/** As it was made, without the spaces and dashes that apps and people group it by. */
const plain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

type Verdict = 'right' | 'wrong' | 'used';

interface Checked {
  readonly secret: string;
  readonly isNew: boolean;
}

const isNew = (checked: Checked | undefined) => checked?.isNew === true;

/** Counts the guesses of a client, apart for each lane. */
function createGuard(clock: TotpDeps['clock']) {
  const guesses = createThrottle(clock, guessRule);

  return async function guarded<Result>(
    clientId: number,
    lane: string,
    check: () => Promise<Result>,
    isGood: (result: Result) => boolean,
  ): Promise<Result | undefined> {
    const admission = await guesses.admit(`${clientId}|${lane}`);
    if (!admission.ok) return undefined;
    const { attempt } = admission;
    try {
      const result = await check();
      if (isGood(result)) attempt.succeed();
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

  /** @returns the encrypted secret whose code it is, where it is right, and whether it is new; a new one is used up */
  async function checkCode(clientId: number, code: string, isEnrolling: boolean): Promise<Checked | undefined> {
    const row = await store.totp(clientId);
    if (row === undefined || (row.enabled_at === null) !== isEnrolling) return undefined;
    const secret = encryption.decrypt(row.secret, context(clientId));
    const epoch = Math.floor(clock.now() / 1000);
    const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_S });
    if (!result.valid || !('timeStep' in result)) return undefined;
    const newest = Math.floor((epoch + TOLERANCE_S) / STEP_S);
    return { secret: row.secret, isNew: await store.useStep(clientId, result.timeStep, newest) };
  }

  async function verdict(clientId: number, entered: string, lane: string): Promise<Verdict> {
    const code = plain(entered);
    if (!/^\d{6}$/.test(code)) {
      const isGood = await guarded(
        clientId,
        lane,
        () => store.useRecoveryCode(clientId, hashOf(clientId, code)),
        Boolean,
      );
      return isGood ? 'right' : 'wrong';
    }
    const checked = await guarded(clientId, lane, () => checkCode(clientId, code, false), isNew);
    if (checked === undefined) return 'wrong';
    return checked.isNew ? 'right' : 'used';
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
      const checked = await guarded(clientId, SIGNED_IN, () => checkCode(clientId, code, true), isNew);
      if (!checked?.isNew) return undefined;
      const { codes, hashes } = newRecoveryCodes(clientId);
      await store.enableTotp(by, checked.secret, clock.now(), hashes);
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
    check: async (clientId: number, code: string, lane = SIGNED_IN): Promise<boolean> =>
      (await verdict(clientId, code, lane)) === 'right',
    /** As `check`, of who is signed in and may be told that the code was right and has been used. */
    verdict: (clientId: number, code: string): Promise<Verdict> => verdict(clientId, code, SIGNED_IN),
  };
}

export type Totp = ReturnType<typeof createTotp>;
