/** A server that may open few files, and thousands of connections: it refuses them, lives, and forgets no order. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFileLimit } from '../../src/platform/capacity.ts';
import { makeTestDatabase, type TestDatabase } from '../databases.ts';
import { startServerProcess } from '../server-process.ts';
import { signUp } from './traders.ts';

const FILES = 440;
/** This process has a limit too. */
const SOCKETS = Math.min(3000, Math.floor((openFileLimit() ?? 4096) / 2));
let source: TestDatabase;
let data: string;

/** Only Linux tells. */
const openFilesOf = (processId: number) =>
  process.platform === 'linux' ? readdirSync(`/proc/${processId}/fd`).length : 0;

beforeAll(async () => {
  source = await makeTestDatabase('pglite', 'migrated');
  data = source.environment.DATA_DIR;
});
afterAll(() => source.remove());

it('a limit too small to serve anyone stops the start with what to do', async () => {
  await expect(startServerProcess({ DATA_DIR: data }, 200)).rejects.toThrow(/open 200 files; it needs at least 400/);
});

it(`lives through ${SOCKETS} connections and keeps what it acknowledged meanwhile`, { timeout: 300_000 }, async () => {
  const before = await startServerProcess({ DATA_DIR: data }, FILES);
  const token = await signUp(before.url, 'files@example.test');
  await before.stop();
  // Begun anew, the database has yet to open the files of what nobody has asked for.
  const server = await startServerProcess({ DATA_DIR: data }, FILES);
  const port = Number(new URL(server.url).port);
  // From another loopback address: the crowd's may be full.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, path: string, key: string, body?: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          localAddress: '127.0.0.2',
          agent,
          method,
          path,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        },
        (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
      );
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const payload = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '100', quantity: '0.01' };
  const order = (key: string) => ask('POST', '/api/v3/orders', key, payload);
  expect(await order('first')).toBe(200);

  const crowd: Socket[] = [];
  const acknowledged = ['first'];
  for (let count = 0; count < SOCKETS; count += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${count % 250}` });
    socket.on('error', () => undefined);
    socket.once('connect', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)));
    crowd.push(socket);
    if (count % 100 !== 0) continue;
    const key = `crowd-${count}-${randomBytes(3).toString('hex')}`;
    if ((await order(key)) === 200) acknowledged.push(key);
  }
  expect(acknowledged.length).toBe(1 + SOCKETS / 100);
  // What is kept back is there for the database at the worst moment.
  expect(FILES - openFilesOf(server.processId)).toBeGreaterThan(100);
  for (const path of ['/api/v3/alerts', '/api/v3/notifications', '/api/v3/profile', '/api/v3/account/exports']) {
    expect({ path, status: await ask('GET', path, 'read') }).toEqual({ path, status: 200 });
  }
  for (const socket of crowd) socket.destroy();
  await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status, { timeout: 10_000 }).toBe(200);
  const figures = await (await fetch(`${server.url}/metrics`)).text();
  expect(Number(/^cambist_connections_refused_total (\d+)$/m.exec(figures)?.[1])).toBeGreaterThan(100);
  agent.destroy();
  await server.kill();

  const next = await startServerProcess({ DATA_DIR: data }, FILES);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${next.url}/api/v3/trades/open-orders?limit=100`, { headers });
  const { orders } = (await answer.json()) as { orders: unknown[] };
  expect(orders).toHaveLength(acknowledged.length);
  await next.kill();
});
