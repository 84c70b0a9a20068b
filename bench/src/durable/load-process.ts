/**
 * The load, in a process of its own: a closed loop over raw sockets, so that the client costs as little as possible
 * and the server is what is measured. Each connection sends its next request when the last answer is complete.
 *
 * Told by one JSON argument; prints one JSON line.
 */
import { connect, type Socket } from 'node:net';
import { percentile } from '../statistics.ts';

export interface LoadPlan {
  readonly port: number;
  /** For each connection, the requests that it repeats, each a whole HTTP/1.1 message. */
  readonly requests: readonly (readonly string[])[];
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly refused: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Totals {
  readonly latenciesMs: number[];
  refused: number;
  measuring: boolean;
  running: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const ACCEPTED = Buffer.from('HTTP/1.1 2');

/** Bytes of the first whole answer, 0 when it is not all there. Our servers always send Content-Length. */
function answerLength(bytes: Buffer): number {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return 0;
  const match = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head));
  const total = head + 4 + Number(match?.[1] ?? 0);
  return bytes.length >= total ? total : 0;
}

function runConnection(port: number, requests: readonly Buffer[], totals: Totals): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let next = 0;
    let sentAt = 0;
    let waiting: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(requests[next % requests.length] ?? '');
      next += 1;
    };
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('connect', () => {
      send();
      resolve(socket);
    });
    socket.on('data', (chunk) => {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      const length = answerLength(waiting);
      if (length === 0) return;
      if (totals.measuring) {
        if (waiting.subarray(0, ACCEPTED.length).equals(ACCEPTED)) totals.latenciesMs.push(performance.now() - sentAt);
        else totals.refused += 1;
      }
      waiting = waiting.subarray(length);
      if (totals.running) send();
    });
  });
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function run(plan: LoadPlan): Promise<LoadResult> {
  const totals: Totals = { latenciesMs: [], refused: 0, measuring: false, running: true };
  const sockets = await Promise.all(
    plan.requests.map((requests) =>
      runConnection(
        plan.port,
        requests.map((text) => Buffer.from(text)),
        totals,
      ),
    ),
  );
  await sleep(plan.warmUpMs);
  totals.measuring = true;
  const started = performance.now();
  await sleep(plan.measureMs);
  totals.measuring = false;
  const seconds = (performance.now() - started) / 1000;
  totals.running = false;
  for (const socket of sockets) socket.destroy();
  const { latenciesMs, refused } = totals;
  return {
    answered: latenciesMs.length,
    refused,
    seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

process.once('message', async (plan: LoadPlan) => {
  const result = await run(plan);
  process.send?.(result, () => process.exit(0));
});
