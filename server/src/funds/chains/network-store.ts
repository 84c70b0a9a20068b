/** Which coins travel by which networks, and the figures of each: data that an operator may change. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database } from '../../platform/database.ts';
import { canonicalAddress, familyOf } from './addresses.ts';

export type CoinNetwork = {
  readonly coin: string;
  readonly network: NetworkName;
  readonly name: string;
  readonly arrival: string;
  readonly confirmation: number;
  /** Decimal text, as are the next two. */
  readonly minimum: string;
  readonly gas_fee: string;
  readonly deposit_minimum: string;
  readonly credited_at: number;
  readonly unlocked_at: number;
  /** Decimals of the smallest unit on the chain. */
  readonly chain_scale: number;
  readonly contract: string | null;
};

/** The token as payments name it; null for the chain's own coin. */
export const contractOf = ({ network, contract }: CoinNetwork): string | null =>
  contract === null ? null : canonicalAddress(familyOf(network), contract);

export function createNetworkStore(database: Database) {
  return {
    /** In the order in which they are shown. */
    all: (): Promise<CoinNetwork[]> =>
      database.query<CoinNetwork>(
        `SELECT coin, network, name, arrival, confirmation, minimum, gas_fee, deposit_minimum, credited_at, unlocked_at,
                chain_scale, contract
         FROM coin_networks ORDER BY position, coin`,
      ),
  };
}

export type NetworkStore = ReturnType<typeof createNetworkStore>;
