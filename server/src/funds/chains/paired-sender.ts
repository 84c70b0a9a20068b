/**
 * Payments by two nodes. What costs nothing where it is wrong is asked of whichever answers, and what is sent goes to both.
 * What ends a payment is what both say, of blocks that both have.
 */

import {
  type BlockHeader,
  type Broadcast,
  type Claimed,
  NodeFailure,
  type Sender,
  type Terms,
  type TransactionStatus,
  type Wallet,
} from './service.ts';
import type { ChainPayment } from './transactions.ts';

const isAway = (error: unknown): undefined => {
  if (error instanceof NodeFailure) return undefined;
  throw error;
};

const isSame = (one: TransactionStatus, other: TransactionStatus): boolean =>
  one.state === 'MINED' &&
  other.state === 'MINED' &&
  one.height === other.height &&
  one.isUndone === other.isUndone &&
  one.cost === other.cost;

export class PairedSender implements Sender {
  readonly #first: Sender;
  readonly #second: Sender;
  readonly #agreedHeight: () => number;
  readonly balanceAt?: NonNullable<Sender['balanceAt']>;
  readonly canSweep: boolean;
  /** Bytes say what they pay without a node. */
  readonly read?: NonNullable<Sender['read']>;

  /** @param agreedHeight of the newest block that both nodes have */
  constructor(first: Sender, second: Sender, agreedHeight: () => number) {
    this.#first = first;
    this.#second = second;
    this.#agreedHeight = agreedHeight;
    this.canSweep = (first.canSweep && second.canSweep) ?? false;
    if (first.read) this.read = first.read.bind(first);
    if (first.balanceAt && second.balanceAt) this.balanceAt = (...asked) => this.#balanceAt(...asked);
  }

  /** The lower one where both differ: the one that is behind, or that overstates, makes nothing look covered that is not. */
  async balance(address: string, contract: string | null): Promise<bigint> {
    const [here, there] = await this.#both((sender) => sender.balance(address, contract));
    if (here === undefined || there === undefined) return (here ?? there)!;
    if (here < there) return here;
    return there;
  }

  /** What is stated to others is what both say. */
  async #balanceAt(address: string, contract: string | null, block: BlockHeader): Promise<bigint> {
    const read = (sender: Sender) => sender.balanceAt?.(address, contract, block) ?? Promise.resolve(undefined);
    const [here, there] = await this.#both(read);
    if (here === undefined || here !== there) throw new NodeFailure(`Both nodes do not say what ${address} has`);
    return here;
  }

  estimate(from: string, payment: ChainPayment, confirmations: number) {
    return this.#either((sender) => sender.estimate(from, payment, confirmations));
  }

  prepare(from: string, payment: ChainPayment, claimed: Claimed) {
    return this.#either((sender) => sender.prepare(from, payment, claimed));
  }

  raise(terms: Terms, wallet: Wallet) {
    return this.#either((sender) => sender.raise(terms, wallet));
  }

  chainId() {
    return this.#either((sender) => sender.chainId());
  }

  /** It could still be mined unless both know better. */
  async isFree(from: string, terms: Terms, height: number): Promise<boolean> {
    const [here, there] = await this.#both((sender) => sender.isFree(from, terms, height));
    return here !== false || there !== false;
  }

  async usedBy(from: string, terms: Terms, height: number): Promise<string | undefined> {
    const [here, there] = await this.#both((sender) => sender.usedBy(from, terms, height));
    return here === there ? here : undefined;
  }

  async broadcast(raw: string): Promise<Broadcast> {
    const [here, there] = await this.#both((sender) => sender.broadcast(raw));
    if (here === 'taken' || there === 'taken') return 'taken';
    return here ?? there!;
  }

  async status(transaction: string): Promise<TransactionStatus> {
    const [here, there] = await this.#both((sender) => sender.status(transaction));
    // Nothing ends while one is away.
    if (here === undefined || there === undefined) return (here ?? there)!;
    if (isSame(here, there)) return here;
    const mined = [here, there].find(({ state }) => state === 'MINED');
    if (mined?.state === 'MINED' && mined.height > this.#agreedHeight()) return mined;
    return here.state === 'UNKNOWN' && there.state === 'UNKNOWN' ? here : { state: 'POOLED' };
  }

  /** Undefined of one that is away. @throws NodeFailure where both are */
  async #both<Value>(
    ask: (sender: Sender) => Promise<Value>,
  ): Promise<readonly [Awaited<Value> | undefined, Awaited<Value> | undefined]> {
    const asked = [ask(this.#first), ask(this.#second)] as const;
    const settled = await Promise.allSettled(asked);
    if (settled.every(({ status }) => status === 'rejected')) await asked[0];
    const [here, there] = settled.map((one) => (one.status === 'fulfilled' ? one.value : isAway(one.reason)));
    return [here, there];
  }

  async #either<Value>(ask: (sender: Sender) => Promise<Value>): Promise<Value> {
    try {
      return await ask(this.#first);
    } catch (error) {
      isAway(error);
      return ask(this.#second);
    }
  }
}
