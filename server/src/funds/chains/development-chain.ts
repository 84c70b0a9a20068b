/**
 * A chain in the process: blocks when they are wanted, payments by anybody, reorganizations on demand. What happens is
 * appended to a file, so that a restart, or a process killed at any point, finds the same chain.
 */
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { familyOf } from './addresses.ts';
import { type AccountView, type BlockHeader, type Chain, NodeFailure, type Payment, type Watched } from './service.ts';

export interface DevelopmentBlock extends BlockHeader {
  readonly payments: readonly Payment[];
}

export type Output = Pick<Payment, 'contract' | 'address' | 'units'>;

/** A line of the file. */
type Entry =
  | { readonly sent: readonly Payment[] }
  | { readonly mined: DevelopmentBlock }
  | { readonly dropped: number; readonly waiting: readonly Payment[] };

/** Blocks go on for so many after the last payment, so that whatever confirms gets there. */
const BLOCKS_AFTER_PAYMENT = 70;

const write = (entry: Entry): string =>
  `${JSON.stringify(entry, (_, value: unknown) => (typeof value === 'bigint' ? { bigint: String(value) } : value))}\n`;

const read = (line: string): Entry =>
  JSON.parse(line, (_, value: unknown) => {
    const isBigint = typeof value === 'object' && value !== null && 'bigint' in value;
    return isBigint ? BigInt(String(value.bigint)) : value;
  }) as Entry;

export class DevelopmentChain implements Chain {
  readonly isDevelopment = true;
  readonly staleAfterMs = undefined;
  readonly network: NetworkName;
  readonly #path: string;
  readonly #clock: { now(): number };
  readonly #blocks: DevelopmentBlock[] = [];
  #waiting: readonly Payment[] = [];
  #lastPayment = 0;

  constructor(network: NetworkName, dataDirectory: string, clock: { now(): number }) {
    const folder = join(dataDirectory, 'development-chains');
    this.network = network;
    this.#path = join(folder, `${network}.jsonl`);
    this.#clock = clock;
    makePrivateFolder(folder);
    this.#load();
    if (this.#blocks.length === 0) this.#append({ mined: this.#nextBlock([]) });
  }

  get waiting(): readonly Payment[] {
    return this.#waiting;
  }

  /** Whether a payment waits for a block, or for confirmations. */
  get isBusy(): boolean {
    const isConfirming = this.#lastPayment > 0 && this.#tip.height - this.#lastPayment < BLOCKS_AFTER_PAYMENT;
    return this.#waiting.length > 0 || isConfirming;
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

  /** Makes blocks; the first takes in what waits. */
  mine(count: number): void {
    for (let made = 0; made < count; made += 1) this.#append({ mined: this.#nextBlock(this.#waiting) });
  }

  /**
   * Replaces the last blocks by one more of others. Kept payments come with the first of those; payments that wait are in
   * none of them, and come with the next block after.
   */
  reorganize(depth: number, payments: 'KEEP' | 'DROP' | 'WAIT'): void {
    const dropped = Math.min(depth, this.#tip.height);
    const lost = this.#blocks.slice(this.#blocks.length - dropped).flatMap((block) => block.payments);
    this.#append({ dropped, waiting: payments === 'DROP' ? this.#waiting : [...lost, ...this.#waiting] });
    if (payments === 'KEEP') this.mine(dropped + 1);
    else for (let made = 0; made <= dropped; made += 1) this.#append({ mined: this.#nextBlock([]) });
  }

  get #tip(): DevelopmentBlock {
    const tip = this.#blocks.at(-1);
    if (tip === undefined) throw new Error(`${this.network} has no block`);
    return tip;
  }

  #nextBlock(payments: readonly Payment[]): DevelopmentBlock {
    const parent = this.#blocks.at(-1);
    const height = (parent?.height ?? -1) + 1;
    const hash = createHash('sha256').update(`${this.network} ${height} ${randomBytes(16).toString('hex')}`);
    const time = Math.max(this.#clock.now(), parent?.time ?? 0);
    return { height, hash: hash.digest('hex'), parent: parent?.hash ?? '', time, payments };
  }

  #append(entry: Entry): void {
    appendFileSync(this.#path, write(entry), { mode: 0o600 });
    this.#apply(entry);
  }

  #apply(entry: Entry): void {
    if ('sent' in entry) this.#waiting = [...this.#waiting, ...entry.sent];
    else if ('mined' in entry) {
      const included = new Set(entry.mined.payments.map(({ transaction }) => transaction));
      this.#blocks.push(entry.mined);
      this.#waiting = this.#waiting.filter(({ transaction }) => !included.has(transaction));
      if (included.size > 0) this.#lastPayment = entry.mined.height;
    } else {
      this.#blocks.length -= entry.dropped;
      this.#waiting = entry.waiting;
      this.#lastPayment = Math.min(this.#lastPayment, this.#tip.height);
    }
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
