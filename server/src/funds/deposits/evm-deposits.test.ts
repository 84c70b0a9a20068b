/** Deposits on a real EVM node. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { concat, encodeAbiParameters, getAddress, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { deployment, type EvmClient, type EvmNode, startEvmNode } from '../../../test/evm-node.ts';

const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ETHER = 10n ** 18n;

/** The end of a call whose third word is not zero is that it is undone. */
const undone = (offset: number) =>
  concat(['0x60403515', '0x60', numberToHex(offset, { size: 1 }), '0x57', '0x60006000fd', '0x5b00']);

/** The smallest token: a call with (to, amount, undone) logs a transfer from the caller. */
const token = concat(['0x602035600052', '0x600035', '0x33', '0x7f', TRANSFER, '0x60206000a3', undone(60)]);

/** Sends on what comes with a call of (to, ·, undone). */
const forwarder = concat(['0x6000600060006000', '0x34', '0x600035', '0x5af150', undone(27)]);

/** Leaves all that it has to the first word of a call, and destroys itself. */
const mortal: Hex = '0x600035ff';

/** Makes the same call of another contract, and goes on however that ends. */
const careless = (of: Hex) => concat(['0x3660006000', '0x37', '0x6000600036600034', '0x73', of, '0x5af15000']);

interface Shown {
  readonly coin: string;
  readonly state: string;
  readonly recharge_amount: string;
  readonly confirmations: number;
}

let node: EvmNode;
let chain: EvmClient;
let payer: Hex;
let otherPayer: Hex;
let contracts: {
  readonly listed: Hex;
  readonly fake: Hex;
  readonly forward: Hex;
  readonly careless: Hex;
  readonly mortal: Hex;
};
let app: TestApp;
let client: { readonly token: string; readonly address: Hex };
let clients = 0;

/** What the server asks the node goes through here, and is not answered while it is closed; traces may be refused instead. */
const door: { isOpen: boolean; traces: object | undefined } = { isOpen: true, traces: undefined };
const doorServer = createServer((request, answer) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    if (!door.isOpen) return answer.destroy();
    const headers = { 'content-type': 'application/json' };
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string };
    if (door.traces !== undefined && asked.method.startsWith('debug_'))
      return answer.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...door.traces }));
    const from = await fetch(node.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
    return answer.writeHead(from.status, headers).end(await from.text());
  });
});

async function openDoor(): Promise<string> {
  await new Promise<void>((resolve) => doorServer.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(doorServer.address() as AddressInfo).port}`;
}

const deploy = (runtime: Hex) => node.deploy(deployment(runtime));

const words = (to: Hex, amount = 0n, isUndone = false) =>
  encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
    [to, amount, isUndone ? 1n : 0n],
  );

/** In a block of its own, also where it fails. */
async function send(to: Hex, value: bigint, data?: Hex): Promise<void> {
  const hash = await chain.sendTransaction({ account: payer, to, value, gas: 300_000n, ...(data ? { data } : {}) });
  await chain.waitForTransactionReceipt({ hash });
}

const deposits = async (): Promise<Shown[]> => {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-history', token: client.token });
  return (body as unknown as { deposit: Shown[] }).deposit;
};

async function trouble(): Promise<string | null | undefined> {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-networks' });
  const { coins } = body as unknown as { coins: { networks: { value: string; trouble: string | null }[] }[] };
  return coins.flatMap(({ networks }) => networks).find(({ value }) => value === 'ERC20')?.trouble;
}

/** What operators were told of traces, the oldest first. */
const alarms = async () =>
  (
    await app.database.query<{ detail: string }>(`SELECT detail FROM alarms WHERE kind = 'traces-refused' ORDER BY id`)
  ).map(({ detail }) => detail);

async function mine(blocks: number): Promise<void> {
  await chain.mine({ blocks });
  await app.app.deposits.sync();
}

beforeAll(async () => {
  node = await startEvmNode();
  ({ chain } = node);
  [payer, otherPayer] = node.accounts;
  const [listed, fake, forward] = [await deploy(token), await deploy(token), await deploy(forwarder)];
  contracts = { listed, fake, forward, careless: await deploy(careless(forward)), mortal: await deploy(mortal) };
  // The operator lists the token of this chain.
  const source = await makeTestDatabase('postgres', 'migrated');
  const database = await source.open();
  await database.query(`UPDATE coin_networks SET contract = $1 WHERE coin = 'USDT' AND network = 'ERC20'`, [listed]);
  await database.close();
  app = await startTestApp('postgres', source, { ERC20_RPC_URL: await openDoor() });
  await app.app.deposits.sync();
});
beforeEach(async () => {
  clients += 1;
  const token = await app.client(`evm-${clients}`, {});
  const payload = { wallet_type: 'ERC20' };
  const { body } = await app.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
  client = { token, address: (body as unknown as { wallet: { wallet_address: Hex } }).wallet.wallet_address };
});
afterAll(async () => {
  await app?.remove();
  doorServer.close();
  await node?.stop();
});

describe('deposits from an EVM node', () => {
  it('are Ether and listed tokens, by transactions that succeeded', async () => {
    await send(client.address, ETHER / 2n);
    await send(contracts.listed, 0n, words(client.address, 12_500_000n));
    await send(contracts.listed, 0n, words(client.address, 7_000_000n, true));
    await send(contracts.listed, 0n, words(client.address, 0n));
    await send(contracts.fake, 0n, words(client.address, 9_000_000n));
    await mine(5);
    const [usdt, eth, ...others] = await deposits();
    expect(others).toEqual([]);
    expect(usdt).toMatchObject({ coin: 'USDT', recharge_amount: '12.50000000', state: 'CREDITED' });
    expect(eth).toMatchObject({ coin: 'ETH', recharge_amount: '0.50000000', state: 'CREDITED' });
    await mine(60);
    expect((await deposits()).map(({ state }) => state)).toEqual(['UNLOCKED', 'UNLOCKED']);
  });

  it('are Ether that a contract sends on too, and none that was undone with its call (faults 17, 19)', async () => {
    await send(contracts.forward, ETHER, words(client.address));
    await send(contracts.forward, 2n * ETHER, words(client.address, 0n, true));
    await send(contracts.careless, 4n * ETHER, words(client.address));
    await send(contracts.careless, 8n * ETHER, words(client.address, 0n, true));
    await mine(6);
    expect((await deposits()).map(({ recharge_amount: amount }) => amount)).toEqual(['4.00000000', '1.00000000']);
  });

  it('are Ether that a contract leaves as it destroys itself, and nothing where it has none (fault 19)', async () => {
    await send(contracts.mortal, ETHER, words(client.address));
    await send(contracts.mortal, 2n * ETHER, words(client.address));
    // It has nothing to leave.
    await send(contracts.mortal, 0n, words(client.address));
    await mine(6);
    expect((await deposits()).map(({ recharge_amount: amount }) => amount)).toEqual(['2.00000000', '1.00000000']);
  });

  it('show what a wallet of one’s own has, by the same node (T-calls-43, T-calls-57)', async () => {
    const own = '0x00000000000000000000000000000000000a11ce';
    await send(own, 3n * ETHER);
    await send(contracts.listed, 0n, words(own, 12_500_000n));
    await send(contracts.fake, 0n, words(own, 9_000_000n));
    const ask = (wallet: string) =>
      app.call({
        method: 'GET',
        url: `/api/v3/web3-connect?provider=Test&uid=7&web3_wallet=${wallet}`,
        token: client.token,
      });
    const { body } = await ask(own);
    expect(body).toMatchObject({
      message: 'success',
      web3: {
        wallet_address: getAddress(own),
        eth_balance: '3.000000000000000000',
        history: [{ coin: 'USDT', direction: 'IN', amount: '12.500000' }],
        lists_eth: false,
        is_development: false,
      },
    });
    expect(await ask('0x12')).toMatchObject({ status: 422 });
    door.isOpen = false;
    const refused = await ask('0x00000000000000000000000000000000000a11cf');
    door.isOpen = true;
    expect(refused).toMatchObject({ status: 503, body: { code: 'NETWORK_AWAY' } });
  });

  it('leave with a reorganization, and come once where their transaction is mined again', async () => {
    await send(client.address, ETHER);
    const other = { account: otherPayer, to: contracts.listed, data: words(client.address, 12_500_000n) };
    const moved = await chain.sendTransaction(other);
    const raw = await chain.request({ method: 'eth_getRawTransactionByHash' as never, params: [moved] as never });
    await mine(6);
    expect((await deposits()).map(({ state }) => state)).toEqual(['CREDITED', 'CREDITED']);
    await chain.request({ method: 'anvil_reorg' as never, params: [8, [[raw, 3]]] as never });
    await mine(2);
    const [usdt, eth] = await deposits();
    expect(eth).toMatchObject({ coin: 'ETH', state: 'REVERSED', confirmations: 0 });
    expect(usdt).toMatchObject({ coin: 'USDT', state: 'CREDITED', confirmations: 7 });
    const { body } = await app.call({ method: 'GET', url: '/api/v3/wallets/spot', token: client.token });
    const held = (body as unknown as { wallet: { name: string; coin_value: string }[] }).wallet;
    expect(held.filter(({ coin_value: value }) => Number(value) > 0)).toMatchObject([{ name: 'USDT' }]);
  });

  it.each([
    ['of a whole block', { error: { code: -32000, message: 'required historical state unavailable (reexec=128)' } }],
    ['of each transaction', { result: [{ txHash: `0x${'1'.repeat(64)}`, error: 'Resource not found' }] }],
  ])(
    'wait where the node refuses traces %s, of which an operator is told once, and are found afterwards',
    async (_, refusal) => {
      const told = await alarms();
      door.traces = refusal;
      await send(client.address, ETHER);
      await chain.mine({ blocks: 6 });
      await app.app.deposits.sync();
      app.advance(31_000);
      for (let times = 0; times < 3; times += 1) await app.app.deposits.sync();
      expect([await deposits(), await trouble()]).toEqual([[], 'AWAY']);
      expect((await alarms()).slice(told.length)).toEqual([
        expect.stringMatching(/^The node of ERC20 does not trace block \d+: (required historical|Resource not found)/),
      ]);
      door.traces = undefined;
      await app.app.deposits.sync();
      expect([(await deposits()).map(({ state }) => state), await trouble()]).toEqual([['CREDITED'], null]);
    },
  );

  it('are found afterwards when the node was away, which the network says meanwhile', async () => {
    door.isOpen = false;
    await send(client.address, ETHER);
    await chain.mine({ blocks: 6 });
    await app.app.deposits.sync();
    app.advance(31_000);
    await app.app.deposits.sync();
    expect([await deposits(), await trouble()]).toEqual([[], 'AWAY']);
    door.isOpen = true;
    await app.app.deposits.sync();
    expect([(await deposits()).map(({ state }) => state), await trouble()]).toEqual([['CREDITED'], null]);
  });
});
