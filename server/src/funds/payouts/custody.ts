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
    'custody' | 'keepCustody' | 'inBlocks' | 'costsToCome' | 'lastChange' | 'betweenWallets' | 'networks'
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
}

/** What rounding may leave between both sides. */
const DUST = 100n;

export class Custody {
  readonly #deps: CustodyDeps;
  readonly #stopped = new Set<string>();
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
      if (isStopped) this.#stopped.add(coin);
  }

  /** Compares, and stops the payouts of coins of which chains hold too little twice in a row. */
  async check(): Promise<void> {
    const { store, alarm, clock } = this.#deps;
    const compared = await this.compare();
    if (compared === undefined) return;
    const doubted = new Set<string>();
    for (const { coin, scale, ledger, chains } of compared) {
      if (chains === null) continue;
      const isShort = chains + DUST < ledger;
      if (isShort) doubted.add(coin);
      if (isShort && this.#doubted.has(coin) && !this.#stopped.has(coin)) {
        this.#stopped.add(coin);
        const both = `chains hold ${formatAmount(chains, scale)} ${coin}, the ledger owes ${formatAmount(ledger, scale)}`;
        await alarm('custody', `Payouts of ${coin} stand still: ${both}`);
      }
      if (!isShort) this.#stopped.delete(coin);
      await store.keepCustody({ coin, ledger, chains, is_stopped: this.#stopped.has(coin) }, clock.now());
    }
    this.#doubted = doubted;
  }

  /** @returns undefined where something has moved meanwhile */
  async compare(): Promise<readonly Compared[] | undefined> {
    const { store, networks, held } = this.#deps;
    const before = await store.lastChange();
    const coins = await networks.all();
    const atAddresses = [...(await held()), ...(await store.betweenWallets()).flatMap(changesOf)];
    const wallets = await this.#wallets();
    const { owed, pending } = this.#ledger(coins);
    const toCome = await this.#toCome(coins, pending);
    const found: Compared[] = [];
    for (const [coin, ways] of Map.groupBy(coins, (one) => one.coin)) {
      const asset = this.#deps.assetByCode(coin);
      if (asset === undefined) continue;
      const credited = atAddresses.filter((one) => one.coin === coin);
      const chains = await this.#onChains(asset, ways, credited, wallets);
      const ledger = (owed.get(coin) ?? 0n) - (toCome.get(coin) ?? 0n);
      found.push({ coin, scale: asset.scale, ledger, chains });
    }
    return (await store.lastChange()) === before ? found : undefined;
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

  async #onChains(
    asset: Asset,
    ways: readonly CoinNetwork[],
    credited: readonly { network: NetworkName; units: bigint }[],
    wallets: (network: NetworkName) => readonly string[],
  ): Promise<bigint | null> {
    let sum = 0n;
    try {
      for (const way of ways) {
        const sender = this.#deps.chains.get(way.network)?.sender;
        const own = sender === undefined ? [] : new Set(wallets(way.network));
        let units = 0n;
        for (const address of own) units += (await sender?.balance(address, contractOf(way))) ?? 0n;
        for (const one of credited) if (one.network === way.network) units += one.units;
        sum += ledgerAmount(units, way.chain_scale, asset.scale).amount;
      }
      return sum;
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
