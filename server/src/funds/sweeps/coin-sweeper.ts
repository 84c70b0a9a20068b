/**
 * Brings deposits of a chain of outputs from the addresses of clients to the hot wallet, one run at a time. An address is
 * swept where what it holds is worth the multiple of its cost, with every output that is; which ones is decided in the
 * transaction that plans its payment. Payments that wait go in one transaction.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import {
  type Chain,
  type CoinNetwork,
  type CoinSweeps,
  contractOf,
  NodeFailure,
  type PayerCoin,
} from '../chains/service.ts';
import type { HeldCoin } from '../deposits/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import { confirmationsOf, follow, MAXIMUM_OPEN, RETRY_MS } from './rules.ts';
import type { SweepPolicy } from './service.ts';
import type { SweepStore } from './store.ts';

export interface CoinSweeperDeps {
  readonly chain: Pick<Chain, 'network'>;
  readonly sweeps: CoinSweeps;
  readonly store: SweepStore;
  readonly payouts: Pick<OwnPayouts, 'planning' | 'wake' | 'of' | 'giveUp' | 'hotAddress' | 'isStopped'>;
  /** Outputs of at least so much at addresses of clients that are so deep, those with the most first. */
  readonly coins: (
    network: NetworkName,
    coin: string,
    least: bigint,
    depth: number,
    limit: number,
  ) => Promise<readonly HeldCoin[]>;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Whether the chain is as it is believed to be: nothing is begun otherwise. */
  readonly isTrusted: () => boolean;
  readonly clock: { now(): number };
}

/** Outputs that are looked at in one run: the largest ones. */
const LOOKED_AT = 1000;

/** What may be swept of addresses, and what so many outputs must be worth together. */
interface Worth {
  readonly found: ReadonlyMap<string, { readonly index: number; readonly coins: readonly PayerCoin[] }>;
  readonly least: (coins: number) => bigint;
}

const sumOf = (coins: readonly PayerCoin[]): bigint => coins.reduce((sum, { units }) => sum + units, 0n);

export class CoinSweeper {
  readonly #deps: CoinSweeperDeps;

  constructor(deps: CoinSweeperDeps) {
    this.#deps = deps;
  }

  get network(): NetworkName {
    return this.#deps.chain.network;
  }

  /** Does all that there is to do now. Rejects where the database is away; the next run goes on. */
  readonly run = oneAtATime(async () => {
    const { store, payouts, networks, isTrusted, clock } = this.#deps;
    try {
      await this.#follow();
      const way = (await networks.all()).find((one) => one.network === this.network && contractOf(one) === null);
      const hot = payouts.hotAddress(this.network);
      const policy = (await store.policies()).find(({ network }) => network === this.network);
      const isOff = policy?.is_on !== true || !isTrusted();
      if (way === undefined || hot === undefined || isOff || payouts.isStopped(way.coin)) return;
      const worth = await this.#worth(way, policy);
      await this.#plan(way, worth);
      await this.#begin(way, worth, hot);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      for (const sweep of await store.open(this.network))
        if (sweep.state === 'PLANNED') await store.waits(sweep, 'NODE', clock.now());
    }
  });

  /** Outputs that are worth what spending them costs, by their addresses. */
  async #worth(way: CoinNetwork, { least_multiple: multiple }: SweepPolicy): Promise<Worth> {
    const { sweeps, coins } = this.#deps;
    const fees = await sweeps.fees();
    const least = (count: number) => fees(count) * BigInt(multiple);
    const rows = await coins(this.network, way.coin, least(2) - least(1), way.unlocked_at, LOOKED_AT);
    const found = new Map<string, { index: number; coins: PayerCoin[] }>();
    for (const { address, index, transaction, output, units } of rows) {
      const of = found.get(address) ?? { index, coins: [] };
      if (of.coins.length < sweeps.most) of.coins.push({ transaction, output, units });
      found.set(address, of);
    }
    return { found, least };
  }

  /** What is swept of an address now: of what has left it otherwise the chain alone knows. Undefined where that is too little. */
  async #held({ found, least }: Worth, address: string): Promise<readonly PayerCoin[] | undefined> {
    const all = found.get(address)?.coins ?? [];
    const isEnough = (coins: readonly PayerCoin[]) => coins.length > 0 && sumOf(coins) >= least(coins.length);
    if (!isEnough(all)) return undefined;
    const coins = await this.#deps.sweeps.spendable(all);
    return isEnough(coins) ? coins : undefined;
  }

  async #plan({ coin }: CoinNetwork, worth: Worth): Promise<void> {
    const { store, clock } = this.#deps;
    const open = await store.open(this.network);
    const busy = new Set(open.map(({ address }) => address));
    let room = MAXIMUM_OPEN - open.length;
    for (const [address, { index }] of worth.found) {
      if (room <= 0) return;
      if (busy.has(address) || (await this.#held(worth, address)) === undefined) continue;
      const facts = { network: this.network, coin, address, key_index: index };
      await store.plan(facts, clock.now() - RETRY_MS, clock.now());
      room -= 1;
    }
  }

  async #begin(way: CoinNetwork, worth: Worth, hot: string): Promise<void> {
    const { store, payouts, clock } = this.#deps;
    const planned = (await store.open(this.network)).filter(({ state }) => state === 'PLANNED');
    for (const sweep of planned) {
      const { id: reference, network, coin, address, key_index: index } = sweep;
      const coins = await this.#held(worth, address);
      if (coins === undefined) {
        await store.ended(sweep, 'FAILED', 'NOT_WORTH', clock.now());
        continue;
      }
      const units = sumOf(coins);
      const payer = { address, index, coins };
      const payment = { purpose: 'sweep', reference, network, coin, address: hot, units, payer } as const;
      await store.sending(sweep, units, payouts.planning(payment, confirmationsOf(way), clock.now()), clock.now());
    }
    if (planned.length > 0) payouts.wake();
  }

  async #follow(): Promise<void> {
    const sending = (await this.#deps.store.open(this.network)).filter(({ state }) => state === 'SENDING');
    const ids = sending.map(({ id }) => id);
    const sent = new Map((await this.#deps.payouts.of('sweep', ids)).map((one) => [one.reference, one]));
    for (const sweep of sending) await follow(this.#deps, sweep, sent.get(sweep.id), ['FUNDS', 'REFUSED_BY_SIGNER']);
  }
}
