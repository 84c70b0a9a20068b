/**
 * Serves the built client and the naive page from one address, hands calls on to a real server, and is the public
 * stream itself, at a pace that the benchmark sets.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { createBusyMarket, SYMBOL } from './busy-minute.ts';
import { NAIVE_PAGE } from './naive-page.ts';

const root = join(import.meta.dirname, '../../../web/dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};
/** What the server's own hub gathers for. */
const STEP_MS = 50;

export interface Pace {
  readonly bookUpdatesPerSecond: number;
  readonly tradesPerSecond: number;
}

export interface Host {
  readonly url: string;
  /** Book updates and trades sent so far. */
  sent(): number;
  /** Begins to send, or stops at a pace of zero. */
  setPace(pace: Pace): void;
  close(): Promise<void>;
}

async function handOn(backend: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(backend + (request.url ?? ''), { headers: { accept: 'application/json' } });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function serveFile(path: string, response: ServerResponse): void {
  const isFile = extname(path) !== '';
  const file = isFile ? path : '/index.html';
  try {
    const body = readFileSync(join(root, file));
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

interface Subscribe {
  readonly op?: string;
  readonly args?: readonly { readonly channel: string; readonly instId?: string }[];
}

/** Who listens to the stream, and what they are sent. */
class Stream {
  readonly #market: ReturnType<typeof createBusyMarket>;
  readonly #books = new Set<WebSocket>();
  readonly #trades = new Set<WebSocket>();
  #owed = { books: 0, trades: 0 };
  #last = performance.now();
  sent = 0;
  pace: Pace = { bookUpdatesPerSecond: 0, tradesPerSecond: 0 };

  constructor(seed: number) {
    this.#market = createBusyMarket(seed);
  }

  add(socket: WebSocket): void {
    socket.on('message', (data) => this.#receive(socket, String(data)));
    socket.on('close', () => {
      this.#books.delete(socket);
      this.#trades.delete(socket);
    });
  }

  /** Sends what the pace owes since the last step. */
  step(): void {
    const now = performance.now();
    const seconds = (now - this.#last) / 1_000;
    this.#last = now;
    const books = this.#owed.books + this.pace.bookUpdatesPerSecond * seconds;
    const trades = this.#owed.trades + this.pace.tradesPerSecond * seconds;
    const due = { books: Math.floor(books), trades: Math.floor(trades) };
    if (due.books > 0) this.#send(this.#books, this.#market.updates(due.books), due.books);
    if (due.trades > 0) this.#send(this.#trades, this.#market.trades(due.trades), due.trades);
    this.#owed = { books: books - due.books, trades: trades - due.trades };
  }

  #send(sockets: ReadonlySet<WebSocket>, message: unknown, changes: number): void {
    const frame = JSON.stringify(message);
    for (const socket of sockets) socket.send(frame);
    this.sent += sockets.size * changes;
  }

  #receive(socket: WebSocket, raw: string): void {
    if (raw === 'ping') {
      socket.send('pong');
      return;
    }
    const { op, args = [] } = JSON.parse(raw) as Subscribe;
    for (const arg of args) {
      if (op !== 'subscribe') continue;
      socket.send(JSON.stringify({ event: 'subscribe', arg }));
      if (arg.instId !== SYMBOL) continue;
      if (arg.channel === 'books') {
        socket.send(JSON.stringify(this.#market.snapshot()));
        this.#books.add(socket);
      }
      if (arg.channel === 'trades') this.#trades.add(socket);
    }
  }
}

/** `backend` is a running server; `seed` makes the market. */
export async function startHost(backend: string, seed: number): Promise<Host> {
  const stream = new Stream(seed);
  const http = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname;
    if (path === '/naive') response.writeHead(200, { 'content-type': 'text/html' }).end(NAIVE_PAGE);
    else if (/^\/(api|icons)\//.test(path)) {
      void handOn(backend, request, response).catch(() => response.writeHead(502).end());
    } else serveFile(path, response);
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => stream.add(socket));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const timer = setInterval(() => stream.step(), STEP_MS);
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    sent: () => stream.sent,
    setPace: (next) => {
      stream.pace = next;
    },
    async close() {
      clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
