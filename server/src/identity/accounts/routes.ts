/** Signing up and out, the client's state, the unlock for orders. The ways in are in `entry-routes.ts`. */
import {
  accountClient,
  lockTrading,
  logout,
  register,
  sendCode,
  tradingUnlock,
  unlockTrading,
  usernameCheck,
  verifyRegisterCode,
} from '@cambist/contract/accounts.ts';
import {
  bindEmail,
  bindEmailCode,
  checkPassword,
  countries,
  forgotSendCode,
  forgotVerify,
  mobileCheck,
  resetPassword,
} from '@cambist/contract/sign-in.ts';
import type { FastifyRequest } from 'fastify';
import { bySession } from '../../platform/authority.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import type { OriginOf } from '../../platform/origin.ts';
import { localeOfHeader, say } from '../../platform/texts.ts';
import { networkOf, type Throttle } from '../../platform/throttle.ts';
import { RESEND_AFTER_MS } from './codes.ts';
import { factorRequired, factorWrong, phoneRefusal, stolenPassword, tooMany } from './entry-routes.ts';
import { isStolen } from './passwords.ts';
import { countriesIn } from './phones.ts';
import type { AccountService, SendResult } from './service.ts';

const ended = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Log in again.');
const notAllowed = new Refusal(
  403,
  'RESET_NOT_ALLOWED',
  'Request a new code, then set the password within ten minutes.',
);
const hasEmail = new Refusal(409, 'HAS_EMAIL', 'This account already has an email address.');

const localeOf = (http: FastifyRequest) => localeOfHeader(http.headers['accept-language']);
const sent = { message: 'success' as const, resend_after_s: RESEND_AFTER_MS / 1000 };

/** What answers to whoever asked for a code. */
export function sendRefused(result: SendResult & { ok: false }): Refusal {
  if (result.error === 'not-sent') return new Refusal(422, 'EMAIL_NOT_FOUND', 'Email not found');
  const seconds = Math.ceil(result.waitMs / 1000);
  return new Refusal(429, 'CODE_SENT_RECENTLY', say('A code was just sent. Ask again in {{seconds}} s.', { seconds }), {
    'retry-after': String(seconds),
  });
}

const sendAnswer = (result: SendResult) => (result.ok ? sent : sendRefused(result));

/** Counts what a network asks; every question counts. @returns what to answer when it asked too often */
function counted(throttle: Throttle, http: FastifyRequest): Refusal | undefined {
  const wait = throttle.take(networkOf(http.ip));
  return wait > 0 ? tooMany(wait) : undefined;
}

const existence = (isThere: boolean) => ({ message: isThere ? ('exist' as const) : ('not_exist' as const) });

function serveSignUp(calls: CallServer, accounts: AccountService, originOf: OriginOf): void {
  const { registration, throttles } = accounts;

  calls.serve(usernameCheck, async ({ query, http }) => {
    const refused = counted(throttles.lookup, http);
    return refused ?? existence(await accounts.exists(query.username));
  });

  calls.serve(mobileCheck, async ({ query, http }) => {
    const refused = counted(throttles.lookup, http) ?? phoneRefusal(query.username, 'username');
    return refused ?? existence(await accounts.mobileExists(query.username));
  });

  calls.serve(countries, ({ query }) => ({ countries: countriesIn(query.locale) }));

  calls.serve(checkPassword, async ({ body }) => ({ stolen: await isStolen(body.password) }));

  calls.serve(sendCode, async ({ query, http }) => {
    const refused = counted(throttles.send, http);
    return refused ?? sendAnswer(await registration.sendCode(query.email, localeOf(http), originOf(http)));
  });

  calls.serve(verifyRegisterCode, async ({ body, http }) => {
    const fits = await registration.codeFits(body.email, body.code, originOf(http));
    return { message: fits ? ('SUCCESS' as const) : ('CODE_DOES_NOT_MATCH' as const) };
  });

  calls.serve(register, async ({ body, http }) => {
    const result = await registration.register({
      code: body.code,
      email: body.username,
      mobileNumber: body.mobile_number,
      referral: body.referral,
      password: body.password,
      transactionPassword: body.transaction_password,
      locale: localeOf(http),
      from: originOf(http),
    });
    if (result === 'stolen-password') return stolenPassword('password');
    if (result === 'phone-invalid' || result === 'phone-too-short')
      return phoneRefusal(body.mobile_number, 'mobile_number') ?? stolenPassword('password');
    return { message: result };
  });

  calls.serve(bindEmailCode, async ({ identity, body, http }) => {
    const refused = counted(throttles.send, http);
    return refused ?? sendAnswer(await registration.sendBindCode(identity.clientId, body.email, localeOf(http)));
  });

  calls.serve(bindEmail, async ({ identity, body, confirm }) => {
    const row = await accounts.clients.clientById(identity.clientId);
    if (identity === undefined || row === undefined) return ended;
    if (row.email !== '') return hasEmail;
    // A new way in, as a connected account is one. Who has nothing to show yet can only be taken at the session's word.
    const own = { ...bySession(identity), epoch: row.auth_epoch };
    const authority = row.transaction_password_hash === '' ? own : await confirm();
    if (authority instanceof Refusal) return authority;
    const message = await registration.bindEmail(authority, body);
    return message === 'stolen-password' ? stolenPassword('password') : { message };
  });
}

function serveForgotten(calls: CallServer, { changes, throttles }: AccountService, originOf: OriginOf): void {
  calls.serve(forgotSendCode, async ({ query, http }) => {
    const refused = counted(throttles.send, http);
    return refused ?? sendAnswer(await changes.forgotSendCode(query.email, localeOf(http), originOf(http)));
  });

  calls.serve(forgotVerify, async ({ query, http }) => {
    const token = await changes.forgotVerify(query.email, query.code, originOf(http));
    if (token === undefined) return { message: 'CODE_DOES_NOT_MATCH' as const };
    return { message: 'success' as const, reset_token: token };
  });

  calls.serve(resetPassword, async ({ query, http }) => {
    const message = await changes.resetPassword({
      email: query.email,
      password: query.password,
      token: query.reset_token,
      factor: query.second_factor,
      from: originOf(http),
    });
    if (message === 'success' || message === 'same_as_transaction_password') return { message };
    if (message === 'stolen-password') return stolenPassword('password');
    if (message === 'second-factor-required') return factorRequired;
    return message === 'second-factor-wrong' ? factorWrong : notAllowed;
  });
}

function serveUnlock(calls: CallServer, accounts: AccountService): void {
  calls.serve(unlockTrading, async ({ identity, body }) => {
    const until = await accounts.unlockTrading(identity, body.transaction_password, body.minutes);
    if (until === undefined) return { message: 'wrong_transaction_password' as const, unlocked_until: null };
    return { message: 'success' as const, unlocked_until: until };
  });

  calls.serve(lockTrading, async ({ identity }) => {
    await accounts.lockTrading(identity);
    return { message: 'success' as const };
  });

  calls.serve(tradingUnlock, async ({ identity }) => {
    return { unlocked_until: accounts.tradingUnlockedUntil(identity) ?? null };
  });
}

export function serveAccounts(calls: CallServer, accounts: AccountService, originOf: OriginOf): void {
  serveSignUp(calls, accounts, originOf);
  serveForgotten(calls, accounts, originOf);
  serveUnlock(calls, accounts);

  calls.serve(logout, async ({ identity }) => {
    await accounts.signOut(identity);
    return { message: 'success' as const };
  });

  calls.serve(accountClient, async ({ identity, http }) => {
    const client = await accounts.client(identity.clientId, localeOf(http));
    return client ? { client } : ended;
  });
}
