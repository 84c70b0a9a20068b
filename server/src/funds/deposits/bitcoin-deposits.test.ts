/** Deposits on a real Bitcoin node. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type BitcoinTestNode, startBitcoinNode } from '../../../test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '../../../test/bitcoin-program.ts';
import { makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import { keyHashAddress, scriptOf } from '../chains/bitcoin-addresses.ts';

const isMissing = (await findBitcoinProgram()) === undefined;

interface Shown {
  readonly state: string;
  readonly recharge_amount: string;
  readonly confirmations: number;
}

let bitcoin: BitcoinTestNode;
let source: TestDatabase;
let app: TestApp;
let client: { readonly token: string; readonly address: string };
let clients = 0;

/** What the server asks the node goes through here: refused while it is closed, redirected, or answered by nonsense. */
const door: { state: 'open' | 'closed' | 'elsewhere' | 'endless' } = { state: 'open' };
const doorServer = createServer((request, answer) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    if (door.state === 'closed') return answer.destroy();
    if (door.state === 'elsewhere') return answer.writeHead(307, { location: new URL(bitcoin.url).origin }).end();
    if (door.state === 'endless') return answer.end(`{"result":"${'0'.repeat(9_000_000)}"}`);
    const { authorization = '' } = request.headers;
    const { origin } = new URL(bitcoin.url);
    const from = await fetch(origin, { method: 'POST', headers: { authorization }, body: Buffer.concat(chunks) });
    return answer.writeHead(from.status).end(await from.text());
  });
});

const start = (network = 'regtest') => {
  const { username, password } = new URL(bitcoin.url);
  const { port } = doorServer.address() as AddressInfo;
  const url = `http://${username}:${password}@127.0.0.1:${port}`;
  return startTestApp('postgres', source, { BTC_RPC_URL: url, BTC_NETWORK: network });
};

const ask = async <Body>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Body> =>
  (await app.call({ method, url, token: client.token, ...(payload ? { payload } : {}) })).body as unknown as Body;
const deposits = async () => (await ask<{ deposit: Shown[] }>('GET', '/api/v3/deposit-history')).deposit;
const states = async () => (await deposits()).map(({ state }) => state);
const sign = async (raw: string): Promise<string> =>
  z.object({ hex: z.string() }).parse(await bitcoin.call('signrawtransactionwithwallet', raw)).hex;
const sync = () => app.app.deposits.sync();
async function mine(blocks: number): Promise<void> {
  await bitcoin.mine(blocks);
  await sync();
}
/** The coins of a transaction that is in no block go back to their payer. */
async function takeBack(transaction: string): Promise<void> {
  const { vin } = z
    .object({ vin: z.array(z.object({ txid: z.string(), vout: z.number() })) })
    .parse(await bitcoin.call('getrawtransaction', transaction, true));
  const own = z.string().parse(await bitcoin.call('getnewaddress'));
  const raw = z.string().parse(await bitcoin.call('createrawtransaction', vin, [{ [own]: '0.001' }]));
  await bitcoin.call('sendrawtransaction', await sign(raw), 0);
}
async function trouble(): Promise<string | null | undefined> {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-networks' });
  const { coins } = body as unknown as { coins: { networks: { value: string; trouble: string | null }[] }[] };
  return coins.flatMap(({ networks }) => networks).find(({ value }) => value === 'BTC')?.trouble;
}
/** There is no market that says what it is worth, so two operators approve. */
async function approve(wd: Withdrawing, withdrawal: string | undefined): Promise<void> {
  for (const name of ['first', 'second']) {
    const operator = await wd.operator(name);
    await wd.treasury(operator);
    await wd.post(`/api/v3/admin/withdrawals/${withdrawal}/approve`, operator);
  }
}
const held = async () => {
  const { wallet } = await ask<{ wallet: { name: string; coin_value: string }[] }>('GET', '/api/v3/wallets/spot');
  return wallet.find(({ name }) => name === 'BTC')?.coin_value;
};

describe('deposits from a Bitcoin node', () => {
  beforeAll(async () => {
    if (isMissing) return;
    bitcoin = await startBitcoinNode();
    await new Promise<void>((resolve) => doorServer.listen(0, '127.0.0.1', resolve));
    source = await makeTestDatabase('postgres', 'migrated');
    app = await start();
    await sync();
  });
  beforeEach(({ skip }) => skip(isMissing, withoutBitcoinNode()));
  beforeEach(async () => {
    clients += 1;
    client = { token: await app.trader(`btc-${clients}`, {}), address: '' };
    const { wallet } = await ask<{ wallet: { wallet_address: string } }>('POST', '/api/v3/generate-wallet', {
      wallet_type: 'BTC',
    });
    client = { ...client, address: wallet.wallet_address };
  });
  afterAll(async () => {
    await app?.remove();
    doorServer.close();
    await bitcoin?.stop();
  });

  it('count from the first block on and never before, each output by itself (fault 20)', async () => {
    expect(client.address).toMatch(/^bcrt1q/);
    // Twice to the same address, in one transaction that pays the payer's own change as well.
    // Twice to the same address: the node makes it with another one, in whose place ours is put.
    const other = keyHashAddress(Buffer.alloc(20, 7), 'regtest');
    const outputs = { [client.address]: '0.4', [other]: '0.25' };
    const named = Object.entries(outputs).map(([address, amount]) => ({ [bitcoin.addressHere(address)]: amount }));
    const [ours, theirs] = [client.address, other].map(
      (address) => scriptOf(address, 'regtest')?.toString('hex') ?? '',
    );
    const raw = z.string().parse(await bitcoin.call('createrawtransaction', [], named));
    const funded = await bitcoin.call('fundrawtransaction', raw.replace(theirs ?? '', ours ?? ''));
    const signed = await sign(z.object({ hex: z.string() }).parse(funded).hex);
    await bitcoin.call('sendrawtransaction', signed);
    await sync();
    expect(await deposits()).toEqual([]);
    await mine(1);
    expect((await deposits()).map((one) => [one.state, one.recharge_amount, one.confirmations]).sort()).toEqual([
      ['SEEN', '0.25000000', 1],
      ['SEEN', '0.40000000', 1],
    ]);
    await mine(4);
    expect([await states(), Number(await held())]).toEqual([['SEEN', 'SEEN'], 0]);
    await mine(1);
    expect([await states(), Number(await held())]).toEqual([['UNLOCKED', 'UNLOCKED'], 0.65]);
  });

  it('that are replaced before their block are none, and what replaces them counts as it is (fault 21)', async () => {
    const first = await bitcoin.pay({ [client.address]: '0.5' });
    await sync();
    await takeBack(first);
    await bitcoin.call('bumpfee', await bitcoin.pay({ [client.address]: '0.7' }));
    await mine(6);
    expect((await deposits()).map((one) => one.recharge_amount)).toEqual(['0.70000000']);
  });

  it('leave with a reorganization, and come once where their transaction is mined again (faults 11, 12)', async () => {
    const lost = await bitcoin.pay({ [client.address]: '0.5' });
    await mine(6);
    expect([await states(), Number(await held())]).toEqual([['UNLOCKED'], 0.5]);
    await bitcoin.drop(6);
    // A branch without it, deep enough to be believed.
    await bitcoin.mineEmpty(7);
    await sync();
    expect([await states(), Number(await held())]).toEqual([['REVERSED'], 0]);
    await mine(1);
    expect([(await deposits()).map((one) => [one.state, one.confirmations]), Number(await held())]).toEqual([
      [['SEEN', 1]],
      0,
    ]);
    await mine(5);
    expect([await states(), Number(await held())]).toEqual([['UNLOCKED'], 0.5]);
    expect(await bitcoin.call('getrawtransaction', lost, true)).toMatchObject({ confirmations: 6 });
  });

  it('that are spent otherwise once their client has withdrawn are owed, and paid by what comes next (fault 13)', async () => {
    const wd = createWithdrawing(app);
    const payload = { wallet_type: 'BTC' };
    const token = await app.trader(`btc-other-${clients}`, {});
    const { body } = await wd.post<{ wallet: { wallet_address: string } }>('/api/v3/generate-wallet', token, payload);
    const wish = { coin: 'BTC', bchain_name: 'BTC', withdraw_address: body.wallet.wallet_address };
    const send = async (withdraw_amount: string) => {
      const verification = await wd.code(`btc-${clients}`, client.token);
      return wd.withdraw(client.token, { ...wish, withdraw_amount, verification });
    };
    const deposit = await bitcoin.pay({ [client.address]: '0.5' });
    await mine(6);
    const sent = await send('0.5');
    expect(sent).toMatchObject({ status: 200 });
    await approve(wd, sent.body.withdrawal?.id);
    await app.app.withdrawals.sync();
    expect([Number(await held()), (await wd.balance(token, 'BTC'))[0]]).toEqual([0, '0.5']);
    await bitcoin.drop(6);
    await takeBack(deposit);
    await mine(8);
    expect([await states(), Number(await held())]).toEqual([['REVERSED'], 0]);
    expect(await send('0.1')).toMatchObject({ body: { code: 'DEPOSIT_REVERSED' } });
    await bitcoin.pay({ [client.address]: '0.75' });
    await mine(6);
    expect([await states(), Number(await held())]).toEqual([['UNLOCKED', 'REVERSED'], 0.25]);
  });

  it('of a block’s new coins wait for an operator: they may not be spent for a hundred blocks (fault 20)', async () => {
    await bitcoin.mineTo(client.address, 1);
    await mine(6);
    expect(await deposits()).toEqual([]);
    const database = await source.open();
    const rows = await database.query<{ contract: string; units: bigint }>(
      `SELECT contract, units FROM unlisted_deposits WHERE address = $1`,
      [client.address],
    );
    await database.close();
    expect(rows).toEqual([{ contract: 'coinbase', units: 5_000_000_000n }]);
  });

  it('can be withdrawn: what chains hold and what the ledger owes agree at every step (faults 24, 25)', async () => {
    const wd = createWithdrawing(app);
    const database = await source.open();
    const [{ hot_address: hot = '' } = {}] = await database.query<{ hot_address: string }>(
      `SELECT hot_address FROM payout_networks WHERE network = 'BTC'`,
    );
    await bitcoin.pay({ [client.address]: '1', [hot]: '2' });
    await mine(6);
    const difference = async () => {
      await app.app.payouts.compare();
      const rows = await database.query<{ rest: bigint; is_stopped: boolean }>(
        `SELECT chains - ledger AS rest, is_stopped FROM custody_checks WHERE coin = 'BTC'`,
      );
      return rows[0];
    };
    const before = { rest: 200_000_000n, is_stopped: false };
    // The node may still be counting the coins of the hot wallet.
    await expect.poll(difference, { timeout: 20_000 }).toEqual(before);
    const to = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';
    const wish = { coin: 'BTC', bchain_name: 'BTC', withdraw_address: to, withdraw_amount: '0.4' };
    const send = async (changed: object) =>
      wd.withdraw(client.token, { ...wish, verification: await wd.code(`btc-${clients}`, client.token), ...changed });
    // Of another network, one letter off, one's own, and the wallet that pays.
    for (const address of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', to.replace('xlx', 'xlz'), client.address, hot])
      expect((await send({ withdraw_address: address })).status).toBe(422);
    const sent = await send({});
    expect(sent.status).toBe(200);
    await approve(wd, sent.body.withdrawal?.id);
    for (let step = 0; step < 4; step += 1) {
      await app.app.withdrawals.sync();
      await app.app.payouts.sync();
      expect(await difference()).toEqual(before);
      await mine(step === 2 ? 62 : 1);
    }
    await app.app.payouts.sync();
    await app.app.withdrawals.sync();
    expect((await wd.history(client.token))[0]).toMatchObject({ state: 'PROCEED', confirmations: 64 });
    expect(await difference()).toEqual(before);
    const script = scriptOf(to, 'regtest')?.toString('hex');
    expect(await bitcoin.call('scantxoutset', 'start', [`raw(${script})`])).toMatchObject({
      total_amount: '0.39993200',
    });
    await database.close();
  });

  it('are found afterwards when node or server were away, and no other node is believed (faults 14, 15)', async () => {
    await bitcoin.pay({ [client.address]: '0.125' });
    await bitcoin.mine(3);
    for (const state of ['closed', 'elsewhere', 'endless'] as const) {
      door.state = state;
      await sync();
      app.advance(31_000);
      await sync();
      expect([state, await deposits(), await trouble()]).toEqual([state, [], 'AWAY']);
    }
    door.state = 'open';
    await sync();
    expect([(await deposits()).map((one) => one.recharge_amount), await trouble()]).toEqual([['0.12500000'], null]);
    await app.stop();
    await bitcoin.pay({ [client.address]: '0.25' });
    await bitcoin.mine(40);
    app = await start();
    await sync();
    expect([await states(), Number(await held())]).toEqual([['UNLOCKED', 'UNLOCKED'], 0.375]);
    await app.stop();
    app = await start('signet');
    await sync();
    expect(await trouble()).toBe('AWAY');
  });
});
