/** Connections on which nothing moves, and requests that never end; the timeouts are shortened at the listening app. */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { anyKind } from '../../test/databases.ts';
import { capacityFor } from './capacity.ts';
import { superviseConnections } from './connections.ts';
import { createLogger } from './logger.ts';
import { createProxies } from './proxies.ts';

let server: TestApp;
let port: number;
let asBuilt: Pick<Server, 'timeout' | 'headersTimeout' | 'requestTimeout'>;

const STALL_MS = 400;

beforeAll(async () => {
  server = await startTestApp(anyKind);
  const { http } = server.app;
  const { timeout, headersTimeout, requestTimeout } = http.server;
  asBuilt = { timeout, headersTimeout, requestTimeout };
  http.server.setTimeout(STALL_MS);
  http.server.headersTimeout = 500;
  http.server.requestTimeout = 800;
  await http.listen({ port: 0, host: '127.0.0.1' });
  port = (http.server.address() as { port: number }).port;
});
afterAll(() => server.remove());

/** @returns when the server has closed the connection, in ms, or undefined while it is open after the patience */
function closedAfter(socket: Socket, patienceMs: number): Promise<number | undefined> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(performance.now() - begun);
    });
    socket.on('error', () => undefined);
  });
}

const open = () =>
  new Promise<Socket>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
  });

const page = '/docs/json';

it('a connection may be still for half a minute, headers take ten seconds and a request fifteen', () => {
  expect(asBuilt).toEqual({ timeout: 30_000, headersTimeout: 10_000, requestTimeout: 15_000 });
});

it('an answer that nobody reads is given up', async () => {
  const socket = await open();
  socket.pause();
  // The document is large; asked for often enough it fills what the system buffers between the two.
  for (let count = 0; count < 60; count += 1) socket.write(`GET ${page} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const held = () =>
    new Promise<number>((resolve) => server.app.http.server.getConnections((_error, count) => resolve(count)));
  await expect.poll(held, { timeout: 10_000, interval: 100 }).toBe(0);
  socket.destroy();
});

it('an answer that is read slowly arrives whole', async () => {
  const socket = await open();
  let length = 0;
  const expected = (await server.app.http.inject(page)).rawPayload.length;
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      length += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
      if (length >= expected) resolve();
    });
  });
  socket.write(`GET ${page} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await whole;
});

it.each([
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body that never ends', 'POST /api/v3/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'],
  ['nothing at all', ''],
])('a request with %s is closed, though a byte arrives now and then', async (_name, beginning) => {
  const socket = await open();
  socket.resume();
  socket.write(beginning);
  const drip = setInterval(() => beginning !== '' && socket.writable && socket.write('a'), 100);
  expect(await closedAfter(socket, 8000)).toBeDefined();
  clearInterval(drip);
});

it('an order that waits for the database longer than a connection may be still is answered', async () => {
  const token = await server.trader('waiting', { USDT: '1000' });
  const { journal } = server.app.engine;
  const append = journal.append.bind(journal);
  Object.assign(journal, {
    append: async (...row: Parameters<typeof append>) => {
      await new Promise((resolve) => setTimeout(resolve, STALL_MS * 3));
      return append(...row);
    },
  });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v3/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'slow' },
    body: JSON.stringify({ symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.01' }),
  });
  Object.assign(journal, { append });
  expect(answer.status).toBe(200);
});

it('a stream outlives the time in which a connection may be still', async () => {
  const socket = await open();
  socket.resume();
  socket.write(
    'GET /ws/v5/public HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  expect(await closedAfter(socket, STALL_MS * 4)).toBeUndefined();
  socket.destroy();
});

it('a small limit of files serves few, a smaller one nobody, and most of a large one is for connections', () => {
  expect(capacityFor(399)).toBeUndefined();
  expect(capacityFor(400)).toEqual({ connections: 26, connectionsPerAddress: 16, servedFiles: 12 });
  expect(capacityFor(1024)).toEqual({ connections: 338, connectionsPerAddress: 84, servedFiles: 168 });
  expect(capacityFor(20_000)).toEqual({ connections: 18_626, connectionsPerAddress: 1000, servedFiles: 512 });
});

it('addresses of one network of IPv6 share what one address may open', () => {
  const http = Object.assign(new EventEmitter(), { setTimeout: () => undefined, keepAliveTimeout: 0 });
  const deps = { app: { server: http, addHook: () => undefined }, capacity: capacityFor(10_000) };
  const figures = superviseConnections({
    ...deps,
    proxies: createProxies(0),
    logger: createLogger('silent'),
  } as unknown as Parameters<typeof superviseConnections>[0]);
  for (let at = 0; at < 2000; at += 1) {
    const remoteAddress = `2001:db8::${at.toString(16)}`;
    http.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy: () => undefined }));
  }
  expect(figures()).toEqual({ connections: 1000, refusedConnections: 1000 });
});
