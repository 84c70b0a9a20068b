/** What transactions between the hot wallet and the addresses of clients change there. Pure. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { NATIVE_COINS, type PayerCoin } from '../chains/service.ts';
import type { AddressChange } from '../deposits/service.ts';
import type { Purpose } from './service.ts';

/** A transaction in a block between the hot wallet and the address of a client. */
export type Moved = {
  readonly purpose: Purpose;
  readonly network: NetworkName;
  readonly coin: string;
  /** Canonical, as are those of changes. */
  readonly client: string;
  readonly units: bigint;
  /** Smallest units of the chain's own coin. */
  readonly cost: bigint;
  readonly isUndone: boolean;
  /** What the address has paid with, where it has no balance. */
  readonly coins?: readonly PayerCoin[] | undefined;
};

/** What a transaction in a block has changed at the address of a client, which pays for what it sends. */
export function changesOf(moved: Moved): AddressChange[] {
  const { purpose, network, coin, client: address, units, cost, isUndone, coins } = moved;
  const paid = isUndone ? 0n : units;
  if (purpose === 'top-up') return [{ network, coin, address, units: paid }];
  if (purpose !== 'sweep') return [];
  // The fee is out of what was paid.
  if (coins !== undefined) return [{ network, coin, address, units: -paid, spent: coins }];
  return [
    { network, coin, address, units: -paid },
    { network, coin: NATIVE_COINS[network].coin, address, units: -cost },
  ];
}
