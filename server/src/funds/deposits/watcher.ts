/**
 * Reads one chain block by block and writes down what has come to clients. Each step is one transaction that also moves
 * the cursor, so a process that ends between two steps, or in one, goes on where the table says. A parent that does not
 * fit leads back to the last block that both branches have.
 */

import type { NetworkName, networkTrouble } from '@cambist/contract/deposits.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { z } from 'zod';
import type { Logger } from '../../platform/logger.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import {
  type BlockHeader,
  type Chain,
  type CoinNetwork,
  canonicalAddress,
  familyOf,
  ledgerAmount,
  NodeFailure,
  type Pair,
  type Payment,
  TracesRefused,
  unitsOf,
} from '../chains/service.ts';
import type { AddressStore } from './address-store.ts';
import { type ChainStore, type Cursor, KEPT_BLOCKS, type SeenDeposit, type Unlisted } from './chain-store.ts';

export type Trouble = z.infer<typeof networkTrouble>;

export interface WatcherDeps {
  readonly chain: Chain;
  readonly store: ChainStore;
  readonly addresses: Pick<AddressStore, 'owners'>;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly assetByCode: (code: string) => Asset | undefined;
  /** Those of a block's transactions that move the exchange's own coins, such as gas for a sweep: they are no deposits. */
  readonly internal: (network: NetworkName, payments: readonly Payment[]) => Promise<ReadonlySet<string>>;
  /** Called once a chain was read further. */
  readonly onMoved: (network: NetworkName) => Promise<void>;
  /** Raises an alarm for an operator. */
  readonly alarm: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Blocks of one step. */
const RUN = 16;
/** What a ledger's account can take; more is looked at by an operator. */
const MAXIMUM_AMOUNT = 2n ** 58n;
/** A node that does not answer for so long is away. */
const AWAY_MS = 30_000;
/** So many blocks behind the head, deposits take noticeably longer. */
const LAG_BLOCKS = 32;

interface Found {
  readonly seen: SeenDeposit[];
  readonly unlisted: Unlisted[];
}

export class Watcher {
  readonly #deps: WatcherDeps;
  /** Told of to an operator. */
  #isSplit = false;
  #head: BlockHeader | undefined;
  #cursor: Cursor | undefined;
  /** Since when the node fails; undefined while it answers. */
  #failingSince: number | undefined;
  /** Told of to an operator. */
  #isUntraced = false;

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
  }

  get network(): NetworkName {
    return this.#deps.chain.network;
  }

  /** The heights of the node and of the cursor; undefined before they are known. */
  get heights(): { readonly head: number | undefined; readonly cursor: number | undefined } {
    return { head: this.#head?.height, cursor: this.#cursor?.height };
  }

  /** Of two nodes; undefined where there is one. */
  get pair(): Pair | undefined {
    return this.#deps.chain.pair;
  }

  get trouble(): Trouble | null {
    const { chain, clock } = this.#deps;
    const [head, cursor] = [this.#head, this.#cursor];
    if (cursor !== undefined && cursor.stopped !== '') return cursor.stopped;
    if (this.pair?.isSplit) return 'SPLIT';
    if (this.#failingSince !== undefined && (head === undefined || clock.now() - this.#failingSince >= AWAY_MS)) {
      return 'AWAY';
    }
    if (head === undefined || cursor === undefined) return 'AWAY';
    const isStale = chain.staleAfterMs !== undefined && clock.now() - head.time > chain.staleAfterMs;
    return isStale || head.height < cursor.height || head.height - cursor.height > LAG_BLOCKS ? 'BEHIND' : null;
  }

  /** Reads until nothing is new, or the node does not answer. Rejects where the database is away. */
  readonly catchUp = oneAtATime(async () => {
    const before = this.#cursor?.hash;
    while (await this.#step());
    await this.#tellSplit();
    if (this.#cursor !== undefined && this.#cursor.hash !== before) await this.#deps.onMoved(this.network);
  });

  /** Once for each time that two nodes disagree; it ends by itself. */
  async #tellSplit(): Promise<void> {
    const { chain, alarm, logger } = this.#deps;
    const [wasSplit, isSplit] = [this.#isSplit, chain.pair?.isSplit ?? false];
    this.#isSplit = isSplit;
    const [first, second] = chain.pair?.heads ?? [];
    const heads = `the first is at ${first ?? 'no'}, the second at ${second ?? 'no'} block`;
    if (isSplit && !wasSplit) await alarm('nodes-disagree', `Both nodes of ${this.network} disagree: ${heads}`);
    if (wasSplit && !isSplit) logger.info({ network: this.network }, 'Both nodes agree again');
  }

  /** @returns whether there may be more to read at once */
  async #step(): Promise<boolean> {
    const { chain, store, clock } = this.#deps;
    const cursor = await store.cursor(this.network);
    this.#cursor = cursor;
    try {
      const head = await chain.head();
      this.#head = head;
      if (cursor === undefined) await store.begin(this.network, head, clock.now());
      const isMore = cursor === undefined || (cursor.stopped === '' && (await this.#follow(cursor, head)));
      this.#failingSince = undefined;
      this.#isUntraced = false;
      return isMore;
    } catch (error) {
      this.#failed(error);
      await this.#tellUntraced(error);
      return false;
    }
  }

  /** What the database refuses is thrown; a node that is away is asked again. */
  #failed(err: unknown): void {
    if (!(err instanceof NodeFailure)) throw err;
    const { clock, logger } = this.#deps;
    if (this.#failingSince === undefined) logger.warn({ err, network: this.network }, 'A node does not answer');
    this.#failingSince ??= clock.now();
  }

  /** Once for each time that it stands still because of it: it does not end by itself. */
  async #tellUntraced(error: unknown): Promise<void> {
    const { alarm, clock } = this.#deps;
    const isLong = this.#failingSince !== undefined && clock.now() - this.#failingSince >= AWAY_MS;
    if (!(error instanceof TracesRefused) || !isLong || this.#isUntraced) return;
    this.#isUntraced = true;
    await alarm('traces-refused', `${error.message}. Nothing is read from there on`);
  }

  async #follow(cursor: Cursor, head: BlockHeader): Promise<boolean> {
    const { chain } = this.#deps;
    // A node that has fewer blocks than were read is behind; whether it is on another branch shows when it has caught up.
    if (head.height < cursor.height) return false;
    if (head.height === cursor.height) return head.hash === cursor.hash ? false : this.#goBack(cursor);
    const next = await chain.header(cursor.height + 1);
    if (next === undefined) return false;
    return next.parent === cursor.hash ? this.#advance(cursor, next, head) : this.#goBack(cursor);
  }

  async #advance(cursor: Cursor, first: BlockHeader, head: BlockHeader): Promise<boolean> {
    const { store, clock } = this.#deps;
    const blocks = await this.#run(first, Math.min(head.height, cursor.height + RUN));
    const coins = await this.#deps.networks.all();
    const found = await Promise.all(blocks.map((block) => this.#read(block, coins)));
    const [seen, unlisted] = [found.flatMap((one) => one.seen), found.flatMap((one) => one.unlisted)];
    await store.advance({ network: this.network, from: cursor.hash, blocks, seen, unlisted, now: clock.now() });
    this.#moved(blocks.at(-1) ?? first);
    return true;
  }

  /** Blocks from the first one, as long as each has the one before as its parent. */
  async #run(first: BlockHeader, last: number): Promise<BlockHeader[]> {
    const heights = Array.from({ length: last - first.height }, (_, index) => first.height + 1 + index);
    const blocks = [first];
    for (const next of await Promise.all(heights.map((height) => this.#deps.chain.header(height)))) {
      if (next === undefined || next.parent !== blocks.at(-1)?.hash) break;
      blocks.push(next);
    }
    return blocks;
  }

  async #read(block: BlockHeader, coins: readonly CoinNetwork[]): Promise<Found> {
    const found: Found = { seen: [], unlisted: [] };
    const { chain, addresses } = this.#deps;
    const owners = new Map<string, number>();
    const family = familyOf(this.network);
    const payments = await chain.payments(block, async (asked) => {
      const known = await addresses.owners(family, asked);
      for (const [address, owner] of known) owners.set(address, owner);
      return new Set(known.keys());
    });
    const internal = payments.length === 0 ? new Set<string>() : await this.#deps.internal(this.network, payments);
    for (const payment of payments) {
      if (!internal.has(payment.transaction)) this.#sort(payment, block, owners.get(payment.address), coins, found);
    }
    return found;
  }

  /** Whether a payment is a deposit, or something for an operator. */
  #sort(
    { transaction, output, contract, address, units }: Payment,
    { height }: BlockHeader,
    owner: number | undefined,
    coins: readonly CoinNetwork[],
    { seen, unlisted }: Found,
  ): void {
    if (owner === undefined || units <= 0n) return;
    const facts = { owner, address, transaction, output, units, height };
    const coin = coins.find((one) => one.network === this.network && isContract(one, contract));
    const asset = coin && this.#deps.assetByCode(coin.coin);
    const amount = coin && asset ? ledgerAmount(units, coin.chain_scale, asset.scale).amount : 0n;
    if (coin === undefined || asset === undefined || amount > MAXIMUM_AMOUNT) {
      unlisted.push({ ...facts, contract: contract ?? '' });
      return;
    }
    const least = unitsOf(coin.deposit_minimum, coin.chain_scale) ?? 0n;
    seen.push({ ...facts, coin: coin.coin, asset: asset.id, amount, isBelow: units < least || amount === 0n });
  }

  /** Back to the newest block that the node's chain still has. */
  async #goBack(cursor: Cursor): Promise<boolean> {
    const { chain, store, clock, logger, alarm } = this.#deps;
    const { network } = this;
    for (const block of await store.blocksBelow(network, cursor.height)) {
      const header = await chain.header(block.height);
      if (header?.hash !== block.hash) continue;
      await store.rewind(cursor, block, clock.now());
      const depth = cursor.height - block.height;
      logger.warn({ network, depth, height: block.height }, 'A chain was reorganized');
      this.#moved(block);
      return true;
    }
    await store.stop(network, 'SPLIT', clock.now());
    this.#cursor = { ...cursor, stopped: 'SPLIT' };
    const from = `the ${KEPT_BLOCKS} blocks up to ${cursor.height} that were read`;
    await alarm('chain-split', `${network} has none of ${from}; it is no longer followed`);
    return false;
  }

  #moved({ height, hash }: { readonly height: number; readonly hash: string }): void {
    this.#cursor = { network: this.network, height, hash, stopped: '' };
  }
}

function isContract(coin: CoinNetwork, contract: string | null): boolean {
  if (coin.contract === null || contract === null) return coin.contract === contract;
  return canonicalAddress(familyOf(coin.network), coin.contract) === contract;
}
