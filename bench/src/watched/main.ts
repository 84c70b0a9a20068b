/**
 * Addresses that are watched: what a block costs in time and the process in memory, with a thousand of them and with a million
 * (`BENCH_ADDRESSES`), in turn in one run; medians and their ratio. Blocks are as full as Ethereum's, few payments of
 * them are to clients. On PostgreSQL. It ends by itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevelopmentChain } from '@cambist/server/funds/chains/development-chain.ts';
import type { Database } from '@cambist/server/platform/database.ts';
import { migrate } from '@cambist/server/platform/migrations.ts';
import { openPostgres } from '@cambist/server/platform/postgres.ts';
import { startPostgresServer } from '@cambist/server/test/postgres-server.ts';
import { addressOf, fillOwners } from '../deposits/owners.ts';
import { median } from '../statistics.ts';
import { watch } from './watching.ts';

const MANY = Number(process.env.BENCH_ADDRESSES ?? 1_000_000);
const FEW = 1_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const BLOCKS = 50;
const PAYMENTS = 300;
/** Of each block, to clients. */
const OURS = 3;
const WEI = 10n ** 18n;

interface Place {
  readonly count: number;
  readonly database: Database;
  readonly chain: DevelopmentChain;
  readonly watching: ReturnType<typeof watch>;
  readonly blockMs: number[];
  readonly heapMib: number[];
}

const stranger = (index: number) => `0x${'f'.repeat(20)}${index.toString(16).padStart(20, '0')}`;

/** Full blocks, and the time that each takes to be read. */
async function measure({ count, chain, watching, blockMs, heapMib }: Place, round: number): Promise<void> {
  const before = await watching.seen();
  for (let block = 0; block < BLOCKS; block += 1) {
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      const index = (round * BLOCKS + block) * PAYMENTS + payment;
      const address = payment < OURS ? addressOf((index * 7_919) % count) : stranger(index);
      chain.send({ contract: null, address, units: WEI });
    }
    chain.mine(1);
  }
  const started = performance.now();
  await watching.watcher.catchUp();
  blockMs.push((performance.now() - started) / BLOCKS);
  if ((await watching.seen()) - before !== BLOCKS * OURS) throw new Error('Not all payments were seen');
  globalThis.gc?.();
  heapMib.push(process.memoryUsage().heapUsed / 2 ** 20);
}

async function run(): Promise<void> {
  const postgres = await startPostgresServer();
  const directories: string[] = [];
  const places: (Place & { close(): Promise<void> })[] = [];
  try {
    for (const count of [FEW, MANY]) {
      const url = await postgres.createDatabase();
      const opened = openPostgres({ url, connections: 2, connectTimeoutSeconds: 5 });
      const database = opened.patient;
      await migrate(database);
      await fillOwners(database, count);
      const directory = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
      directories.push(directory);
      const chain = new DevelopmentChain('ERC20', directory, Date);
      const watching = watch(database, chain);
      await watching.watcher.catchUp();
      places.push({ count, database, chain, watching, blockMs: [], heapMib: [], close: () => opened.close() });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const place of round % 2 === 0 ? places : places.toReversed()) await measure(place, round);
    }
    for (const { count, blockMs, heapMib } of places) {
      const memory = `${median(heapMib).toFixed(0)} MiB of heap in the process that watches both`;
      process.stdout.write(
        `${count} addresses   ${median(blockMs).toFixed(2)} ms a block of ${PAYMENTS} payments, ${memory}\n`,
      );
    }
    const [few, many] = places.map(({ blockMs }) => median(blockMs));
    process.stdout.write(`ratio of the time of a block   ${((many ?? 0) / (few ?? 1)).toFixed(2)}\n`);
  } finally {
    for (const { close } of places) await close();
    await postgres.remove();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}

await run();
