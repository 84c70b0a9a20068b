/**
 * A node of Bitcoin by its JSON-RPC. What it answers has a largest size, redirects are refused, and its password is in no
 * message. Decimal numbers stay text, so that no amount is ever a float.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { askNode, basic, type NodeQuestion, parseExact, RpcRefusal, rpcResult } from '../../platform/node-http.ts';
import type { BitcoinNetwork } from './bitcoin-addresses.ts';
import { type BitcoinBlock, readBlock } from './bitcoin-block.ts';
import { NodeFailure } from './service.ts';
import { unitsOf } from './units.ts';

export interface BitcoinNodeSettings {
  /** With name and password, or without them where there is a cookie. */
  readonly url: string;
  /** That the node writes at each of its starts: name:password. */
  readonly cookieFile: string | undefined;
  readonly network: BitcoinNetwork;
}

/** As nodes name their networks. */
const CHAINS: Readonly<Record<BitcoinNetwork, string>> = {
  ...{ mainnet: 'main', testnet: 'test', signet: 'signet', regtest: 'regtest' },
};

/** Four million units of weight, in hex. */
const MAXIMUM_BLOCK_BYTES = 8_001_000;
/** Blocks are asked for by who reads deposits and by who counts coins. */
const KEPT_BLOCKS = 4;
/** Questions at once: nodes refuse those for which their line is too long. */
const AT_ONCE = 8;
/** The node is starting, and answers nothing else. */
const WARMING_UP = -28;

export const hash = z.string().regex(/^[0-9a-f]{64}$/);
export const hexText = z.string().regex(/^([0-9a-f]{2})*$/);
/** Coins with eight decimals, as nodes write amounts, in smallest units. What is whole coins is read as a number. */
export const amount = z.union([z.string(), z.number().int()]).transform((written, context) => {
  const units = unitsOf(String(written), 8);
  if (units !== undefined) return units;
  context.addIssue('an amount');
  return z.NEVER;
});

export type Asking = Pick<NodeQuestion, 'timeoutMs' | 'maximumBytes'>;

export class BitcoinNode {
  readonly network: BitcoinNetwork;
  readonly #url: string;
  readonly #cookieFile: string | undefined;
  readonly #blocks = new Map<string, Promise<BitcoinBlock>>();
  readonly #waiting: (() => void)[] = [];
  #asked = 0;
  #hasIndex = false;

  constructor({ url, cookieFile, network }: BitcoinNodeSettings) {
    this.network = network;
    this.#url = url;
    this.#cookieFile = cookieFile;
  }

  /** @throws NodeFailure where the node is away, refuses or answers nonsense */
  async ask<S extends z.ZodType>(
    schema: S,
    method: string,
    params: readonly unknown[],
    asking?: Asking,
  ): Promise<z.output<S>> {
    try {
      return schema.parse(await this.#inTurn(() => this.#request(method, params, asking)));
    } catch (cause) {
      if (cause instanceof NodeFailure) throw cause;
      throw new NodeFailure(`BTC does not answer ${method}`, { cause });
    }
  }

  /** The same of what a node may refuse. @throws RpcRefusal with the node's code and words */
  async attempt<S extends z.ZodType>(schema: S, method: string, params: readonly unknown[]): Promise<z.output<S>> {
    return this.ask(schema, method, params).catch((error: Error) => {
      throw error.cause instanceof RpcRefusal ? error.cause : error;
    });
  }

  /** The block of a hash, by its own bytes. */
  block(of: string): Promise<BitcoinBlock> {
    const known = this.#blocks.get(of);
    if (known !== undefined) return known;
    const reading = this.#readBlock(of);
    this.#blocks.set(of, reading);
    reading.catch(() => this.#blocks.delete(of));
    for (const old of [...this.#blocks.keys()].slice(0, -KEPT_BLOCKS)) this.#blocks.delete(old);
    return reading;
  }

  /** @throws NodeFailure unless the node can look transactions of blocks up, and is of the network that is configured */
  async needIndex(): Promise<void> {
    if (this.#hasIndex) return;
    const { txindex } = await this.ask(
      z.object({ txindex: z.object({ synced: z.boolean() }).optional() }),
      'getindexinfo',
      [],
    );
    if (txindex?.synced !== true)
      throw new NodeFailure('The node of BTC needs txindex=1, and its index must be complete');
    this.#hasIndex = true;
  }

  /** @throws NodeFailure where the node is of another network */
  checkNetwork(chain: string): void {
    if (chain === CHAINS[this.network]) return;
    throw new NodeFailure(`The node of BTC is of ${chain}, and ${this.network} is configured`);
  }

  async #readBlock(of: string): Promise<BitcoinBlock> {
    const raw = await this.ask(hexText, 'getblock', [of, 0], { maximumBytes: MAXIMUM_BLOCK_BYTES });
    try {
      const block = await readBlock(raw);
      if (block.hash === of) return block;
    } catch (cause) {
      throw new NodeFailure(`BTC has no whole block ${of}`, { cause });
    }
    throw new NodeFailure(`BTC has answered another block than ${of}`);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (this.#asked >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#asked += 1;
    try {
      return await work();
    } finally {
      this.#asked -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #request(method: string, params: readonly unknown[], asking: Asking = {}): Promise<unknown> {
    const { status, text } = await askNode({
      url: this.#url,
      headers:
        this.#cookieFile === undefined ? {} : { authorization: basic(readFileSync(this.#cookieFile, 'utf8').trim()) },
      body: { jsonrpc: '1.0', id: 'cambist', method, params },
      ...asking,
    });
    // Refusals come with status 500 or 404; a wrong password with 401 and no JSON.
    if (status === 401 || status === 403) throw new Error('The node does not know this password');
    try {
      return rpcResult(parseExact(text));
    } catch (error) {
      if (!(error instanceof RpcRefusal) || error.code !== WARMING_UP) throw error;
      throw new NodeFailure(`The node of BTC is starting: ${error.message}`);
    }
  }
}
