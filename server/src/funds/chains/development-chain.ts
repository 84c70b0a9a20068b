/**
 * A chain in the process: blocks when they are wanted, payments from outside and by signed transactions, reorganizations on
 * demand. What happens is appended to a file, so that a restart, or a process killed at any point, finds the same chain.
 */
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { familyOf } from './addresses.ts';
import { DevelopmentAccounts, type DevelopmentBlock, type Mined, selectTransactions } from './development-accounts.ts';
import { DevelopmentSender } from './development-sender.ts';
import type { DevelopmentTransaction } from './development-transaction.ts';
import { type AccountView, type BlockHeader, type Chain, NodeFailure, type Payment, type Watched } from './service.ts';

export type Output = Pick<Payment, 'contract' | 'address' | 'units'>;

/** A line of the file. */
type Entry =
  | { readonly sent: readonly Payment[] }
  /** Given to an address by the first block. */
  | { readonly endowed: readonly Payment[] }
  /** A signed transaction, and those of the pool that it takes the place of. */
  | { readonly pooled: DevelopmentTransaction; readonly replaced: readonly string[] }
  | { readonly forgotten: string }
  | { readonly mined: DevelopmentBlock }
  | {
      readonly dropped: number;
      readonly waiting: readonly Payment[];
      readonly pool?: readonly DevelopmentTransaction[];
    };

/** About what a payment costs on the real network, in smallest units of its own coin. */
const BASE_FEES: Readonly<Record<NetworkName, bigint>> = {
  ERC20: 420_000_000_000_000n,
  BEP20: 63_000_000_000_000n,
  BTC: 1_400n,
  TRC20: 1_100_000n,
};

/** Blocks go on for so many after the last payment, so that whatever confirms gets there. */
const BLOCKS_AFTER_PAYMENT = 70;

const write = (entry: Entry): string =>
  `${JSON.stringify(entry, (_, value: unknown) => (typeof value === 'bigint' ? { bigint: String(value) } : value))}\n`;

const read = (line: string): Entry =>
  JSON.parse(line, (_, value: unknown) => {
    const isBigint = typeof value === 'object' && value !== null && 'bigint' in value;
    return isBigint ? BigInt(String(value.bigint)) : value;
  }) as Entry;

/** What a signed transaction pays where it is not undone. */
const paymentsOf = ({ id, from, outputs }: DevelopmentTransaction): Payment[] =>
  outputs.map((output, index) => ({ ...output, transaction: id, output: String(index), from }));

export class DevelopmentChain implements Chain {
  readonly isDevelopment = true;
  readonly staleAfterMs = undefined;
  readonly network: NetworkName;
  readonly #path: string;
  readonly #clock: { now(): number };
  readonly #blocks: DevelopmentBlock[] = [];
  /** Of the blocks that have signed transactions, by those. */
  readonly #heights = new Map<string, number>();
  readonly sender = new DevelopmentSender(this);
  readonly accounts = new DevelopmentAccounts();
  readonly pool = new Map<string, DevelopmentTransaction>();
  /** What a transaction must offer to be taken into a block; tests and the development page may change it. */
  baseFee: bigint;
  /** Addresses and contracts that undo whatever is paid to them or by them. */
  readonly refused = new Set<string>();
  #waiting: readonly Payment[] = [];
  #lastPayment = 0;

  constructor(network: NetworkName, dataDirectory: string, clock: { now(): number }) {
    const folder = join(dataDirectory, 'development-chains');
    this.network = network;
    this.#path = join(folder, `${network}.jsonl`);
    this.#clock = clock;
    this.baseFee = BASE_FEES[network];
    makePrivateFolder(folder);
    this.#load();
    if (this.#blocks.length === 0) this.#append({ mined: this.#nextBlock([], []) });
  }

  /** In no block yet. */
  get waiting(): readonly Payment[] {
    return [...this.#waiting, ...[...this.pool.values()].flatMap(paymentsOf)];
  }

  /** Whether a payment waits for a block, or for confirmations. */
  get isBusy(): boolean {
    const isConfirming = this.#lastPayment > 0 && this.#tip.height - this.#lastPayment < BLOCKS_AFTER_PAYMENT;
    return this.#waiting.length > 0 || this.pool.size > 0 || isConfirming;
  }

  /** Newest first. */
  lastBlocks(count: number): readonly DevelopmentBlock[] {
    return this.#blocks.slice(-count).reverse();
  }

  async head(): Promise<BlockHeader> {
    return this.#tip;
  }

  async header(height: number): Promise<BlockHeader | undefined> {
    return this.#blocks[height];
  }

  async payments({ height, hash }: BlockHeader, watched: Watched): Promise<readonly Payment[]> {
    const block = this.#blocks[height];
    if (block?.hash !== hash) throw new NodeFailure(`Block ${hash} is no longer part of ${this.network}`);
    if (block.payments.length === 0) return [];
    const ours = await watched([...new Set(block.payments.map(({ address }) => address))]);
    return block.payments.filter(({ address }) => ours.has(address));
  }

  async account(address: string, contracts: readonly string[], limit: number): Promise<AccountView> {
    const received = this.#blocks.flatMap(({ payments, time }) =>
      payments.filter((payment) => payment.address === address).map((payment) => ({ ...payment, time })),
    );
    const coins = received.filter(({ contract }) => contract === null);
    const listed = received.filter(({ contract }) => contract === null || contracts.includes(contract));
    return {
      balance: coins.reduce((sum, { units }) => sum + units, 0n),
      movements: listed
        .slice(-limit)
        .reverse()
        .map(({ transaction, contract, units, time }) => ({
          ...{ transaction, contract, units, time },
          isIncoming: true,
          other: null,
        })),
      since: 0,
      listsCoin: true,
    };
  }

  /** Sends from outside, in one transaction. @returns its id */
  send(...outputs: readonly Output[]): string {
    const transaction = `${familyOf(this.network) === 'EVM' ? '0x' : ''}${randomBytes(32).toString('hex')}`;
    this.#append({ sent: outputs.map((output, index) => ({ ...output, transaction, output: String(index) })) });
    return transaction;
  }

  /** Gives coins to an address that the first block has given none. */
  endow(address: string, outputs: readonly Omit<Output, 'address'>[]): void {
    if (this.#blocks[0]?.payments.some((one) => one.address === address)) return;
    const of = (output: Omit<Output, 'address'>, index: number) =>
      ({ ...output, address, transaction: 'first block', output: `${address} ${index}` }) satisfies Payment;
    this.#append({ endowed: outputs.map(of) });
  }

  /** Takes a signed transaction into the pool, in the place of others. */
  accept(pooled: DevelopmentTransaction, replaced: readonly string[]): void {
    this.#append({ pooled, replaced });
  }

  /** Drops a transaction from the pool, as nodes do. */
  forget(transaction: string): void {
    if (this.pool.has(transaction)) this.#append({ forgotten: transaction });
  }

  /** Makes blocks; each takes in what waits. */
  mine(count: number): void {
    for (let made = 0; made < count; made += 1) {
      const chosen = selectTransactions(this.pool.values(), this.accounts, this.baseFee, (name) =>
        this.refused.has(name),
      );
      this.#append({ mined: this.#nextBlock(this.#waiting, chosen) });
    }
  }

  /** The block that has a transaction. */
  blockOf(transaction: string): DevelopmentBlock | undefined {
    return this.#blocks[this.#heights.get(transaction) ?? -1];
  }

  /** From the newest block down to a height. */
  *blocksDownTo(height: number): Generator<DevelopmentBlock> {
    for (let at = this.#tip.height; at >= height; at -= 1) {
      const block = this.#blocks[at];
      if (block !== undefined) yield block;
    }
  }

  /**
   * Replaces the last blocks by one more of others. Kept payments come with the first of those; payments that wait are in
   * none of them, and come with the next block after.
   */
  reorganize(depth: number, payments: 'KEEP' | 'DROP' | 'WAIT'): void {
    const dropped = Math.min(depth, this.#tip.height);
    const blocks = this.#blocks.slice(this.#blocks.length - dropped);
    const signed = blocks.flatMap(({ transactions = [] }) => transactions);
    const ids = new Set(signed.map(({ id }) => id));
    const lost = blocks.flatMap((block) => block.payments).filter(({ transaction }) => !ids.has(transaction));
    const pool = [...signed.map(({ isUndone, ...transaction }) => transaction), ...this.pool.values()];
    const isDropped = payments === 'DROP';
    this.#append({
      dropped,
      waiting: isDropped ? this.#waiting : [...lost, ...this.#waiting],
      pool: isDropped ? [...this.pool.values()] : pool,
    });
    if (payments === 'KEEP') this.mine(dropped + 1);
    else for (let made = 0; made <= dropped; made += 1) this.#append({ mined: this.#nextBlock([], []) });
  }

  get #tip(): DevelopmentBlock {
    const tip = this.#blocks.at(-1);
    if (tip === undefined) throw new Error(`${this.network} has no block`);
    return tip;
  }

  #nextBlock(sent: readonly Payment[], transactions: readonly Mined[]): DevelopmentBlock {
    const parent = this.#blocks.at(-1);
    const height = (parent?.height ?? -1) + 1;
    const hash = createHash('sha256').update(`${this.network} ${height} ${randomBytes(16).toString('hex')}`);
    const time = Math.max(this.#clock.now(), parent?.time ?? 0);
    const paid = transactions.flatMap((one) => (one.isUndone ? [] : paymentsOf(one)));
    const header = { height, hash: hash.digest('hex'), parent: parent?.hash ?? '', time };
    return { ...header, payments: [...sent, ...paid], transactions };
  }

  #append(entry: Entry): void {
    appendFileSync(this.#path, write(entry), { mode: 0o600 });
    this.#apply(entry);
  }

  #apply(entry: Entry): void {
    if ('sent' in entry) this.#waiting = [...this.#waiting, ...entry.sent];
    else if ('pooled' in entry) {
      for (const id of entry.replaced) this.pool.delete(id);
      this.pool.set(entry.pooled.id, entry.pooled);
    } else if ('forgotten' in entry) this.pool.delete(entry.forgotten);
    else if ('endowed' in entry) this.#endow(entry.endowed);
    else if ('mined' in entry) this.#extend(entry.mined);
    else this.#shorten(entry.dropped, entry.waiting, entry.pool ?? []);
  }

  #endow(payments: readonly Payment[]): void {
    const [first] = this.#blocks;
    if (first === undefined) throw new Error(`${this.network} has no block`);
    this.#blocks[0] = { ...first, payments: [...first.payments, ...payments] };
    this.accounts.count({ payments }, 1n);
  }

  #extend(block: DevelopmentBlock): void {
    const included = new Set(block.payments.map(({ transaction }) => transaction));
    this.#blocks.push(block);
    this.accounts.count(block, 1n);
    this.#waiting = this.#waiting.filter(({ transaction }) => !included.has(transaction));
    for (const { id, from, nonce } of block.transactions ?? []) {
      this.#heights.set(id, block.height);
      // Whatever else has the nonce can never be mined on this branch.
      for (const other of this.pool.values()) {
        if (other.from === from && other.nonce === nonce) this.pool.delete(other.id);
      }
      included.add(id);
    }
    if (included.size > 0) this.#lastPayment = block.height;
  }

  #shorten(dropped: number, waiting: readonly Payment[], pool: readonly DevelopmentTransaction[]): void {
    for (const block of this.#blocks.splice(this.#blocks.length - dropped).reverse()) {
      this.accounts.count({ ...block, transactions: block.transactions?.toReversed() ?? [] }, -1n);
      for (const { id } of block.transactions ?? []) this.#heights.delete(id);
    }
    this.#waiting = waiting;
    this.pool.clear();
    for (const transaction of pool) this.pool.set(transaction.id, transaction);
    this.#lastPayment = Math.min(this.#lastPayment, this.#tip.height);
  }

  /** A line that a killed process left unfinished never happened. */
  #load(): void {
    if (!existsSync(this.#path)) return;
    const text = readFileSync(this.#path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(this.#path, Buffer.byteLength(whole));
    for (const line of whole.split('\n')) if (line !== '') this.#apply(read(line));
  }
}
