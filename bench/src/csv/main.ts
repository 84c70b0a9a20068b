/**
 * Orders while a client's fills are written as CSV, over the same without: on a PGlite that holds `BENCH_FILLS` fills of one
 * client, `BENCH_ROUNDS` pairs of short windows of `BENCH_ORDERS` orders each, one beside a download and one without, which of
 * them first in turn, so that what the machine does besides falls on both alike. Then one file to its end: whether it is
 * whole, and how much more memory the process holds while it is written. It ends by itself.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPglite } from '@cambist/server/platform/pglite.ts';
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import { applyLoad } from '../durable/apply-load.ts';
import { orderRequests } from '../durable/orders.ts';
import { median, percentile } from '../statistics.ts';
import { fillTrades } from './fill-trades.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
const FILLS = Number(process.env.BENCH_FILLS ?? 200_000);
const ORDERS = Number(process.env.BENCH_ORDERS ?? 5_000);
const GOAL = 1.2;
const TRADERS = 4;
const WARM_UP_MS = 1_000;
const WINDOW_PATIENCE_MS = 60_000;
/** After a download is given up, for what it had begun in the server. */
const REST_MS = 500;
const SAMPLE_MS = 200;
const READER = 'reader@example.test';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Reads a file and keeps nothing of it. @returns its lines, the heading not counted, once it has ended or was given up */
async function download(url: string, token: string, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v3/trades/trade-histories.csv`, { headers, signal });
  if (answer.status !== 200 || answer.body === null) throw new Error(`The file was answered ${answer.status}`);
  let lines = -1;
  try {
    for await (const chunk of answer.body) for (const byte of chunk) if (byte === 10) lines += 1;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return lines;
}

/** Files one after the other until they are stopped. @returns how to stop, which says how many lines were read */
function keepDownloading(url: string, token: string): () => Promise<number> {
  const controller = new AbortController();
  const read = async () => {
    let lines = 0;
    while (!controller.signal.aborted) lines += await download(url, token, controller.signal);
    return lines;
  };
  const reading = read();
  return async () => {
    controller.abort();
    return reading;
  };
}

/** Times of so many orders in ms, the warm-up left out. */
async function timeOrders(url: string, requests: string[][]): Promise<readonly number[]> {
  const port = Number(new URL(url).port);
  const plan = { port, requests, warmUpMs: WARM_UP_MS, measureMs: WINDOW_PATIENCE_MS, answers: ORDERS };
  const { latenciesMs, refused } = await applyLoad(plan);
  if (refused > 0 || latenciesMs.length < ORDERS) throw new Error(`${refused} refused, ${latenciesMs.length} answered`);
  return latenciesMs.slice(0, ORDERS);
}

interface Window {
  readonly times: readonly number[];
  /** Of files that were read meanwhile. */
  readonly lines: number;
}

async function measureWindow(url: string, reader: string, requests: string[][], hasFile: boolean): Promise<Window> {
  const stop = hasFile ? keepDownloading(url, reader) : async () => 0;
  const times = await timeOrders(url, requests);
  const lines = await stop();
  if (hasFile && lines < 1) throw new Error('No line of the file was read meanwhile');
  await wait(REST_MS);
  return { times, lines };
}

const p99 = (times: readonly number[]) => percentile(times, 0.99);

async function measureOrders(url: string, reader: string, requests: string[][]): Promise<void> {
  const windows: { without: Window; beside: Window }[] = [];
  await measureWindow(url, reader, requests, true);
  for (let round = 0; round < ROUNDS; round += 1) {
    const isFileFirst = round % 2 === 1;
    const first = await measureWindow(url, reader, requests, isFileFirst);
    const second = await measureWindow(url, reader, requests, !isFileFirst);
    const [without, beside] = isFileFirst ? [second, first] : [first, second];
    windows.push({ without, beside });
    print(
      `p99 without ${p99(without.times).toFixed(1)} ms, beside a file ${p99(beside.times).toFixed(1)} ms (${beside.lines} lines)`,
    );
  }
  const medians = (pick: (pair: (typeof windows)[number]) => number) => median(windows.map(pick));
  const without = medians((pair) => p99(pair.without.times));
  const beside = medians((pair) => p99(pair.beside.times));
  const pooled = (pick: (pair: (typeof windows)[number]) => Window) => p99(windows.flatMap((pair) => pick(pair).times));
  const [allWithout, allBeside] = [pooled((pair) => pair.without), pooled((pair) => pair.beside)];
  print(
    [
      `${windows.length} pairs of windows of ${ORDERS.toLocaleString('en')} orders`,
      `medians of p99   ${without.toFixed(1)} ms without, ${beside.toFixed(1)} ms beside a file, ratio ${(beside / without).toFixed(2)}`,
      `pooled p99       ${allWithout.toFixed(1)} ms without, ${allBeside.toFixed(1)} ms beside a file, ratio ${(allBeside / allWithout).toFixed(2)}`,
      `median           ${medians((pair) => median(pair.without.times)).toFixed(1)} ms without, ${medians((pair) => median(pair.beside.times)).toFixed(1)} ms beside a file`,
      `goal: ratio of the medians at most ${GOAL}: ${beside / without <= GOAL ? 'met' : 'not met'}`,
    ].join('\n'),
  );
}

/** Resident memory of the server, MiB. */
function memoryOf({ processId }: ServerProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function measureFile(server: ServerProcess, reader: string): Promise<void> {
  const before = memoryOf(server);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(server));
  }, SAMPLE_MS);
  const begun = performance.now();
  const lines = await download(server.url, reader, new AbortController().signal);
  clearInterval(timer);
  if (lines !== FILLS) throw new Error(`The file has ${lines} lines in place of ${FILLS}`);
  const seconds = (performance.now() - begun) / 1000;
  print(
    `a whole file of ${FILLS.toLocaleString('en')} fills in ${seconds.toFixed(1)} s, memory ${before.toFixed(0)} MiB, +${(most - before).toFixed(0)} MiB at most`,
  );
}

const directory = mkdtempSync(join(tmpdir(), 'cambist-csv-'));
const environment = { DATA_DIR: directory, LOG_LEVEL: 'error' };
try {
  const first = await startServerProcess(environment);
  const reader = await signUp(first.url, READER);
  const tokens: string[] = [];
  for (let trader = 0; trader < TRADERS; trader += 1)
    tokens.push(await signUp(first.url, `trader-${trader}@example.test`));
  await first.stop();
  const database = await openPglite(directory);
  await fillTrades(database, READER, FILLS);
  await database.close();
  const server = await startServerProcess(environment);
  await measureOrders(server.url, reader, orderRequests(tokens, 200));
  await measureFile(server, reader);
  if (server.output().includes('ALARM')) throw new Error('The server raised an alarm');
  await server.stop();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
