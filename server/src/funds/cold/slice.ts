/** Hot and cold wallets as a slice: a keeper for each network, and what operators see and bound. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type AlarmRaiser, createAlarms } from '../../exchange/ledger/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { PendingChanges } from '../../identity/operators/service.ts';
import { describeChanges } from '../../identity/operators/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { guarded } from '../../platform/guarded.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Chains, NetworkStore } from '../chains/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import { Keeper } from './keeper.ts';
import { type ColdRouteDeps, serveHotAndCold } from './routes.ts';
import { createColdStore } from './store.ts';

export interface ColdParts {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly alarms: AlarmRaiser;
  readonly audit: AuditLog;
  readonly pending: PendingChanges;
  readonly accounts: Pick<AccountService, 'person'>;
  readonly ownPayouts: OwnPayouts;
  readonly sweeps: ColdRouteDeps['sweeps'];
  readonly deposits: {
    readonly watchers: ReadonlyMap<NetworkName, { readonly trouble: string | null }>;
    /** What may leave the addresses of clients. */
    holdings(moving: Awaited<ReturnType<OwnPayouts['moving']>>): ReturnType<ColdRouteDeps['holdings']>;
  };
}

export interface ColdSlice extends Slice {
  /** Does all that there is to do now, for tests. */
  readonly cold: { sync(): Promise<void> };
}

const LOOK_MS = 30_000;

export function createColdSlice(platform: Platform, parts: ColdParts): ColdSlice {
  const { database, clock, logger } = platform;
  const { chains, networks, ownPayouts: payouts, deposits, sweeps, audit } = parts;
  const store = createColdStore(database.patient);
  const alarms = createAlarms(platform, parts.alarms);
  const keepers = [...chains.values()].flatMap((chain) => {
    const { sender } = chain;
    if (sender === undefined) return [];
    const isTrusted = () => {
      const trouble = deposits.watchers.get(chain.network)?.trouble ?? null;
      return trouble === null || trouble === 'PAUSED';
    };
    return [new Keeper({ chain, sender, store, payouts, networks, isTrusted, alarms, clock })];
  });
  const sync = oneAtATime(async () => {
    await payouts.readColdAddresses();
    // One network's node must not keep another's waiting.
    const ended = await Promise.allSettled(keepers.map((keeper) => keeper.run()));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  });
  return {
    cold: { sync },
    routes: (calls) =>
      serveHotAndCold(calls, {
        ...{ chains, networks, store, payouts, sweeps, audit, clock },
        pending: parts.pending,
        describeChange: describeChanges(parts.accounts),
        holdings: async () => deposits.holdings(await payouts.moving()),
        wake: guarded(logger, 'hot and cold wallets', sync),
      }),
    jobs: [{ name: 'hot and cold wallets', everyMs: LOOK_MS, atStart: true, run: sync }],
  };
}
