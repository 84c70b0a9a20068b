/** Payments by an Ethereum-like chain: EIP-1559 fees from what recent blocks have asked for. */
import { z } from 'zod';
import { type EvmNode, hex, lower, NodeRefusal, quantity, TRANSFER } from './evm-node.ts';
import { readEvm, TRANSFER_SELECTOR, transferCall, wordOf } from './evm-transaction.ts';
import {
  type BlockHeader,
  type Broadcast,
  type ChainPayment,
  type Claimed,
  EstimateRefused,
  NodeFailure,
  type Sender,
  type SignedPayment,
  type Terms,
  type TransactionStatus,
} from './service.ts';
import { raised } from './transactions.ts';
import { larger } from './units.ts';

const feeHistory = z.object({ baseFeePerGas: z.array(quantity).min(1), reward: z.array(z.array(quantity)).nullish() });
const receipt = z.object({
  status: quantity,
  blockHash: lower,
  blockNumber: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  logs: z.array(z.object({ address: lower, topics: z.array(lower) })),
});
const transaction = z.object({ hash: lower, from: lower, nonce: quantity, to: lower.nullable(), input: lower });
const header = z.object({ number: quantity, hash: lower, timestamp: quantity });
const block = header.extend({ transactions: z.array(transaction) });

/** Of `balanceOf(address)`. */
const BALANCE_SELECTOR = '0x70a08231';
const PLAIN_GAS = 21_000n;
/** Where a node cannot say what a token's transfer needs. */
const TOKEN_GAS = 80_000n;
/**
 * What a token's transfer may take: far above what any does, and far below what one transaction may have (2^24, EIP-7825). One that
 * asked for more than that would be signed with its nonce and taken by no node, and all later nonces would wait for it.
 */
const MAXIMUM_GAS = 1_000_000n;
/**
 * What a receiver of the chain's own coin may take: several times what wallets of contracts do. The receiver is whatever its client
 * has written, and works with this gas for itself, such as to mint a token, at the cost of the exchange: the fee is that of a plain
 * payment.
 */
const MAXIMUM_RECEIVER_GAS = 100_000n;
/** A tenth of a gwei: no block takes a transaction for nothing. */
const LEAST_TIP = 100_000_000n;
/** Blocks whose fees and rhythm are looked at. */
const RECENT = 20;
/** Steps back to the block that has used a nonce: a full node has the state of 128 blocks. */
const FIRST_STEP = 16;

function nonceIn(terms: Terms): number {
  if (terms.format !== 'evm') throw new Error('Terms of another chain');
  return terms.nonce;
}

const hexOf = (value: bigint | number) => `0x${value.toString(16)}`;

function callOf({ contract, address, units }: ChainPayment) {
  if (contract === null) return { to: address, value: hexOf(units) };
  return { to: contract, data: transferCall(address.slice(2), units) };
}

/** What the words of a node mean for a transaction that it does not take; nodes have no codes for it. */
function meaningOf(words: string): Broadcast {
  if (/already known|already imported|known transaction/i.test(words)) return 'taken';
  if (/insufficient funds/i.test(words)) return 'insufficient';
  return /underpriced|less than block base fee|fee too low|max fee per gas/i.test(words) ? 'underpriced' : 'refused';
}

export class EvmSender implements Sender {
  readonly canSweep = true;
  readonly #node: EvmNode;
  #chainId: number | undefined;

  constructor(node: EvmNode) {
    this.#node = node;
  }

  async chainId(): Promise<number> {
    this.#chainId ??= Number(await this.#node.ask(quantity, 'eth_chainId', []));
    return this.#chainId;
  }

  balance(address: string, contract: string | null): Promise<bigint> {
    return this.#balance(address, contract, 'latest');
  }

  /** Named by its hash, so that a block that was replaced meanwhile fails (EIP-1898). */
  balanceAt(address: string, contract: string | null, { hash }: BlockHeader): Promise<bigint> {
    return this.#balance(address, contract, { blockHash: hash, requireCanonical: true });
  }

  async #balance(address: string, contract: string | null, at: 'latest' | object): Promise<bigint> {
    if (contract === null) return this.#node.ask(quantity, 'eth_getBalance', [address, at]);
    const call = { to: contract, data: `${BALANCE_SELECTOR}${wordOf(address.slice(2))}` };
    const answer = await this.#node.attempt(hex, 'eth_call', [call, at]).catch((error: unknown) => {
      throw error instanceof NodeRefusal ? new EstimateRefused(error.message, { cause: error }) : error;
    });
    if (answer === '0x') throw new EstimateRefused(`${contract} does not say what ${address} has`);
    return BigInt(answer);
  }

  async estimate(from: string, payment: ChainPayment, confirmations: number) {
    const [{ base, tip }, gas, seconds] = await Promise.all([this.#fees(), this.#gas(from, payment), this.#rhythm()]);
    const usual = payment.contract === null ? PLAIN_GAS : TOKEN_GAS;
    return { cost: (gas ?? usual) * (base + tip), minutes: Math.max(1, Math.ceil((confirmations * seconds) / 60)) };
  }

  async isFree(from: string, terms: Terms, height: number): Promise<boolean> {
    return (await this.#nonceAt(from, height)) <= nonceIn(terms);
  }

  async usedBy(address: string, terms: Terms, height: number): Promise<string | undefined> {
    const nonce = nonceIn(terms);
    if ((await this.#nonceAt(address, height)) <= nonce) return undefined;
    let [unused, used] = [height - 1, height];
    for (let step = FIRST_STEP; unused >= 0 && (await this.#nonceAt(address, unused)) > nonce; step *= 2) {
      used = unused;
      unused -= step;
    }
    unused = Math.max(-1, unused);
    while (used - unused > 1) {
      const middle = Math.floor((used + unused) / 2);
      if ((await this.#nonceAt(address, middle)) > nonce) used = middle;
      else unused = middle;
    }
    const found = await this.#node.ask(block.nullable(), 'eth_getBlockByNumber', [hexOf(used), true]);
    return found?.transactions.find((one) => one.from === address && Number(one.nonce) === nonce)?.hash;
  }

  async prepare(from: string, payment: ChainPayment, { next }: Claimed): Promise<Terms | undefined> {
    const gas = await this.#gas(from, payment);
    if (gas === undefined) return undefined;
    const [{ base, tip }, chainId, used] = await Promise.all([this.#fees(), this.chainId(), this.#nonceAt(from)]);
    const nonce = Math.max(next ?? 0, used);
    return { format: 'evm', chainId, nonce, gas, maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
  }

  async raise(terms: Terms): Promise<Terms> {
    if (terms.format !== 'evm') throw new Error('Terms of another chain');
    const { base, tip } = await this.#fees();
    const maxPriorityFeePerGas = raised(terms.maxPriorityFeePerGas, tip);
    const maxFeePerGas = raised(terms.maxFeePerGas, 2n * base + maxPriorityFeePerGas);
    return { ...terms, maxFeePerGas, maxPriorityFeePerGas };
  }

  async read(raw: string): Promise<SignedPayment | undefined> {
    const read = await readEvm(raw);
    return read && { ...read, network: this.#node.network };
  }

  async broadcast(raw: string): Promise<Broadcast> {
    try {
      await this.#node.attempt(hex, 'eth_sendRawTransaction', [raw]);
      return 'taken';
    } catch (error) {
      if (error instanceof NodeRefusal) return meaningOf(error.message);
      throw error;
    }
  }

  async status(hash: string): Promise<TransactionStatus> {
    const [found, sent] = await Promise.all([
      this.#node.ask(receipt.nullable(), 'eth_getTransactionReceipt', [hash]),
      this.#node.ask(transaction.nullable(), 'eth_getTransactionByHash', [hash]),
    ]);
    if (found === null || sent === null) return { state: sent === null ? 'UNKNOWN' : 'POOLED' };
    const of = await this.#node.ask(header.nullable(), 'eth_getBlockByNumber', [hexOf(found.blockNumber), false]);
    if (of?.hash !== found.blockHash) throw new NodeFailure(`Block ${found.blockHash} was replaced`);
    const { status, gasUsed, effectiveGasPrice } = found;
    const isUndone = status !== 1n || !this.#hasMoved(sent, found);
    return { state: 'MINED', height: Number(found.blockNumber), isUndone, cost: gasUsed * effectiveGasPrice };
  }

  /** The first nonce that no block up to a height has used. */
  async #nonceAt(address: string, height?: number): Promise<number> {
    const at = height === undefined ? 'latest' : hexOf(height);
    return Number(await this.#node.ask(quantity, 'eth_getTransactionCount', [address, at]));
  }

  /** A token may answer that it has moved nothing, and its transaction succeeds. */
  #hasMoved({ from, to, input }: z.output<typeof transaction>, { logs }: z.output<typeof receipt>): boolean {
    if (!input.startsWith(TRANSFER_SELECTOR)) return true;
    const receiver = input.slice(TRANSFER_SELECTOR.length, TRANSFER_SELECTOR.length + 64);
    const wanted = [TRANSFER, `0x${wordOf(from.slice(2))}`, `0x${receiver}`];
    return logs.some(
      ({ address, topics }) => address === to && wanted.every((topic, index) => topics[index] === topic),
    );
  }

  /** With room for a state that changes meanwhile; undefined where the chain would undo the payment, or it takes too much. */
  async #gas(from: string, payment: ChainPayment): Promise<bigint | undefined> {
    const call = { from, ...callOf(payment) };
    try {
      const estimated = await this.#node.attempt(quantity, 'eth_estimateGas', [call, 'latest']);
      if (payment.contract === null && estimated === PLAIN_GAS) return estimated;
      const gas = (estimated * 5n) / 4n;
      if (gas > (payment.contract === null ? MAXIMUM_RECEIVER_GAS : MAXIMUM_GAS)) return undefined;
      if (payment.contract === null) return gas;
      const answer = await this.#node.attempt(hex, 'eth_call', [call, 'latest']);
      // Some tokens answer nothing; what they answer must not be false.
      return answer !== '0x' && BigInt(answer) === 0n ? undefined : gas;
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      if (/revert|invalid opcode|out of gas|exceeds allowance|insufficient funds/i.test(error.message))
        return undefined;
      throw new EstimateRefused(error.message, { cause: error });
    }
  }

  /** Of the next block, and the tip in the middle of what recent blocks were given. */
  async #fees(): Promise<{ base: bigint; tip: bigint }> {
    const { baseFeePerGas, reward } = await this.#node.ask(feeHistory, 'eth_feeHistory', [
      hexOf(RECENT),
      'latest',
      [50],
    ]);
    const tips = (reward ?? []).flatMap(([tip]) => tip ?? []).sort((one, other) => Number(one - other));
    return { base: baseFeePerGas.at(-1) ?? 0n, tip: larger(tips[Math.floor(tips.length / 2)] ?? 0n, LEAST_TIP) };
  }

  /** Seconds between recent blocks. */
  async #rhythm(): Promise<number> {
    const last = await this.#node.ask(header, 'eth_getBlockByNumber', ['latest', false]);
    const count = last.number < BigInt(RECENT) ? last.number : BigInt(RECENT);
    if (count === 0n) return 0;
    const first = await this.#node.ask(header, 'eth_getBlockByNumber', [hexOf(last.number - count), false]);
    return Number(last.timestamp - first.timestamp) / Number(count);
  }
}
