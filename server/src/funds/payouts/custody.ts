/**
 * What chains hold of each coin against what the ledger says that they owe to clients. Chains hold what hot and cold wallets
 * have, and at the addresses of clients what was credited there, less what was swept. Where they hold less, payouts of the coin stop until they hold enough again.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { TransferLeg } from '@cambist/core/ledger/transfer.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import {
  type Chains,
  type CoinNetwork,
  contractOf,
  highestCost,
  ledgerAmount,
  NATIVE_COINS,
  NodeFailure,
} from '../chains/service.ts';
import { changesOf } from './moved.ts';
import type { PayoutStore } from './store.ts';

export interface CustodyDeps {
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly store: Pick<
    PayoutStore,
    'custody' | 'keepCustody' | 'inBlocks' | 'costsToCome' | 'betweenWallets' | 'networks' | 'open'
  >;
  /** Smallest units of chains at the addresses of clients, but for what is in blocks that are not final. */
  readonly held: () => Promise<readonly { network: NetworkName; coin: string; units: bigint }[]>;
  readonly hotAddress: (network: NetworkName) => string | undefined;
  readonly exchange: {
    balance(account: number): bigint;
    pendingTransfers(): readonly { reason: string; reference: number; legs: readonly TransferLeg[] }[];
  };
  readonly assetByCode: (code: string) => Asset | undefined;
  readonly alarm: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
}

/** Of one coin, in smallest units of the ledger. */
export interface Compared {
  readonly coin: string;
  readonly scale: number;
  readonly ledger: bigint;
  /** Null while a node is away. */
  readonly chains: bigint | null;
  /** What may have left hot wallets in a block that was not seen yet. */
  readonly underway: bigint;
}

/** What rounding may leave between both sides. */
const DUST = 100n;
/** Readings of a coin of which something has moved meanwhile. */
const TRIES = 3;

/** What is known of one coin without its chains. */
interface Known {
  /** Smallest units of chains, by network. */
  readonly credited: ReadonlyMap<NetworkName, bigint>;
  readonly underway: ReadonlyMap<NetworkName, bigint>;
  /** Smallest units of the ledger. */
  readonly ledger: bigint;
}

interface Units {
  readonly network: NetworkName;
  readonly coin: string;
  readonly units: bigint;
}

function byNetwork(all: readonly Units[], coin: string): ReadonlyMap<NetworkName, bigint> {
  const sums = new Map<NetworkName, bigint>();
  for (const one of all) if (one.coin === coin) sums.set(one.network, (sums.get(one.network) ?? 0n) + one.units);
  return sums;
}

/** In smallest units of the ledger. */
function sumOf(all: readonly ReadonlyMap<NetworkName, bigint>[], ways: readonly CoinNetwork[], asset: Asset): bigint {
  const unitsOf = ({ network }: CoinNetwork) => all.reduce((sum, of) => sum + (of.get(network) ?? 0n), 0n);
  return ways.reduce((sum, way) => sum + ledgerAmount(unitsOf(way), way.chain_scale, asset.scale).amount, 0n);
}

/** What wallets must have: the same before and after a deposit is credited, and another one once a payment is in a block. */
const owedBeside = ({ ledger, credited }: Known, ways: readonly CoinNetwork[], asset: Asset): bigint =>
  ledger - sumOf([credited], ways, asset);

export class Custody {
  readonly #deps: CustodyDeps;
  readonly #stopped = new Set<string>();
  /** Coins of which an alarm was raised: one that could not be written is raised by the next comparison. */
  readonly #told = new Set<string>();
  /** Coins of which chains held too little at the last comparison: one block may come between two readings. */
  #doubted: ReadonlySet<string> = new Set();

  constructor(deps: CustodyDeps) {
    this.#deps = deps;
  }

  isStopped(coin: string): boolean {
    return this.#stopped.has(coin);
  }

  async prepare(): Promise<void> {
    for (const { coin, is_stopped: isStopped } of await this.#deps.store.custody())
      if (isStopped) for (const coins of [this.#stopped, this.#told]) coins.add(coin);
  }

  /** Compares, and stops the payouts of coins of which chains hold too little twice in a row. */
  async check(): Promise<void> {
    const { store, alarm, clock } = this.#deps;
    const compared = await this.compare();
    const doubted = new Set(this.#doubted);
    for (const { coin, scale, ledger, chains, underway } of compared) {
      if (chains === null) continue;
      const isShort = chains + underway + DUST < ledger;
      if (isShort) doubted.add(coin);
      else doubted.delete(coin);
      if (isShort && this.#doubted.has(coin) && !this.#told.has(coin)) {
        this.#stopped.add(coin);
        const both = `chains hold ${formatAmount(chains, scale)} ${coin}, the ledger owes ${formatAmount(ledger, scale)}`;
        await alarm('custody', `Payouts of ${coin} stand still: ${both}`);
        this.#told.add(coin);
      }
      if (!isShort) for (const coins of [this.#stopped, this.#told]) coins.delete(coin);
      await store.keepCustody({ coin, ledger, chains, is_stopped: this.#stopped.has(coin) }, clock.now());
    }
    this.#doubted = doubted;
  }

  /** @returns coins of which nothing has moved between chains and ledger while they were read */
  async compare(): Promise<readonly Compared[]> {
    const coins = await this.#deps.networks.all();
    const wallets = await this.#wallets();
    const found: Compared[] = [];
    let left = Map.groupBy(coins, (one) => one.coin);
    let before = await this.#known(coins);
    for (let tried = 0; tried < TRIES && left.size > 0; tried += 1) {
      const held = new Map<string, ReadonlyMap<NetworkName, bigint> | null>();
      for (const [coin, ways] of left) held.set(coin, await this.#inWallets(ways, wallets));
      const after = await this.#known(coins);
      const moved = new Map<string, CoinNetwork[]>();
      for (const [coin, ways] of left) {
        const [asset, then, now] = [this.#deps.assetByCode(coin), before.get(coin), after.get(coin)];
        if (asset === undefined || then === undefined || now === undefined) continue;
        const own = held.get(coin) ?? null;
        const shift = owedBeside(then, ways, asset) - owedBeside(now, ways, asset);
        if (shift > DUST || shift < -DUST) moved.set(coin, ways);
        else
          found.push({
            ...{ coin, scale: asset.scale, ledger: now.ledger, underway: sumOf([then.underway], ways, asset) },
            chains: own && sumOf([own, now.credited], ways, asset),
          });
      }
      [left, before] = [moved, after];
    }
    return found;
  }

  /** What is known of each coin beside what its wallets have. */
  async #known(coins: readonly CoinNetwork[]): Promise<ReadonlyMap<string, Known>> {
    const { store, held } = this.#deps;
    const atAddresses = [...(await held()), ...(await store.betweenWallets()).flatMap(changesOf)];
    const underway = await this.#underway(coins);
    const { owed, pending } = this.#ledger(coins);
    const toCome = await this.#toCome(coins, pending);
    return new Map(
      [...owed].map(([coin, amount]) => {
        const ledger = amount - (toCome.get(coin) ?? 0n);
        return [coin, { credited: byNetwork(atAddresses, coin), underway: byNetwork(underway, coin), ledger }];
      }),
    );
  }

  /** What is signed and in no block, as far as is known, with the most that it may cost. */
  async #underway(coins: readonly CoinNetwork[]): Promise<readonly Units[]> {
    const found: Units[] = [];
    for (const network of new Set(coins.map((one) => one.network))) {
      for (const { state, coin, units, attempts } of await this.#deps.store.open(network, 0)) {
        if (state !== 'SIGNED' && state !== 'BROADCAST') continue;
        const terms = attempts.at(-1)?.terms;
        found.push({ network, coin, units });
        if (terms !== undefined) found.push({ network, coin: NATIVE_COINS[network].coin, units: highestCost(terms) });
      }
    }
    return found;
  }

  /** Both of one moment: what is posted in between would count twice. */
  #ledger(coins: readonly CoinNetwork[]) {
    const { exchange, assetByCode } = this.#deps;
    const assets = new Map(coins.map(({ coin }) => [coin, assetByCode(coin)]));
    const owed = new Map<string, bigint>();
    for (const [coin, asset] of assets) {
      if (asset === undefined) continue;
      const account = accountKey(SystemOwner.CUSTODY, Wallet.SPOT, Bucket.AVAILABLE, asset.id);
      owed.set(coin, -exchange.balance(account));
    }
    const withdrawals = exchange.pendingTransfers().filter(({ reason }) => reason === 'withdrawal');
    return { owed, pending: new Set(withdrawals.map(({ reference }) => reference)) };
  }

  /** The canonical addresses of the exchange's own wallets by network. */
  async #wallets(): Promise<(network: NetworkName) => readonly string[]> {
    const kept = await this.#deps.store.networks();
    return (network) =>
      [this.#deps.hotAddress(network) ?? '', kept.get(network)?.coldAddress ?? ''].filter((address) => address !== '');
  }

  /** Smallest units of chains in hot and cold wallets; null while a node is away. */
  async #inWallets(
    ways: readonly CoinNetwork[],
    wallets: (network: NetworkName) => readonly string[],
  ): Promise<ReadonlyMap<NetworkName, bigint> | null> {
    const found = new Map<NetworkName, bigint>();
    try {
      for (const way of ways) {
        const sender = this.#deps.chains.get(way.network)?.sender;
        const own = sender === undefined ? [] : new Set(wallets(way.network));
        let units = 0n;
        for (const address of own) units += (await sender?.balance(address, contractOf(way))) ?? 0n;
        found.set(way.network, units);
      }
      return found;
    } catch (error) {
      if (error instanceof NodeFailure) return null;
      throw error;
    }
  }

  /** What has left chains and is still owed by the ledger: withdrawals that it will post, and costs that it will book. */
  async #toCome(coins: readonly CoinNetwork[], references: ReadonlySet<number>): Promise<ReadonlyMap<string, bigint>> {
    const { store, assetByCode } = this.#deps;
    const sums = new Map<string, bigint>();
    const add = (coin: string, units: bigint, chainScale: number, booking = 0n) => {
      const scale = assetByCode(coin)?.scale;
      if (scale === undefined) return;
      sums.set(coin, (sums.get(coin) ?? 0n) + booking + ledgerAmount(units, chainScale, scale).amount);
    };
    for (const { reference, network, coin, units } of await store.inBlocks([...references])) {
      const way = coins.find((one) => one.coin === coin && one.network === network);
      if (way !== undefined && references.has(reference)) add(coin, units, way.chain_scale);
    }
    for (const { network, units, booking } of await store.costsToCome()) {
      const { coin, scale } = NATIVE_COINS[network];
      const isListed = coins.some((one) => one.coin === coin && one.network === network);
      if (isListed) add(coin, units, scale, booking);
    }
    return sums;
  }
}
