/** Deposits and payouts of a network that has two nodes: a real one, and one that lags, leaves or tells of another branch. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { LiabilityRun } from '@cambist/contract/liabilities.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { type EvmClient, type EvmNode, startEvmNode } from '../../../test/evm-node.ts';
import type { Database } from '../../platform/database.ts';
import { SPLIT_MS } from '../chains/both-nodes.ts';

const ETHER = 10n ** 18n;

let node: EvmNode;
let chain: EvmClient;
let payer: Hex;
let app: TestApp;
let client: { readonly token: string; readonly address: Hex };
let operator: string;
let database: Database;

/** How the second node sees the chain of the first. */
const second = { isAway: false, behind: 0, forkAt: Number.POSITIVE_INFINITY };

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
interface Block {
  readonly number: Hex;
  readonly hash: Hex;
}

async function ask(asked: Asked): Promise<{ result?: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', ...asked });
  return (await (await fetch(node.url, { method: 'POST', headers, body })).json()) as { result?: unknown };
}

/** Never the same: under two digits of ours, one block in 256 was on both branches. */
const otherHash = (hash: Hex): Hex => `0x${hash[2] === 'f' ? 'e' : 'f'}${hash.slice(3)}`;

/** Another branch from a height on: the same blocks under other hashes. */
const branched = (block: Block) =>
  Number(block.number) < second.forkAt ? block : { ...block, hash: otherHash(block.hash) };

async function answer(asked: Asked): Promise<object> {
  const top = Number((await ask({ id: 1, method: 'eth_blockNumber', params: [] })).result) - second.behind;
  if (asked.method !== 'eth_getBlockByNumber') return ask(asked);
  const [height, ...rest] = asked.params;
  if (height !== 'latest' && Number(height) > top) return { jsonrpc: '2.0', id: asked.id, result: null };
  const wanted = height === 'latest' ? `0x${top.toString(16)}` : height;
  const told = await ask({ ...asked, params: [wanted, ...rest] });
  return told.result ? { ...told, result: branched(told.result as Block) } : told;
}

const door = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    if (second.isAway) return response.destroy();
    const told = await answer(JSON.parse(String(Buffer.concat(chunks))) as Asked);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  });
});

beforeAll(async () => {
  node = await startEvmNode();
  ({ chain } = node);
  [payer] = node.accounts;
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  const source = await makeTestDatabase('postgres', 'migrated');
  app = await startTestApp('postgres', source, { ERC20_RPC_URL: node.url, ERC20_RPC_URL_2: url });
  database = await source.open();
  // What is sent for a sweep would make blocks between those of the tests.
  await database.query('UPDATE sweep_policy SET is_on = false');
  await app.app.deposits.sync();
  const token = await app.client('two-nodes', {});
  const payload = { wallet_type: 'ERC20' };
  const { body } = await app.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
  client = { token, address: (body as unknown as { wallet: { wallet_address: Hex } }).wallet.wallet_address };
  await app.app.accounts.ensure('op@example.test', PASSWORD, 'another', 'operator');
  const entry = { username: 'op@example.test', password: PASSWORD };
  operator = String((await app.call({ method: 'POST', url: '/api/v3/login', payload: entry })).body.token);
}, 60_000);
afterAll(async () => {
  await database?.close();
  await app?.remove();
  door.close();
  await node?.stop();
});

async function mine(blocks: number): Promise<void> {
  await chain.mine({ blocks });
  await app.app.deposits.sync();
}
/** In a block of its own, before any that is mined afterwards. */
async function send(): Promise<void> {
  const hash = await chain.sendTransaction({ account: payer, to: client.address, value: ETHER });
  await chain.waitForTransactionReceipt({ hash });
}

async function states(): Promise<string[]> {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-history', token: client.token });
  return (body as unknown as { deposit: { state: string }[] }).deposit.map(({ state }) => state);
}

interface ChainCard {
  readonly network: string;
  readonly trouble: string | null;
  readonly nodes: { readonly head: number | null }[];
}
async function card(): Promise<ChainCard> {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/admin/chains', token: operator });
  return (body as unknown as { chains: ChainCard[] }).chains.find(({ network }) => network === 'ERC20')!;
}

async function alarms(): Promise<string[]> {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/admin/alarms', token: operator });
  const { alarms: raised } = body as unknown as { alarms: { kind: string }[] };
  return raised.map(({ kind }) => kind).filter((kind) => kind === 'nodes-disagree');
}

it('credits what both have, and waits for the one that is behind (fault 15)', async () => {
  expect(app.app.sweeps.serves('ERC20')).toBe(true);
  second.behind = 4;
  await send();
  await mine(6);
  expect(await states()).toEqual(['SEEN']);
  const { nodes } = await card();
  expect(nodes[0]!.head! - nodes[1]!.head!).toBe(4);
  second.behind = 0;
  await app.app.deposits.sync();
  expect(await states()).toEqual(['CREDITED']);
}, 60_000);

it('stops by itself with one alarm while both go on disagreeing, says so, and goes on when they agree (fault 15)', async () => {
  second.forkAt = Number(await chain.getBlockNumber({ cacheTime: 0 })) + 1;
  await send();
  await mine(8);
  expect([(await states())[0], (await card()).trouble]).toEqual(['CREDITED', null]);
  expect(await states()).toHaveLength(1);
  app.advance(SPLIT_MS);
  await app.app.deposits.sync();
  await app.app.deposits.sync();
  expect((await card()).trouble).toBe('SPLIT');
  expect(await alarms()).toEqual(['nodes-disagree']);
  for (const url of ['/api/v3/deposit-networks', '/api/v3/withdraw-networks']) {
    const { body } = await app.call({ method: 'GET', url, token: client.token });
    expect(JSON.stringify(body), url).toContain('"trouble":"SPLIT"');
  }
  second.forkAt = Number.POSITIVE_INFINITY;
  await app.app.deposits.sync();
  expect((await card()).trouble).toBeNull();
  expect(await states()).toEqual(['CREDITED', 'CREDITED']);
  await app.app.deposits.sync();
  expect(await alarms()).toEqual(['nodes-disagree']);
}, 60_000);

it('believes nothing new while one is away, and finds it once both are there', async () => {
  second.isAway = true;
  await send();
  await mine(8);
  expect(await states()).toHaveLength(2);
  expect((await card()).nodes.map(({ head }) => head !== null)).toEqual([true, false]);
  second.isAway = false;
  await app.app.deposits.sync();
  expect(await states()).toEqual(['CREDITED', 'CREDITED', 'CREDITED']);
}, 60_000);

const RECEIVER: Hex = '0x00000000000000000000000000000000000abc01';

async function plan(reference: number): Promise<void> {
  const of = { purpose: 'withdrawal', network: 'ERC20', coin: 'ETH' } as const;
  const payment = { ...of, reference, address: RECEIVER, units: ETHER };
  await database.transaction([app.app.payouts.planning(payment, 3, app.now())]);
  await sync();
}

async function sync(): Promise<void> {
  await app.app.deposits.sync();
  await app.app.payouts.sync();
}

async function payout(reference: number): Promise<{ state: string; waits_for: string } | undefined> {
  const sql = 'SELECT state, waits_for FROM payouts WHERE reference = $1';
  return (await database.query<{ state: string; waits_for: string }>(sql, [reference]))[0];
}

it('ends a payout by what both have, and signs none while one is away', async () => {
  await sync();
  const sql = `SELECT hot_address FROM payout_networks WHERE network = 'ERC20'`;
  const [row] = await database.query<{ hot_address: Hex }>(sql);
  await chain.setBalance({ address: row!.hot_address, value: 10n * ETHER });
  await plan(1);
  expect(await payout(1)).toMatchObject({ state: 'BROADCAST' });
  second.forkAt = Number(await chain.getBlockNumber({ cacheTime: 0 })) + 1;
  await chain.mine({ blocks: 7 });
  await sync();
  expect((await payout(1))?.state).not.toBe('FINAL');
  // Away before it leaves its branch: what is being asked meanwhile would hear both agree.
  second.isAway = true;
  await sync();
  second.forkAt = Number.POSITIVE_INFINITY;
  await plan(2);
  expect([(await payout(1))?.state === 'FINAL', await payout(2)]).toEqual([
    ...[false, { state: 'PLANNED', waits_for: 'NODE' }],
  ]);
  second.isAway = false;
  await sync();
  await sync();
  expect((await payout(1))?.state).toBe('FINAL');
  await chain.mine({ blocks: 3 });
  await sync();
  expect((await payout(2))?.state).toBe('FINAL');
  expect(await chain.getBalance({ address: RECEIVER })).toBe(2n * ETHER);
}, 60_000);

it('states what the hot wallet held at a block that stays, and which contracts could not be read there', async () => {
  const [row] = await database.query<{ hot_address: Hex }>(
    `SELECT hot_address FROM payout_networks WHERE network = 'ERC20'`,
  );
  await chain.mine({ blocks: 10 });
  await chain.setBalance({ address: row!.hot_address, value: ETHER });
  await mine(2);
  const { body } = await app.call({ method: 'POST', url: '/api/v3/admin/liabilities', token: operator });
  const { run } = body as unknown as { run: LiabilityRun };
  const held = run.reserves?.holdings.find(
    (one) => one.network === 'ERC20' && one.coin === 'ETH' && one.kind === 'hot',
  );
  const at = await chain.getBlock({ blockNumber: BigInt(held?.height ?? 0) });
  expect(held?.hash).toBe(at.hash);
  expect(Number(await chain.getBlockNumber({ cacheTime: 0 })) - (held?.height ?? 0)).toBe(5);
  const balance = await chain.getBalance({ address: row!.hot_address, blockNumber: at.number });
  expect(held?.amount).toBe(formatAmount(balance, 18));
  expect(balance).not.toBe(ETHER);
  expect(run.reserves?.signers).toContain(held?.address);
  // This chain has none of the contracts that are listed.
  const unread = { network: 'ERC20', coin: 'USDT', height: held?.height, hash: held?.hash };
  expect(run.reserves?.unread).toContainEqual(unread);
  expect(run.reserves?.holdings.filter(({ network, coin }) => network === 'ERC20' && coin === 'USDT')).toEqual([]);
  expect(run.reserves?.holdings.some(({ network, coin }) => network === 'TRC20' && coin === 'USDT')).toBe(true);
  const file = join(app.source.environment.DATA_DIR ?? '', 'unread-reserves.json');
  writeFileSync(file, (await app.app.http.inject({ url: `/api/v3/liabilities/reserves?batch=${run.batch}` })).body);
  const script = new URL('../../../../web/public/verify-reserves.mjs', import.meta.url).pathname;
  const { status, stdout } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  expect([status, /^USDT .*; not read, and not counted, on ERC20$/m.test(stdout)]).toEqual([0, true]);
}, 60_000);
