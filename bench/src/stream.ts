/**
 * Fan-out of one busy market over loopback to subscribers in another process: our hub beside a naive `ws` broadcast,
 * which writes each change as JSON for each client. Both start from the same seeded changes. The naive server sets its own
 * pace, as fast as it can; the hub is offered a steady stream many times faster. Delays are from change to arrival, the
 * hub's merging included. The last run has as many subscribers as a process may open files here. It ends by itself.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { BTC_USDT } from '@cambist/core/simulation/markets.ts';
import { Streams } from '@cambist/server/exchange/streams/service.ts';
import { createLogger } from '@cambist/server/platform/logger.ts';
import { Moments } from '@cambist/server/platform/moments.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import { createBusyMarket } from './stream/market.ts';
import type { ReadersReport } from './stream/readers.ts';

const SPEC = BTC_USDT;
const SEED = 17;
/** Subscribers, and the changes a second that are offered to the hub. */
const RUNS = [
  { count: 1_000, changesPerSecond: 2_000 },
  { count: 5_000, changesPerSecond: 700 },
  { count: 19_500, changesPerSecond: 150 },
];
const RUN_MS = 6_000;
const STEP_MS = 5;
/** The naive server gets as many changes as keep it busy for some seconds. */
const NAIVE_SENDS = 400_000;
const GOAL = { count: 5_000, ratio: 20 };
const GOAL_DELAY_MS = 100;

interface Result {
  readonly deliveredPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly megabytesPerSecond: number;
  /** What a subscriber costs this process, resident. */
  readonly kilobytesEach: number;
  /** Parts of a core: of this process, and of the subscribers'. */
  readonly cores: readonly [number, number];
}

const print = (line: string) => process.stdout.write(`${line}\n`);

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function openReaders(port: number, path: string, count: number, request: string): Promise<ChildProcess> {
  const child = fork(new URL('./stream/readers.ts', import.meta.url));
  const opened = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the readers ended early')));
  });
  child.send({ kind: 'open', port, path, count, request });
  await opened;
  return child;
}

function report(child: ChildProcess): Promise<ReadersReport> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as ReadersReport));
    child.send({ kind: 'report' });
  });
}

/** Waits until nothing more arrives. @returns all that was read, and when the last of it came */
async function drain(child: ChildProcess): Promise<{ total: ReadersReport; endedAt: number }> {
  let total = await report(child);
  let endedAt = performance.now();
  for (;;) {
    await wait(250);
    const more = await report(child);
    if (more.bytes === 0) return { total, endedAt };
    endedAt = performance.now();
    total = {
      bytes: total.bytes + more.bytes,
      updates: total.updates + more.updates,
      messages: total.messages + more.messages,
      delays: [...total.delays, ...more.delays].sort((left, right) => left - right),
      closed: more.closed,
      cpuMs: total.cpuMs + more.cpuMs,
    };
  }
}

interface Run {
  readonly count: number;
  readonly begun: number;
  readonly cpu: NodeJS.CpuUsage;
  /** By how many bytes the process has grown with its subscribers. */
  readonly grown: number;
}

async function resultOf(child: ChildProcess, { count, begun, cpu, grown }: Run): Promise<Result> {
  const { total, endedAt } = await drain(child);
  child.disconnect();
  const { user, system } = process.cpuUsage(cpu);
  const elapsedMs = endedAt - begun;
  if (total.closed > 0) throw new Error(`${total.closed} subscribers were let go`);
  if (total.updates === 0) throw new Error('Nothing was delivered');
  const at = (share: number) => total.delays[Math.floor(total.delays.length * share)] ?? Number.NaN;
  return {
    deliveredPerSecond: (total.updates * count * 1000) / elapsedMs,
    p50: at(0.5),
    p99: at(0.99),
    megabytesPerSecond: total.bytes / 1000 / elapsedMs,
    kilobytesEach: grown / 1024 / count,
    cores: [(user + system) / 1000 / elapsedMs, total.cpuMs / elapsedMs],
  };
}

async function measureHub(count: number, changesPerSecond: number): Promise<Result> {
  const market = createBusyMarket(SPEC, SEED);
  const server = createServer();
  const streams = new Streams({
    catalogue: { listed: [{ spec: SPEC }], perpetuals: [] } as never,
    marketData: market.marketData,
    feed: { subscribe: () => () => undefined, appliedBatch: 0, committedBatch: 0 },
    view: {} as never,
    views: {} as never,
    moments: new Moments(),
    orders: { isOpen: () => false, cancelOrders: async () => [] },
    authority: {
      authenticate: () => undefined,
      blockOf: () => undefined,
      onEnd: () => () => undefined,
      onState: () => () => undefined,
    },
    clock: Date,
    logger: createLogger('silent'),
    limits: { connectionsPerAddress: count, connections: count },
  });
  streams.attach(server);
  const port = await listen(server);
  const args = ['books', 'trades'].map((channel) => ({ channel, instId: SPEC.symbol }));
  const before = process.memoryUsage().rss;
  const child = await openReaders(port, '/ws/v5/public', count, JSON.stringify({ op: 'subscribe', args }));
  await wait(500);
  await report(child);
  const grown = process.memoryUsage().rss - before;
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  let made = 0;
  while (performance.now() - begun < RUN_MS) {
    const due = ((performance.now() - begun) / 1000) * changesPerSecond;
    for (; made < due; made += 1) market.change();
    await wait(STEP_MS);
  }
  const result = await resultOf(child, { count, begun, cpu, grown });
  await streams.close();
  server.close();
  return result;
}

async function measureNaive(count: number): Promise<Result> {
  const market = createBusyMarket(SPEC, SEED);
  const server = createServer();
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false });
  const clients = new Set<WebSocket>();
  webSockets.on('connection', (client) => clients.add(client));
  const port = await listen(server);
  const before = process.memoryUsage().rss;
  const child = await openReaders(port, '/', count, '');
  await wait(500);
  await report(child);
  const grown = process.memoryUsage().rss - before;
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  for (let sent = 0; sent < NAIVE_SENDS; sent += count) {
    const message = market.change();
    for (const client of clients) client.send(JSON.stringify(message));
    await wait(0);
  }
  const result = await resultOf(child, { count, begun, cpu, grown });
  webSockets.close();
  server.closeAllConnections();
  for (const client of clients) client.terminate();
  server.close();
  return result;
}

const line = (name: string, { deliveredPerSecond, p50, p99, megabytesPerSecond, kilobytesEach, cores }: Result) =>
  `${name.padEnd(8)} ${Math.round(deliveredPerSecond).toLocaleString('en').padStart(12)} updates/s` +
  `   p50 ${p50} ms   p99 ${p99} ms   ${megabytesPerSecond.toFixed(0)} MB/s` +
  `   ${kilobytesEach.toFixed(1)} KiB each   cores ${cores.map((share) => share.toFixed(2)).join(' and readers ')}`;

let isMet = true;
for (const { count, changesPerSecond } of RUNS) {
  if (process.env.BENCH_READERS !== undefined && Number(process.env.BENCH_READERS) !== count) continue;
  print(`${count.toLocaleString('en')} subscribers of books and trades`);
  const naive = await measureNaive(count);
  print(line('naive', naive));
  const hub = await measureHub(count, changesPerSecond);
  print(line('cambist', hub));
  const ratio = hub.deliveredPerSecond / naive.deliveredPerSecond;
  const addedMs = hub.p99 - naive.p99;
  isMet &&= (count !== GOAL.count || ratio >= GOAL.ratio) && addedMs <= GOAL_DELAY_MS;
  print(`ratio    ${ratio.toFixed(1)} ×   added to p99 ${addedMs} ms`);
}
print(
  `goal: at least ${GOAL.ratio} × at ${GOAL.count.toLocaleString('en')}, at most ${GOAL_DELAY_MS} ms added to p99: ${isMet ? 'met' : 'not met'}`,
);
