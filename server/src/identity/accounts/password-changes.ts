/** New passwords: after a forgotten one, and by who knows the old one. Each ends sessions and holds withdrawals. */
import { emailKeyOf } from '@cambist/contract/email.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { Authority } from '../../platform/authority.ts';
import { AuthorityEnded, type Statement } from '../../platform/database.ts';
import { createExpiring } from '../../platform/expiring.ts';
import type { Origin } from '../../platform/origin.ts';
import type { Outbox } from '../../platform/outbox.ts';
import { hashToken, newToken } from '../../platform/random-token.ts';
import { networkOf } from '../../platform/throttle.ts';
import type { ClientRow, ClientStore, PasswordKind } from './client-store.ts';
import type { Asker, Codes, SendResult } from './codes.ts';
import type { Devices } from './devices.ts';
import type { SecondFactor } from './entry.ts';
import type { HashCaller } from './hash-queue.ts';
import { codeMail, mailCode, postCode } from './mails.ts';
import { isStolen, type Passwords } from './passwords.ts';
import type { Restrictions } from './restrictions.ts';
import type { Sessions } from './sessions.ts';

export interface PasswordChangeDeps {
  readonly clients: ClientStore;
  readonly codes: Codes;
  readonly askerOf: (clientId: number | undefined, from: Origin) => Promise<Asker>;
  readonly laneOf: Devices['laneOf'];
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly restrictions: Restrictions;
  readonly secondFactor: SecondFactor;
  readonly outbox: Pick<Outbox, 'put'>;
  readonly onLost: (error: unknown) => void;
  readonly clock: { now(): number };
}

export interface ResetRequest {
  readonly email: string;
  readonly password: string;
  /** Only who gave the mailed code has it. */
  readonly token: string;
  readonly factor: string | undefined;
  readonly from: Origin;
}

export type ResetResult =
  | 'success'
  | 'same_as_transaction_password'
  | 'not-allowed'
  | 'stolen-password'
  | 'second-factor-required'
  | 'second-factor-wrong';

export type ChangeResult = 'saved' | 'dont_match' | 'same_previous_password' | 'same_as_other' | 'stolen-password';

export interface PasswordChange {
  readonly kind: PasswordKind;
  readonly old: string;
  readonly next: string;
}

const RESET_MS = 10 * 60_000;
const RESETS = 10_000;
/** Other changes of the account may come between reading it and setting its password. */
const ATTEMPTS = 3;
/** How many a new password is compared with. */
const REMEMBERED = 5;

const hashOf = (row: ClientRow, kind: PasswordKind) =>
  kind === 'password' ? row.password_hash : row.transaction_password_hash;

/** A secret that was given for a code: good for one account, while its password is that of then. */
interface Reset {
  readonly tokenHash: string;
  readonly passwordHash: string;
}

/** Its last argument is the session that stays. */
type Save = (by: Authority, kind: PasswordKind, hash: string, kept?: number) => Promise<void>;

function createSave({ clients, sessions, restrictions }: PasswordChangeDeps): Save {
  return async function save(by, kind, hash, kept) {
    const { clientId } = by;
    const write = () => clients.setPassword(by, kind, hash, kept);
    await restrictions.around(clientId, kind, async () =>
      kind === 'password' ? sessions.changePassword(clientId, kept, write) : sessions.lockBy(clientId, write),
    );
  };
}

/** After a forgotten password: a mailed code gives a secret, and the secret sets a new one. */
function createResets(deps: PasswordChangeDeps, save: Save) {
  const { clients, codes, passwords, secondFactor, outbox, clock } = deps;
  /** By client, so that a newer code makes the secret of an older one worthless. */
  const resets = createExpiring<Reset>(clock, { lifetimeMs: RESET_MS, limit: RESETS });

  /** @returns the account, where the secret is its own and its password has not been changed since */
  async function resettable(emailKey: string, token: string): Promise<ClientRow | undefined> {
    const row = await clients.clientByEmail(emailKey);
    const reset = row && resets.peek(String(row.id));
    const isGood = reset?.tokenHash === hashToken(token) && reset.passwordHash === row?.password_hash;
    return isGood ? row : undefined;
  }

  /** Whoever else changes the password first makes this one fail; other changes of the account do not. */
  async function saveReset({ id, password_hash }: ClientRow, password: string, caller: HashCaller): Promise<boolean> {
    const hash = await passwords.hash(password, caller);
    for (let attempt = 1; ; attempt += 1) {
      const row = await clients.clientById(id);
      if (row?.password_hash !== password_hash) return false;
      try {
        await save({ clientId: id, sessionId: null, epoch: row.auth_epoch }, 'password', hash);
        return true;
      } catch (error) {
        if (!(error instanceof AuthorityEnded) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  return {
    /** Answers alike, and as fast, whether there is such an account or not. */
    async forgotSendCode(email: string, locale: Locale, from: Origin): Promise<SendResult> {
      const emailKey = emailKeyOf(email);
      const row = await clients.clientByEmail(emailKey);
      const deliver = async (code: string) => {
        if (row !== undefined) postCode(outbox, codeMail(row.email, code, locale.name)).catch(deps.onLost);
      };
      return codes.send(emailKey, 'reset', deliver, await deps.askerOf(row?.id, from));
    },

    /** @returns the secret with which a new password may be set, once */
    async forgotVerify(email: string, code: string, from: Origin): Promise<string | undefined> {
      const emailKey = emailKeyOf(email);
      const row = await clients.clientByEmail(emailKey);
      if (!(await codes.use(emailKey, 'reset', code, await deps.askerOf(row?.id, from)))) return undefined;
      if (row === undefined) return undefined;
      const token = newToken();
      resets.put(String(row.id), { tokenHash: hashToken(token), passwordHash: row.password_hash });
      return token;
    },

    async resetPassword({ email, password, token, factor, from }: ResetRequest): Promise<ResetResult> {
      const row = await resettable(emailKeyOf(email), token);
      if (row === undefined) return 'not-allowed';
      if (await isStolen(password)) return 'stolen-password';
      const caller: HashCaller = { lane: 'entry', client: String(row.id), network: networkOf(from.address) };
      if (await passwords.verify(row.transaction_password_hash, password, caller))
        return 'same_as_transaction_password';
      if (await secondFactor.isRequired(row.id)) {
        if (!factor) return 'second-factor-required';
        const { key: lane } = await deps.laneOf(row.id, from);
        if (!(await secondFactor.check(row.id, factor, lane))) return 'second-factor-wrong';
      }
      // Of two requests at once one takes it; a newer code's is not taken in its place.
      if (resets.peek(String(row.id))?.tokenHash !== hashToken(token)) return 'not-allowed';
      resets.take(String(row.id));
      return (await saveReset(row, password, caller)) ? 'success' : 'not-allowed';
    },
  };
}

const callerOf = ({ id }: ClientRow): HashCaller => ({ lane: 'entry', client: String(id) });

/** Changes by a client who knows the old password. */
function createOwnChanges({ clients, codes, passwords, outbox }: PasswordChangeDeps, save: Save) {
  async function isUsedBefore(row: ClientRow, kind: PasswordKind, password: string): Promise<boolean> {
    const past = await clients.pastPasswords(row.id, kind, REMEMBERED - 1);
    const caller = callerOf(row);
    for (const known of [hashOf(row, kind), ...past]) if (await passwords.verify(known, password, caller)) return true;
    return false;
  }

  return {
    /** A code for a signed-in client's own address. */
    async sendCode(
      clientId: number,
      purpose: 'password' | 'anti-phishing' | 'withdrawal' | 'withdrawal-rules',
      locale: Locale,
    ): Promise<SendResult | 'no-email'> {
      const row = await clients.clientById(clientId);
      if (!row?.email) return 'no-email';
      return codes.send(`client:${clientId}`, purpose, (code) =>
        mailCode(outbox, codeMail(row.email, code, locale.name)),
      );
    },
    /** Whether a code for a withdrawal is right; `usingCode` uses it up. */
    fitsCode: (
      clientId: number,
      code: string,
      purpose: 'withdrawal' | 'withdrawal-rules' = 'withdrawal',
    ): Promise<boolean> => codes.fits(`client:${clientId}`, purpose, code),
    usingCode: (clientId: number, code: string): Statement => codes.using(`client:${clientId}`, 'withdrawal', code),
    useCode: (
      clientId: number,
      purpose: 'password' | 'anti-phishing' | 'withdrawal-rules',
      code: string,
    ): Promise<boolean> => codes.use(`client:${clientId}`, purpose, code),

    /**
     * An account that came by wallet has none, and needs no old one for its first.
     * @param by with the epoch before anything was asked; its session is the one that stays
     */
    async change(by: Authority, { kind, old, next }: PasswordChange): Promise<ChangeResult> {
      const row = await clients.clientById(by.clientId);
      if (row === undefined) return 'dont_match';
      const known = hashOf(row, kind);
      const caller = callerOf(row);
      if (known !== '' && !(await passwords.verify(known, old, caller))) return 'dont_match';
      if (kind === 'password' && (await isStolen(next))) return 'stolen-password';
      const other = kind === 'password' ? row.transaction_password_hash : row.password_hash;
      if (await passwords.verify(other, next, caller)) return 'same_as_other';
      if (await isUsedBefore(row, kind, next)) return 'same_previous_password';
      await save(by, kind, await passwords.hash(next, caller), by.sessionId ?? undefined);
      return 'saved';
    },
  };
}

export function createPasswordChanges(deps: PasswordChangeDeps) {
  const save = createSave(deps);
  return { ...createResets(deps, save), ...createOwnChanges(deps, save) };
}
