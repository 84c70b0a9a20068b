/** Chains and payouts as an operator works with them, on a whole server. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../test/app.ts';
import { createWithdrawing } from '../../../test/withdrawing.ts';
import type { Database } from '../../platform/database.ts';
import { NodeFailure } from '../chains/service.ts';

interface Shown {
  readonly chains: {
    network: string;
    payouts_paused: boolean;
    trouble: string | null;
    hot_wallet: { address: string; balances: { coin: string; amount: string }[] | null; short: unknown[] } | null;
  }[];
  readonly signer: { state: string; is_in_process: boolean };
  readonly payouts: {
    id: string;
    state: string;
    waits_for: string;
    transaction: string | null;
    replacements: number;
  }[];
  readonly custody: { coin: string; ledger: string; chains: string; difference: string; is_stopped: boolean }[];
}

const STRANGER = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

describe('chains as an operator sees them', () => {
  let server: TestApp;
  let operator: string;
  let database: Database;

  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    server.call({ method, url, token: operator, ...(payload ? { payload } : {}) });
  const shown = async () => (await ask('GET', '/api/v3/admin/chains')).body as unknown as Shown;
  const chainOf = async (network: string) => (await shown()).chains.find((chain) => chain.network === network);
  const reason = 'Tried in a test';

  beforeAll(async () => {
    server = await startTestApp('postgres');
    await server.app.accounts.ensure('op@example.test', PASSWORD, 'another-one', 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
    await ask('POST', '/api/v3/step-up', { purpose: 'treasury', transaction_password: 'another-one' });
    await server.app.deposits.sync();
    database = await server.source.open();
  });
  afterAll(async () => {
    await database.close();
    await server.remove();
  });

  /** As a withdrawal does, with numbers that none of this test gets. */
  async function plan(reference: number, units: bigint): Promise<string> {
    const payment = {
      reference: 1_000_000 + reference,
      purpose: 'withdrawal',
      network: 'ERC20',
      coin: 'USDT',
      address: STRANGER,
      units,
    } as const;
    await database.transaction([server.app.payouts.planning(payment, 3, server.now())]);
    await server.app.payouts.sync();
    return (await shown()).payouts.find(({ state }) => state !== 'FINAL' && state !== 'FAILED')?.id ?? '';
  }

  it('have a signer in the process, and hot wallets with coins that development gave them', async () => {
    const { signer, chains } = await shown();
    expect(signer).toEqual({ state: 'READY', is_in_process: true });
    const ethereum = chains.find(({ network }) => network === 'ERC20');
    expect(ethereum?.hot_wallet?.balances).toEqual([
      { coin: 'ETH', amount: '1000.000000000000000000' },
      { coin: 'USDT', amount: '10000000.000000' },
      { coin: 'USDC', amount: '10000000.000000' },
    ]);
    expect(server.app.payouts.isOwnAddress('ERC20', ethereum?.hot_wallet?.address.toUpperCase() ?? '')).toBe(true);
    expect(server.app.payouts.isOwnAddress('ERC20', STRANGER)).toBe(false);
    expect(
      await server.app.payouts.estimate({ network: 'ERC20', coin: 'USDT', address: STRANGER, units: 1n }, 60),
    ).toEqual({
      cost: 420_000_000_000_000n,
      minutes: 3,
    });
  });

  it('send what was planned, and say what has become of it', async () => {
    const id = await plan(1, 5_000_000n);
    const sent = (await shown()).payouts.find((payout) => payout.id === id);
    expect(sent).toMatchObject({ state: 'BROADCAST', waits_for: '', transaction: expect.stringMatching(/^0x/) });
    const replaced = await ask('POST', `/api/v3/admin/payouts/${id}/replace`);
    expect(replaced.body.payout).toMatchObject({ state: 'BROADCAST', replacements: 1 });
    expect((await ask('POST', `/api/v3/admin/payouts/${id}/fail`, { reason })).status).toBe(409);
    server.app.developmentChains.get('ERC20')?.mine(3);
    await server.app.payouts.sync();
    expect((await shown()).payouts.find((payout) => payout.id === id)).toMatchObject({ state: 'FINAL' });
    expect((await ask('POST', `/api/v3/admin/payouts/${id}/replace`)).status).toBe(409);
  });

  it('are paused and resumed with a reason on record, and what waits can be given up', async () => {
    expect((await ask('POST', '/api/v3/admin/chains/ERC20/pause', { what: 'PAYOUTS', reason })).status).toBe(200);
    expect((await ask('POST', '/api/v3/admin/chains/TRC20/pause', { what: 'DEPOSITS', reason })).status).toBe(200);
    const id = await plan(2, 1_000_000n);
    await server.app.deposits.sync();
    expect([(await chainOf('ERC20'))?.payouts_paused, (await chainOf('TRC20'))?.trouble]).toEqual([true, 'PAUSED']);
    expect(server.app.payouts.trouble('ERC20')).toBe('PAUSED');
    expect((await shown()).payouts[0]).toMatchObject({ state: 'PLANNED', waits_for: 'PAUSED' });
    const failed = await ask('POST', `/api/v3/admin/payouts/${id}/fail`, { reason });
    expect(failed.body.payout).toMatchObject({ state: 'FAILED' });
    for (const [network, what] of [
      ['ERC20', 'PAYOUTS'],
      ['TRC20', 'DEPOSITS'],
    ])
      expect((await ask('POST', `/api/v3/admin/chains/${network}/resume`, { what, reason })).status).toBe(200);
    expect((await ask('POST', '/api/v3/admin/chains/TRC20/resume', { what: 'DEPOSITS', reason })).status).toBe(409);
    await server.app.payouts.sync();
    expect(server.app.payouts.trouble('ERC20')).toBe(null);
    const { entries } = (await ask('GET', '/api/v3/admin/audit')).body as unknown as { entries: { act: string }[] };
    expect(entries.map(({ act }) => act)).toEqual(
      expect.arrayContaining(['pause-payouts', 'pause-deposits', 'resume-payouts', 'fail-payout', 'replace-payout']),
    );
  });

  it('are compared with the ledger, and a withdrawal that is in a block and not posted yet is no difference', async () => {
    const usdt = async () => (await shown()).custody.find(({ coin }) => coin === 'USDT');
    const before = await usdt();
    expect(before).toMatchObject({ ledger: '0.00000000', difference: before?.chains, is_stopped: false });
    const token = await server.client('custody', {});
    const payload = { wallet_type: 'ERC20' };
    const { body } = await server.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
    const { wallet_address: address } = (body as unknown as { wallet: { wallet_address: string } }).wallet;
    const chain = server.app.developmentChains.get('ERC20');
    const contract = '0xdac17f958d2ee523a2206206994597c13d831ec7';
    chain?.send({ contract, address: address.toLowerCase(), units: 70_000_000n });
    chain?.mine(6);
    await server.app.deposits.sync();
    expect(await usdt()).toMatchObject({ ledger: '70.00000000', difference: before?.difference });
  });

  it('say what withdrawals have brought in and cost, and hold less by no more than the ledger, at every step of one', async () => {
    const wd = createWithdrawing(server);
    const token = await server.client('margin', { USDT: '1000' });
    const usdt = async () => (await shown()).custody.find(({ coin }) => coin === 'USDT');
    const before = await usdt();
    const wish = { coin: 'USDT', bchain_name: 'ERC20', withdraw_address: STRANGER, withdraw_amount: '100' };
    await wd.withdraw(token, { ...wish, verification: await wd.code('margin', token) });
    await server.app.withdrawals.sync();
    await server.app.payouts.sync();
    const chain = server.app.developmentChains.get('ERC20');
    for (let block = 0; block < 6; block += 1) {
      expect((await usdt())?.difference).toBe(before?.difference);
      chain?.mine(1);
      await server.app.deposits.sync();
      await server.app.payouts.sync();
    }
    expect((await usdt())?.difference).toBe(before?.difference);
    await server.app.withdrawals.sync();
    expect(await usdt()).toMatchObject({ difference: before?.difference, ledger: '-10.00000000' });
    const { margins } = (await ask('GET', '/api/v3/admin/chains')).body as unknown as { margins: object[] };
    // Two payments, of which a client has paid for one; the first was sent with a higher fee.
    expect(margins).toEqual([
      {
        ...{ network: 'ERC20', coin: 'USDT', count: 2, charged: '20.00000000', undone: 0 },
        // At the last price of Ether, whatever that is here.
        result_usdt: expect.stringMatching(/^1\d\.\d{8}$/),
        cost: { coin: 'ETH', amount: '0.000892500000000000' },
      },
    ]);
  });

  it('do not wait for each other: by one whose node is slow nothing is sent, and by the others all is', async () => {
    const slow = server.app.developmentChains.get('TRC20');
    if (slow === undefined) throw new Error('There is no chain of TRON');
    const answered = Promise.withResolvers<never>();
    const head = vi.spyOn(slow, 'head').mockReturnValue(answered.promise);
    const payment = { purpose: 'withdrawal', coin: 'USDT', units: 1_000_000n } as const;
    const planned = (reference: number, network: 'TRC20' | 'ERC20', address: string) =>
      database.transaction([server.app.payouts.planning({ ...payment, reference, network, address }, 3, server.now())]);
    const stateOf = async (reference: number) =>
      (await server.app.payouts.byReferences('withdrawal', [reference]))[0]?.state;
    await planned(1_000_900, 'TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
    await expect.poll(() => head.mock.calls.length, { timeout: 5_000 }).toBeGreaterThan(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await planned(1_000_901, 'ERC20', STRANGER);
    await expect.poll(() => stateOf(1_000_901), { timeout: 5_000 }).toBe('BROADCAST');
    expect(await stateOf(1_000_900)).toBe('PLANNED');
    head.mockRestore();
    answered.reject(new NodeFailure('It does not answer'));
    await expect.poll(() => stateOf(1_000_900), { timeout: 5_000 }).toBe('BROADCAST');
    for (const network of ['ERC20', 'TRC20'] as const) server.app.developmentChains.get(network)?.mine(20);
    await server.app.payouts.sync();
    expect([await stateOf(1_000_900), await stateOf(1_000_901)]).toEqual(['FINAL', 'FINAL']);
  });
});
