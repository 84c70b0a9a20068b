/** The calls of withdrawals: HTTP in, the service's answers out, each refusal mapped once. */
import { type Locale, msg } from '@cambist/contract/locales.ts';
import {
  cancelWithdrawal,
  checkWithdrawal,
  readWithdrawal,
  startWithdrawal,
  withdrawAddresses,
  withdrawalCode,
  withdrawalLimits,
  withdrawHistory,
  withdrawNetworks,
} from '@cambist/contract/withdrawals.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { bySession } from '../../platform/authority.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { notAccepted, outcomeUnknown } from '../../platform/refusals.ts';
import { say } from '../../platform/texts.ts';
import type { AddressFault } from './addresses.ts';
import type { Arrivals } from './arrivals.ts';
import type { UnfitAddress, Wish, WithdrawalError } from './inspection.ts';
import type { Requests } from './request.ts';
import type { WithdrawalService } from './service.ts';
import type { LimitName } from './stage-store.ts';

export type CodeSending =
  | { readonly kind: 'sent'; readonly by: 'mail' | 'app'; readonly resendAfterMs: number }
  | { readonly kind: 'too-soon'; readonly waitMs: number }
  | { readonly kind: 'not-sent' | 'no-second-way' };

export interface WithdrawalRouteDeps {
  readonly service: WithdrawalService;
  readonly requests: Requests;
  readonly arrivals: Arrivals;
  readonly sendCode: (clientId: number, locale: Locale) => Promise<CodeSending>;
  /** How long nothing may leave the account, in the asker's language. */
  readonly restrictionOf: (clientId: number, locale: Locale) => Promise<string>;
  /** Says what a client owes of reversed deposits; undefined where nothing is. */
  readonly debtRefusalOf: (clientId: number) => Refusal | undefined;
  /** After something that there is to go on with. */
  readonly wake: () => void;
}

const notThere = new Refusal(404, 'WITHDRAWAL_NOT_FOUND', 'There is no such withdrawal.');
const tooLate = new Refusal(409, 'TOO_LATE', 'This withdrawal can no longer be cancelled.');
const noSecondWay = new Refusal(
  409,
  'NO_SECOND_WAY',
  'Add an email address or an authenticator app in the security center before you withdraw.',
);

const field = (name: string, code: string, text: string, values?: Record<string, string>): Refusal => {
  const message = say(text, values);
  return new Refusal(422, code, message, {}, [{ field: name, message }]);
};

const addressTexts: Readonly<Record<AddressFault, string>> = {
  empty: msg('Please enter Recipient Address'),
  format: msg(
    'The withdrawal address format is wrong. Please check the withdrawal address length and character content and try again.',
  ),
  network: msg('This address does not match the currently selected primary network.'),
  unspendable: msg('What is sent to this address is lost: no key can spend from it.'),
};

const refusedAddresses = {
  'fraudulent-address': {
    code: 'FRAUDULENT_ADDRESS',
    text: msg('This address is fraudulent. Do not send funds to it.'),
  },
  'exchange-address': {
    code: 'EXCHANGE_ADDRESS',
    text: msg('This address belongs to the exchange. Nothing can be withdrawn to it.'),
  },
  'own-address': { code: 'OWN_ADDRESS', text: msg('This is your own deposit address here.') },
  'token-contract': {
    code: 'TOKEN_CONTRACT',
    text: msg('This is the contract of a coin. What is sent to it is lost.'),
  },
} as const;

export const addressRefusal = (name: string, fault: AddressFault): Refusal =>
  field(name, 'INVALID_ADDRESS', addressTexts[fault]);

/** Of an address that is to be saved. */
export function unfitRefusal(error: UnfitAddress): Refusal {
  if (error.kind === 'address') return addressRefusal('address', error.fault);
  const text = msg('{{coin}} cannot be withdrawn by {{network}}.');
  return field('network', 'UNKNOWN_NETWORK', text, { coin: error.coin, network: error.network });
}

const limitTexts: Readonly<Record<Exclude<LimitName, 'one-step'>, string>> = {
  day: msg('You can withdraw {{most}} USDT within 24 hours at your level. You have used {{used}} USDT.'),
  own: msg('You have set a limit of {{most}} USDT within 24 hours. You have used {{used}} USDT.'),
  hourly: msg('You can withdraw {{most}} times within an hour. Try again later.'),
};

type Plain = Exclude<WithdrawalError, { kind: 'restricted' | 'debt' | 'wrong-password' | 'wrong-code' }>;

function limitRefusal({ limit, most, used }: Extract<WithdrawalError, { kind: 'limit' }>): Refusal {
  const text = limitTexts[limit === 'one-step' ? 'day' : limit];
  return new Refusal(409, limit === 'hourly' ? 'TOO_MANY_WITHDRAWALS' : 'LIMIT_EXCEEDED', say(text, { most, used }));
}

/** Maps every refusal of the service but those that are answers, and the one that needs the asker's language. */
function refusalOf(error: Plain): Refusal {
  switch (error.kind) {
    case 'unknown-coin':
      return new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: error.name }));
    case 'not-withdrawable':
      return new Refusal(
        404,
        'UNKNOWN_NETWORK',
        say('{{coin}} cannot be withdrawn by {{network}}.', { coin: error.coin, network: error.network }),
      );
    case 'invalid-amount':
      return new Refusal(422, 'INVALID_AMOUNT', error.detail, {}, [
        { field: 'withdraw_amount', message: error.detail },
      ]);
    case 'below-minimum': {
      const text = msg('Amount must be greater than minimum withdrawable ({{min}})');
      return field('withdraw_amount', 'BELOW_MINIMUM', text, { min: error.minimum });
    }
    case 'insufficient': {
      const text = msg('Amount must be less than or equal to your balance ({{balance}})');
      return field('withdraw_amount', 'INSUFFICIENT_FUNDS', text, { balance: error.balance });
    }
    case 'fee-changed':
      return new Refusal(
        409,
        'FEE_CHANGED',
        say('The fee is now {{fee}}. Check the amount and try again.', { fee: error.fee }),
        {},
        undefined,
        { fee: error.fee },
      );
    case 'address':
      return addressRefusal('withdraw_address', error.fault);
    case 'fraudulent-address':
    case 'exchange-address':
    case 'own-address':
    case 'token-contract':
      return field('withdraw_address', refusedAddresses[error.kind].code, refusedAddresses[error.kind].text);
    case 'not-whitelisted': {
      const text = msg('You only withdraw to saved addresses. A new one is good 24 hours after it was saved.');
      return field('withdraw_address', 'NOT_WHITELISTED', text);
    }
    case 'no-second-way':
      return noSecondWay;
    case 'limit':
      return limitRefusal(error);
    case 'key-reused':
      return new Refusal(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request.');
    case 'not-accepted':
      return notAccepted(1);
    case 'outcome-unknown':
      return outcomeUnknown();
  }
}

interface Body {
  readonly coin: string;
  readonly bchain_name: string;
  readonly withdraw_address: string;
  readonly withdraw_amount: string;
}

const wishOf = (body: Body, fee: string | undefined): Wish => ({
  coin: body.coin,
  network: body.bchain_name,
  address: body.withdraw_address,
  amount: body.withdraw_amount,
  fee,
});

function createRestricted({ restrictionOf }: WithdrawalRouteDeps) {
  return async (clientId: number, locale: Locale): Promise<Refusal> => {
    const duration = await restrictionOf(clientId, locale);
    const text = msg(
      'This withdrawal has been identified as having a high risk of being linked to a potential scam, and withdrawals are temporarily disabled for {{duration}}.',
    );
    return new Refusal(403, 'WITHDRAWALS_HELD', say(text, { duration }));
  };
}

function serveRequests(calls: CallServer, deps: WithdrawalRouteDeps): void {
  const { service, requests, arrivals, wake } = deps;
  const restricted = createRestricted(deps);
  // What was owed a moment ago may be paid by now: then it can be asked for again.
  const inDebt = (clientId: number) => deps.debtRefusalOf(clientId) ?? notAccepted(1);

  calls.serve(checkWithdrawal, async ({ identity, body, locale }) => {
    const asker = identity;
    const checked = await requests.check(asker, wishOf(body, undefined));
    if (!checked.ok) {
      const { error } = checked;
      if (error.kind === 'restricted') return restricted(asker.clientId, locale);
      if (error.kind === 'debt') return inDebt(asker.clientId);
      return error.kind === 'wrong-password' || error.kind === 'wrong-code' ? outcomeUnknown() : refusalOf(error);
    }
    const { asset, way, amount, fee, receiver, code, isNewAddress, needsStepUp, needsReview } = checked.value;
    return {
      fee: formatAmount(fee, asset.scale),
      receive_amount: formatAmount(amount - fee, asset.scale),
      is_internal: receiver !== null,
      is_new_address: isNewAddress,
      needs_code: code !== 'none',
      needs_step_up: needsStepUp,
      needs_review: needsReview,
      arrival: receiver === null ? await arrivals.minutes(way) : '0',
    };
  });

  calls.serve(startWithdrawal, async ({ identity, body, intent, confirm, locale }) => {
    const asker = identity;
    const { verification, transaction_password, gasfee, gasFee } = body;
    const shown = { password: transaction_password, code: verification };
    const started = await requests.start(asker, wishOf(body, gasfee ?? gasFee), shown, intent, confirm);
    if (started.ok) {
      wake();
      return { message: 'success' as const, withdrawal: await service.describe(started.value, locale) };
    }
    const { error } = started;
    switch (error.kind) {
      case 'unconfirmed':
        return error.refused;
      case 'wrong-password':
        return { message: 'wrong_password' as const };
      case 'wrong-code':
        return { message: 'wrong_code' as const };
      case 'restricted':
        return restricted(asker.clientId, locale);
      case 'debt':
        return inDebt(asker.clientId);
      default:
        return refusalOf(error);
    }
  });

  calls.serve(cancelWithdrawal, async ({ identity, params, locale }) => {
    const asker = identity;
    const found = await service.find(asker.clientId, Number(params.id));
    if (found === undefined) return notThere;
    const cancelled = await service.cancel(bySession(asker), found);
    if (cancelled === undefined) return tooLate;
    wake();
    return { withdrawal: await service.describe(cancelled, locale) };
  });
}

function serveCode(calls: CallServer, { sendCode }: WithdrawalRouteDeps): void {
  calls.serve(withdrawalCode, async ({ identity, locale }) => {
    const sending = await sendCode(identity.clientId, locale);
    switch (sending.kind) {
      case 'sent':
        return { message: 'success' as const, by: sending.by, resend_after_s: sending.resendAfterMs / 1000 };
      case 'no-second-way':
        return noSecondWay;
      case 'not-sent':
        return new Refusal(422, 'EMAIL_NOT_FOUND', 'Email not found');
      case 'too-soon': {
        const seconds = Math.ceil(sending.waitMs / 1000);
        const text = say('A code was just sent. Ask again in {{seconds}} s.', { seconds });
        return new Refusal(429, 'CODE_SENT_RECENTLY', text, { 'retry-after': String(seconds) });
      }
    }
  });
}

export function serveWithdrawals(calls: CallServer, deps: WithdrawalRouteDeps): void {
  const { service } = deps;
  serveRequests(calls, deps);
  serveCode(calls, deps);

  calls.serve(withdrawNetworks, async () => ({ coins: await service.coins() }));

  calls.serve(withdrawHistory, async ({ identity, query, locale }) => {
    const { limit, coin } = query;
    const before = query.before === undefined ? undefined : Number(query.before);
    const filter = { owner: identity.clientId, before, limit, coin: coin?.toUpperCase() };
    return { withdraw: await service.list(filter, locale) };
  });

  calls.serve(readWithdrawal, async ({ identity, params, locale }) => {
    const found = await service.find(identity.clientId, Number(params.id));
    if (found === undefined) return notThere;
    return { withdrawal: await service.describe(found, locale), events: await service.events(found.id, locale) };
  });

  calls.serve(withdrawalLimits, ({ identity }) => service.limits(identity.clientId));

  calls.serve(withdrawAddresses, async ({ identity, query }) => ({
    addresses: await service.addresses(identity.clientId, query.coin),
  }));
}
