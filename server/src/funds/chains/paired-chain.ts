/**
 * A network by two nodes that are run apart from each other. Only what both say is believed: the newest block is the newest
 * that both have, and what it has paid is what both have read in it. While one is away nothing new is believed, or whoever
 * can silence one could tell everything by the other. Where they go on disagreeing for longer than a short reorganization
 * takes, the network is split until they agree again.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Logger } from '../../platform/logger.ts';
import { PairedSender } from './paired-sender.ts';
import {
  type BlockHeader,
  type Chain,
  NodeFailure,
  type Pair,
  type Payment,
  type Sender,
  type Watched,
} from './service.ts';

/** Blocks below the lower of both heads in which a common one is looked for: a short reorganization. */
const SHORT_BLOCKS = 8;
/** Branches of one network are one again after two or three blocks. */
export const SPLIT_MS = 60_000;

export interface PairedParts {
  readonly first: Chain;
  readonly second: Chain;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

type Answered<Value> = { readonly value: Value } | { readonly failure: NodeFailure };

/** What a node says, or that it is away. */
export const answered = <Value>(asked: Promise<Value>): Promise<Answered<Value>> =>
  asked.then(
    (value) => ({ value }),
    (failure: unknown) => {
      if (failure instanceof NodeFailure) return { failure };
      throw failure;
    },
  );

const keyOf = ({ transaction, output, contract, address, units }: Payment) =>
  `${transaction} ${output} ${contract ?? ''} ${address} ${units}`;

/** By a call inside a transaction: found by nodes that offer traces. */
const isInner = ({ output }: Payment) => output.startsWith('call:');

export class PairedChain implements Chain {
  readonly isDevelopment = false;
  readonly network: NetworkName;
  readonly staleAfterMs: number | undefined;
  readonly sender?: Sender;
  readonly account?: NonNullable<Chain['account']>;
  readonly #parts: PairedParts;
  #agreed: BlockHeader | undefined;
  #heads: Pair['heads'] = [undefined, undefined];
  #disagreeingSince: number | undefined;
  /** Of what a block has paid, about which both have said different things. */
  #contradictedSince: number | undefined;

  constructor(parts: PairedParts) {
    const { first, second } = parts;
    this.#parts = parts;
    this.network = first.network;
    this.staleAfterMs = first.staleAfterMs;
    if (first.sender && second.sender)
      this.sender = new PairedSender(first.sender, second.sender, () => this.#agreed?.height ?? -1);
    if (first.account) this.account = first.account.bind(first);
  }

  get pair(): Pair {
    const { clock } = this.#parts;
    const isLong = (since: number | undefined) => since !== undefined && clock.now() - since >= SPLIT_MS;
    return { heads: this.#heads, isSplit: isLong(this.#disagreeingSince) || isLong(this.#contradictedSince) };
  }

  async head(): Promise<BlockHeader> {
    const { first, second } = this.#parts;
    const [here, there] = await Promise.all([answered(first.head()), answered(second.head())]);
    this.#look(here, there);
    if ('value' in here && 'value' in there) return this.#agree(here.value, there.value);
    // What both have agreed on stays as it is.
    if (this.#agreed === undefined) throw 'failure' in here ? here.failure : new NodeFailure('The second node is away');
    return this.#agreed;
  }

  header(height: number): Promise<BlockHeader | undefined> {
    return this.#parts.first.header(height);
  }

  async payments(block: BlockHeader, watched: Watched): Promise<readonly Payment[]> {
    const { first, second, clock } = this.#parts;
    const other = await second.header(block.height);
    if (other?.hash !== block.hash) throw new NodeFailure(`Block ${block.hash} is not one of both nodes`);
    const [here, there] = await Promise.all([first.payments(block, watched), second.payments(block, watched)]);
    // A node without traces has nothing to say of calls inside transactions; the other one is believed.
    const bothTrace = first.seesInnerCalls !== false && second.seesInnerCalls !== false;
    const compared = (payments: readonly Payment[]) => payments.filter((one) => bothTrace || !isInner(one)).map(keyOf);
    const [one, another] = [compared(here).sort(), compared(there).sort()];
    if (one.length !== another.length || one.some((key, index) => key !== another[index])) {
      this.#contradictedSince ??= clock.now();
      throw new NodeFailure(`Both nodes have read different payments in block ${block.hash}`);
    }
    this.#contradictedSince = undefined;
    return first.seesInnerCalls === false ? [...here, ...there.filter(isInner)] : here;
  }

  /** The newest block that both have; the last one that both had while there is none. */
  async #agree(here: BlockHeader, there: BlockHeader): Promise<BlockHeader> {
    const { first, second, clock } = this.#parts;
    const low = Math.min(here.height, there.height);
    for (let height = low; height >= Math.max(0, low - SHORT_BLOCKS); height -= 1) {
      const [one, other] = await Promise.all([
        height === here.height ? here : first.header(height),
        height === there.height ? there : second.header(height),
      ]);
      if (one === undefined || one.hash !== other?.hash) continue;
      if (height === low) this.#disagreeingSince = undefined;
      else this.#disagreeingSince ??= clock.now();
      this.#agreed = one;
      return one;
    }
    this.#disagreeingSince ??= clock.now();
    if (this.#agreed === undefined) throw new NodeFailure(`Both nodes of ${this.network} have no block in common`);
    return this.#agreed;
  }

  #look(...said: readonly [Answered<BlockHeader>, Answered<BlockHeader>]): void {
    const { logger } = this.#parts;
    const [here, there] = said;
    const heads: Pair['heads'] = [
      'value' in here ? here.value.height : undefined,
      'value' in there ? there.value.height : undefined,
    ];
    for (const [index, answer] of said.entries()) {
      const node = index === 0 ? 'first' : 'second';
      if ('failure' in answer && this.#heads[index] !== undefined)
        logger.warn(
          { err: answer.failure, network: this.network, node },
          'One of two nodes does not answer: nothing is credited or ended until it does',
        );
    }
    this.#heads = heads;
  }
}
