/**
 * Bitcoin by the JSON-RPC of a node. What has come in is read from the bytes of blocks, by the whole script of each output.
 * What is in no block is not looked at: it may be replaced at any time.
 */
import { setImmediate as pause } from 'node:timers/promises';
import { z } from 'zod';
import { RpcRefusal } from '../../platform/node-http.ts';
import { addressOfScript } from './bitcoin-addresses.ts';
import type { BitcoinTransaction } from './bitcoin-block.ts';
import { type BitcoinNode, hash } from './bitcoin-node.ts';
import { BitcoinSender } from './bitcoin-sender.ts';
import type { BlockHeader, Chain, Payment, Watched } from './service.ts';
import { outputName } from './transactions.ts';

const header = z.object({
  height: z.number().int().min(0),
  hash,
  previousblockhash: hash.optional(),
  time: z.number().int(),
});
const info = z.object({ chain: z.string(), bestblockhash: hash });

/** Eighteen blocks in the mean: of a million blocks, not one is so long in coming. */
const STALE_MS = 3 * 3_600_000;
/** Transactions whose addresses are written in a row: nothing else happens meanwhile. */
const WITHOUT_PAUSE = 200;
/** No such block: the height is above the end. */
const OUT_OF_RANGE = -8;

/**
 * New coins can be spent after 100 blocks, later than any deposit is credited: they are no payment in the chain's coin, and
 * an operator decides about them.
 */
const COINBASE = 'coinbase';

export class BitcoinChain implements Chain {
  readonly network = 'BTC';
  readonly isDevelopment = false;
  readonly staleAfterMs: number | undefined;
  readonly sender: BitcoinSender;
  readonly #node: BitcoinNode;

  constructor(node: BitcoinNode) {
    this.#node = node;
    this.sender = new BitcoinSender(node);
    // On a chain of one's own blocks come when they are wanted.
    this.staleAfterMs = node.network === 'regtest' ? undefined : STALE_MS;
  }

  async head(): Promise<BlockHeader> {
    const { chain, bestblockhash } = await this.#node.ask(info, 'getblockchaininfo', []);
    this.#node.checkNetwork(chain);
    return this.#header(bestblockhash);
  }

  async header(height: number): Promise<BlockHeader | undefined> {
    try {
      return await this.#header(await this.#node.attempt(hash, 'getblockhash', [height]));
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === OUT_OF_RANGE) return undefined;
      throw error;
    }
  }

  async payments(of: BlockHeader, watched: Watched): Promise<readonly Payment[]> {
    const { transactions } = await this.#node.block(of.hash);
    const found: Payment[] = [];
    for (const [index, transaction] of transactions.entries()) {
      found.push(...this.#paidBy(transaction));
      if (index % WITHOUT_PAUSE === WITHOUT_PAUSE - 1) await pause();
    }
    if (found.length === 0) return [];
    const ours = await watched([...new Set(found.map(({ address }) => address))]);
    return found.filter(({ address }) => ours.has(address));
  }

  #paidBy({ id, outputs, isCoinbase }: BitcoinTransaction): Payment[] {
    const contract = isCoinbase ? COINBASE : null;
    return outputs.flatMap(({ units, script }, index) => {
      const address = units > 0n ? addressOfScript(script, this.#node.network) : undefined;
      return address === undefined ? [] : [{ transaction: id, output: outputName(index), contract, address, units }];
    });
  }

  async #header(of: string): Promise<BlockHeader> {
    const { height, previousblockhash = '', time } = await this.#node.ask(header, 'getblockheader', [of]);
    return { height, hash: of, parent: previousblockhash, time: time * 1000 };
  }
}
