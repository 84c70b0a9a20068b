/**
 * Deposits of one block: how long until all of them are credited, and what that does to orders, as their p99 beside it over
 * their p99 in the same round without. On PostgreSQL, a chain of development, medians of `BENCH_ROUNDS`; `BENCH_DEPOSITS` in a
 * block, each to a client of its own. It ends by itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@cambist/server/platform/database.ts';
import { openPostgres } from '@cambist/server/platform/postgres.ts';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { startPostgresServer } from '@cambist/server/test/postgres-server.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { applyLoad } from '../durable/apply-load.ts';
import type { LoadResult } from '../durable/load-process.ts';
import { orderRequests } from '../durable/orders.ts';
import { median } from '../statistics.ts';
import { addressOf, fillOwners } from './owners.ts';

const DEPOSITS = Number(process.env.BENCH_DEPOSITS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MEASURE_MS = Number(process.env.BENCH_MEASURE_MS ?? 15_000);
const WARM_UP_MS = 1500;
const TRADERS = 4;
const SENDERS = 8;
/** Confirmations at which Ether is credited. */
const CREDITED_AT = 6;
const LOOK_MS = 250;
const PATIENCE_MS = 10 * 60_000;

const load = (port: number, requests: string[][]): Promise<LoadResult> =>
  applyLoad({ port, requests, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS });

async function post(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Payments that wait for the next block. */
async function send(url: string, token: string): Promise<void> {
  let next = 0;
  const sender = async () => {
    for (let index = next; index < DEPOSITS; index = next) {
      next += 1;
      const payment = { network: 'ERC20', coin: 'ETH', address: addressOf(index), amount: '0.5' };
      await post(`${url}/api/dev/chains/send`, token, payment);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

async function creditedIn(database: Database): Promise<number> {
  const sql = `SELECT count(*)::int8 AS n FROM deposits WHERE state IN ('CREDITED', 'UNLOCKED')`;
  return (await database.query<{ n: number }>(sql))[0]?.n ?? 0;
}

/** What the deposits of a round have left to do, mails above all, is done: it would slow the orders that are measured alone. */
async function settle(database: Database): Promise<void> {
  const sql = `SELECT count(*)::int8 AS n FROM outbox WHERE state = 'waiting'`;
  const started = performance.now();
  while (((await database.query<{ n: number }>(sql))[0]?.n ?? 0) > 0) {
    if (performance.now() - started > PATIENCE_MS) throw new Error('Not all mails have left');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** @returns seconds from the block at which they may be credited until all of them are */
async function creditAll(url: string, token: string, database: Database): Promise<number> {
  const wanted = (await creditedIn(database)) + DEPOSITS;
  const started = performance.now();
  await post(`${url}/api/dev/chains/mine`, token, { network: 'ERC20', blocks: CREDITED_AT });
  while ((await creditedIn(database)) < wanted) {
    if (performance.now() - started > PATIENCE_MS) throw new Error('Not all of them were credited');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return (performance.now() - started) / 1000;
}

async function measure(url: string, database: Database): Promise<void> {
  const port = Number(new URL(url).port);
  const tokens: string[] = [];
  for (let trader = 0; trader < TRADERS; trader += 1) tokens.push(await signUp(url, `trader-${trader}@example.test`));
  const [token = ''] = tokens;
  await fillOwners(database, DEPOSITS);
  const orders = orderRequests(tokens, 200);
  const rounds: { quiet: LoadResult; busy: LoadResult; seconds: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await send(url, token);
    await settle(database);
    const quiet = await load(port, orders);
    const warmed = new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
    const [busy, seconds] = await Promise.all([load(port, orders), warmed.then(() => creditAll(url, token, database))]);
    rounds.push({ quiet, busy, seconds });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  process.stdout.write(
    [
      `${DEPOSITS} deposits in a block   credited in ${of(({ seconds }) => seconds).toFixed(1)} s, of which the orders were measured for ${MEASURE_MS / 1000} s`,
      `orders, quiet         p99 ${of(({ quiet }) => quiet.p99Ms).toFixed(1)} ms, ${of(({ quiet }) => quiet.answered / quiet.seconds).toFixed(0)}/s`,
      `orders, beside them   p99 ${of(({ busy }) => busy.p99Ms).toFixed(1)} ms, ${of(({ busy }) => busy.answered / busy.seconds).toFixed(0)}/s`,
      `ratio of p99          ${of(({ busy, quiet }) => busy.p99Ms / quiet.p99Ms).toFixed(2)}, refused ${rounds.reduce((sum, { busy }) => sum + busy.refused, 0)}`,
      '',
    ].join('\n'),
  );
}

async function run(): Promise<void> {
  const postgres = await startPostgresServer();
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
  try {
    const url = await postgres.createDatabase();
    const server = await startServerProcess({ DATABASE_URL: url, DATA_DIR, DEVELOPMENT_BLOCK_SECONDS: '0' });
    const database = openPostgres({ url, connections: 2, connectTimeoutSeconds: 5 });
    try {
      await measure(server.url, database.patient);
    } finally {
      await database.close();
      await server.stop();
    }
  } finally {
    await postgres.remove();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

await run();
