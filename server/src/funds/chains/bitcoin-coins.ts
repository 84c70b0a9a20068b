/**
 * The unspent outputs of one script, as of the newest block: what the node's own set of unspent outputs says once, and each
 * block since then. Nothing of it is kept at rest or at the node, so a restart, another node or a pruned one leads to the
 * same; a reorganization is undone block by block.
 */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { RpcRefusal } from '../../platform/node-http.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { BitcoinBlock } from './bitcoin-block.ts';
import { amount, type BitcoinNode, hash, hexText } from './bitcoin-node.ts';
import { NodeFailure } from './service.ts';

export interface Coin {
  readonly transaction: string;
  readonly output: number;
  readonly units: bigint;
}

/** As `claimsOf` names it. */
export const outpointOf = ({ transaction, output }: Pick<Coin, 'transaction' | 'output'>): string =>
  `${transaction}:${output}`;

interface Applied {
  /** What the block spent and made, so that it can be undone. */
  readonly spent: ReadonlyMap<string, { readonly coin: Coin; readonly by: string }>;
  readonly made: readonly string[];
  readonly height: number;
  readonly parent: string;
}

const scanned = z.object({
  success: z.literal(true),
  height: z.number().int(),
  bestblock: hash,
  unspents: z.array(z.object({ txid: hash, vout: z.number().int().min(0), scriptPubKey: hexText, amount })),
});
const placed = z.object({ confirmations: z.number().int(), nextblockhash: hash.optional() });

/** Reading all unspent outputs takes minutes on the main network, and moments on a small one. */
const SCAN_MS = 20 * 60_000;
const SOON_MS = 3_000;
const SCAN_BYTES = 64 * 1024 * 1024;
/** Blocks that can be undone. */
const KEPT_BLOCKS = 288;
/** How long blocks are read for one question; the next one goes on. */
const READING_MS = 5_000;

export class BitcoinCoins {
  readonly #node: BitcoinNode;
  readonly #script: Buffer;
  readonly #coins = new Map<string, Coin>();
  readonly #applied: Applied[] = [];
  #at: { readonly height: number; readonly hash: string } | undefined;
  #scan: Promise<void> | undefined;

  constructor(node: BitcoinNode, script: Buffer) {
    this.#node = node;
    this.#script = script;
  }

  /** Whether the node is reading all of its unspent outputs for them. */
  get isCounting(): boolean {
    return this.#scan !== undefined;
  }

  /** Of the newest block that was read. @throws NodeFailure before one was */
  get height(): number {
    if (this.#at === undefined) throw new NodeFailure('The coins of BTC are being counted');
    return this.#at.height;
  }

  /** In blocks, and spent by none. @throws NodeFailure while they are counted */
  async unspent(): Promise<readonly Coin[]> {
    await this.#follow();
    return [...this.#coins.values()];
  }

  /** Which transaction has spent an output, and in which block, of those that were read since the count. */
  spenderOf(outpoint: string): { readonly transaction: string; readonly height: number } | undefined {
    for (const { spent, height } of this.#applied) {
      const found = spent.get(outpoint);
      if (found !== undefined) return { transaction: found.by, height };
    }
    return undefined;
  }

  readonly #follow = oneAtATime(async () => {
    for (const since = performance.now(); performance.now() - since < READING_MS; ) {
      if (this.#at === undefined) await this.#begin();
      const next = await this.#next();
      if (next === undefined) return;
      if (next !== 'undone') this.#apply(await this.#node.block(next));
    }
    throw new NodeFailure('The coins of BTC are being counted');
  });

  async #begin(): Promise<void> {
    this.#scan ??= this.#count().finally(() => {
      this.#scan = undefined;
    });
    // Whoever asks later learns of its end.
    this.#scan.catch(() => undefined);
    await Promise.race([this.#scan, after(SOON_MS, undefined, { ref: false })]);
    if (this.#at === undefined) throw new NodeFailure('The coins of BTC are being counted');
  }

  async #count(): Promise<void> {
    const script = this.#script.toString('hex');
    const asking = { timeoutMs: SCAN_MS, maximumBytes: SCAN_BYTES };
    const found = await this.#node.ask(scanned, 'scantxoutset', ['start', [`raw(${script})`]], asking);
    this.#coins.clear();
    this.#applied.length = 0;
    for (const { txid, vout, scriptPubKey, amount: units } of found.unspents) {
      if (scriptPubKey !== script) throw new NodeFailure('BTC has counted the coins of another script');
      this.#add({ transaction: txid, output: vout, units });
    }
    this.#at = { height: found.height, hash: found.bestblock };
  }

  /** @returns the block after the last one that was read; undefined at the end of the chain */
  async #next(): Promise<string | 'undone' | undefined> {
    if (this.#at === undefined) throw new NodeFailure('The coins of BTC are being counted');
    try {
      const { confirmations, nextblockhash } = await this.#node.attempt(placed, 'getblockheader', [this.#at.hash]);
      if (confirmations >= 0) return nextblockhash;
    } catch (error) {
      // Another node does not know a block that was replaced.
      if (!(error instanceof RpcRefusal)) throw error;
    }
    this.#undo();
    return 'undone';
  }

  #apply({ hash: of, parent, transactions }: BitcoinBlock): void {
    if (parent !== this.#at?.hash) throw new NodeFailure(`Block ${of} was replaced`);
    const spent = new Map<string, { coin: Coin; by: string }>();
    const made: string[] = [];
    for (const { id, inputs, outputs } of transactions) {
      for (const input of inputs) {
        const outpoint = outpointOf(input);
        const coin = this.#coins.get(outpoint);
        if (coin !== undefined) spent.set(outpoint, { coin, by: id });
        this.#coins.delete(outpoint);
      }
      for (const [output, { units, script }] of outputs.entries())
        if (script.equals(this.#script)) made.push(this.#add({ transaction: id, output, units }));
    }
    const height = this.#at.height + 1;
    this.#applied.push({ spent, made, height, parent });
    if (this.#applied.length > KEPT_BLOCKS) this.#applied.shift();
    this.#at = { height, hash: of };
  }

  /** Back by one block; where none is kept, all is counted again. */
  #undo(): void {
    const last = this.#applied.pop();
    if (last === undefined) {
      this.#at = undefined;
      return;
    }
    for (const { coin } of last.spent.values()) this.#add(coin);
    // Also what was made and spent in the same block.
    for (const outpoint of last.made) this.#coins.delete(outpoint);
    this.#at = { height: last.height - 1, hash: last.parent };
  }

  #add(coin: Coin): string {
    const outpoint = outpointOf(coin);
    this.#coins.set(outpoint, coin);
    return outpoint;
  }
}
