/** Whether a client may withdraw to an address, and what shows that it is the person. */
import type { Authority } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Statement } from '../../platform/database.ts';
import { canonicalAddress, familyOf } from '../chains/service.ts';
import { fail, type Inspected, type Result, type WithdrawalError } from './inspection.ts';
import type { WithdrawalStore } from './store.ts';

/** What shows that it is the person. */
export interface Shown {
  readonly password: string;
  readonly code: string;
}

/** A step-up that is still to be made, as the caller refuses it. */
export interface Unconfirmed<Refused> {
  readonly kind: 'unconfirmed';
  readonly refused: Refused;
}

/** What a withdrawal to an address asks for. */
export interface Judgement {
  /** Never paid to by this client, and not on the list of saved addresses. */
  readonly isNewAddress: boolean;
  /** By mail or the app; `none` inside the sum that needs none. */
  readonly code: 'mail' | 'app' | 'none';
  readonly needsStepUp: boolean;
  readonly hasFactor: boolean;
  /** USDT in 24 hours that need no code; 0 while there are none. */
  readonly oneStepUsdt: number;
  readonly ownLimitUsdt: number | null;
}

export interface SavedAddress {
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  readonly active_at: number;
}

/** What is asked of the person's account. */
export interface Person {
  /** Whether nothing may leave at the moment. */
  isRestricted(clientId: number): Promise<boolean>;
  hasMail(clientId: number): Promise<boolean>;
  hasApp(clientId: number): Promise<boolean>;
  hasFactor(clientId: number): Promise<boolean>;
  rules(clientId: number): Promise<{
    readonly limitUsdt: number | null;
    readonly oneStepUsdt: number;
    readonly isWhitelistOnly: boolean;
  }>;
  savedAddresses(clientId: number): Promise<readonly SavedAddress[]>;
  checkPassword(clientId: number, password: string): Promise<boolean>;
  /** Whether a mailed code is right; it stays good. */
  fitsCode(clientId: number, code: string): Promise<boolean>;
  /** For the transaction that it allows: uses it up, or fails. */
  usingCode(clientId: number, code: string): Statement;
  /** Uses a code of the app up. */
  useAppCode(clientId: number, code: string): Promise<boolean>;
  /** Of the session, at the epoch of now. */
  own(identity: Identity): Promise<Authority>;
  /** Fails the transaction while nothing may leave. */
  unrestricted(clientId: number): Statement;
}

export interface ProofDeps {
  readonly person: Person;
  readonly store: Pick<WithdrawalStore, 'isPaid'>;
  readonly hasDebt: (owner: number) => boolean;
  readonly withoutDebt: (owner: number) => Statement;
  /** Whether another withdrawal of it stays within what needs no code. */
  readonly isOneStep: (owner: number, inspected: Inspected, oneStepUsdt: number) => Promise<boolean>;
  readonly clock: { now(): number };
}

interface Proven {
  readonly by: Authority;
  readonly conditions: readonly Statement[];
}

function createAddressBook({ person, store, clock }: ProofDeps) {
  return async (owner: number, { way, address }: Inspected) => {
    const family = familyOf(way.network);
    const isSaved = (await person.savedAddresses(owner)).some(
      (saved) =>
        saved.coin.toUpperCase() === way.coin &&
        saved.network.toUpperCase() === way.network &&
        canonicalAddress(family, saved.address) === address &&
        saved.active_at <= clock.now(),
    );
    return { isSaved, isPaid: isSaved || (await store.isPaid(owner, way.network, address)) };
  };
}

export function createProofs(deps: ProofDeps) {
  const { person, hasDebt, withoutDebt, isOneStep } = deps;
  const bookOf = createAddressBook(deps);

  async function codeOf(owner: number, isConfirmed: boolean): Promise<Judgement['code'] | undefined> {
    if (await person.hasMail(owner)) return 'mail';
    if (!(await person.hasApp(owner))) return undefined;
    // The step-up has asked for the same app.
    return isConfirmed ? 'none' : 'app';
  }

  return {
    async judge(owner: number, inspected: Inspected): Promise<Result<Judgement>> {
      if (await person.isRestricted(owner)) return fail({ kind: 'restricted' });
      if (hasDebt(owner)) return fail({ kind: 'debt' });
      const [rules, book, hasFactor] = await Promise.all([
        person.rules(owner),
        bookOf(owner, inspected),
        person.hasFactor(owner),
      ]);
      if (rules.isWhitelistOnly && !book.isSaved) return fail({ kind: 'not-whitelisted' });
      const isNewAddress = !book.isPaid;
      const needsStepUp = isNewAddress && hasFactor;
      const { oneStepUsdt, limitUsdt: ownLimitUsdt } = rules;
      const isFree = oneStepUsdt > 0 && (await isOneStep(owner, inspected, oneStepUsdt));
      const code = isFree ? 'none' : await codeOf(owner, needsStepUp);
      if (code === undefined) return fail({ kind: 'no-second-way' });
      // A code was not asked for because of the sum: that must still be so where it is written.
      const unproven = isFree ? oneStepUsdt : 0;
      return { ok: true, value: { isNewAddress, needsStepUp, hasFactor, code, ownLimitUsdt, oneStepUsdt: unproven } };
    },

    /** The password, the code, then the step-up. A right code stays good until the withdrawal is written. */
    async prove<Refused extends object>(
      identity: Identity,
      { code, needsStepUp }: Judgement,
      shown: Shown,
      confirm: () => Promise<Authority | Refused>,
    ): Promise<Result<Proven, WithdrawalError | Unconfirmed<Refused>>> {
      const owner = identity.clientId;
      // Read before anything is checked: a change that comes between makes the withdrawal fail.
      const own = await person.own(identity);
      const isRight = shown.password !== '' && (await person.checkPassword(owner, shown.password));
      if (!isRight) return fail({ kind: 'wrong-password' });
      const isMailed = code === 'mail';
      if (code !== 'none' && shown.code === '') return fail({ kind: 'wrong-code' });
      if (isMailed && !(await person.fitsCode(owner, shown.code))) return fail({ kind: 'wrong-code' });
      const by = needsStepUp ? await confirm() : own;
      if (!('clientId' in by)) return fail({ kind: 'unconfirmed', refused: by });
      if (code === 'app' && !(await person.useAppCode(owner, shown.code))) return fail({ kind: 'wrong-code' });
      const conditions = [person.unrestricted(owner), withoutDebt(owner)];
      return {
        ok: true,
        value: { by, conditions: isMailed ? [...conditions, person.usingCode(owner, shown.code)] : conditions },
      };
    },
  };
}

export type Proofs = ReturnType<typeof createProofs>;
