/** Sweeps and what they cost on a node of TRON, in a whole server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestApp } from '../../../test/app.ts';
import { tronElsewhere } from '../../../test/elsewhere.ts';
import { startTronApp, TOKEN, type TronApp } from '../../../test/tron-app.ts';
import { hexOf, type TronNodeOfTests } from '../../../test/tron-node.ts';
import type { Database } from '../../platform/database.ts';

const USDT = 1_000_000n;

interface Shown {
  readonly networks: { network: string; sweeps: { own_coin: string; has_market: boolean } | null }[];
  readonly sweeps: { network: string; state: string; amount: string; waits_for: string }[];
}

describe('sweeps by a node of TRON, in a whole server', () => {
  let tron: TronApp;
  let node: TronNodeOfTests;
  let app: TestApp;
  let database: Database;
  let operator: string;
  let hot: string;

  const ask = (url: string) => app.call({ method: 'GET', url: `/api/v3/${url}`, token: operator });
  async function mine(blocks: number): Promise<void> {
    for (let made = 0; made < blocks; made += 1) {
      app.advance(3000);
      node.chain.mine(1);
      await app.app.deposits.sync();
      await app.app.sweeps.sync();
      await app.app.payouts.sync();
    }
  }
  async function difference(): Promise<bigint | undefined> {
    await app.app.payouts.compare();
    const [row] = await database.query<{ difference: bigint }>(
      `SELECT chains - ledger AS difference FROM custody_checks WHERE coin = 'USDT'`,
    );
    return row?.difference;
  }

  async function isStopped(): Promise<boolean | undefined> {
    const [row] = await database.query<{ is_stopped: boolean }>(
      `SELECT is_stopped FROM custody_checks WHERE coin = 'USDT'`,
    );
    return row?.is_stopped;
  }

  beforeAll(async () => {
    tron = await startTronApp();
    ({ node, app, database, hot } = tron);
    await app.app.accounts.ensure('op@example.test', PASSWORD, 'another-one', 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    operator = String((await app.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
    tron.endow({ trx: 1_000_000_000n, usdt: 500_000n * USDT });
    await mine(1);
  });
  afterAll(() => tron?.stop());

  it('bring a deposit home with custody even at every block, and leave no client with a coin that was never sent', async () => {
    const token = await app.client('sweep-tron', {});
    const payload = { wallet_type: 'TRC20' };
    const { body } = await app.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
    const { wallet_address: address } = (body as unknown as { wallet: { wallet_address: string } }).wallet;
    const before = await difference();
    node.chain.pay(address, { units: 900n * USDT, contract: TOKEN });
    for (let block = 0; block < 66; block += 1) {
      await mine(1);
      expect([block, await difference()]).toEqual([block, before]);
    }
    const { sweeps, networks } = (await ask('admin/hot-and-cold')).body as unknown as Shown;
    expect(sweeps).toMatchObject([{ network: 'TRC20', state: 'FINAL', amount: '900.000000', waits_for: '' }]);
    expect(networks.find(({ network }) => network === 'TRC20')?.sweeps).toMatchObject({ own_coin: 'TRX' });
    expect([node.chain.held(address, TOKEN), node.chain.held(hot, TOKEN)]).toEqual([0n, 500_900n * USDT]);
    const costs = await database.query<{ code: string; booked: bigint; cost: bigint }>(
      `SELECT code, sum(amount)::numeric AS booked, sum(cost)::numeric AS cost
       FROM payout_costs JOIN payouts ON payouts.id = payout JOIN assets ON assets.id = asset GROUP BY code`,
    );
    expect(costs).toMatchObject([{ code: 'TRX', booked: 100n * (costs[0]?.cost ?? 0n) }]);
    const spent = 1_000_000_000n - node.chain.held(hot, null) - node.chain.held(address, null);
    expect(costs[0]?.cost).toBe(spent);
    const { chains } = (await ask('admin/chains')).body as unknown as { chains: { unbooked_cost: object | null }[] };
    expect(chains.map(({ unbooked_cost: cost }) => cost)).toEqual(chains.map(() => null));
    const { deposit } = (await app.call({ method: 'GET', url: '/api/v3/deposit-history', token })).body as unknown as {
      deposit: { coin: string }[];
    };
    expect(deposit.map(({ coin }) => coin)).toEqual(['USDT']);
  });

  it('of a token that begins to keep a part bring less, and payouts stand still while the chain holds too little (faults 18, 25)', async () => {
    const token = await app.client('sweep-charged', {});
    const payload = { wallet_type: 'TRC20' };
    const { body } = await app.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
    const { wallet_address: address } = (body as unknown as { wallet: { wallet_address: string } }).wallet;
    const [before, hotBefore] = [(await difference()) ?? 0n, node.chain.held(hot, TOKEN)];
    // A hundredth of it is more than the hot wallets of all networks have that the ledger does not owe.
    const much = 2_500_000_000n * USDT;
    node.chain.pay(address, { units: much, contract: TOKEN });
    await mine(2);
    node.chain.modes.set(hexOf(TOKEN), 'charges');
    await mine(64);
    node.chain.modes.clear();
    expect(node.chain.held(hot, TOKEN)).toBe(hotBefore + much - much / 100n);
    // One block may come between two readings.
    expect([await difference(), await isStopped()]).toEqual([before - much, false]);
    expect([await difference(), await isStopped()]).toEqual([before - much, true]);
    const payment = { purpose: 'withdrawal', reference: 900, network: 'TRC20', coin: 'USDT', units: USDT } as const;
    const to = tronElsewhere(1);
    await database.transaction([app.app.payouts.planning({ ...payment, address: to }, 20, app.now())]);
    const payout = async () => (await app.app.payouts.byReferences('withdrawal', [900]))[0];
    await mine(22);
    expect([await payout(), node.chain.held(to, TOKEN)]).toMatchObject([{ state: 'PLANNED', waitsFor: 'PAUSED' }, 0n]);
    node.chain.endow(hot, TOKEN, much / 100n);
    expect([await difference(), await isStopped()]).toEqual([before, false]);
    await mine(22);
    expect([await payout(), node.chain.held(to, TOKEN)]).toMatchObject([{ state: 'FINAL' }, USDT]);
  });
});
