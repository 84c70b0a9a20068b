/**
 * Durable orders: acknowledged orders a second through HTTP, and by the private socket, with authentication, hold, match, fees, postings and
 * commit, at 64 connections; on PGlite, on PostgreSQL with fsync, and on the same server with durability off; beside a
 * bare Fastify POST with body validation, and beside the plain single-insert commit rate of the same databases. Then a list that
 * is read right after an order, beside the same list read again.
 *
 * The order of the candidates turns from round to round; medians are printed.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@cambist/server/platform/database.ts';
import { openPglite } from '@cambist/server/platform/pglite.ts';
import { openPostgres } from '@cambist/server/platform/postgres.ts';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { startPostgresServer } from '@cambist/server/test/postgres-server.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { median } from '../statistics.ts';
import { applyLoad } from './apply-load.ts';
import type { LoadPlan, LoadResult } from './load-process.ts';
import { batchRequests, orderRequests, socketRequests } from './orders.ts';
import { measureOwnWrites, type OwnWrites } from './own-writes.ts';

const CONNECTIONS = 64;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MEASURE_MS = Number(process.env.BENCH_MEASURE_MS ?? 4000);
const WARM_UP_MS = 1500;
const INSERT_MS = 1500;

const file = (name: string) => join(import.meta.dirname, name);

const load = (plan: Pick<LoadPlan, 'port' | 'requests' | 'tokens'>): Promise<LoadResult> =>
  applyLoad({ ...plan, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS });

async function measureBare(): Promise<LoadResult> {
  const child = fork(file('bare-fastify.ts'));
  const port = await new Promise<number>((resolve) => child.once('message', (value) => resolve(value as number)));
  const result = await load({ port, requests: orderRequests(Array(CONNECTIONS).fill('none'), 200) });
  child.send('end');
  return result;
}

const BATCH = 20;

type Way = 'http' | 'batch' | 'socket';

const loads = {
  http: (tokens: string[]) => ({ requests: orderRequests(tokens, 200) }),
  batch: (tokens: string[]) => ({ requests: batchRequests(tokens, 20, BATCH) }),
  socket: (tokens: string[]) => ({ requests: socketRequests(tokens, 200), tokens }),
};

async function measureServer(environment: Record<string, string>, way: Way = 'http'): Promise<LoadResult> {
  const server = await startServerProcess(environment);
  try {
    const tokens: string[] = [];
    for (let trader = 0; trader < CONNECTIONS; trader += 1) {
      tokens.push(await signUp(server.url, `load-${process.pid}-${Date.now()}-${trader}@example.test`));
    }
    const result = await load({ port: Number(new URL(server.url).port), ...loads[way](tokens) });
    return { ...result, answered: result.answered * (way === 'batch' ? BATCH : 1) };
  } finally {
    await server.stop();
  }
}

async function singleInserts(database: Database): Promise<number> {
  await database.query('CREATE TABLE plain (id bigint PRIMARY KEY, body text NOT NULL)');
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < INSERT_MS) {
    count += 1;
    await database.query('INSERT INTO plain (id, body) VALUES ($1, $2)', [
      count,
      'a row of about an order in size, no more',
    ]);
  }
  return count / ((performance.now() - started) / 1000);
}

interface Candidate {
  readonly name: string;
  readonly measure: () => Promise<LoadResult>;
}

async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function run(): Promise<void> {
  const postgres = await startPostgresServer();
  const candidates: Candidate[] = [
    { name: 'bare Fastify POST', measure: measureBare },
    {
      name: 'orders, PostgreSQL',
      measure: async () => measureServer({ DATABASE_URL: await postgres.createDatabase() }),
    },
    {
      name: `${BATCH} a request, PostgreSQL`,
      measure: async () => measureServer({ DATABASE_URL: await postgres.createDatabase() }, 'batch'),
    },
    {
      name: 'by socket, PostgreSQL',
      measure: async () => measureServer({ DATABASE_URL: await postgres.createDatabase() }, 'socket'),
    },
    { name: 'orders, PGlite', measure: () => withDirectory((DATA_DIR) => measureServer({ DATA_DIR })) },
    {
      name: 'by socket, PGlite',
      measure: () => withDirectory((DATA_DIR) => measureServer({ DATA_DIR }, 'socket')),
    },
    {
      name: 'orders, not durable',
      measure: () => withDirectory((DATA_DIR) => measureServer({ DATA_DIR, DURABILITY: 'none' })),
    },
  ];
  const results = new Map<string, LoadResult[]>(candidates.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let turn = 0; turn < candidates.length; turn += 1) {
        const candidate = candidates[(round + turn) % candidates.length] as Candidate;
        results.get(candidate.name)?.push(await candidate.measure());
      }
    }
    const plainPostgres = openPostgres({
      url: await postgres.createDatabase(),
      connections: 2,
      connectTimeoutSeconds: 5,
    });
    const insertsPostgres = await singleInserts(plainPostgres);
    await plainPostgres.close();
    const insertsPglite = await withDirectory(async (directory) => {
      const database = await openPglite(directory);
      const rate = await singleInserts(database);
      await database.close();
      return rate;
    });
    print(results, insertsPostgres, insertsPglite);
    printOwnWrites('PostgreSQL', await measureOwnWrites({ DATABASE_URL: await postgres.createDatabase() }));
    printOwnWrites('PGlite', await withDirectory((DATA_DIR) => measureOwnWrites({ DATA_DIR })));
  } finally {
    await postgres.remove();
  }
}

function print(results: Map<string, LoadResult[]>, insertsPostgres: number, insertsPglite: number): void {
  const rate = (name: string) => median((results.get(name) ?? []).map((run) => run.answered / run.seconds));
  const bare = rate('bare Fastify POST');
  const volatile = rate('orders, not durable');
  const lines = [...results].map(([name, runs]) => {
    const p50 = median(runs.map((run) => run.p50Ms)).toFixed(1);
    const p99 = median(runs.map((run) => run.p99Ms)).toFixed(1);
    const refused = runs.reduce((sum, run) => sum + run.refused, 0);
    const ratios = `${(rate(name) / bare).toFixed(2)} × bare, ${(rate(name) / volatile).toFixed(2)} × not durable`;
    return `${name.padEnd(22)} ${rate(name).toFixed(0).padStart(7)}/s  p50 ${p50} ms  p99 ${p99} ms  refused ${refused}  ${ratios}`;
  });
  lines.push(
    `single inserts         PostgreSQL ${insertsPostgres.toFixed(0)}/s, PGlite ${insertsPglite.toFixed(0)}/s, one connection`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printOwnWrites(database: string, { afterOrder, again }: OwnWrites): void {
  const ratio = (afterOrder / again).toFixed(1);
  process.stdout.write(
    `list after an order    ${database} ${afterOrder.toFixed(1)} ms, ${ratio} × the same list again\n`,
  );
}

await run();
