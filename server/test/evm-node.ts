/** A real EVM node for tests: Foundry's anvil, on loopback, with a chain of its own and funded accounts. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  concat,
  createTestClient,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  publicActions,
  size,
  walletActions,
} from 'viem';
import { foundry } from 'viem/chains';
import { freePort } from './free-port.ts';

/** As a test asks it for blocks, and pays by it. */
export type EvmClient = ReturnType<typeof clientAt>;

export interface EvmNode {
  /** JSON-RPC over HTTP. */
  readonly url: string;
  readonly chain: EvmClient;
  /** Accounts of the node's own, which signs for them. */
  readonly accounts: readonly [Hex, Hex];
  /** @param code that makes a contract @returns the contract, once its block is there */
  deploy(code: Hex): Promise<Hex>;
  /** What an address has of a token. @param at the height; the newest block where it is absent */
  held(token: Hex, address: Hex, at?: bigint): Promise<bigint>;
  stop(): Promise<void>;
}

/** Contracts to deploy: a token whose transfer answers nothing, as USDT's does, and one whose transfer may answer false. */
export const tokenCodes = JSON.parse(readFileSync(new URL('./fixtures/tokens.json', import.meta.url), 'utf8')) as {
  readonly SilentToken: Hex;
  readonly FalseToken: Hex;
};

/** Makes a contract of its code, of less than 256 bytes: copies what is behind it, and returns it. */
export const deployment = (runtime: Hex): Hex =>
  concat(['0x60', numberToHex(size(runtime), { size: 1 }), '0x8060093d393df3', runtime]);

const clientAt = (url: string) =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);

const PATIENCE_MS = 20_000;

async function answers(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
    () => undefined,
  );
  return answer?.ok ?? false;
}

/** @param flags of anvil, beside those that it always has */
export async function startEvmNode(flags: readonly string[] = []): Promise<EvmNode> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const anvil = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs');
  const own = ['--host', '127.0.0.1', '--port', String(port), '--silent'];
  const node = spawn(process.execPath, [anvil, ...own, ...flags], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => node.once('exit', () => resolve()));
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await answers(url))) {
    if (node.exitCode !== null || performance.now() > deadline) {
      node.kill('SIGTERM');
      throw new Error('The EVM node did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const chain = clientAt(url);
  const [first, second] = await chain.getAddresses();
  if (!first || !second) throw new Error('The node has no accounts');
  return {
    ...{ url, chain, accounts: [first, second] },
    async deploy(bytecode) {
      const hash = await chain.deployContract({ account: first, abi: [], bytecode });
      const { contractAddress } = await chain.waitForTransactionReceipt({ hash });
      if (!contractAddress) throw new Error('The contract was not deployed');
      return contractAddress;
    },
    held: (token, address, at) =>
      chain.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] },
        ...(at !== undefined && { blockNumber: at }),
      }),
    async stop() {
      node.kill('SIGTERM');
      await ended;
    },
  };
}
