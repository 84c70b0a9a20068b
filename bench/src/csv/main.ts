/**
 * Orders while a client's fills are written as CSV: the 99th percentile of placing and cancelling over HTTP on a PGlite
 * that holds `BENCH_FILLS` fills of one client, with and without a download of all of them, in turn, `BENCH_ROUNDS`
 * times each in one process; medians. And how much memory the process holds more while it writes them.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '@cambist/server/platform/pglite.ts';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import { median, percentile } from '../statistics.ts';
import { fillTrades } from './fill-trades.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const FILLS = Number(process.env.BENCH_FILLS ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const CONNECTIONS = 4;
const SAMPLE_MS = 200;
const READER = 'reader@example.test';

interface Trading {
  /** Of each order and each cancellation, in ms. */
  readonly times: number[];
  stop(): Promise<void>;
}

async function call(url: string, token: string, method: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (answer.status !== 200) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Traders who each place a resting order and cancel it, again and again. */
function trade(url: string, token: string): Trading {
  const times: number[] = [];
  let isOver = false;
  const timed = async (work: Promise<Record<string, unknown>>) => {
    const begun = performance.now();
    const answer = await work;
    times.push(performance.now() - begun);
    return answer;
  };
  const order = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '45000', quantity: '0.01' };
  const one = async () => {
    while (!isOver) {
      const { order: placed } = await timed(call(`${url}/api/v3/orders`, token, 'POST', order));
      await timed(call(`${url}/api/v3/orders/${(placed as { id: string }).id}`, token, 'DELETE'));
    }
  };
  const traders = Array.from({ length: CONNECTIONS }, one);
  return {
    times,
    async stop() {
      isOver = true;
      await Promise.all(traders);
    },
  };
}

/** Resident memory of the server, MiB. */
function memoryOf({ processId }: ServerProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Reads a file to its end and keeps nothing of it. @returns its lines, the heading not counted */
async function download(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v3/trades/trade-histories.csv`, { headers });
  if (answer.status !== 200 || answer.body === null) throw new Error(`The file was answered ${answer.status}`);
  let lines = -1;
  for await (const chunk of answer.body) for (const byte of chunk) if (byte === 10) lines += 1;
  return lines;
}

async function measureFile(server: ServerProcess, reader: string): Promise<{ seconds: number; grown: number }> {
  const before = memoryOf(server);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(server));
  }, SAMPLE_MS);
  const begun = performance.now();
  const lines = await download(server.url, reader);
  clearInterval(timer);
  if (lines !== FILLS) throw new Error(`The file has ${lines} lines in place of ${FILLS}`);
  return { seconds: (performance.now() - begun) / 1000, grown: most - before };
}

async function run(server: ServerProcess, reader: string, trader: string) {
  const figures = { without: [] as number[], during: [] as number[], grown: [] as number[], seconds: [] as number[] };
  const warm = trade(server.url, trader);
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 500));
  await warm.stop();
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = trade(server.url, trader);
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    await quiet.stop();
    const busy = trade(server.url, trader);
    const { seconds, grown } = await measureFile(server, reader);
    await busy.stop();
    const [without, during] = [percentile(quiet.times, 0.99), percentile(busy.times, 0.99)];
    figures.without.push(without);
    figures.during.push(during);
    figures.grown.push(grown);
    figures.seconds.push(seconds);
    process.stdout.write(
      `p99 without ${without.toFixed(1)} ms (${quiet.times.length} orders), during ${during.toFixed(1)} ms ` +
        `(${busy.times.length}); file in ${seconds.toFixed(1)} s, memory ${memoryOf(server).toFixed(0)} MiB, +${grown.toFixed(0)} MiB at most\n`,
    );
  }
  return figures;
}

const directory = mkdtempSync(join(tmpdir(), 'cambist-csv-'));
const environment = { DATA_DIR: directory, LOG_LEVEL: 'error' };
try {
  const first = await startServerProcess(environment);
  const reader = await signUp(first.url, READER);
  const trader = await signUp(first.url, 'trader@example.test');
  await first.stop();
  const database = await openPglite(directory);
  await fillTrades(database, READER, FILLS);
  await database.close();
  const server = await startServerProcess(environment);
  const { without, during, grown, seconds } = await run(server, reader, trader);
  const alarm = server.output().includes('ALARM') ? ', ALARM' : '';
  await server.stop();
  process.stdout.write(
    `${FILLS.toLocaleString('en')} fills in ${median(seconds).toFixed(1)} s: order p99 ${median(without).toFixed(1)} ms, ` +
      `during the file ${median(during).toFixed(1)} ms, ratio ${(median(during) / median(without)).toFixed(2)} (goal: at most 1.2), ` +
      `memory +${median(grown).toFixed(0)} MiB${alarm}\n`,
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
