/**
 * Thousands of subscribers in a process of their own. Each counts the bytes that it gets; one in a hundred also reads
 * every message, to count updates and to measure how old a trade is when it arrives.
 */
import { connect } from 'node:net';

export interface ReadersReport {
  readonly bytes: number;
  /** Updates that one reading subscriber got, on average. */
  readonly updates: number;
  readonly messages: number;
  /** Ages of trades in ms, sorted. */
  readonly delays: readonly number[];
  readonly closed: number;
  /** Of this process since the last report, user and system. */
  readonly cpuMs: number;
}

const READING_SHARE = 100;
const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';

const counts = { bytes: 0, updates: 0, messages: 0, closed: 0, reading: 0 };
let delays: number[] = [];
let cpu = process.cpuUsage();

/** A masked text frame of less than 65,536 bytes; a mask of zeros leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header =
    length < 126 ? Buffer.from([0x81, 0x80 | length]) : Buffer.from([0x81, 0xfe, length >> 8, length & 255]);
  return Buffer.concat([header, Buffer.alloc(4), Buffer.from(text)]);
}

function readMessage(text: string): void {
  const message = JSON.parse(text) as {
    arg?: { channel: string };
    action?: string;
    data?: Record<string, string & unknown[]>[];
  };
  if (message.data === undefined || message.action === 'snapshot') return;
  counts.messages += 1;
  for (const row of message.data) {
    if (message.arg?.channel !== 'trades') {
      counts.updates += row.asks!.length + row.bids!.length;
      continue;
    }
    counts.updates += 1;
    delays.push(Date.now() - Number(row.ts));
  }
}

/** @returns what is left of an unfinished frame */
function readFrames(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = bytes[at + 1]! & 127;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length - at < header) break;
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    if (bytes.length - at < header + length) break;
    if ((bytes[at]! & 15) === 1) readMessage(bytes.toString('utf8', at + header, at + header + length));
    at += header + length;
  }
  return bytes.subarray(at);
}

/** One buffer for all sockets: nothing is kept of what is only counted. */
const shared = Buffer.alloc(256 * 1024);

/** Called with each piece that arrived after the handshake. */
function createReceiver(isReading: boolean): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    counts.bytes += bytes.length;
    if (isReading) rest = Buffer.from(readFrames(rest.length === 0 ? bytes : Buffer.concat([rest, bytes])));
  };
}

function open(port: number, path: string, isReading: boolean, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const receive = createReceiver(isReading);
    let head = '';
    const onHead = (bytes: Buffer) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      if (!head.startsWith('HTTP/1.1 101')) reject(new Error(head.slice(0, 100)));
      if (request !== '') socket.write(clientFrame(request));
      resolve();
    };
    const callback = (length: number) => {
      const bytes = shared.subarray(0, length);
      if (head.includes('\r\n\r\n')) receive(bytes);
      else onHead(bytes);
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer: shared, callback } }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n\r\n`);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      counts.closed += 1;
    });
  });
}

async function openAll(port: number, path: string, count: number, request: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const isReading = index % READING_SHARE === 0;
    if (isReading) counts.reading += 1;
    await open(port, path, isReading, request);
  }
}

process.on(
  'message',
  (order: { kind: 'open' | 'report'; port: number; path: string; count: number; request: string }) => {
    if (order.kind === 'open') {
      openAll(order.port, order.path, order.count, order.request).then(
        () => process.send?.('open'),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
      return;
    }
    const { bytes, closed, reading } = counts;
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const report: ReadersReport = {
      bytes,
      closed,
      updates: counts.updates / reading,
      messages: counts.messages / reading,
      delays: delays.sort((left, right) => left - right),
      cpuMs: (user + system) / 1000,
    };
    process.send?.(report);
    delays = [];
    Object.assign(counts, { bytes: 0, updates: 0, messages: 0 });
  },
);
process.on('disconnect', () => process.exit(0));
