/**
 * Keeps what the hot wallet of one network has of each coin between its bounds: what is too much goes to the cold wallet, and
 * what is missing is asked of it by a request that is signed elsewhere. Every step is written down before the next one begins.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Statement } from '../../platform/database.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import {
  type Chain,
  type CoinNetwork,
  contractOf,
  EstimateRefused,
  highestCost,
  NodeFailure,
  type Sender,
  smaller,
} from '../chains/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import { hasLapsed } from './refills.ts';
import type { Bounds, ColdStore, Move } from './store.ts';

export interface KeeperDeps {
  readonly chain: Pick<Chain, 'network'>;
  readonly sender: Sender;
  readonly store: ColdStore;
  readonly payouts: Pick<
    OwnPayouts,
    'planning' | 'wake' | 'of' | 'owedBy' | 'hotAddress' | 'coldAddress' | 'isStopped' | 'exhausted'
  >;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Whether the chain is as it is believed to be: nothing is begun otherwise. */
  readonly isTrusted: () => boolean;
  readonly alarms: {
    raise(kind: string, detail: string): Promise<void>;
    /** For the transaction that it is about; logged at once. */
    statement(kind: string, detail: string): Statement;
  };
  readonly clock: { now(): number };
}

/** What has failed is tried again after so long. */
const RETRY_MS = 3_600_000;

interface Wallets {
  readonly hot: string;
  readonly cold: string;
}

/** As deep as what is paid out. */
const confirmationsOf = (way: CoinNetwork): number => way.withdraw_confirmations ?? way.unlocked_at;

export class Keeper {
  readonly #deps: KeeperDeps;
  /** Coins of which the cold wallet has too little, as an operator was told. */
  readonly #told = new Set<string>();

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  get network(): NetworkName {
    return this.#deps.chain.network;
  }

  /** Does all that there is to do now. Rejects where the database is away; the next run goes on. */
  readonly run = oneAtATime(async () => {
    try {
      const ways = (await this.#deps.networks.all()).filter(({ network }) => network === this.network);
      await this.#advance(ways);
      await this.#compare(ways);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
    }
  });

  async #advance(ways: readonly CoinNetwork[]): Promise<void> {
    const { store, payouts, clock } = this.#deps;
    for (const move of await store.open(this.network)) {
      const way = ways.find(({ coin }) => coin === move.coin);
      const [payout] = await payouts.of(move.kind, [move.id]);
      if (payout?.state === 'FINAL' || payout?.state === 'FAILED') await store.ended(move, payout.state, clock.now());
      else if (move.kind === 'to-cold' && move.state === 'PLANNED' && way !== undefined) await this.#send(move, way);
      // It did not come back in its time: another one is asked for, by the terms of now.
      else if (hasLapsed(move, clock.now())) await store.lapsed(move, clock.now());
    }
  }

  /** What was planned goes out: its payout is planned in the same transaction. */
  async #send(move: Move, way: CoinNetwork): Promise<void> {
    const { store, payouts, clock } = this.#deps;
    const { id: reference, network, coin, cold: address, units } = move;
    const payment = { purpose: 'to-cold', reference, network, coin, address, units } as const;
    await store.sending(move, payouts.planning(payment, confirmationsOf(way), clock.now()), clock.now());
    payouts.wake();
  }

  async #compare(ways: readonly CoinNetwork[]): Promise<void> {
    const { store, payouts, isTrusted } = this.#deps;
    const [hot, cold] = [payouts.hotAddress(this.network), await payouts.coldAddress(this.network)];
    if (hot === undefined || cold === undefined || !isTrusted()) return;
    for (const bounds of await store.bounds()) {
      const way = ways.find(({ coin }) => coin === bounds.coin);
      if (bounds.network !== this.network || way === undefined || payouts.isStopped(bounds.coin)) continue;
      const open = await store.open(this.network);
      if (open.some(({ coin }) => coin === bounds.coin)) continue;
      const isAsked = open.some(({ kind }) => kind === 'refill');
      await this.#compareOne(bounds, way, { hot, cold }, isAsked, ways).catch((error: unknown) => {
        // A token that does not answer keeps no other coin from being refilled.
        if (!(error instanceof EstimateRefused)) throw error;
      });
    }
  }

  async #compareOne(
    bounds: Bounds,
    way: CoinNetwork,
    wallets: Wallets,
    isAsked: boolean,
    ways: readonly CoinNetwork[],
  ): Promise<void> {
    const { payouts, sender } = this.#deps;
    const balance = await sender.balance(wallets.hot, contractOf(way));
    // What withdrawals will take is not there to be moved.
    const has = balance - (await payouts.owedBy(this.network, bounds.coin));
    if (has > bounds.high) await this.#moveOut(bounds, way, wallets, has - bounds.target, ways);
    else if (has >= bounds.low) this.#told.delete(bounds.coin);
    else if (sender.read !== undefined && !isAsked) await this.#ask(bounds, way, wallets, bounds.target - has);
  }

  async #moveOut(
    { coin }: Bounds,
    way: CoinNetwork,
    wallets: Wallets,
    units: bigint,
    ways: readonly CoinNetwork[],
  ): Promise<void> {
    const { store, clock } = this.#deps;
    const facts = { ...wallets, kind: 'to-cold', network: this.network, coin, contract: contractOf(way) } as const;
    const now = clock.now();
    if (await store.plan({ ...facts, units, terms: null }, { failedSince: now - RETRY_MS, now }))
      await this.#advance(ways);
  }

  /** Writes down what is asked of the cold wallet: all that is missing, or as much of it as it has. */
  async #ask({ coin }: Bounds, way: CoinNetwork, wallets: Wallets, missing: bigint): Promise<void> {
    const { store, payouts, sender, alarms, clock } = this.#deps;
    const contract = contractOf(way);
    const most = contract === null ? await sender.most?.(wallets.cold) : undefined;
    const has = most ?? (await sender.balance(wallets.cold, contract));
    const wanted = smaller(has, missing);
    const of = { network: this.network, contract, address: wallets.hot, units: wanted };
    const exhausted = await payouts.exhausted(this.network, coin, wallets.cold);
    // A cold wallet signs one after another.
    const claimed = { next: null, underway: [], isCarried: true, exhausted };
    const terms = wanted > 0n ? await sender.prepare(wallets.cold, of, claimed) : 'short';
    if (terms === undefined || terms === 'short') return this.#tell(coin);
    const cost = highestCost(terms);
    // Terms of coins hold for one amount alone.
    const left = contract === null && most === undefined ? has - cost : wanted;
    const units = smaller(left, wanted);
    if (units <= 0n || (await sender.balance(wallets.cold, null)) < cost) return this.#tell(coin);
    const text = `The hot wallet of ${this.network} has too little ${coin}: a refill waits to be signed by the cold wallet`;
    const told = [alarms.statement('refill-asked', text)];
    const facts = { ...wallets, kind: 'refill', network: this.network, coin, contract, units, terms } as const;
    const now = clock.now();
    await store.plan(facts, { failedSince: now - RETRY_MS, now, told });
    this.#told.delete(coin);
  }

  /** Once, until it has enough again. */
  async #tell(coin: string): Promise<void> {
    if (this.#told.has(coin)) return;
    this.#told.add(coin);
    const text = `The hot wallet of ${this.network} has too little ${coin}, and the cold wallet cannot refill it`;
    await this.#deps.alarms.raise('cold-wallet-short', text);
  }
}
