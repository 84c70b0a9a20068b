/** Payments by chains as a slice: a runner for each network that something can be sent by, and what it has cost. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import type { AlarmRaiser } from '../../exchange/ledger/service.ts';
import type { Statement } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { SignerLink } from '../../signer/service.ts';
import {
  type Chain,
  type Chains,
  canonicalAddress,
  contractOf,
  familyOf,
  type NetworkStore,
} from '../chains/service.ts';
import { createCosts } from './costs.ts';
import { Following } from './following.ts';
import { PayoutRunner } from './runner.ts';
import type { Payment, Payouts } from './service.ts';
import { createPayoutStore } from './store.ts';

export interface PayoutParts {
  readonly engine: Pick<Engine, 'sequencer'>;
  readonly catalogue: Catalogue;
  readonly alarms: AlarmRaiser;
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly signer: SignerLink | undefined;
  readonly deposits: {
    /** What stands in the way of reading a chain. */
    readonly watchers: ReadonlyMap<NetworkName, { readonly trouble: 'PAUSED' | 'BEHIND' | 'SPLIT' | 'AWAY' | null }>;
  };
}

export interface PayoutsSlice extends Slice {
  readonly payouts: Payouts & {
    /** Does all that there is to do now, for tests. */
    sync(): Promise<void>;
  };
}

const LOOK_MS = 1000;

/** Each is logged, and kept until an operator has acknowledged it. */
function createAlarms({ clock, logger }: Pick<Platform, 'clock' | 'logger'>, inbox: AlarmRaiser) {
  return {
    statement(kind: string, detail: string): Statement {
      logger.error({ kind }, `ALARM: ${detail}`);
      return inbox.raising(kind, detail, clock.now());
    },
    async raise(kind: string, detail: string): Promise<void> {
      if (await inbox.raise(kind, detail, clock.now())) logger.error({ kind }, `ALARM: ${detail}`);
    },
  };
}

export function createPayoutsSlice(platform: Platform, parts: PayoutParts): PayoutsSlice {
  const { database, clock, logger } = platform;
  const { chains, networks, signer, catalogue, deposits } = parts;
  const store = createPayoutStore(database.patient);
  const alarms = createAlarms(platform, parts.alarms);
  const runners = new Map<NetworkName, PayoutRunner>();
  const paused = new Set<NetworkName>();

  /** What the watcher of deposits knows of the chain, but that an operator stopped it. */
  function chainTrouble(network: NetworkName) {
    const trouble = deposits.watchers.get(network)?.trouble ?? null;
    return trouble === 'PAUSED' ? null : trouble;
  }

  function runnerOf(chain: Chain, link: SignerLink): PayoutRunner | undefined {
    const { sender, network } = chain;
    if (sender === undefined) return undefined;
    const isTrusted = () => chainTrouble(network) === null;
    const shared = { chain, sender, store, networks, clock, isTrusted };
    const assetByCode = (code: string) => catalogue.assetByCode(code);
    const following = new Following({ ...shared, assetByCode, alarm: alarms.statement });
    return new PayoutRunner({
      ...{ ...shared, following, logger, signer: link, alarm: alarms.raise },
      isStopped: () => false,
    });
  }
  for (const chain of signer === undefined ? [] : chains.values()) {
    const runner = signer && runnerOf(chain, signer);
    if (runner !== undefined) runners.set(chain.network, runner);
  }

  const bookCosts = createCosts({ store, sequencer: parts.engine.sequencer });
  async function look(): Promise<void> {
    for (const [network, { isPaused }] of await store.networks()) {
      if (isPaused) paused.add(network);
      else paused.delete(network);
    }
    const busy = (await store.busy()).flatMap((network) => runners.get(network) ?? []);
    const ended = await Promise.allSettled(busy.map((runner) => runner.run()));
    await bookCosts();
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  const payouts: PayoutsSlice['payouts'] = {
    planning: (payment, confirmations, now) => store.planning(payment, confirmations, now),
    wake: guarded(logger, 'payouts', look),
    byReferences: (references) => store.byReferences(references),
    changedSince: async (change, limit) =>
      (await store.changedSince(change, limit)).map((payout) => ({ change: payout.change, payout })),
    async estimate(payment: Omit<Payment, 'reference'>, confirmations) {
      const sender = chains.get(payment.network)?.sender;
      const hot = runners.get(payment.network)?.hotAddress;
      const figures = (await networks.all()).find(
        ({ coin, network }) => coin === payment.coin && network === payment.network,
      );
      if (sender === undefined || hot === undefined || figures === undefined) return undefined;
      const { network, address, units } = payment;
      return sender
        .estimate(hot, { network, address, units, contract: contractOf(figures) }, confirmations)
        .catch(() => undefined);
    },
    trouble: (network) => {
      if (paused.has(network)) return 'PAUSED';
      return chainTrouble(network) ?? (runners.get(network)?.isAway ? 'AWAY' : null);
    },
    serves: (network) => runners.has(network),
    isOwnAddress: (network, address) =>
      runners.get(network)?.hotAddress === canonicalAddress(familyOf(network), address),
    sync: look,
  };

  return {
    payouts,
    jobs: [{ name: 'payouts', everyMs: LOOK_MS, run: look }],
    async prepare() {
      for (const runner of runners.values()) await runner.prepare();
    },
  };
}
