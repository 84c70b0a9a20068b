import {
  accountClient,
  lockTrading,
  login,
  logout,
  register,
  sendCode,
  tradingUnlock,
  unlockTrading,
  usernameCheck,
} from '@cambist/contract/accounts.ts';
import type { FastifyRequest } from 'fastify';
import { type CallServer, Refusal } from '../platform/calls.ts';
import { localeOfHeader, say } from '../platform/texts.ts';
import { RESEND_AFTER_MS } from './codes.ts';
import type { AccountService } from './service.ts';

const wrongCredentials = new Refusal(401, 'LOGIN_FAILED', 'The e-mail or the password is not right.');
const frozen = new Refusal(
  403,
  'FREEZE_ACCOUNT',
  'Your account has been freezed. Please contact customer service for more details.',
);
const mailNotSent = new Refusal(422, 'EMAIL_NOT_FOUND', 'Email not found');
const ended = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Sign in again.');

function tooSoon(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal(429, 'CODE_SENT_RECENTLY', say('A code was just sent. Ask again in {{seconds}} s.', { seconds }), {
    'retry-after': String(seconds),
  });
}

function origin(http: FastifyRequest): { userAgent: string; address: string } {
  return { userAgent: http.headers['user-agent'] ?? '', address: http.ip };
}

export function serveAccounts(calls: CallServer, accounts: AccountService): void {
  calls.serve(usernameCheck, async ({ query }) => ({
    message: (await accounts.exists(query.username)) ? ('exist' as const) : ('not_exist' as const),
  }));

  calls.serve(sendCode, async ({ query, http }) => {
    const locale = localeOfHeader(http.headers['accept-language']);
    const result = await accounts.sendCode(query.email, locale.name);
    if (result.ok) return { message: 'success' as const, resend_after_s: RESEND_AFTER_MS / 1000 };
    return result.error === 'too-soon' ? tooSoon(result.waitMs) : mailNotSent;
  });

  calls.serve(register, async ({ body }) => ({
    message: await accounts.register({
      code: body.code,
      email: body.username,
      mobileNumber: body.mobile_number,
      referral: body.referral,
      password: body.password,
      transactionPassword: body.transaction_password,
    }),
  }));

  calls.serve(login, async ({ body, http }) => {
    const result = await accounts.signIn(body.username, body.password, origin(http));
    if (!result.ok) return result.error === 'frozen' ? frozen : wrongCredentials;
    return { status: 200 as const, token: result.token, user: result.client.user, client: result.client };
  });

  calls.serve(logout, async ({ identity }) => {
    if (identity === undefined) return ended;
    await accounts.signOut(identity);
    return { message: 'success' as const };
  });

  calls.serve(accountClient, async ({ identity }) => {
    const client = identity && (await accounts.client(identity));
    return client ? { client } : ended;
  });

  calls.serve(unlockTrading, async ({ identity, body }) => {
    if (identity === undefined) return ended;
    const until = await accounts.unlockTrading(identity, body.transaction_password, body.minutes);
    if (until === undefined) return { message: 'wrong_transaction_password' as const, unlocked_until: null };
    return { message: 'success' as const, unlocked_until: until };
  });

  calls.serve(lockTrading, async ({ identity }) => {
    if (identity === undefined) return ended;
    await accounts.lockTrading(identity);
    return { message: 'success' as const };
  });

  calls.serve(tradingUnlock, async ({ identity }) => {
    if (identity === undefined) return ended;
    return { unlocked_until: accounts.tradingUnlockedUntil(identity) ?? null };
  });
}
