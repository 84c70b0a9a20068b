/**
 * A real node of Bitcoin for tests, on a chain of its own on loopback, with a wallet that has coins: blocks, reorganizations
 * and payments are asked for by its JSON-RPC. Scripts are what it is told; its own texts for addresses are its business.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bech32 } from '@scure/base';
import { z } from 'zod';
import { scriptOf } from '../src/funds/chains/bitcoin-addresses.ts';
import { BitcoinNode, hash } from '../src/funds/chains/bitcoin-node.ts';
import { findBitcoinProgram } from './bitcoin-program.ts';
import { freePort } from './free-port.ts';

const PATIENCE_MS = 30_000;
const USER = 'test';
const PASSWORD = 'not-a-secret';
/** New coins can be spent after a hundred blocks. */
const MATURE = 101;

export interface BitcoinTestNode {
  /** JSON-RPC over HTTP, with name and password. */
  readonly url: string;
  readonly node: BitcoinNode;
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Asks another of the node's wallets. */
  inWallet(name: string, method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Blocks on top, whose coins go to the node's wallet. @returns their hashes */
  mine(blocks: number): Promise<string[]>;
  /** Blocks whose coins go to an address. */
  mineTo(address: string, blocks: number): Promise<string[]>;
  /** Drops so many blocks; what they held waits again. */
  drop(blocks: number): Promise<void>;
  /** A block without anything that waits. */
  mineEmpty(blocks: number): Promise<void>;
  /** From the node's wallet to addresses of our network, in whole coins. @returns the transaction */
  pay(outputs: Readonly<Record<string, string>>, options?: object): Promise<string>;
  /** Of its own network, at which others find it. */
  readonly port: number;
  /** Waits until both have the same blocks, and tell each other of what comes. The longer branch wins. */
  connect(other: BitcoinTestNode): Promise<void>;
  /** Hears of no other node any more. */
  disconnect(): Promise<void>;
  /** The text by which this node names the script of an address of our network. */
  addressHere(address: string): string;
  /** Ends it and starts it again: it has its blocks, and has lost what waited. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function until(condition: () => Promise<boolean>, isOver: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (isOver() || performance.now() > deadline) throw new Error('The Bitcoin node is not as it should be');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @param peer whose chain it has from the beginning; a chain of its own without it */
export async function startBitcoinNode(peer?: BitcoinTestNode): Promise<BitcoinTestNode> {
  const program = await findBitcoinProgram();
  if (program === undefined) throw new Error('There is no Bitcoin node');
  const [port, ownPort] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'cambist-bitcoin-'));
  const flags = [
    ...['-regtest', '-server', '-txindex=1', '-fallbackfee=0.0002', '-dnsseed=0', '-discover=0'],
    ...[`-bind=127.0.0.1:${ownPort}`, '-listenonion=0'],
    ...[`-datadir=${folder}`, `-rpcport=${port}`, `-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`, '-dbcache=16'],
    ...['-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', '-maxmempool=64', '-par=1', '-printtoconsole=0'],
    '-persistmempool=0',
  ];
  const begin = () => {
    const child = spawn(program.command, [...program.prefix, ...program.flags, ...flags], { stdio: 'ignore' });
    return { child, ended: new Promise<void>((resolve) => child.once('exit', () => resolve())) };
  };
  let running = begin();
  const url = `http://${USER}:${PASSWORD}@127.0.0.1:${port}/`;
  const node = new BitcoinNode({ url, cookieFile: undefined, network: 'regtest' });
  const askOf = (of: BitcoinNode, method: string, params: readonly unknown[]) =>
    of.ask(z.unknown(), method, params, { timeoutMs: 60_000 }).catch(({ cause, message }: Error) => {
      throw cause ?? new Error(message);
    });
  const call = (method: string, ...params: readonly unknown[]) => askOf(node, method, params);
  const asked = async (method: string, ...params: readonly unknown[]) =>
    call(method, ...params).then(
      () => true,
      () => false,
    );
  const end = async () => {
    running.child.kill('SIGTERM');
    await running.ended;
  };
  const untilReady = () =>
    until(
      () => asked('getblockchaininfo'),
      () => running.child.exitCode !== null,
    );
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };

  function addressHere(address: string): string {
    if (program?.human !== 'rltc') return address;
    const script = scriptOf(address, 'regtest');
    if (script === undefined) throw new Error(`${address} is no address`);
    if (script[0] === 0) return bech32.encode('rltc', [0, ...bech32.toWords(script.subarray(2))]);
    return address;
  }

  const test: BitcoinTestNode = {
    url,
    node,
    call,
    inWallet: (name, method, ...params) =>
      askOf(
        new BitcoinNode({ url: `${url}wallet/${name}`, cookieFile: undefined, network: 'regtest' }),
        method,
        params,
      ),
    addressHere,
    stop,
    async restart() {
      await end();
      running = begin();
      await untilReady();
      await call('loadwallet', 'test');
    },
    port: ownPort,
    async connect(other) {
      for (const one of [test, other]) await one.call('setnetworkactive', true);
      await call('addnode', `127.0.0.1:${other.port}`, 'onetry');
      const best = () => Promise.all([call('getbestblockhash'), other.call('getbestblockhash')]);
      const isOne = async () => {
        const [own, theirs] = await best();
        return own === theirs && z.number().parse(await call('getconnectioncount')) > 0;
      };
      await until(isOne, () => false);
    },
    async disconnect() {
      await call('setnetworkactive', false);
    },
    async mine(blocks) {
      const own = z.string().parse(await call('getnewaddress'));
      return z.array(hash).parse(await call('generatetoaddress', blocks, own));
    },
    async mineTo(address, blocks) {
      return z.array(hash).parse(await call('generatetoaddress', blocks, addressHere(address)));
    },
    async mineEmpty(blocks) {
      const own = z.string().parse(await call('getnewaddress'));
      for (let mined = 0; mined < blocks; mined += 1) await call('generateblock', own, []);
    },
    async drop(blocks) {
      const height = z.number().parse(await call('getblockcount'));
      await call('invalidateblock', await call('getblockhash', height - blocks + 1));
    },
    async pay(outputs, options = {}) {
      const named = Object.entries(outputs).map(([address, amount]) => ({ [addressHere(address)]: amount }));
      const raw = await call('createrawtransaction', [], named);
      const funded = z
        .object({ hex: z.string() })
        .parse(await call('fundrawtransaction', raw, { replaceable: true, ...options }));
      const signed = z.object({ hex: z.string() }).parse(await call('signrawtransactionwithwallet', funded.hex));
      return hash.parse(await call('sendrawtransaction', signed.hex));
    },
  };
  try {
    await untilReady();
    await call('createwallet', 'test');
    if (peer === undefined) await test.mine(MATURE);
    else await test.connect(peer);
  } catch (error) {
    await stop();
    throw error;
  }
  return test;
}
