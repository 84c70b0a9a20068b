/**
 * Brings deposits of one network from the addresses of clients to the hot wallet, one run at a time. What is sent are
 * payouts; each is planned in the transaction that moves its sweep on, and there is one of a purpose for a sweep, for ever: a
 * process may end anywhere, and two may be at it at once.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import {
  type Chain,
  type CoinNetwork,
  contractOf,
  EstimateRefused,
  highestCost,
  isOrdered,
  NATIVE_COINS,
  NodeFailure,
  type Sender,
  type Terms,
} from '../chains/service.ts';
import type { Holder } from '../deposits/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import { confirmationsOf, follow, MAXIMUM_OPEN, RETRY_MS } from './rules.ts';
import type { Sweep, SweepPolicy } from './service.ts';
import type { SweepStore } from './store.ts';
import { leastUnits, type WorthDeps } from './worth.ts';

export interface SweeperDeps extends WorthDeps {
  readonly chain: Pick<Chain, 'network'>;
  readonly sender: Sender;
  readonly store: SweepStore;
  readonly payouts: Pick<OwnPayouts, 'planning' | 'wake' | 'of' | 'giveUp' | 'hotAddress' | 'isStopped' | 'exhausted'>;
  /** Addresses from which at least so much of a coin may leave, those with the most first. */
  readonly holders: (network: NetworkName, coin: string, least: bigint, limit: number) => Promise<readonly Holder[]>;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Whether the chain is as it is believed to be: nothing is begun otherwise. */
  readonly isTrusted: () => boolean;
  readonly clock: { now(): number };
}

/** What is left for the fee, as a multiple of what it may cost at first, where it may be sent again with a higher one. */
const roomOf = (terms: Terms): bigint => (isOrdered(terms) ? 2n : 1n);

/** A token that does not answer keeps none of the others from being swept. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof EstimateRefused)) throw error;
}

export class Sweeper {
  readonly #deps: SweeperDeps;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  get network(): NetworkName {
    return this.#deps.chain.network;
  }

  /** Does all that there is to do now. Rejects where the database is away; the next run goes on. */
  readonly run = oneAtATime(async () => {
    const { store, clock } = this.#deps;
    try {
      const coins = (await this.#deps.networks.all()).filter(({ network }) => network === this.network);
      await this.#plan(coins);
      await this.#advance(coins);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      for (const sweep of await store.open(this.network)) {
        if (sweep.state === 'PLANNED') await store.waits(sweep, 'NODE', clock.now());
      }
    }
  });

  async #policy(): Promise<SweepPolicy | undefined> {
    return (await this.#deps.store.policies()).find(({ network }) => network === this.network);
  }

  /** What a sweep of a coin costs by the chain's own estimate, with the gas that its address needs first. */
  async #cost(way: CoinNetwork, hot: string): Promise<bigint> {
    const { sender } = this.#deps;
    const payment = { network: this.network, contract: contractOf(way), address: hot, units: 1n };
    const { cost } = await sender.estimate(hot, payment, 1);
    if (way.contract === null) return cost;
    const opening = (await sender.openingCost?.()) ?? 0n;
    return cost + (await sender.estimate(hot, { ...payment, contract: null }, 1)).cost + opening;
  }

  /** The least that is worth so much; undefined where that cannot be said. */
  async #least(way: CoinNetwork, cost: bigint): Promise<bigint | undefined> {
    const policy = await this.#policy();
    return policy && leastUnits(way, cost, policy, this.#deps);
  }

  async #leastNow(way: CoinNetwork, hot: string): Promise<bigint | undefined> {
    return this.#least(way, await this.#cost(way, hot));
  }

  async #plan(coins: readonly CoinNetwork[]): Promise<void> {
    const { store, payouts, holders, isTrusted, clock } = this.#deps;
    const hot = payouts.hotAddress(this.network);
    if (hot === undefined || !isTrusted() || !(await this.#policy())?.is_on) return;
    for (const way of coins) {
      const open = await store.open(this.network);
      const room = MAXIMUM_OPEN - open.length;
      if (room <= 0) return;
      if (payouts.isStopped(way.coin)) continue;
      const least = await this.#leastNow(way, hot).catch(unlessRefused);
      if (least === undefined) continue;
      const busy = new Set(open.map(({ address }) => address));
      const found = await holders(this.network, way.coin, least, MAXIMUM_OPEN);
      for (const { address, index } of found.filter((one) => !busy.has(one.address)).slice(0, room)) {
        const facts = { network: this.network, coin: way.coin, address, key_index: index };
        await store.plan(facts, clock.now() - RETRY_MS, clock.now());
      }
    }
  }

  async #advance(coins: readonly CoinNetwork[]): Promise<void> {
    const { store, payouts, isTrusted } = this.#deps;
    const open = await store.open(this.network);
    const ids = open.map(({ id }) => id);
    const topUps = new Map((await payouts.of('top-up', ids)).map((one) => [one.reference, one]));
    const sent = new Map((await payouts.of('sweep', ids)).map((one) => [one.reference, one]));
    const hot = payouts.hotAddress(this.network);
    const isOn = (await this.#policy())?.is_on ?? false;
    let hasPlanned = false;
    for (const sweep of open) {
      const way = coins.find(({ coin }) => coin === sweep.coin);
      if (way === undefined) continue;
      // Of the chain's own coin, the amount may have left too little for the fee as it is now.
      if (sweep.state === 'SENDING') await follow(this.#deps, sweep, sent.get(sweep.id), ['FUNDS']);
      else if (sweep.state === 'TOPPING_UP' && topUps.get(sweep.id)?.state === 'FAILED')
        await this.#fail(sweep, 'PAYMENT');
      else if (sweep.state === 'TOPPING_UP' && topUps.get(sweep.id)?.state !== 'FINAL') continue;
      else if (hot !== undefined && isTrusted() && (isOn || sweep.state === 'TOPPING_UP')) {
        await this.#beginUnlessRefused(sweep, way, hot);
        hasPlanned = true;
      }
    }
    if (hasPlanned) payouts.wake();
  }

  async #fail(sweep: Sweep, why: 'WOULD_FAIL' | 'NOT_WORTH' | 'PAYMENT'): Promise<void> {
    await this.#deps.store.ended(sweep, 'FAILED', why, this.#deps.clock.now());
  }

  /** One that the node says nothing of holds up no other. */
  async #beginUnlessRefused(sweep: Sweep, way: CoinNetwork, hot: string): Promise<void> {
    const { store, clock } = this.#deps;
    try {
      await this.#begin(sweep, way, hot);
    } catch (error) {
      unlessRefused(error);
      await store.waits(sweep, 'NODE', clock.now());
    }
  }

  /** Decides what is sent by what the chain has at the address now, not by what is known of it. */
  async #begin(sweep: Sweep, way: CoinNetwork, hot: string): Promise<void> {
    const { sender, payouts } = this.#deps;
    const contract = contractOf(way);
    const balance = await sender.balance(sweep.address, contract);
    const least = await this.#leastNow(way, hot);
    const isToppedUp = sweep.state === 'TOPPING_UP';
    // Its gas is paid for: what is there is brought home even where it has become dear.
    if (least === undefined || balance === 0n || (balance < least && !isToppedUp))
      return this.#fail(sweep, 'NOT_WORTH');
    const exhausted = await payouts.exhausted(this.network, way.coin, sweep.address);
    // A node does not say what a payment of all that there is of its own coin would cost.
    const payment = { network: this.network, contract, address: hot, units: contract === null ? 1n : balance };
    const terms = await sender.prepare(sweep.address, payment, { next: null, underway: [], exhausted });
    if (terms === undefined || terms === 'short') return this.#fail(sweep, 'WOULD_FAIL');
    if (contract !== null)
      return this.#beginToken(sweep, way, hot, { balance, terms, isTriedAgain: exhausted !== undefined });
    const units = balance - roomOf(terms) * highestCost(terms);
    if (units < least) return this.#fail(sweep, 'NOT_WORTH');
    return this.#send(sweep, way, hot, units);
  }

  /** Sends a token where its address has gas for it, and gas where it has too little. */
  async #beginToken(
    sweep: Sweep,
    way: CoinNetwork,
    hot: string,
    {
      balance,
      terms,
      isTriedAgain,
    }: { readonly balance: bigint; readonly terms: Terms; readonly isTriedAgain: boolean },
  ): Promise<void> {
    const { sender, store, clock } = this.#deps;
    const cost = highestCost(terms);
    const isToppedUp = sweep.state === 'TOPPING_UP';
    const gas = await sender.balance(sweep.address, null);
    // It may have to be sent again with a higher fee, unless the gas was brought for it already.
    const isRoomy = gas >= (isToppedUp ? cost : (cost * (roomOf(terms) + 1n)) / 2n);
    // It has burned more than was thought: what it may burn now is what it costs.
    const dear = isTriedAgain && !isToppedUp ? ((await this.#least(way, cost)) ?? 0n) : 0n;
    if (balance < dear) return this.#fail(sweep, 'NOT_WORTH');
    if (isRoomy) return this.#send(sweep, way, hot, balance);
    if (!isToppedUp) return this.#topUp(sweep, way, roomOf(terms) * cost - gas);
    if (isOrdered(terms)) return store.waits(sweep, 'FEE', clock.now());
    // It needs more than before, and no market lets that fall again: another sweep brings what is missing.
    return this.#fail(sweep, 'WOULD_FAIL');
  }

  async #topUp(sweep: Sweep, way: CoinNetwork, units: bigint): Promise<void> {
    const { store, payouts, clock } = this.#deps;
    const { id: reference, network, address } = sweep;
    const payment = {
      purpose: 'top-up',
      reference,
      network,
      coin: NATIVE_COINS[network].coin,
      address,
      units,
    } as const;
    const planning = payouts.planning(payment, confirmationsOf(way), clock.now());
    await store.toppingUp(sweep, units, planning, clock.now());
  }

  async #send(sweep: Sweep, way: CoinNetwork, hot: string, units: bigint): Promise<void> {
    const { store, payouts, clock } = this.#deps;
    const { id: reference, network, coin, address, key_index: index } = sweep;
    const payer = { address, index };
    const payment = { purpose: 'sweep', reference, network, coin, address: hot, units, payer } as const;
    await store.sending(sweep, units, payouts.planning(payment, confirmationsOf(way), clock.now()), clock.now());
  }
}
