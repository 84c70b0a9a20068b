/** Identity, as much as trading needs: sign-up by mailed code, sign-in, sign-out, the transaction password. */
import { randomInt } from 'node:crypto';
import type { client as clientSchema } from '@cambist/contract/accounts.ts';
import { hash, verify } from '@node-rs/argon2';
import type { z } from 'zod';
import type { Identity } from '../platform/calls.ts';
import type { Codes, SendResult } from './codes.ts';
import type { Sessions } from './sessions.ts';
import type { AccountStore, ClientRow } from './store.ts';

export type ClientView = z.output<typeof clientSchema>;

export interface AccountDeps {
  readonly store: AccountStore;
  readonly codes: Codes;
  readonly sessions: Sessions;
  readonly clock: { now(): number };
}

export interface Registration {
  readonly code: string;
  readonly email: string;
  readonly mobileNumber: string;
  readonly referral: string;
  readonly password: string;
  readonly transactionPassword: string;
}

export type SignIn =
  | { readonly ok: true; readonly token: string; readonly client: ClientView }
  | { readonly ok: false; readonly error: 'wrong-credentials' | 'frozen' };

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane (its Password Storage Cheat Sheet). */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const REGISTER = 'register';

/** How an address is compared: case does not make another person. */
export const emailKeyOf = (email: string) => email.trim().toLowerCase();

const MAXIMUM_UNLOCK_ENTRIES = 5;

export function viewOf(row: ClientRow): ClientView {
  return {
    id: row.id,
    status: row.status,
    platform_status: 'active',
    membership_level: 'NO_BADGE',
    verified: 'FALSE',
    withdraw_transfer_status: 'ALLOWED',
    withdraw_restriction: '',
    withdraw_restricted_until: null,
    role: row.role,
    restriction: null,
    deletion_at: null,
    user: {
      id: row.id,
      email: row.email,
      account_status: 'Unverified',
      user_unique_id: row.unique_id,
      mobile_number: row.mobile_number,
      provider: 'email',
    },
  };
}

export function createAccountService(deps: AccountDeps) {
  const { store, codes, sessions, clock } = deps;
  /** Compared against when nobody has the address, so that the answer takes as long. */
  const decoyHash = hash('no account has this password', argon);
  const failures = new Map<number, { count: number; until: number }>();

  async function create(registration: Omit<Registration, 'code'>, role: 'client' | 'operator') {
    const [passwordHash, transactionPasswordHash] = await Promise.all([
      hash(registration.password, argon),
      hash(registration.transactionPassword, argon),
    ]);
    return store.insertClient({
      email: registration.email,
      emailKey: emailKeyOf(registration.email),
      passwordHash,
      transactionPasswordHash,
      mobileNumber: registration.mobileNumber,
      referral: registration.referral,
      uniqueId: String(randomInt(10_000_000_000, 99_999_999_999)),
      role,
      createdAt: clock.now(),
    });
  }

  /** Five wrong transaction passwords lock the check for a minute, whoever holds the session. */
  function isGuessing(clientId: number): boolean {
    const entry = failures.get(clientId);
    return entry !== undefined && entry.count >= MAXIMUM_UNLOCK_ENTRIES && entry.until > clock.now();
  }

  function noteFailure(clientId: number): void {
    const entry = failures.get(clientId);
    const stale = entry === undefined || entry.until <= clock.now();
    failures.set(clientId, { count: stale ? 1 : entry.count + 1, until: clock.now() + 60_000 });
  }

  async function checkTransactionPassword(clientId: number, password: string): Promise<boolean> {
    if (isGuessing(clientId)) return false;
    const row = await store.clientById(clientId);
    const good = await verify(row?.transaction_password_hash ?? (await decoyHash), password);
    if (good && row !== undefined) failures.delete(clientId);
    else noteFailure(clientId);
    return good && row !== undefined;
  }

  return {
    async exists(email: string): Promise<boolean> {
      return (await store.clientByEmail(emailKeyOf(email))) !== undefined;
    },
    /** @param locale the name of the language that the mail is in */
    sendCode: (email: string, locale: string): Promise<SendResult> =>
      codes.send(email.trim(), emailKeyOf(email), REGISTER, locale),

    async register(registration: Registration): Promise<'CODE_DOES_NOT_MATCH' | 'USER_ALREADY_EXIST' | 'SUCCESS'> {
      const emailKey = emailKeyOf(registration.email);
      if (!(await codes.matches(emailKey, REGISTER, registration.code))) return 'CODE_DOES_NOT_MATCH';
      const id = await create(registration, 'client');
      if (id === undefined) return 'USER_ALREADY_EXIST';
      await codes.forget(emailKey, REGISTER);
      return 'SUCCESS';
    },

    async signIn(email: string, password: string, from: { userAgent: string; address: string }): Promise<SignIn> {
      const row = await store.clientByEmail(emailKeyOf(email));
      const good = await verify(row?.password_hash ?? (await decoyHash), password);
      if (row === undefined || !good) return { ok: false, error: 'wrong-credentials' };
      if (row.status === 'FREEZE_ACCOUNT') return { ok: false, error: 'frozen' };
      return { ok: true, token: await sessions.open(row, from), client: viewOf(row) };
    },

    signOut: (identity: Identity) => sessions.end(identity),

    async client(identity: Identity): Promise<ClientView | undefined> {
      const row = await store.clientById(identity.clientId);
      return row === undefined ? undefined : viewOf(row);
    },

    /** For other slices, which know a client by his number. */
    async person(clientId: number): Promise<Pick<ClientRow, 'email' | 'role'> | undefined> {
      const row = await store.clientById(clientId);
      return row && { email: row.email, role: row.role };
    },

    async unlockTrading(identity: Identity, password: string, minutes: number): Promise<number | undefined> {
      if (!(await checkTransactionPassword(identity.clientId, password))) return undefined;
      const until = clock.now() + minutes * 60_000;
      await sessions.unlock(identity, until);
      return until;
    },

    lockTrading: (identity: Identity) => sessions.lock(identity),
    tradingUnlockedUntil: (identity: Identity) => sessions.unlockedUntil(identity),
    /** A client's password was changed: no session stays unlocked on the strength of the old one. */
    passwordChanged: (clientId: number) => sessions.lockAll(clientId),

    /** For trading: a password that is given is checked; none is fine while the session is unlocked. */
    async check(identity: Identity, password: string | undefined): Promise<'ok' | 'required' | 'wrong'> {
      if (!password) return sessions.unlockedUntil(identity) === undefined ? 'required' : 'ok';
      return (await checkTransactionPassword(identity.clientId, password)) ? 'ok' : 'wrong';
    },

    /** Development: an account that is there from the start. Does nothing when it is there already. */
    async ensure(email: string, password: string, transactionPassword: string, role: 'client' | 'operator') {
      const row = await store.clientByEmail(emailKeyOf(email));
      if (row !== undefined) return row.id;
      return create({ email, password, transactionPassword, mobileNumber: '', referral: '' }, role);
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;
