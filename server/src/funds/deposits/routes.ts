/** The calls of deposits: HTTP in, the service's answers out, each refusal mapped once. */
import {
  depositHistory,
  depositNetworks,
  fetchAddress,
  generateWallet,
  readDeposit,
} from '@cambist/contract/deposits.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import type { AddressError, DepositService } from './service.ts';

const refusals: Readonly<Record<AddressError, Refusal>> = {
  'unknown-network': new Refusal(404, 'UNKNOWN_NETWORK', 'Deposits do not come by this network.'),
  'not-read-yet': new Refusal(
    503,
    'NETWORK_AWAY',
    'This network cannot be reached at the moment, so no address is shown. Try again in a few minutes.',
    { 'retry-after': '60' },
  ),
  'not-verified': new Refusal(
    503,
    'ADDRESS_NOT_VERIFIED',
    'Your address could not be verified and is not shown. Nothing is lost; our team has been alerted.',
  ),
};

export function serveDeposits(calls: CallServer, service: DepositService): void {
  calls.serve(depositNetworks, async () => ({ coins: await service.coins() }));

  calls.serve(generateWallet, async ({ identity, query }) => {
    const found = await service.addressOf(identity.clientId, query.wallet_type, true);
    if (!found.ok) return refusals[found.error];
    return { message: 'success' as const, wallet: { wallet_address: found.address, network: found.network } };
  });

  calls.serve(fetchAddress, async ({ identity, query }) => {
    const found = await service.addressOf(identity.clientId, query.wallet_type, false);
    if (!found.ok) return refusals[found.error];
    return { wallet: { wallet_address: found.address, network: found.network } };
  });

  calls.serve(depositHistory, async ({ identity, query }) => {
    const { limit, coin } = query;
    const before = query.before === undefined ? undefined : Number(query.before);
    const owner = identity.clientId;
    return { deposit: await service.list({ owner, before, limit, coin: coin?.toUpperCase() }) };
  });

  calls.serve(readDeposit, async ({ identity, params }) => {
    const deposit = await service.find(identity.clientId, Number(params.id));
    if (deposit === undefined) return new Refusal(404, 'DEPOSIT_NOT_FOUND', 'There is no such deposit.');
    return { deposit };
  });
}
