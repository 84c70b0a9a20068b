/** A real EVM node for tests: Foundry's anvil, on loopback, with a chain of its own and funded accounts. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { freePort } from './postgres-server.ts';

export interface EvmNode {
  /** JSON-RPC over HTTP. */
  readonly url: string;
  stop(): Promise<void>;
}

const PATIENCE_MS = 20_000;

async function answers(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
    () => undefined,
  );
  return answer?.ok ?? false;
}

export async function startEvmNode(): Promise<EvmNode> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const anvil = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs');
  const node = spawn(process.execPath, [anvil, '--host', '127.0.0.1', '--port', String(port), '--silent'], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => node.once('exit', () => resolve()));
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await answers(url))) {
    if (node.exitCode !== null || performance.now() > deadline) {
      node.kill('SIGTERM');
      throw new Error('The EVM node did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    async stop() {
      node.kill('SIGTERM');
      await ended;
    },
  };
}
