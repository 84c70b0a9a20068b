/** Sweeps as a slice: a sweeper for each network whose client addresses can pay. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import type { Worth } from '../../exchange/liquidity/service.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Chain, Chains, NetworkStore } from '../chains/service.ts';
import type { Holder } from '../deposits/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import { CoinSweeper, type CoinSweeperDeps } from './coin-sweeper.ts';
import type { Sweeps } from './service.ts';
import { createSweepStore, type SweepStore } from './store.ts';
import { Sweeper } from './sweeper.ts';
import { hasMarket, type WorthDeps } from './worth.ts';

export interface SweepParts {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly catalogue: Catalogue;
  readonly worth: Pick<Worth, 'middle'>;
  readonly ownPayouts: OwnPayouts;
  readonly deposits: {
    readonly watchers: ReadonlyMap<NetworkName, { readonly trouble: string | null }>;
    readonly holders: (network: NetworkName, coin: string, least: bigint, limit: number) => Promise<readonly Holder[]>;
    readonly coins: CoinSweeperDeps['coins'];
  };
}

export interface SweepsSlice extends Slice {
  /** `sync` does all that there is to do now, for tests. */
  readonly sweeps: Sweeps & { sync(): Promise<void> };
}

const LOOK_MS = 10_000;

const pricesOf = ({ catalogue, worth }: SweepParts): WorthDeps => ({
  assetByCode: (code) => catalogue.assetByCode(code),
  worthOf: worth.middle,
});

function createSweepers({ database, clock }: Platform, parts: SweepParts): readonly (Sweeper | CoinSweeper)[] {
  const { chains, networks, ownPayouts, deposits } = parts;
  const sweeperOf = (chain: Chain): (Sweeper | CoinSweeper)[] => {
    const { sender } = chain;
    if (sender === undefined) return [];
    const isTrusted = () => {
      const trouble = deposits.watchers.get(chain.network)?.trouble ?? null;
      return trouble === null || trouble === 'PAUSED';
    };
    const store = createSweepStore(database.patient);
    const shared = { chain, networks, clock, isTrusted, store, payouts: ownPayouts };
    if (sender.coinSweeps) return [new CoinSweeper({ ...shared, sweeps: sender.coinSweeps, coins: deposits.coins })];
    if (!sender.canSweep) return [];
    return [new Sweeper({ ...shared, ...pricesOf(parts), sender, holders: deposits.holders })];
  };
  return [...chains.values()].flatMap(sweeperOf);
}

export function createSweepsSlice(platform: Platform, parts: SweepParts): SweepsSlice {
  const store = createSweepStore(platform.database.patient);
  const sweepers = createSweepers(platform, parts);
  let counted: Awaited<ReturnType<SweepStore['states']>> = [];
  const sync = oneAtATime(async () => {
    // One network's node must not keep another's waiting.
    const ended = await Promise.allSettled(sweepers.map((sweeper) => sweeper.run()));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    counted = await store.states();
  });
  return {
    sweeps: {
      ...{ list: store.list, policies: store.policies, changePolicy: store.changePolicy, sync },
      hasMarket: (network) => hasMarket(network, pricesOf(parts)),
      serves: (network) => sweepers.some((sweeper) => sweeper.network === network),
    },
    figures: [
      {
        ...{ name: 'cambist_sweeps', help: 'Sweeps from the addresses of clients by state', label: 'state' },
        read: () => counted.map(({ state, count }) => [state, count] as const),
      },
    ],
    jobs: [{ name: 'sweeps', everyMs: LOOK_MS, run: sync }],
  };
}
