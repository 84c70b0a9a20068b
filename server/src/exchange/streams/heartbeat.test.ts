/** Who is let go as silent, whatever is done to the clock. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import type { Streams } from './service.ts';
import { attachStreams } from './test-streams.ts';

const HEARTBEAT_MS = 20_000;
const HOUR_MS = 3_600_000;

let exchange: TestExchange;
let streams: Streams;
let host: string;
let ahead = 0;

beforeAll(async () => {
  exchange = await startTestExchange();
  host = await exchange.listen();
});
afterAll(async () => {
  await exchange.stop();
  await exchange.source.remove();
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  ahead = 0;
  streams = attachStreams(exchange, { clock: { now: () => Date.now() + ahead } });
});
afterEach(async () => {
  await streams.close();
  exchange.http.server.removeAllListeners('upgrade');
  vi.useRealTimers();
});

async function open(autoPong: boolean): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${host}/ws/v5/public`, { autoPong });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  return socket;
}

/** @returns once the peer has the ping, and the server its answer */
async function beat(socket: WebSocket): Promise<void> {
  const pinged = new Promise((resolve) => socket.once('ping', resolve));
  vi.advanceTimersByTime(HEARTBEAT_MS);
  await pinged;
  await new Promise((resolve) => setTimeout(resolve, 20));
}

it.each([HOUR_MS, -HOUR_MS])('who answers stays, though the clock moves by %i ms', async (ms) => {
  const socket = await open(true);
  await beat(socket);
  ahead = ms;
  await beat(socket);
  await beat(socket);
  expect(streams.connectionCount()).toBe(1);
  socket.terminate();
});

it('who answers nothing is let go after a minute', async () => {
  const socket = await open(false);
  for (let count = 0; count < 3; count += 1) await beat(socket);
  expect(streams.connectionCount()).toBe(1);
  vi.advanceTimersByTime(HEARTBEAT_MS);
  expect(streams.connectionCount()).toBe(0);
});
