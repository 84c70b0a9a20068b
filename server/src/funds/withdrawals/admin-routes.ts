/** The treasury's calls about withdrawals. */
import {
  addFraudulentAddress,
  adminWithdrawals,
  approveWithdrawal,
  changeCoinNetwork,
  changeWithdrawalPolicy,
  coinNetworks,
  fraudulentAddresses,
  refuseWithdrawal,
  removeFraudulentAddress,
  unlistedDeposits,
  withdrawalPolicy,
} from '@cambist/contract/admin-withdrawals.ts';
import type { FastifyRequest } from 'fastify';
import type { Change } from '../../identity/operators/service.ts';
import { alreadyPending, type DescribeChange } from '../../identity/operators/service.ts';
import { type Authority, bySession } from '../../platform/authority.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { type CoinNetwork, familyOf, shownAddress } from '../chains/service.ts';
import type { Deposited } from '../deposits/service.ts';
import type { FraudulentAddress } from './policy-store.ts';
import type { Operator, Review } from './review.ts';
import { addressRefusal } from './routes.ts';
import type { Treasury, TreasuryError } from './treasury.ts';

export interface AdminRouteDeps {
  readonly review: Review;
  readonly treasury: Treasury;
  readonly unlisted: Deposited['unlisted'];
  readonly describeChange: DescribeChange;
  readonly wake: () => void;
}

const success = { message: 'success' as const };
const notThere = new Refusal(404, 'WITHDRAWAL_NOT_FOUND', 'There is no such withdrawal.');
const notWaiting = new Refusal(409, 'NOT_WAITING', 'This withdrawal no longer waits for an approval.');
const twice = new Refusal(
  409,
  'ALREADY_APPROVED',
  'You have approved this withdrawal. Another operator must do so too.',
);
const tooLate = new Refusal(409, 'TOO_LATE', 'This withdrawal can no longer be refused.');
const notListed = new Refusal(404, 'NOT_FOUND', 'There is no such entry.');

const operatorOf = (by: Authority, { ip: address }: FastifyRequest): Operator => ({ by, address });

function refusalOf(error: TreasuryError): Refusal {
  switch (error.kind) {
    case 'not-found':
      return new Refusal(404, 'UNKNOWN_NETWORK', 'This coin does not travel by this network.');
    case 'pending':
      return alreadyPending;
    case 'address':
      return addressRefusal('address', error.fault);
    case 'invalid-field':
      return new Refusal(422, 'INVALID_FIELD', error.detail, {}, [{ field: error.field, message: error.detail }]);
  }
}

const figuresOf = (figures: CoinNetwork) => ({
  coin: figures.coin,
  network: figures.network,
  name: figures.name,
  deposit_minimum: figures.deposit_minimum,
  credited_at: figures.credited_at,
  unlocked_at: figures.unlocked_at,
  withdraw_minimum: figures.withdraw_minimum,
  withdraw_fee: figures.withdraw_fee,
  withdraw_arrival: figures.withdraw_arrival,
  withdraw_confirmations: figures.withdraw_confirmations,
});

const entryOf = ({ address, network, ...entry }: FraudulentAddress) => ({
  ...{ ...entry, network, address: shownAddress(familyOf(network), address) },
});

function serveReview(calls: CallServer, { review, wake }: AdminRouteDeps): void {
  calls.serve(adminWithdrawals, ({ query, locale }) => {
    const before = query.before === undefined ? undefined : Number(query.before);
    return review.list(before, query.limit, query.stage, locale);
  });

  calls.serve(approveWithdrawal, async ({ authority, params, body, http, locale }) => {
    const found = await review.find(Number(params.id));
    if (found === undefined) return notThere;
    const approved = await review.approve(operatorOf(authority, http), found, body.note);
    if (approved === 'stage') return notWaiting;
    if (approved === 'twice') return twice;
    wake();
    return { withdrawal: await review.describe(approved, locale) };
  });

  calls.serve(refuseWithdrawal, async ({ authority, params, body, http, locale }) => {
    const found = await review.find(Number(params.id));
    if (found === undefined) return notThere;
    const refused = await review.refuse(operatorOf(authority, http), found, body.reason);
    if (refused === undefined) return tooLate;
    wake();
    return { withdrawal: await review.describe(refused, locale) };
  });
}

function serveSettings(calls: CallServer, { treasury, describeChange }: AdminRouteDeps): void {
  const pendingOf = async (change: Change | undefined, { by }: Operator) =>
    change === undefined ? null : describeChange(change, by.clientId);

  calls.serve(withdrawalPolicy, async () => ({ policy: await treasury.policy() }));

  calls.serve(changeWithdrawalPolicy, async ({ authority, body, http }) => {
    const operator = operatorOf(authority, http);
    const changed = await treasury.changePolicy(operator, body);
    if (!changed.ok) return refusalOf(changed.error);
    return { policy: changed.value.now, pending: await pendingOf(changed.value.pending, operator) };
  });

  calls.serve(fraudulentAddresses, async () => ({ addresses: (await treasury.fraudulent()).map(entryOf) }));

  calls.serve(addFraudulentAddress, async ({ identity, body, http }) => {
    const added = await treasury.addFraudulent(operatorOf(bySession(identity), http), body);
    if (!added.ok) return refusalOf(added.error);
    const { row, isNew } = added.value;
    return { message: isNew ? ('success' as const) : ('exist' as const), address: entryOf(row) };
  });

  calls.serve(removeFraudulentAddress, async ({ authority, params, http }) => {
    const operator = operatorOf(authority, http);
    const asked = await treasury.removeFraudulent(operator, Number(params.id));
    if (!asked.ok) return asked.error.kind === 'not-found' ? notListed : refusalOf(asked.error);
    return { ...success, pending: await describeChange(asked.value, operator.by.clientId) };
  });

  calls.serve(coinNetworks, async () => ({ networks: (await treasury.figures()).map(figuresOf) }));

  calls.serve(changeCoinNetwork, async ({ authority, body, http }) => {
    const { coin, network, ...wish } = body;
    const operator = operatorOf(authority, http);
    const changed = await treasury.changeFigures(operator, coin.toUpperCase(), network, wish);
    if (!changed.ok) return refusalOf(changed.error);
    return { network: figuresOf(changed.value.now), pending: await pendingOf(changed.value.pending, operator) };
  });
}

export function serveTreasury(calls: CallServer, deps: AdminRouteDeps): void {
  serveReview(calls, deps);
  serveSettings(calls, deps);

  calls.serve(unlistedDeposits, async ({ query }) => {
    const found = await deps.unlisted(query.limit);
    return {
      deposits: found.map(({ owner, units, network, address, ...rest }) => ({
        ...{ ...rest, network, address: shownAddress(familyOf(network), address), client_id: owner },
        units: String(units),
      })),
    };
  });
}
