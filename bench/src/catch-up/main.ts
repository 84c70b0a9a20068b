/**
 * Catching up: blocks of a real EVM node (anvil) that came while nothing was read, with ten thousand addresses watched and a
 * payment to one of them in every hundredth. `BENCH_BLOCKS` of them; beside it, how long the same node takes to answer for
 * those blocks alone, one request each. On PostgreSQL. It ends by itself.
 *
 * The node traces blocks whose state it has in memory, a few thousand. Beyond those it is asked as one that offers no traces, and
 * keeps no states, which it would write to files for half an hour.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { EvmChain } from '@cambist/server/funds/chains/evm-chain.ts';
import { type NodeRequest, requestByHttp } from '@cambist/server/funds/chains/evm-node.ts';
import type { Watcher } from '@cambist/server/funds/deposits/watcher.ts';
import { migrate } from '@cambist/server/platform/migrations.ts';
import { openPostgres } from '@cambist/server/platform/postgres.ts';
import { type EvmNode, startEvmNode } from '@cambist/server/test/evm-node.ts';
import { startPostgresServer } from '@cambist/server/test/postgres-server.ts';
import { addressOf, fillOwners } from '../deposits/owners.ts';
import { watch } from '../watched/watching.ts';

const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 100_000);
const ADDRESSES = Number(process.env.BENCH_ADDRESSES ?? 10_000);
const BETWEEN = 100;
const AT_ONCE = 16;
const TRACED_BLOCKS = 3_000;
/** What a node answers that does not offer a method: JSON-RPC 2.0, section 5.1. */
const NOT_FOUND = -32601;
const ETHER = 10n ** 18n;
const STALE_MS = 365 * 86_400_000;
const INTERVAL_MS = 1_000;
/** What is not read by then is never read. */
const PATIENCE_MS = 600_000;

type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

const hex = (value: bigint | number) => `0x${value.toString(16)}`;

/** @returns how many payments there are */
async function makeBlocks(ask: Ask): Promise<number> {
  const [payer] = (await ask('eth_accounts')) as string[];
  await ask('anvil_setBalance', payer, hex(10n ** 30n));
  let payments = 0;
  for (let made = 0; made < BLOCKS; made += BETWEEN) {
    const to = addressOf((payments * 7_919) % ADDRESSES);
    await ask('eth_sendTransaction', { from: payer, to, value: hex(ETHER) });
    payments += 1;
    await ask('anvil_mine', hex(BETWEEN - 1));
  }
  return payments;
}

/** One request for each block, as many at once as the watcher makes. @returns seconds */
async function askAlone(ask: Ask): Promise<number> {
  const started = performance.now();
  for (let height = 1; height <= BLOCKS; height += AT_ONCE) {
    const heights = Array.from({ length: Math.min(AT_ONCE, BLOCKS - height + 1) }, (_, index) => height + index);
    await Promise.all(heights.map((at) => ask('eth_getBlockByNumber', hex(at), true)));
  }
  return (performance.now() - started) / 1000;
}

/** As the server does it: where the node has not answered, it goes on a second later. */
async function catchUp(watcher: Pick<Watcher, 'catchUp' | 'heights'>, last: number) {
  const started = performance.now();
  const deadline = started + PATIENCE_MS;
  for (let interruptions = 0; ; interruptions += 1) {
    await watcher.catchUp();
    const { cursor = 0 } = watcher.heights;
    if (cursor >= last) return { seconds: (performance.now() - started) / 1000, interruptions };
    if (performance.now() > deadline) throw new Error(`Only ${cursor} blocks were read`);
    await pause(INTERVAL_MS);
  }
}

const withoutTraces =
  (request: NodeRequest): NodeRequest =>
  async (method, params) => {
    if (method.startsWith('debug_')) throw Object.assign(new Error(`There is no ${method}`), { code: NOT_FOUND });
    return request(method, params);
  };

async function run(): Promise<void> {
  const hasTraces = BLOCKS <= TRACED_BLOCKS;
  const postgres = await startPostgresServer();
  let node: EvmNode | undefined;
  try {
    node = await startEvmNode(hasTraces ? [] : ['--prune-history']);
    const request = hasTraces ? requestByHttp(node.url) : withoutTraces(requestByHttp(node.url));
    const ask: Ask = (method, ...params) => request(method, params);
    const payments = await makeBlocks(ask);
    const url = await postgres.createDatabase();
    const opened = openPostgres({ url, connections: 2, connectTimeoutSeconds: 5 });
    const database = opened.patient;
    await migrate(database);
    await fillOwners(database, ADDRESSES);
    const chain = new EvmChain('ERC20', { request, staleAfterMs: STALE_MS, onWithoutTraces: () => undefined });
    const { watcher, store, seen } = watch(database, chain);
    const first = await chain.header(0);
    if (first === undefined) throw new Error('The node has no first block');
    await store.begin('ERC20', first, Date.now());
    const { seconds, interruptions } = await catchUp(watcher, Number(await ask('eth_blockNumber')));
    const blocks = watcher.heights.cursor ?? 0;
    if ((await seen()) !== payments) throw new Error('Not all payments were seen');
    const alone = await askAlone(ask);
    process.stdout.write(
      [
        `${blocks} blocks ${hasTraces ? 'with' : 'without'} traces, ${ADDRESSES} addresses, ${payments} deposits   ${seconds.toFixed(1)} s, ${(blocks / seconds).toFixed(0)} blocks/s, ${interruptions} times without an answer`,
        `the same node for the blocks alone   ${alone.toFixed(1)} s`,
        `ratio   ${(seconds / alone).toFixed(1)}`,
        '',
      ].join('\n'),
    );
    await opened.close();
  } finally {
    await node?.stop();
    await postgres.remove();
  }
}

await run();
