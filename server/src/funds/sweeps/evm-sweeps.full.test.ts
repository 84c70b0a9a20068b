/** Sweeps on a real EVM node, in a whole server. */
import type { ReserveStatement } from '@cambist/contract/liabilities.ts';
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { type EvmClient, type EvmNode, startEvmNode, tokenCodes } from '../../../test/evm-node.ts';
import { createWithdrawing } from '../../../test/withdrawing.ts';
import type { Database } from '../../platform/database.ts';

const ETHER = 10n ** 18n;
const USDT = 10n ** 6n;
let node: EvmNode;
let chain: EvmClient;
let payer: Hex;
/** As USDT, whose transfer answers nothing. */
let token: Hex;
let app: TestApp;
let database: Database;
let hot: Hex;

const held = (address: Hex, at?: bigint) => node.held(token, address, at);
const ether = (address: Hex) => chain.getBalance({ address });

async function pay(to: Hex, coin: 'ETH' | 'USDT', units: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] });
  const call = coin === 'ETH' ? { to, value: units } : { to: token, data };
  const hash = await chain.sendTransaction({ account: payer, ...call, gas: 100_000n });
  await chain.waitForTransactionReceipt({ hash });
}

async function sync(): Promise<void> {
  await app.app.deposits.sync();
  await app.app.sweeps.sync();
  await app.app.payouts.sync();
}

async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    await chain.mine({ blocks: 1 });
    await sync();
  }
}

/** A new client with an address to deposit at. */
async function client(name: string): Promise<{ token: string; address: Hex }> {
  const signedIn = await app.client(name, {});
  const request = { method: 'POST', url: '/api/v3/generate-wallet', token: signedIn } as const;
  const { body } = await app.call({ ...request, payload: { wallet_type: 'ERC20' } });
  const { wallet } = body as unknown as { wallet: { wallet_address: Hex } };
  return { token: signedIn, address: wallet.wallet_address };
}

const sweepsOf = (address: Hex) =>
  database.query<{ id: number; coin: string; state: string; waits_for: string; units: bigint; top_up: bigint | null }>(
    'SELECT id, coin, state, waits_for, units, top_up FROM sweeps WHERE address = $1 ORDER BY id',
    [address.toLowerCase()],
  );

const spot = async (of: { token: string }, coin: string): Promise<string> => {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-history', token: of.token });
  const { deposit } = body as unknown as { deposit: { coin: string; recharge_amount: string }[] };
  return deposit
    .filter((one) => one.coin === coin)
    .map(({ recharge_amount: amount }) => amount)
    .join();
};

/** Once what this node has mined at once is seen in its block. */
async function difference(coin: string): Promise<bigint | undefined> {
  await vi.waitFor(async () => {
    await app.app.payouts.sync();
    const sent = await database.query(`SELECT id FROM payouts WHERE state IN ('PLANNED', 'SIGNED', 'BROADCAST')`);
    expect(sent).toEqual([]);
  });
  await app.app.payouts.compare();
  const [row] = await database.query<{ difference: bigint }>(
    'SELECT chains - ledger AS difference FROM custody_checks WHERE coin = $1',
    [coin],
  );
  return row?.difference;
}

beforeAll(async () => {
  node = await startEvmNode();
  ({ chain } = node);
  [payer] = node.accounts;
  token = await node.deploy(tokenCodes.SilentToken);
  const source = await makeTestDatabase('postgres', 'migrated');
  const opened = await source.open();
  await opened.query(`UPDATE coin_networks SET contract = $1 WHERE coin = 'USDT' AND network = 'ERC20'`, [token]);
  await opened.query(
    `UPDATE coin_networks SET credited_at = 2, unlocked_at = 3, withdraw_confirmations = 3 WHERE network = 'ERC20'`,
  );
  await opened.close();
  app = await startTestApp('postgres', source, { ERC20_RPC_URL: node.url });
  database = await source.open();
  await sync();
  const [row] = await database.query<{ hot_address: Hex }>(
    `SELECT hot_address FROM payout_networks WHERE network = 'ERC20'`,
  );
  hot = row?.hot_address ?? '0x';
  await chain.setBalance({ address: hot, value: 10n * ETHER });
});
afterAll(async () => {
  await database?.close();
  await app?.remove();
  await node?.stop();
});

describe('sweeps by an EVM node', () => {
  it('bring Ether and a token home, with gas for the token that is no deposit, and leave custody even', async () => {
    const [anne, ben] = [await client('sweep-anne'), await client('sweep-ben')];
    const [etherBefore, usdtBefore] = [await difference('ETH'), await difference('USDT')];
    await pay(anne.address, 'ETH', ETHER);
    await pay(ben.address, 'USDT', 5_000n * USDT);
    await mine(1);
    for (let block = 0; block < 14; block += 1) {
      await mine(1);
      expect([await difference('USDT'), block]).toEqual([usdtBefore, block]);
      const off = ((await difference('ETH')) ?? 0n) - (etherBefore ?? 0n);
      // What the ledger's decimals do not hold.
      expect([off >= -1n && off <= 1n, block]).toEqual([true, block]);
    }
    const [own] = await sweepsOf(anne.address);
    const [other] = await sweepsOf(ben.address);
    expect([own?.state, other?.state]).toEqual(['FINAL', 'FINAL']);
    expect([await held(hot), await held(ben.address)]).toEqual([5_000n * USDT, 0n]);
    expect(await ether(anne.address)).toBeLessThan(ETHER / 1000n);
    expect(own?.units).toBeGreaterThan((ETHER * 999n) / 1000n);
    expect([await spot(anne, 'ETH'), await spot(ben, 'USDT'), await spot(ben, 'ETH')]).toEqual([
      '1.00000000',
      '5000.00000000',
      '',
    ]);
  });

  it('count once in what the exchange states that it holds, at each block of a deposit, its gas and its sweep', async () => {
    const set = (depth: number) =>
      database.query(`UPDATE coin_networks SET withdraw_confirmations = $1 WHERE network = 'ERC20'`, [depth]);
    const wd = createWithdrawing(app);
    const operator = await wd.operator('prover');
    const known = await database.query<{ address: Hex }>(`SELECT address FROM deposit_addresses WHERE family = 'EVM'`);
    // Whatever is at addresses is credited, and its sweeps take longer to be final than a deposit to be credited, or less.
    for (const depth of [6, 1]) {
      await set(depth);
      const [fred, gina] = [await client(`stated-fred-${depth}`), await client(`stated-gina-${depth}`)];
      const own = [...known.map(({ address }) => address), fred.address, gina.address, hot];
      known.push({ address: fred.address }, { address: gina.address });
      await pay(fred.address, 'ETH', ETHER);
      await pay(gina.address, 'USDT', 5_000n * USDT);
      await mine(2);
      for (let block = 0; block < 16; block += 1) {
        // A run is of a batch of the ledger.
        await app.client(`stated-${depth}-${block}`, { USDT: '1' });
        await wd.post('/api/v3/admin/liabilities', operator);
        const statement = await wd.get<ReserveStatement>('/api/v3/liabilities/reserves', operator);
        const of = (coin: string) => statement.holdings.filter((one) => one.network === 'ERC20' && one.coin === coin);
        const height = BigInt(of('ETH')[0]?.height ?? 0);
        const stated = ['ETH', 'USDT'].map((coin) => of(coin).reduce((sum, { units }) => sum + BigInt(units), 0n));
        let [coins, tokens] = [0n, 0n];
        for (const address of own) {
          coins += await chain.getBalance({ address, blockNumber: height });
          tokens += await held(address, height);
        }
        expect([depth, block, ...stated]).toEqual([depth, block, coins, tokens]);
        await mine(1);
      }
      for (const { address } of [fred, gina]) expect((await sweepsOf(address))[0]?.state).toBe('FINAL');
    }
    await set(3);
  });

  it('of a coin go on beside a token that has ceased to answer', async () => {
    const dora = await client('sweep-dora');
    await pay(dora.address, 'ETH', ETHER);
    const bytecode = await chain.getCode({ address: token });
    await chain.setCode({ address: token, bytecode: '0x600056' });
    await mine(8);
    const [own] = await sweepsOf(dora.address);
    await chain.setCode({ address: token, bytecode: bytecode ?? '0x' });
    expect(own?.state).toBe('FINAL');
  });

  it('wait where the base fee has risen since the gas was brought, and never bring it twice (fault 22)', async () => {
    const carl = await client('sweep-carl');
    /** Blocks of one base fee, in gwei. */
    async function at(baseFee: bigint, blocks: number): Promise<void> {
      for (let block = 0; block < blocks; block += 1) {
        await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee * 10n ** 9n });
        await mine(1);
      }
    }
    await at(2n, 2);
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 2n * 10n ** 9n });
    await pay(carl.address, 'USDT', 50_000n * USDT);
    await at(2n, 2);
    await at(100n, 8);
    const before = await ether(carl.address);
    const [waiting] = await sweepsOf(carl.address);
    expect([before, waiting?.state, waiting?.waits_for]).toEqual([waiting?.top_up, 'TOPPING_UP', 'FEE']);
    await at(1n, 8);
    expect(await sweepsOf(carl.address)).toMatchObject([{ state: 'FINAL' }]);
    const payouts = await database.query(`SELECT id FROM payouts WHERE purpose = 'top-up' AND reference = $1`, [
      waiting?.id ?? 0,
    ]);
    expect(payouts).toHaveLength(1);
  });

  it('of a token that begins to keep a part are credited and brought as what has come, and custody shows the rest (fault 18)', async () => {
    const charge = async (rate: bigint) => {
      const abi = parseAbi(['function charge(uint256 rate)']);
      const data = encodeFunctionData({ abi, functionName: 'charge', args: [rate] });
      await chain.sendTransaction({ account: payer, to: token, data });
      await mine(1);
    };
    const dora = await client('sweep-dora');
    const [before, hotBefore] = [await difference('USDT'), await held(hot)];
    await charge(100n);
    await pay(dora.address, 'USDT', 10_000n * USDT);
    await mine(14);
    expect(await spot(dora, 'USDT')).toBe('9900.00000000');
    expect(await sweepsOf(dora.address)).toContainEqual(
      expect.objectContaining({ state: 'FINAL', units: 9_900n * USDT }),
    );
    expect([await held(hot), await held(dora.address)]).toEqual([hotBefore + 9_801n * USDT, 0n]);
    expect(await difference('USDT')).toBe((before ?? 0n) - 99n * 100_000_000n);
    await charge(0n);
  });

  it('are followed by payouts that stand still while the chain holds less than the ledger owes (fault 25)', async () => {
    const emma = await client('sweep-emma');
    await pay(emma.address, 'ETH', 3n * ETHER);
    await mine(10);
    const balance = await ether(hot);
    await chain.setBalance({ address: hot, value: ETHER });
    const stopped = async () => {
      await app.app.payouts.compare();
      const [row] = await database.query<{ is_stopped: boolean }>(
        `SELECT is_stopped FROM custody_checks WHERE coin = 'ETH'`,
      );
      return row?.is_stopped;
    };
    // One block may come between two readings.
    expect([await stopped(), await stopped()]).toEqual([false, true]);
    const to = { network: 'ERC20', coin: 'ETH', address: `0x${'ab'.repeat(20)}`, units: ETHER / 10n } as const;
    const payment = { purpose: 'withdrawal', reference: 900, ...to } as const;
    await database.transaction([app.app.payouts.planning(payment, 3, app.now())]);
    const payout = async () => (await app.app.payouts.byReferences('withdrawal', [900]))[0];
    await mine(4);
    expect([await payout(), await ether(to.address as Hex)]).toMatchObject([
      { state: 'PLANNED', waitsFor: 'PAUSED' },
      0n,
    ]);
    await chain.setBalance({ address: hot, value: balance });
    expect(await stopped()).toBe(false);
    await mine(4);
    expect([await payout(), await ether(to.address as Hex)]).toMatchObject([{ state: 'FINAL' }, ETHER / 10n]);
  });
});
