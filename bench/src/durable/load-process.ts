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
  /** For each connection, the requests that it repeats: whole HTTP/1.1 messages, or texts for the private socket. */
  readonly requests: readonly (readonly string[])[];
  /** For each connection, what it logs in with on the private socket; without it, HTTP is spoken. */
  readonly tokens?: readonly string[];
  readonly warmUpMs: number;
  /** At most. */
  readonly measureMs: number;
  /** Measured after the warm-up, unless `measureMs` are over before. */
  readonly answers?: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly refused: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of each request that was not refused, in the order of the answers. */
  readonly latenciesMs: readonly number[];
}

interface Totals {
  readonly latenciesMs: number[];
  /** Called at each answer that was measured. */
  measured: () => void;
  refused: number;
  measuring: boolean;
  running: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const ACCEPTED = Buffer.from('HTTP/1.1 2');
const PLACED = Buffer.from('"status":200');

/** How a connection speaks. */
interface Protocol {
  /** What is sent before the first request, one after the other; each is answered. */
  readonly greetings: readonly Buffer[];
  /** Bytes of the first whole answer, 0 when it is not all there. */
  answerLength(bytes: Buffer): number;
  isAccepted(answer: Buffer): boolean;
}

/** Our servers always send Content-Length. */
function httpAnswerLength(bytes: Buffer): number {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return 0;
  const match = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head));
  const total = head + 4 + Number(match?.[1] ?? 0);
  return bytes.length >= total ? total : 0;
}

const http: Protocol = {
  greetings: [],
  answerLength: httpAnswerLength,
  isAccepted: (answer) => answer.subarray(0, ACCEPTED.length).equals(ACCEPTED),
};

/** A text frame as clients write them; masked with zeros, which leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const short = payload.length < 126;
  const header = Buffer.alloc(short ? 6 : 8);
  header[0] = 0x81;
  header[1] = 0x80 | (short ? payload.length : 126);
  if (!short) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

function frameLength(bytes: Buffer): number {
  // The answer to the upgrade is the only one that begins with a letter.
  if (bytes[0] === ACCEPTED[0]) return httpAnswerLength(bytes);
  if (bytes.length < 4) return 0;
  const length = (bytes[1] ?? 0) & 0x7f;
  const total = length === 126 ? 4 + bytes.readUInt16BE(2) : 2 + length;
  return bytes.length >= total ? total : 0;
}

const UPGRADE = [
  'GET /ws/v5/private HTTP/1.1',
  'host: 127.0.0.1',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  '',
  '',
].join('\r\n');

const privateSocket = (token: string): Protocol => ({
  greetings: [Buffer.from(UPGRADE), clientFrame(JSON.stringify({ op: 'login', args: [{ token }] }))],
  answerLength: frameLength,
  isAccepted: (answer) => answer.includes(PLACED),
});

function runConnection(port: number, requests: readonly Buffer[], protocol: Protocol, totals: Totals): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const greetings = [...protocol.greetings];
    let next = 0;
    let sentAt = 0;
    let waiting: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      const greeting = greetings.shift();
      socket.write(greeting ?? requests[next++ % requests.length] ?? '');
    };
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('connect', () => {
      send();
      resolve(socket);
    });
    socket.on('data', (chunk: Buffer) => {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      const length = protocol.answerLength(waiting);
      if (length === 0) return;
      if (totals.measuring) {
        if (protocol.isAccepted(waiting.subarray(0, length))) totals.latenciesMs.push(performance.now() - sentAt);
        else totals.refused += 1;
        totals.measured();
      }
      waiting = waiting.subarray(length);
      if (totals.running) send();
    });
  });
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Measures for the time of the plan, or until it has its answers. @returns seconds that it took */
async function measure({ measureMs, answers = Number.POSITIVE_INFINITY }: LoadPlan, totals: Totals): Promise<number> {
  const started = performance.now();
  const enough = new Promise<void>((resolve) => {
    totals.measured = () => {
      if (totals.latenciesMs.length + totals.refused >= answers) resolve();
    };
  });
  totals.measuring = true;
  await Promise.race([sleep(measureMs), enough]);
  totals.measuring = false;
  return (performance.now() - started) / 1000;
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const totals: Totals = { latenciesMs: [], measured: () => {}, refused: 0, measuring: false, running: true };
  const sockets = await Promise.all(
    plan.requests.map((requests, index) => {
      const token = plan.tokens?.[index];
      const bytes = requests.map((text) => (token === undefined ? Buffer.from(text) : clientFrame(text)));
      return runConnection(plan.port, bytes, token === undefined ? http : privateSocket(token), totals);
    }),
  );
  await sleep(plan.warmUpMs);
  const seconds = await measure(plan, totals);
  totals.running = false;
  for (const socket of sockets) socket.destroy();
  const { latenciesMs, refused } = totals;
  return {
    answered: latenciesMs.length,
    refused,
    seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    latenciesMs,
  };
}

process.once('message', async (plan: LoadPlan) => {
  const result = await run(plan);
  process.send?.(result, () => process.exit(0));
});
