/** Becoming a client: by mailed code, by wallet, and an address for those who came by wallet. */
import { randomInt } from 'node:crypto';
import { emailKeyOf } from '@cambist/contract/email.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import { type Authority, byExchange } from '../../platform/authority.ts';
import type { Origin } from '../../platform/origin.ts';
import type { Outbox } from '../../platform/outbox.ts';
import { networkOf } from '../../platform/throttle.ts';
import type { ClientRow, ClientStore, Role } from './client-store.ts';
import type { Asker, Codes, SendResult } from './codes.ts';
import { codeMail, mailCode } from './mails.ts';
import { isStolen, type Passwords } from './passwords.ts';
import { parsePhone } from './phones.ts';

export interface RegistrationDeps {
  readonly clients: ClientStore;
  readonly codes: Codes;
  readonly askerOf: (clientId: number | undefined, from: Origin) => Promise<Asker>;
  readonly passwords: Passwords;
  readonly outbox: Pick<Outbox, 'put'>;
  readonly clock: { now(): number };
}

export interface Registration {
  readonly code: string;
  readonly email: string;
  /** Empty, or as `phone` of the contract leaves it. */
  readonly mobileNumber: string;
  readonly referral: string;
  readonly password: string;
  readonly transactionPassword: string;
  readonly locale: Locale;
  readonly from: Origin;
}

export type Registered =
  | 'CODE_DOES_NOT_MATCH'
  | 'USER_ALREADY_EXIST'
  | 'SUCCESS'
  | 'stolen-password'
  | 'phone-too-short'
  | 'phone-invalid';

export const newUniqueId = () => String(randomInt(10_000_000_000, 99_999_999_999));

type Draft = Omit<Registration, 'code' | 'locale' | 'from'> & { readonly locale: string };

function createInsert({ clients, passwords, clock }: RegistrationDeps) {
  return async function create(draft: Draft, role: Role, network?: string): Promise<number | undefined> {
    const caller = { lane: 'entry', network } as const;
    const [passwordHash, transactionPasswordHash] = await Promise.all([
      passwords.hash(draft.password, caller),
      passwords.hash(draft.transactionPassword, caller),
    ]);
    return clients.insertClient({
      email: draft.email,
      emailKey: emailKeyOf(draft.email),
      passwordHash,
      transactionPasswordHash,
      mobileNumber: draft.mobileNumber,
      referral: draft.referral,
      uniqueId: newUniqueId(),
      role,
      provider: 'email',
      locale: draft.locale,
      createdAt: clock.now(),
    });
  };
}

type Insert = ReturnType<typeof createInsert>;

/** By a code that was mailed. */
function createMailed({ codes, askerOf, outbox }: RegistrationDeps, create: Insert) {
  return {
    async sendCode(email: string, locale: Locale, from: Origin): Promise<SendResult> {
      const deliver = (code: string) => mailCode(outbox, codeMail(email.trim(), code, locale.name));
      return codes.send(emailKeyOf(email), 'register', deliver, await askerOf(undefined, from));
    },

    /** Before the rest is asked for; `register` checks it once more and uses it up. */
    async codeFits(email: string, code: string, from: Origin): Promise<boolean> {
      return codes.fits(emailKeyOf(email), 'register', code, await askerOf(undefined, from));
    },

    async register({ code, locale, from, ...draft }: Registration): Promise<Registered> {
      const phone = draft.mobileNumber === '' ? undefined : parsePhone(draft.mobileNumber);
      if (phone?.ok === false) return `phone-${phone.error}`;
      if (await isStolen(draft.password)) return 'stolen-password';
      const emailKey = emailKeyOf(draft.email);
      if (!(await codes.matches(emailKey, 'register', code, await askerOf(undefined, from))))
        return 'CODE_DOES_NOT_MATCH';
      const account = { ...draft, mobileNumber: phone?.number ?? '', locale: locale.name };
      const id = await create(account, 'client', networkOf(from.address));
      if (id === undefined) return 'USER_ALREADY_EXIST';
      await codes.forget(emailKey, 'register');
      return 'SUCCESS';
    },
  };
}

/** By a wallet, and the address that such a client adds later. */
function createByWallet({ clients, codes, passwords, outbox, clock }: RegistrationDeps) {
  return {
    /** The client of a wallet, made at its first sign-in. */
    async forWallet(address: string, locale: Locale): Promise<ClientRow | undefined> {
      const subject = address.toLowerCase();
      const known = await clients.clientByIdentity('wallet', subject);
      if (known !== undefined) return known;
      const now = clock.now();
      // Of two first sign-ins at once one makes the account, and the other finds the key taken.
      const emailKey = `wallet:${subject}`;
      const id = await clients.insertClient({
        email: '',
        emailKey,
        passwordHash: '',
        transactionPasswordHash: '',
        mobileNumber: '',
        referral: '',
        uniqueId: newUniqueId(),
        role: 'client',
        provider: 'wallet',
        locale: locale.name,
        createdAt: now,
      });
      const row = id === undefined ? await clients.clientByEmail(emailKey) : await clients.clientById(id);
      if (row !== undefined) await clients.connect(byExchange(row.id), 'wallet', subject, '', now);
      return row;
    },

    sendBindCode: (clientId: number, email: string, locale: Locale): Promise<SendResult> =>
      codes.send(`${clientId}:${emailKeyOf(email)}`, 'bind-email', (code) =>
        mailCode(outbox, codeMail(email.trim(), code, locale.name)),
      ),

    /**
     * Only for an account without an address.
     * @param by with the epoch under which it had none
     */
    async bindEmail(
      by: Authority,
      { email, code, password }: { email: string; code: string; password: string },
    ): Promise<'CODE_DOES_NOT_MATCH' | 'USER_ALREADY_EXIST' | 'success' | 'stolen-password'> {
      if (await isStolen(password)) return 'stolen-password';
      const emailKey = emailKeyOf(email);
      if (!(await codes.use(`${by.clientId}:${emailKey}`, 'bind-email', code))) return 'CODE_DOES_NOT_MATCH';
      const password_hash = await passwords.hash(password, { lane: 'entry', client: String(by.clientId) });
      const change = { email: email.trim(), email_key: emailKey, password_hash };
      const done = await clients.change(by, change, { movesEpoch: true });
      return done ? 'success' : 'USER_ALREADY_EXIST';
    },
  };
}

export function createRegistration(deps: RegistrationDeps) {
  const { clients } = deps;
  const create = createInsert(deps);

  return {
    ...createMailed(deps, create),
    ...createByWallet(deps),
    /** Development: an account that is there from the start. Does nothing when it is there already. */
    async ensure(
      email: string,
      password: string,
      transactionPassword: string,
      role: Role,
    ): Promise<number | undefined> {
      const row = await clients.clientByEmail(emailKeyOf(email));
      if (row !== undefined) return row.id;
      return create({ email, password, transactionPassword, mobileNumber: '', referral: '', locale: 'en' }, role);
    },
  };
}
