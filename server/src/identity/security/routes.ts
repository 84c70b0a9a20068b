/** The security centre's calls: overview, passwords, mailed codes, withdrawal settings and addresses. */

import {
  addWhitelisted,
  antiPhishingGetCode,
  ONE_STEP_LIMIT_USDT,
  passwordCode,
  removeWhitelisted,
  securityOverview,
  setAntiPhishing,
  updatePassword,
  updatePasswordWithCode,
  updateTransactionPassword,
  updateWithdrawalSettings,
  updateWithdrawLimit,
  whitelist,
} from '@cambist/contract/security.ts';
import { stepUp, stepUpCode } from '@cambist/contract/step-up.ts';
import type { FastifyRequest } from 'fastify';
import { type Authority, bySession } from '../../platform/authority.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { shownOrigin } from '../../platform/origin.ts';
import type { SiteOf } from '../../platform/site.ts';
import { localeOfHeader, say } from '../../platform/texts.ts';
import {
  type AccountService,
  type ClientRow,
  RESEND_AFTER_MS,
  restrictionReason,
  type SendResult,
} from '../accounts/service.ts';
import type { NewAddress, Security } from './service.ts';

export const ended = new Refusal(401, 'SESSION_ENDED', 'Your session has ended. Log in again.');
const noEmail = new Refusal(409, 'NO_EMAIL', 'This account has no email address yet. Add one first.');
const notThere = new Refusal(404, 'NOT_FOUND', 'There is no such entry.');
const tooManyAddresses = new Refusal(409, 'TOO_MANY_ADDRESSES', 'Remove an address before you add another.');

const success = { message: 'success' as const };
const localeOf = (http: FastifyRequest) => localeOfHeader(http.headers['accept-language']);

type WithdrawalRow = Partial<Pick<ClientRow, 'one_step' | 'whitelist_only' | 'withdraw_limit'>>;

export interface SecurityRouteDeps {
  readonly accounts: AccountService;
  readonly security: Security;
  readonly siteOf: SiteOf;
  readonly unfitAddress: (entry: NewAddress) => Promise<Refusal | undefined>;
}

function sendAnswer(result: SendResult | 'no-email') {
  if (result === 'no-email') return noEmail;
  if (result.ok) return { ...success, resend_after_s: RESEND_AFTER_MS / 1000 };
  if (result.error === 'not-sent') return new Refusal(422, 'EMAIL_NOT_FOUND', 'Email not found');
  const seconds = Math.ceil(result.waitMs / 1000);
  return new Refusal(429, 'CODE_SENT_RECENTLY', say('A code was just sent. Ask again in {{seconds}} s.', { seconds }), {
    'retry-after': String(seconds),
  });
}

function stolen(): Refusal {
  const message = say('This password has appeared in a data breach. Choose another one.');
  return new Refusal(422, 'STOLEN_PASSWORD', message, {}, [{ field: 'password', message }]);
}

function serveOverview(calls: CallServer, { accounts, security, siteOf }: SecurityRouteDeps): void {
  calls.serve(securityOverview, async ({ identity, http }) => {
    const { row, held, last, ...rest } = await security.overview(identity.clientId);
    return {
      score: rest.score,
      checks: rest.checks,
      email: row.email,
      mobile: {
        number: row.mobile_number,
        status: row.mobile_verified_at === null ? ('Unverified' as const) : ('Verified' as const),
      },
      password_set: row.password_hash !== '',
      transaction_password_set: row.transaction_password_hash !== '',
      totp: {
        enabled: rest.enabledAt !== null,
        enabled_at: rest.enabledAt,
        recovery_codes_left: rest.codesLeft,
      },
      passkeys: rest.passkeys,
      anti_phishing_code: row.anti_phishing_code,
      withdraw_limit: row.withdraw_limit,
      one_step: { enabled: row.one_step, limit_usdt: String(ONE_STEP_LIMIT_USDT), used_usdt: rest.used },
      whitelist_only: row.whitelist_only,
      whitelist_count: rest.list.length,
      holds: held.map((hold) => ({
        id: hold.id,
        kind: hold.kind,
        reason: restrictionReason(hold, localeOf(http)),
        from: hold.from_at,
        until: hold.until_at,
      })),
      sessions: rest.sessions,
      last_sign_in: last ? { at: last.at, ...shownOrigin(http, last) } : null,
    };
  });

  calls.serve(stepUp, async ({ identity, body, http }) => {
    return security.stepUp.ask(identity, body, siteOf(http));
  });

  calls.serve(stepUpCode, async ({ identity, http }) =>
    sendAnswer(await accounts.changes.sendCode(identity.clientId, 'withdrawal-rules', localeOf(http))),
  );
}

function servePasswords(calls: CallServer, { accounts, security }: SecurityRouteDeps): void {
  const { changes } = accounts;

  async function changePassword(by: Authority, old: string, next: string) {
    const result = await changes.change(by, { kind: 'password', old, next });
    if (result === 'stolen-password') return stolen();
    return { message: result === 'same_as_other' ? ('same_as_transaction_password' as const) : result };
  }

  calls.serve(passwordCode, async ({ identity, http }) =>
    sendAnswer(await changes.sendCode(identity.clientId, 'password', localeOf(http))),
  );

  calls.serve(updatePasswordWithCode, async ({ identity, query, confirm }) => {
    const { clientId } = identity;
    // The epoch before the factors: one that is connected meanwhile makes the change fail.
    const own = await security.stepUp.own(identity);
    const hasFactor = (await security.stepUp.factorsOf(clientId)).length > 0;
    const authority = hasFactor ? await confirm() : own;
    if (authority instanceof Refusal) return authority;
    const isRight = await changes.useCode(clientId, 'password', query.verification_code);
    if (!isRight) return { message: 'CODE_DOES_NOT_MATCH' as const };
    return changePassword(authority, query.oldLoginPassword, query.password);
  });

  calls.serve(updatePassword, async ({ authority, query }) => {
    return changePassword(authority, query.oldLoginPassword, query.password);
  });

  calls.serve(updateTransactionPassword, async ({ identity, query, confirm }) => {
    const { clientId } = identity;
    const row = await security.client(clientId);
    const isFirst = row.transaction_password_hash === '';
    const hasFactor = (await security.stepUp.factorsOf(clientId)).length > 0;
    const isByCode = query.verification_code !== undefined && !hasFactor;
    const own = { ...bySession(identity), epoch: row.auth_epoch };
    const authority = isFirst || isByCode ? own : await confirm();
    if (authority instanceof Refusal) return authority;
    if (!isFirst && isByCode && !(await changes.useCode(clientId, 'password', query.verification_code ?? ''))) {
      return { message: 'CODE_DOES_NOT_MATCH' as const };
    }
    const result = await changes.change(authority, {
      kind: 'transaction-password',
      old: query.oldTransactionPassword,
      next: query.transactionPassword,
    });
    if (result === 'stolen-password') return stolen();
    return { message: result === 'same_as_other' ? ('same_as_password' as const) : result };
  });
}

function serveAntiPhishing(calls: CallServer, { accounts }: SecurityRouteDeps): void {
  const { changes, clients } = accounts;

  calls.serve(antiPhishingGetCode, async ({ identity, http }) =>
    sendAnswer(await changes.sendCode(identity.clientId, 'anti-phishing', localeOf(http))),
  );

  calls.serve(setAntiPhishing, async ({ identity, query }) => {
    const isRight = await changes.useCode(identity.clientId, 'anti-phishing', query.verification_code);
    if (!isRight) return { message: 'CODE_DOES_NOT_MATCH' as const };
    await clients.change(bySession(identity), { anti_phishing_code: query.anti_phishing_code });
    return success;
  });
}

function serveWithdrawalSettings(calls: CallServer, { accounts, security }: SecurityRouteDeps): void {
  const { clients, restrictions } = accounts;

  /** What loosens holds withdrawals for a day and is mailed; what tightens is done at once. */
  async function save(by: Authority, isLooser: boolean, rules: WithdrawalRow, from: WithdrawalRow): Promise<void> {
    // Whether it is looser was judged by what was there, so that must still be there.
    const change = () => clients.change(by, rules, { from });
    await (isLooser ? restrictions.around(by.clientId, 'withdrawal-rules', change, Boolean) : change());
  }

  calls.serve(updateWithdrawLimit, async ({ identity, query, confirm }) => {
    const { withdraw_limit } = query;
    const { withdraw_limit: before } = await security.client(identity.clientId);
    const isLooser = before !== null && withdraw_limit > before;
    const authority = isLooser ? await confirm() : bySession(identity);
    if (authority instanceof Refusal) return authority;
    await save(authority, isLooser, { withdraw_limit }, { withdraw_limit: before });
    return { ...success, withdraw_limit };
  });

  calls.serve(updateWithdrawalSettings, async ({ identity, body, confirm }) => {
    const row = await security.client(identity.clientId);
    const isLooser =
      (body.one_step === true && !row.one_step) ||
      (body.whitelist_only === false && row.whitelist_only) ||
      (body.withdraw_limit === null && row.withdraw_limit !== null);
    const authority = isLooser ? await confirm() : bySession(identity);
    if (authority instanceof Refusal) return authority;
    const { one_step = row.one_step, whitelist_only = row.whitelist_only } = body;
    const withdraw_limit = body.withdraw_limit === null ? null : row.withdraw_limit;
    const from = { one_step: row.one_step, whitelist_only: row.whitelist_only, withdraw_limit: row.withdraw_limit };
    await save(authority, isLooser, { one_step, whitelist_only, withdraw_limit }, from);
    return { ...success, one_step, whitelist_only, withdraw_limit };
  });
}

function serveWhitelist(calls: CallServer, { security, unfitAddress }: SecurityRouteDeps): void {
  calls.serve(whitelist, async ({ identity }) => ({ addresses: await security.whitelist(identity.clientId) }));

  calls.serve(addWhitelisted, async ({ identity, authority, body }) => {
    const unfit = await unfitAddress(body);
    if (unfit !== undefined) return unfit;
    const added = await security.addAddress(authority, body);
    if (added === 'too-many') return tooManyAddresses;
    if (added !== 'exist') return { ...success, address: added };
    const list = await security.whitelist(identity.clientId);
    const known = list.find(
      ({ coin, network, address }) => coin === body.coin && network === body.network && address === body.address,
    );
    return known === undefined ? notThere : { message: 'exist' as const, address: known };
  });

  calls.serve(removeWhitelisted, async ({ identity, params }) => {
    return (await security.removeAddress(identity.clientId, Number(params.id))) ? success : notThere;
  });
}

export function serveSecurity(calls: CallServer, deps: SecurityRouteDeps): void {
  serveOverview(calls, deps);
  servePasswords(calls, deps);
  serveAntiPhishing(calls, deps);
  serveWithdrawalSettings(calls, deps);
  serveWhitelist(calls, deps);
}
