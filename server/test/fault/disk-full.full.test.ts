/**
 * A disk that takes nothing more below the embedded database: its log cannot be written, which ends a server of PostgreSQL. The
 * exchange answers that nothing was done, and goes on by itself once there is room, with everything that it acknowledged.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../databases.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { type Acknowledged, send, signUp } from './traders.ts';

let source: TestDatabase;
let server: ServerProcess;
let token: string;
let orders = 0;
const TRADERS = 8;

beforeAll(async () => {
  source = await makeTestDatabase('pglite', 'migrated');
  server = await startServerProcess({ ...source.environment, UNAVAILABLE_SECONDS: '300' });
  token = await signUp(server.url, 'trader@example.test');
}, 240_000);
afterAll(async () => {
  await server?.kill();
  await source?.remove();
});

function place(): Promise<Acknowledged> {
  orders += 1;
  const price = (50_000 - orders).toFixed(1);
  const body = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price, quantity: '0.001' };
  return send(server.url, { key: `order ${orders}`, token, method: 'POST', path: '/api/v3/orders', body });
}

/** The largest size that a file may have, for what writes to one. */
const limitFiles = (bytes: string) => execFileSync('prlimit', [`--pid=${server.processId}`, `--fsize=${bytes}:`]);

async function openOrders(): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.url}/api/v3/trades/open-orders?limit=500`, { headers });
  const { orders: open } = (await answer.json()) as { orders: { id: string }[] };
  return open.map(({ id }) => id);
}

const isReady = async () => (await fetch(`${server.url}/readyz`)).ok;

// By prlimit, of util-linux.
it.skipIf(process.platform !== 'linux')(
  'answers that nothing was done, and goes on once there is room',
  { timeout: 240_000 },
  async () => {
    const acknowledged: string[] = [];
    const placeAll = async (count: number) => {
      for (let done = 0; done < count; done += 1) {
        const { status, orderId } = await place();
        expect(status).toBe(200);
        acknowledged.push(orderId);
      }
    };
    await placeAll(20);
    for (let times = 0; times < 2; times += 1) {
      limitFiles('0');
      // What became of the one whose commit meets it is not known before there is room, and is not waited for.
      const first = await place();
      expect([first.status, first.code]).toEqual([503, 'OUTCOME_UNKNOWN']);
      await expect.poll(isReady, { timeout: 30_000 }).toBe(false);
      expect((await place()).status).toBe(503);
      // It is opened anew meanwhile, which it must not be before there is room.
      await sleep(4_000);
      limitFiles('unlimited');
      await expect.poll(isReady, { timeout: 120_000 }).toBe(true);
      const { status, orderId } = await send(server.url, first.intent);
      expect(status).toBe(200);
      acknowledged.push(orderId);
      await placeAll(5);
    }
    expect((await openOrders()).sort()).toEqual(acknowledged.sort());
    // Not a table alone, which is an error like others.
    expect(server.output()).toContain('could not write to log file');
  },
);

it.skipIf(process.platform !== 'linux')(
  'also where the log has no room for its next segment, which ends the database in the middle of an answer',
  { timeout: 240_000 },
  async () => {
    // A segment of the log is a file of 16 MiB.
    limitFiles('16000000');
    let isOver = false;
    let placed = 0;
    const told = new Set<number>();
    const placeOn = async (trader: number) => {
      while (!isOver) {
        const { status } = await place();
        if (status === 200) {
          placed += 1;
          continue;
        }
        told.add(trader);
        await sleep(100);
      }
    };
    const traders = Array.from({ length: TRADERS }, (_, trader) => placeOn(trader));
    await expect.poll(isReady, { timeout: 120_000, interval: 200 }).toBe(false);
    // Nobody waits for the room, not even whose order the database has broken off with.
    await expect.poll(() => told.size, { timeout: 30_000 }).toBe(TRADERS);
    limitFiles('unlimited');
    await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
    const before = placed;
    await expect.poll(() => placed, { timeout: 20_000 }).toBeGreaterThan(before + 20);
    isOver = true;
    await Promise.all(traders);
  },
);
