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

/** `backend` is a running server; `seed` makes the market. */
export async function startHost(backend: string, seed: number): Promise<Host> {
  const market = createBusyMarket(seed);
  const listeners = { books: new Set<WebSocket>(), trades: new Set<WebSocket>() };
  let sent = 0;
  let pace: Pace = { bookUpdatesPerSecond: 0, tradesPerSecond: 0 };

  function send(sockets: ReadonlySet<WebSocket>, message: unknown, changes: number): void {
    const frame = JSON.stringify(message);
    for (const socket of sockets) socket.send(frame);
    sent += sockets.size * changes;
  }

  function receive(socket: WebSocket, raw: string): void {
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
        socket.send(JSON.stringify(market.snapshot()));
        listeners.books.add(socket);
      }
      if (arg.channel === 'trades') listeners.trades.add(socket);
    }
  }

  const http = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname;
    if (path === '/naive') response.writeHead(200, { 'content-type': 'text/html' }).end(NAIVE_PAGE);
    else if (/^\/(api|icons)\//.test(path)) {
      void handOn(backend, request, response).catch(() => response.writeHead(502).end());
    } else serveFile(path, response);
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => receive(socket, String(data)));
    socket.on('close', () => {
      listeners.books.delete(socket);
      listeners.trades.delete(socket);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  let owed = { books: 0, trades: 0 };
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const seconds = (now - last) / 1_000;
    last = now;
    owed = {
      books: owed.books + pace.bookUpdatesPerSecond * seconds,
      trades: owed.trades + pace.tradesPerSecond * seconds,
    };
    const due = { books: Math.floor(owed.books), trades: Math.floor(owed.trades) };
    if (due.books > 0) send(listeners.books, market.updates(due.books), due.books);
    if (due.trades > 0) send(listeners.trades, market.trades(due.trades), due.trades);
    owed = { books: owed.books - due.books, trades: owed.trades - due.trades };
  }, STEP_MS);
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    sent: () => sent,
    setPace: (next) => {
      pace = next;
    },
    async close() {
      clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
