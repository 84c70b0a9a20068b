/**
 * Start: from spawn to ready, and to the first acknowledged order, on an empty database, on a warm one, and with
 * 100,000 and 1,000,000 open orders and with 100,000 positions, from the tables and from the snapshot of the stop before; and
 * the memory at rest. The
 * reference in the same run is a Node process that does
 * nothing but listen.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@cambist/server/platform/database.ts';
import { openPglite } from '@cambist/server/platform/pglite.ts';
import { openPostgres } from '@cambist/server/platform/postgres.ts';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { type PostgresServer, startPostgresServer } from '@cambist/server/test/postgres-server.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { median } from '../statistics.ts';
import { fill, fillOrdersBesidePositions, fillPositions } from './fill.ts';

const RUNS = Number(process.env.BENCH_ROUNDS ?? 3);
/** What Linux counts CPU time in. */
const TICKS_PER_SECOND = 100;
const SIZES = (process.env.BENCH_ORDERS ?? '100000,1000000').split(',').filter(Boolean).map(Number);
const DATABASES = (process.env.BENCH_DATABASES ?? 'PGlite,PostgreSQL').split(',');
const POSITIONS = Number(process.env.BENCH_POSITIONS ?? 100_000);

/** What is put into the tables before a start. */
interface Filling {
  readonly name: string;
  readonly isEmpty?: boolean;
  put(database: Database): Promise<void>;
}

const FILLINGS: readonly Filling[] = [
  { name: 'warm', isEmpty: true, put: async () => {} },
  ...SIZES.map((size) => ({
    name: `${size.toLocaleString('en')} open orders`,
    put: (database: Database) => fill(database, size),
  })),
  // As many orders of as many clients with as many balances, and then positions.
  {
    name: `${POSITIONS.toLocaleString('en')} orders of ${(POSITIONS / 10).toLocaleString('en')}`,
    put: (database: Database) => fillOrdersBesidePositions(database, POSITIONS),
  },
  {
    name: `${POSITIONS.toLocaleString('en')} positions`,
    put: (database: Database) => fillPositions(database, POSITIONS),
  },
];

/** VmRSS of a process in MB (Linux). */
function residentMb(processId: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}

/** CPU time of a process so far, all threads, in seconds (Linux): on a busy machine it says more than the clock. */
function cpuSeconds(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function bareNodeMs(): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, [
      '-e',
      "require('http').createServer().listen(0, () => { console.log('up'); })",
    ]);
    child.once('error', reject);
    child.stdout.once('data', () => {
      resolve(performance.now() - started);
      child.kill();
    });
  });
}

interface Measured {
  readonly readyMs: number;
  readonly firstOrderMs: number;
  readonly memoryMb: number;
  readonly cpuSeconds: number;
}

/** One start: ready, then one order by a trader who is there already. */
async function startOnce(environment: Record<string, string>, token: string | undefined): Promise<Measured> {
  const started = performance.now();
  const server = await startServerProcess(environment);
  let firstOrderMs = 0;
  if (token !== undefined) {
    const answer = await fetch(`${server.url}/api/v3/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ symbol: 'BTC', side: 'SELL', type: 'limit', price: '99000', quantity: '0.001' }),
    });
    if (answer.status !== 200) throw new Error(`The first order was answered ${answer.status}: ${await answer.text()}`);
    firstOrderMs = performance.now() - started;
  }
  const figures = { memoryMb: residentMb(server.processId), cpuSeconds: cpuSeconds(server.processId) };
  await server.stop();
  return { readyMs: server.readyAfterMs, firstOrderMs, ...figures };
}

function report(name: string, runs: readonly Measured[], bareMs: number): void {
  const ready = median(runs.map((run) => run.readyMs));
  const first = median(runs.map((run) => run.firstOrderMs));
  const cpu = median(runs.map((run) => run.cpuSeconds));
  const memory = median(runs.map((run) => run.memoryMb));
  const order = first > 0 ? `first order ${(first / 1000).toFixed(2)} s` : '';
  process.stdout.write(
    `${name.padEnd(52)} ready ${(ready / 1000).toFixed(2)} s (${(ready / bareMs).toFixed(0)} × bare Node)  ${order}  CPU ${cpu.toFixed(2)} s  memory ${memory} MB\n`,
  );
}

interface Place {
  readonly name: string;
  readonly environment: Record<string, string>;
  open(): Promise<Database>;
  remove(): Promise<void>;
}

async function makePlace(kind: 'PGlite' | 'PostgreSQL', postgres: PostgresServer): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-start-'));
  const remove = async () => rmSync(directory, { recursive: true, force: true });
  if (kind === 'PGlite') {
    return {
      name: kind,
      environment: { DATA_DIR: directory },
      open: () => openPglite(directory),
      remove,
    };
  }
  const url = await postgres.createDatabase();
  return {
    name: kind,
    environment: { DATABASE_URL: url, DATA_DIR: directory },
    open: async () => openPostgres({ url, connections: 2, connectTimeoutSeconds: 5 }),
    remove,
  };
}

async function measurePlace(kind: 'PGlite' | 'PostgreSQL', postgres: PostgresServer, bareMs: number): Promise<void> {
  const empty: Measured[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const place = await makePlace(kind, postgres);
    empty.push(await startOnce(place.environment, undefined));
    await place.remove();
  }
  report(`${kind}, empty`, empty, bareMs);
  for (const filling of FILLINGS) {
    const place = await makePlace(kind, postgres);
    const first = await startServerProcess(place.environment);
    const token = await signUp(first.url, 'first@example.test');
    await first.stop();
    if (!filling.isEmpty) {
      const database = await place.open();
      await filling.put(database.patient);
      await database.close();
    }
    const name = `${kind}, ${filling.name}`;
    if (!filling.isEmpty) report(`${name}, from the tables`, [await startOnce(place.environment, token)], bareMs);
    const runs: Measured[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await startOnce(place.environment, token));
    report(filling.isEmpty ? name : `${name}, from a snapshot`, runs, bareMs);
    await place.remove();
  }
}

const postgres = await startPostgresServer();
try {
  const bareMs = median([await bareNodeMs(), await bareNodeMs(), await bareNodeMs()]);
  process.stdout.write(`bare Node that listens                               ready ${(bareMs / 1000).toFixed(3)} s\n`);
  for (const kind of ['PGlite', 'PostgreSQL'] as const) {
    if (DATABASES.includes(kind)) await measurePlace(kind, postgres, bareMs);
  }
} finally {
  await postgres.remove();
}
