/**
 * A network by two nodes that are run apart from each other. Only what both say is believed: the newest block is the newest
 * that both have, and what it has paid is what both have read in it. While one is away nothing new is believed, or whoever
 * can silence one could tell everything by the other. Where they go on disagreeing for longer than a short reorganization
 * takes, the network is split until they agree again.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Answered, answered, both, Disagreements, type Two, type Whole } from './both-nodes.ts';
import { PairedSender } from './paired-sender.ts';
import { type BlockHeader, type Chain, NodeFailure, type Pair, type Payment, type Watched } from './service.ts';

/** Blocks below the lower of both heads in which a common one is looked for: a short reorganization. */
const SHORT_BLOCKS = 8;

export interface PairedParts {
  readonly first: Chain;
  readonly second: Chain;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

const keyOf = ({ transaction, output, contract, address, units, from }: Payment) =>
  `${transaction} ${output} ${contract ?? ''} ${address} ${units} ${from ?? ''}`;

const isSame = (one: BlockHeader | undefined, other: BlockHeader | undefined): one is BlockHeader =>
  one?.hash !== undefined && one.hash === other?.hash && one.parent === other.parent && one.time === other.time;

/** By a call inside a transaction: found by nodes that offer traces. */
const isInner = ({ output }: Payment) => output.startsWith('call:');

export class PairedChain implements Whole<Chain> {
  readonly isDevelopment = false;
  readonly network: NetworkName;
  readonly staleAfterMs: number | undefined;
  readonly sender: Chain['sender'];
  /** Of whoever asks, about an address of anybody: no money follows from it. */
  readonly account: Chain['account'];
  readonly #parts: PairedParts;
  readonly #nodes: Two<Chain>;
  readonly #disagreements: Disagreements;
  #agreed: BlockHeader | undefined;
  #heads: Pair['heads'] = [undefined, undefined];

  constructor(parts: PairedParts) {
    const { first, second } = parts;
    const disagreements = new Disagreements(parts.clock);
    this.#parts = parts;
    this.#nodes = [first, second];
    this.#disagreements = disagreements;
    this.network = first.network;
    this.staleAfterMs = first.staleAfterMs;
    const agreedHeight = () => this.#agreed?.height ?? -1;
    if (first.sender && second.sender)
      this.sender = new PairedSender([first.sender, second.sender], { agreedHeight, disagreements });
    this.account = first.account?.bind(first);
  }

  get seesInnerCalls(): boolean {
    return this.#nodes.some((node) => node.seesInnerCalls !== false);
  }

  get pair(): Pair {
    return { heads: this.#heads, isSplit: this.#disagreements.isSplit };
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

  /** Undefined above the end of either. @throws NodeFailure where both have different ones */
  async header(height: number): Promise<BlockHeader | undefined> {
    const [here, there] = await both(this.#nodes, (node) => node.header(height));
    if (here === undefined || there === undefined) return undefined;
    if (!isSame(here, there)) throw new NodeFailure(`Both nodes have different blocks at ${height}`);
    return here;
  }

  async payments(block: BlockHeader, watched: Watched): Promise<readonly Payment[]> {
    const { first, second } = this.#parts;
    const other = await second.header(block.height);
    if (other?.hash !== block.hash) throw new NodeFailure(`Block ${block.hash} is not one of both nodes`);
    const [here, there] = await both(this.#nodes, (node) => node.payments(block, watched));
    // A node without traces has nothing to say of calls inside transactions; the other one is believed.
    const bothTrace = first.seesInnerCalls !== false && second.seesInnerCalls !== false;
    const compared = (payments: readonly Payment[]) => payments.filter((one) => bothTrace || !isInner(one)).map(keyOf);
    const [one, another] = [compared(here).sort(), compared(there).sort()];
    const isOther = one.length !== another.length || one.some((key, index) => key !== another[index]);
    this.#disagreements.note(`block ${block.hash}`, isOther);
    if (isOther) throw new NodeFailure(`Both nodes have read different payments in block ${block.hash}`);
    return first.seesInnerCalls === false ? [...here, ...there.filter(isInner)] : here;
  }

  /** The newest block that both have; the last one that both had while there is none. */
  async #agree(here: BlockHeader, there: BlockHeader): Promise<BlockHeader> {
    const { first, second } = this.#parts;
    const low = Math.min(here.height, there.height);
    for (let height = low; height >= Math.max(0, low - SHORT_BLOCKS); height -= 1) {
      const [one, other] = await Promise.all([
        height === here.height ? here : first.header(height),
        height === there.height ? there : second.header(height),
      ]);
      if (!isSame(one, other)) continue;
      this.#disagreements.note('head', height !== low);
      this.#agreed = one;
      return one;
    }
    this.#disagreements.note('head', true);
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
