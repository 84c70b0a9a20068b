/** docs/API.md: its programs do what it says of them, and the calls, operations and channels that it names are there. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STREAM_OPERATIONS } from '@cambist/contract/call.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TRANSACTION_PASSWORD } from './app.ts';
import { signUp } from './fault/traders.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/API.md'), 'utf8');
/** Calls that no key may make and that take an Idempotency-Key all the same. */
const WISHES = [
  ...['/api/v3/transfers', '/api/v3/futures/transfer', '/api/v3/withdrawals', '/api/v3/support/contact'],
  ...['/api/v3/support/conversations', '/api/v3/support/conversations/{id}/messages'],
  '/api/v3/admin/support/conversations/{id}/answer',
];
const CLOSED_WITHIN_MS = 15_000;

interface DescribedCall {
  readonly operationId: string;
  readonly 'x-access': string;
  readonly 'x-keys': string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: { readonly default?: unknown };
}

let directory: string;
let server: ServerProcess;
let environment: NodeJS.ProcessEnv;

async function ask<Answer>(method: string, path: string, token: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

async function newKey(): Promise<string> {
  const token = await signUp(server.url, 'robot@example.test');
  const wish = { label: 'A robot', permissions: ['read', 'trade'] };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = await fetch(`${server.url}/api/v3/api-keys`, { method: 'POST', headers, body: JSON.stringify(wish) });
  const { step_up } = (await asked.json()) as { readonly step_up: { readonly purpose: string; readonly act: string } };
  const { purpose, act } = step_up;
  await ask('POST', '/api/v3/step-up', token, { purpose, act, transaction_password: TRANSACTION_PASSWORD });
  return (await ask<{ key: string }>('POST', '/api/v3/api-keys', token, wish)).key;
}

/** Sides of what is open, in order. */
async function openSides(): Promise<string[]> {
  const key = String(environment.KEY);
  const { orders } = await ask<{ orders: { delegate_type: string }[] }>('GET', '/api/v3/trades/open-orders', key);
  return orders.map((order) => order.delegate_type).sort();
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cambist-api-'));
  for (const [, name = '', program = ''] of text.matchAll(/```js\n\/\/ (\S+)\n(.*?)```/gs)) {
    writeFileSync(join(directory, name), program);
  }
  server = await startServerProcess({ MARKET: 'simulated', DATA_DIR: join(directory, 'data') });
  environment = { ...process.env, EXCHANGE: server.url, KEY: await newKey() };
  // A process with a database of its own takes its time on a busy machine.
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it('the program of one order places it, reads it, and cancels it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['order.mjs'], { cwd: directory, env: environment });
  expect(stdout).toMatch(/^placed \d+ PENDING [\d.]+\nread PENDING\ncancelled DISSAPROVED\n$/);
  expect(await openSides()).toEqual([]);
});

it('the program that quotes has a bid and an ask in the book, of its own alone, and nothing soon after it was killed', async () => {
  const { data } = await ask<{ data: { last: string }[] }>('GET', '/api/v5/market/ticker?instId=BTC-USDT', '');
  const price = (Number(data[0]?.last) * 0.95).toFixed(1);
  const left = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', time_in_force: 'POST_ONLY', price, quantity: '0.02' };
  await ask('POST', '/api/v3/orders', String(environment.KEY), left);
  const program: ChildProcess = spawn(process.execPath, ['quotes.mjs'], { cwd: directory, env: environment });
  let complaints = '';
  program.stderr?.on('data', (chunk) => {
    complaints += String(chunk);
  });
  try {
    await vi.waitFor(async () => expect(await openSides()).toEqual(['BUY', 'SELL']), CLOSED_WITHIN_MS);
  } finally {
    program.kill('SIGKILL');
  }
  await vi.waitFor(async () => expect(await openSides()).toEqual([]), CLOSED_WITHIN_MS);
  expect(complaints).toBe('');
});

/** What a program that goes on prints, until it is killed. */
async function printedBy(name: string, isEnough: (text: string) => boolean): Promise<string> {
  const program = spawn(process.execPath, [name], { cwd: directory, env: environment });
  let printed = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  try {
    await vi.waitFor(() => expect(isEnough(printed)).toBe(true), CLOSED_WITHIN_MS);
  } finally {
    program.kill('SIGKILL');
  }
  return printed;
}

it('the program that keeps a book has the same as the exchange says', async () => {
  const printed = await printedBy('book.mjs', (text) => (text.match(/same/g) ?? []).length >= 10);
  expect(printed).toMatch(/^(\d+ same ask [\d.]+ bid [\d.]+\n)+$/);
});

it('the program that keeps books takes each entry once, to the balance that the exchange says', async () => {
  const key = String(environment.KEY);
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['ledger.mjs'], {
      cwd: directory,
      env: environment,
    });
    const [, news, all, balance] = /^(\d+) new of (\d+), balance ([\d.]+) USDT\n$/.exec(stdout) ?? [];
    return { news: Number(news), all: Number(all), balance };
  };
  const trade = (orders: number) =>
    ask('POST', '/api/v3/orders/batch', key, {
      orders: Array.from({ length: orders }, () => ({
        symbol: 'BTC-USDT',
        side: 'BUY',
        type: 'market',
        quantity: '0.001',
      })),
    });
  await trade(3);
  const first = await run();
  expect(first.news).toBe(first.all);
  expect(first.all).toBeGreaterThan(3);
  await trade(2);
  const second = await run();
  expect(second).toMatchObject({ all: first.all + second.news });
  expect(second.news).toBeGreaterThanOrEqual(2);
  expect(await run()).toEqual({ ...second, news: 0 });
  const { wallet } = await ask<{ wallet: { wallet_balance: string; freeze_balance: string } }>(
    ...(['GET', '/api/v3/wallet-balance?name=USDT', key] as const),
  );
  expect(wallet).toEqual({ wallet_balance: second.balance, freeze_balance: '0.00000000' });
});

it('names calls that keys may make, every operation of the socket, and channels that can be heard', async () => {
  const document = (await (await fetch(`${server.url}/docs/json`)).json()) as {
    info: { description: string };
    components: { schemas: { Problem?: { properties: object } } };
    paths: Record<string, Record<string, DescribedCall>>;
  };
  // The page of all calls begins with it.
  expect(document.info.description).toBe(text);
  const named = [...text.matchAll(/`(GET|POST|PATCH|DELETE) (\/api[^`?]*)/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, method = '', path = ''] of named) {
    const call = document.paths[path]?.[method.toLowerCase()];
    expect(`${path} ${call?.['x-access'] === 'public' || call?.['x-keys'] !== 'never'}`).toBe(`${path} true`);
    expect(call).toBeDefined();
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const names = call.parameters?.map(({ name }) => name) ?? [];
      const isWish = call['x-keys'] === 'trade' || WISHES.some((wish) => path === wish && method === 'post');
      expect(`${method} ${path} ${names.includes('idempotency-key')}`).toBe(`${method} ${path} ${isWish}`);
      expect(JSON.stringify(call.responses.default)).toContain('#/components/schemas/Problem');
      expect(`${method} ${path} ${JSON.stringify(call.responses).includes('stream-moment')}`).toBe(
        `${method} ${path} ${!['public', undefined].includes(call['x-access']) && call['x-keys'] !== 'trade'}`,
      );
    }
  }
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('getOrdersById');
  expect(document.components.schemas.Problem?.properties).toMatchObject({ code: { type: 'string' } });
  for (const operation of STREAM_OPERATIONS) expect(text).toContain(`\`${operation}\``);
  const rows = [...text.matchAll(/^\| `\/ws\/v5\/(public|private)` \| (.*) \|$/gm)];
  expect(rows.map(([, path]) => path)).toEqual(['public', 'private']);
  for (const [, path, channels = ''] of rows) {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/v5/${path}`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const answers: { event?: string; code?: string }[] = [];
    socket.addEventListener('message', ({ data }) => answers.push(JSON.parse(String(data))));
    const names = [...channels.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    if (path === 'private') socket.send(JSON.stringify({ op: 'login', args: [{ token: environment.KEY }] }));
    const instId = (name: string | undefined) => (name === 'index-tickers' ? 'BTC-USDT' : 'BTC-USDT-SWAP');
    const args = names.map((channel) => ({ channel, ...(path === 'public' && { instId: instId(channel) }) }));
    await expect.poll(() => path === 'public' || answers[0]?.event === 'login').toBe(true);
    socket.send(JSON.stringify({ op: 'subscribe', args }));
    const heard = () => answers.filter(({ event }) => event === 'subscribe');
    await expect.poll(() => heard()).toHaveLength(names.length);
    expect(answers.filter(({ event }) => event === 'error')).toEqual([]);
    socket.close();
  }
});
