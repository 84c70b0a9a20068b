/**
 * An Ethereum-like chain by the JSON-RPC of a node. What has come in is read from receipts of transactions that succeeded:
 * the coin by the value of a transaction and, where the node offers traces, of the calls inside it; tokens by the
 * `Transfer` logs of a contract.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { RpcRefusal } from '../../platform/node-http.ts';
import { EvmNode, hex, lower, type NodeRequest, quantity, TRANSFER } from './evm-node.ts';
import { EvmSender } from './evm-sender.ts';
import {
  type AccountView,
  type BlockHeader,
  type Chain,
  NodeFailure,
  type Payment,
  type Sender,
  TracesRefused,
  type Watched,
} from './service.ts';

/** Codes by which nodes say that they do not have a method, or not for this caller. */
const NOT_OFFERED: ReadonlySet<number> = new Set([-32601, -32004, -32600]);
/** Blocks in which an address is looked for: some providers answer for no more at once. */
const ACCOUNT_BLOCKS = 5_000;
/** Calls within calls, at most: the EVM's own bound. */
const MAXIMUM_DEPTH = 1024;

const header = z.object({ number: quantity, hash: lower, parentHash: lower, timestamp: quantity });
const transaction = z.object({ hash: lower, from: lower, to: lower.nullable(), value: quantity });
const block = header.extend({ transactions: z.array(transaction) });
const log = z.object({ address: lower, topics: z.array(lower), data: hex, transactionHash: lower });
const placedLog = log.extend({ blockNumber: quantity, logIndex: quantity });
const receipt = z.object({ status: hex, blockHash: lower, transactionHash: lower, logs: z.array(log) });

interface Frame {
  readonly type: string;
  readonly to?: string | undefined;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly calls?: readonly Frame[] | undefined;
}
const frame: z.ZodType<Frame> = z.lazy(() =>
  z.object({
    type: z.string(),
    to: hex.optional(),
    value: hex.optional(),
    error: z.string().optional(),
    calls: z.array(frame).optional(),
  }),
);
/** Nodes refuse all of a block, or each transaction by itself. */
const traces = z.array(
  z.union([
    z.object({ txHash: lower.optional(), result: frame }),
    z.object({ error: z.string() }).transform(({ error }) => ({ refusal: error })),
  ]),
);

type Log = z.output<typeof log>;
type Candidate = Pick<Payment, 'transaction' | 'address' | 'output' | 'units'>;

const headerOf = ({ number, hash, parentHash, timestamp }: z.output<typeof header>): BlockHeader => ({
  height: Number(number),
  hash,
  parent: parentHash,
  time: Number(timestamp) * 1000,
});

const tracesRefused = (network: NetworkName, { height }: BlockHeader, words: string, cause: unknown) =>
  new TracesRefused(`The node of ${network} does not trace block ${height}: ${words}`, { cause });

/** The receiver of a token's transfer; undefined for other logs, such as those of tokens that cannot be divided. */
function receiverOf({ topics, data }: Log): string | undefined {
  const [event, , to] = topics;
  const isTransfer = event === TRANSFER && topics.length === 3 && data.length === 66;
  return isTransfer && to !== undefined ? `0x${to.slice(-40)}` : undefined;
}

/** Of a transfer from or to an address. */
function sidesOf({ topics }: Log, address: string): { readonly isIncoming: boolean; readonly other: string } {
  const [from = '', to = ''] = topics.slice(1).map((topic) => `0x${topic.slice(-40)}`);
  return to === address ? { isIncoming: true, other: from } : { isIncoming: false, other: to };
}

/** What the calls inside a transaction have paid, without those that were undone: a failed call undoes all inside it. */
function innerPayments(transactionHash: string, { calls = [] }: Frame): Candidate[] {
  const found: Candidate[] = [];
  const waiting = calls.map((call, index) => ({ call, path: [index] }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { call, path } = next;
    if (call.error !== undefined || path.length > MAXIMUM_DEPTH) continue;
    const units = BigInt(call.value ?? '0x0');
    // Other kinds of calls name a value that they do not move.
    const moves = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(call.type) && call.to !== undefined;
    if (moves && units > 0n) {
      const address = call.to?.toLowerCase() ?? '';
      found.push({ transaction: transactionHash, address, output: `call:${path.join('.')}`, units });
    }
    for (const [index, inner] of (call.calls ?? []).entries()) waiting.push({ call: inner, path: [...path, index] });
  }
  return found;
}

export class EvmChain implements Chain {
  readonly isDevelopment = false;
  readonly network: NetworkName;
  readonly staleAfterMs: number;
  readonly sender: Sender;
  readonly #node: EvmNode;
  readonly #onWithoutTraces: () => void;
  #hasTraces = true;

  constructor(
    network: NetworkName,
    {
      request,
      staleAfterMs,
      onWithoutTraces,
    }: { request: NodeRequest; staleAfterMs: number; onWithoutTraces: () => void },
  ) {
    this.network = network;
    this.staleAfterMs = staleAfterMs;
    this.#node = new EvmNode(network, request);
    this.sender = new EvmSender(this.#node);
    this.#onWithoutTraces = onWithoutTraces;
  }

  get seesInnerCalls(): boolean {
    return this.#hasTraces;
  }

  async head(): Promise<BlockHeader> {
    return headerOf(await this.#node.ask(header, 'eth_getBlockByNumber', ['latest', false]));
  }

  async header(height: number): Promise<BlockHeader | undefined> {
    const found = await this.#node.ask(header.nullable(), 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]);
    return found === null ? undefined : headerOf(found);
  }

  async payments(of: BlockHeader, watched: Watched): Promise<readonly Payment[]> {
    const whole = await this.#node.ask(block.nullable(), 'eth_getBlockByHash', [of.hash, true]);
    if (whole === null) throw new NodeFailure(`Block ${of.hash} is no longer part of ${this.network}`);
    const [logs, inner] = await Promise.all([
      this.#node.ask(z.array(log), 'eth_getLogs', [{ blockHash: of.hash, topics: [TRANSFER] }]),
      this.#inner(of, whole.transactions),
    ]);
    const direct = whole.transactions.flatMap(({ hash, to, value }): Candidate[] =>
      to === null || value === 0n ? [] : [{ transaction: hash, address: to, output: 'value', units: value }],
    );
    const coins = [...direct, ...inner];
    const tokens = logs.flatMap((one) => receiverOf(one) ?? []);
    const ours = await watched([...new Set([...coins.map(({ address }) => address), ...tokens])]);
    const wanted = coins.filter(({ address }) => ours.has(address));
    const withTokens = logs.filter((one) => ours.has(receiverOf(one) ?? ''));
    const hashes = new Set([
      ...wanted.map(({ transaction: hash }) => hash),
      ...withTokens.map(({ transactionHash }) => transactionHash),
    ]);
    const found = await Promise.all([...hashes].map((hash) => this.#verified(hash, of, wanted, ours)));
    const senders = new Map(whole.transactions.map(({ hash, from }) => [hash, from]));
    return found.flat().map((payment) => {
      const from = senders.get(payment.transaction);
      return from === undefined ? payment : { ...payment, from };
    });
  }

  /** Logs can be looked up by address, which is enough for tokens; of payments of the coin a node keeps no such list. */
  async account(address: string, contracts: readonly string[], limit: number): Promise<AccountView> {
    const [balance, { height }] = await Promise.all([
      this.#node.ask(quantity, 'eth_getBalance', [address, 'latest']),
      this.head(),
    ]);
    const since = Math.max(0, height - ACCOUNT_BLOCKS);
    const padded = `0x${address.slice(2).padStart(64, '0')}`;
    const range = { fromBlock: `0x${since.toString(16)}`, toBlock: `0x${height.toString(16)}`, address: contracts };
    const sides = [
      [TRANSFER, padded],
      [TRANSFER, null, padded],
    ];
    const asked = contracts.length === 0 ? [] : sides;
    const found = await Promise.all(
      asked.map((topics) => this.#node.ask(z.array(placedLog), 'eth_getLogs', [{ ...range, topics }])),
    );
    // What an address has paid to itself is found twice.
    const each = new Map(found.flat().map((one) => [`${one.blockNumber} ${one.logIndex}`, one]));
    const newest = [...each.values()]
      .filter((one) => receiverOf(one) !== undefined && BigInt(one.data) > 0n)
      .sort((left, right) => Number(right.blockNumber - left.blockNumber))
      .slice(0, limit);
    const heights = [...new Set(newest.map(({ blockNumber }) => Number(blockNumber)))];
    const times = new Map(await Promise.all(heights.map(async (at) => [at, (await this.header(at))?.time] as const)));
    const movements = newest.map((one) => ({
      transaction: one.transactionHash,
      contract: one.address,
      units: BigInt(one.data),
      ...sidesOf(one, address),
      time: times.get(Number(one.blockNumber)) ?? 0,
    }));
    return { balance, movements, since, listsCoin: false };
  }

  /** What a transaction has paid, by its own receipt: nothing where it failed. */
  async #verified(
    hash: string,
    of: BlockHeader,
    wanted: readonly Candidate[],
    ours: ReadonlySet<string>,
  ): Promise<Payment[]> {
    const found = await this.#node.ask(receipt.nullable(), 'eth_getTransactionReceipt', [hash]);
    if (found?.blockHash !== of.hash) throw new NodeFailure(`Transaction ${hash} is no longer in block ${of.hash}`);
    if (BigInt(found.status) !== 1n) return [];
    const coins = wanted.filter((one) => one.transaction === hash).map((one) => ({ ...one, contract: null }));
    // The index within the receipt stays the same in another block; that within the block does not.
    const tokens = found.logs.flatMap((one, index): Payment[] => {
      const address = receiverOf(one);
      const units = BigInt(one.data === '0x' ? 0 : one.data);
      if (address === undefined || !ours.has(address) || units === 0n) return [];
      return [{ transaction: hash, output: `log:${index}`, contract: one.address, address, units }];
    });
    return [...coins, ...tokens];
  }

  /** Payments by calls inside transactions; none where the node does not offer traces. */
  async #inner(of: BlockHeader, transactions: readonly { readonly hash: string }[]): Promise<Candidate[]> {
    if (!this.#hasTraces) return [];
    try {
      const params = [`0x${of.height.toString(16)}`, { tracer: 'callTracer' }];
      const found = await this.#node.ask(traces, 'debug_traceBlockByNumber', params);
      // Asked for by height: the block must have been the same one before and after.
      if ((await this.header(of.height))?.hash !== of.hash) throw new NodeFailure(`Block ${of.hash} was replaced`);
      return found.flatMap((one, index) => {
        if ('refusal' in one) throw tracesRefused(this.network, of, one.refusal, undefined);
        return innerPayments(one.txHash ?? transactions[index]?.hash ?? '', one.result);
      });
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof RpcRefusal)) throw error;
      if (!NOT_OFFERED.has(cause.code)) throw tracesRefused(this.network, of, cause.message, cause);
      this.#hasTraces = false;
      this.#onWithoutTraces();
      return [];
    }
  }
}
