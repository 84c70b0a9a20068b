/** New passwords: after a forgotten one, and by who knows the old one. Each ends sessions and holds withdrawals. */
import { emailKeyOf } from '@cambist/contract/email.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { Mailer } from '../mail/service.ts';
import { createExpiring } from '../platform/expiring.ts';
import type { Origin } from '../platform/origin.ts';
import { newToken } from '../platform/random-token.ts';
import { networkOf } from '../platform/throttle.ts';
import type { ClientRow, ClientStore, PasswordKind } from './client-store.ts';
import type { Asker, Codes, SendResult } from './codes.ts';
import type { Devices } from './devices.ts';
import type { SecondFactor } from './entry.ts';
import type { Holds } from './holds.ts';
import { isStolen, type Passwords } from './passwords.ts';
import { codeLetter } from './registration.ts';
import type { Sessions } from './sessions.ts';

export interface PasswordChangeDeps {
  readonly clients: ClientStore;
  readonly codes: Codes;
  readonly askerOf: (clientId: number | undefined, from: Origin) => Promise<Asker>;
  readonly laneOf: Devices['laneOf'];
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly holds: Holds;
  readonly secondFactor: SecondFactor;
  readonly mailer: Mailer;
  readonly onLost: (error: unknown) => void;
  readonly clock: { now(): number };
}

export interface ResetRequest {
  readonly email: string;
  readonly password: string;
  readonly token: string | undefined;
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
  /** The one that stays. */
  readonly sessionId: number;
}

const RESET_MS = 10 * 60_000;
const RESETS = 10_000;
/** How many a new password is compared with. */
const REMEMBERED = 5;

const hashOf = (row: ClientRow, kind: PasswordKind) =>
  kind === 'password' ? row.password_hash : row.transaction_password_hash;

export function createPasswordChanges(deps: PasswordChangeDeps) {
  const { clients, codes, passwords, sessions, holds, secondFactor, mailer, clock } = deps;
  const resets = createExpiring<string>(clock, { lifetimeMs: RESET_MS, limit: RESETS });

  /** Older clients carry no token: for them the same browser at the same address must come back. */
  const placeKey = (emailKey: string, { address, userAgent }: Origin) =>
    `${emailKey}\n${networkOf(address)}\n${userAgent}`;

  async function save(clientId: number, kind: PasswordKind, password: string, butSessionId?: number): Promise<void> {
    await clients.setPassword(clientId, kind, await passwords.hash(password));
    if (kind === 'password') await sessions.endAll(clientId, butSessionId);
    await sessions.lockAll(clientId);
    await holds.afterChange(clientId, kind);
  }

  async function isUsedBefore(row: ClientRow, kind: PasswordKind, password: string): Promise<boolean> {
    const past = await clients.pastPasswords(row.id, kind, REMEMBERED - 1);
    for (const known of [hashOf(row, kind), ...past]) if (await passwords.verify(known, password)) return true;
    return false;
  }

  return {
    /** Answers alike, and as fast, whether there is such an account or not. */
    async forgotSendCode(email: string, locale: Locale, from: Origin): Promise<SendResult> {
      const emailKey = emailKeyOf(email);
      const row = await clients.clientByEmail(emailKey);
      const deliver = async (code: string) => {
        if (row !== undefined) mailer.send(codeLetter(row.email, code, locale.name)).catch(deps.onLost);
      };
      return codes.send(emailKey, 'reset', deliver, await deps.askerOf(row?.id, from));
    },

    /** @returns the token with which a new password may be set, once */
    async forgotVerify(email: string, code: string, from: Origin): Promise<string | undefined> {
      const emailKey = emailKeyOf(email);
      const row = await clients.clientByEmail(emailKey);
      if (!(await codes.use(emailKey, 'reset', code, await deps.askerOf(row?.id, from)))) return undefined;
      const token = newToken();
      resets.put(token, emailKey);
      resets.put(placeKey(emailKey, from), token);
      return token;
    },

    async resetPassword({ email, password, token, factor, from }: ResetRequest): Promise<ResetResult> {
      const emailKey = emailKeyOf(email);
      const key = token ?? resets.peek(placeKey(emailKey, from)) ?? '';
      const row = resets.peek(key) === emailKey ? await clients.clientByEmail(emailKey) : undefined;
      if (row === undefined) return 'not-allowed';
      if (await isStolen(password)) return 'stolen-password';
      if (await passwords.verify(row.transaction_password_hash, password)) return 'same_as_transaction_password';
      if (await secondFactor.isRequired(row.id)) {
        if (!factor) return 'second-factor-required';
        const { key: lane } = await deps.laneOf(row.id, from);
        if (!(await secondFactor.check(row.id, factor, lane))) return 'second-factor-wrong';
      }
      if (resets.take(key) === undefined) return 'not-allowed';
      await save(row.id, 'password', password);
      return 'success';
    },

    /** A code for a signed-in client's own address. */
    async sendCode(
      clientId: number,
      purpose: 'password' | 'anti-phishing',
      locale: Locale,
    ): Promise<SendResult | 'no-email'> {
      const row = await clients.clientById(clientId);
      if (!row?.email) return 'no-email';
      return codes.send(`client:${clientId}`, purpose, (code) => mailer.send(codeLetter(row.email, code, locale.name)));
    },
    useCode: (clientId: number, purpose: 'password' | 'anti-phishing', code: string): Promise<boolean> =>
      codes.use(`client:${clientId}`, purpose, code),

    /** An account that came by wallet has none, and needs no old one for its first. */
    async change(clientId: number, { kind, old, next, sessionId }: PasswordChange): Promise<ChangeResult> {
      const row = await clients.clientById(clientId);
      if (row === undefined) return 'dont_match';
      const known = hashOf(row, kind);
      if (known !== '' && !(await passwords.verify(known, old))) return 'dont_match';
      if (kind === 'password' && (await isStolen(next))) return 'stolen-password';
      const other = kind === 'password' ? row.transaction_password_hash : row.password_hash;
      if (await passwords.verify(other, next)) return 'same_as_other';
      if (await isUsedBefore(row, kind, next)) return 'same_previous_password';
      await save(clientId, kind, next, sessionId);
      return 'saved';
    },
  };
}
