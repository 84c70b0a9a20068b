/** Which coins travel by which networks, and the figures of each: data that an operator may change. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Statement } from '../../platform/database.ts';
import { canonicalAddress, familyOf } from './addresses.ts';
import { NATIVE_COINS } from './transactions.ts';

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
  /** Decimal text; null, as are the next three, where the coin cannot be sent by the network. */
  readonly withdraw_minimum: string | null;
  readonly withdraw_fee: string | null;
  /** Minutes; null where the chain's own estimate is taken. */
  readonly withdraw_arrival: string | null;
  readonly withdraw_confirmations: number | null;
};

/** What an operator changes; what is absent stays. */
export type FigureChange = {
  readonly [Name in (typeof CHANGEABLE)[number]]?: string | number | undefined;
};

const CHANGEABLE = [
  ...(['deposit_minimum', 'credited_at', 'unlocked_at'] as const),
  ...(['withdraw_minimum', 'withdraw_fee', 'withdraw_confirmations'] as const),
] as const;

const columns = `coin, network, name, arrival, confirmation, minimum, gas_fee, deposit_minimum, credited_at, unlocked_at,
  chain_scale, contract, withdraw_minimum, withdraw_fee, withdraw_arrival, withdraw_confirmations`;
/** The token as payments name it; null for the chain's own coin. */
export const contractOf = ({ network, contract }: CoinNetwork): string | null =>
  contract === null ? null : canonicalAddress(familyOf(network), contract);

/** Decimals of a coin on its chain, whose own coin need not be listed. */
export function chainScaleOf(coins: readonly CoinNetwork[], network: NetworkName, coin: string): number {
  const way = coins.find((one) => one.network === network && one.coin === coin);
  return way?.chain_scale ?? NATIVE_COINS[network].scale;
}

export function createNetworkStore(database: Database) {
  return {
    /** In the order in which they are shown. */
    all: (): Promise<CoinNetwork[]> =>
      database.query<CoinNetwork>(`SELECT ${columns} FROM coin_networks ORDER BY position, coin`),

    /** For a transaction. */
    changing(coin: string, network: NetworkName, change: FigureChange): Statement {
      const given = CHANGEABLE.filter((name) => change[name] !== undefined);
      const assigned = given.map((name, at) => `${name} = $${at + 3}`);
      return {
        sql: `UPDATE coin_networks SET ${assigned.join(', ') || 'coin = coin'} WHERE coin = $1 AND network = $2`,
        parameters: [coin, network, ...given.map((name) => change[name] ?? null)],
      };
    },
  };
}

export type NetworkStore = ReturnType<typeof createNetworkStore>;
