/** Sweeps, bounds and refills as an operator works with them, on a whole server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../test/app.ts';
import { confirmAll, confirmingOperator } from '../../../test/confirming.ts';
import { signRefill } from '../../signer/cold.ts';
import type { Policy } from '../../signer/policy.ts';
import { SignedFile } from '../../signer/signed-file.ts';
import { Signer } from '../../signer/signer.ts';

interface Shown {
  readonly networks: {
    network: string;
    sweeps: {
      is_on: boolean;
      least_multiple: number;
      own_coin: string;
      has_market: boolean;
      coin_price: string | null;
      coin_price_at: number | null;
    } | null;
    cold_address: string | null;
    wallets: {
      coin: string;
      hot: string;
      cold: string | null;
      at_addresses: string;
      addresses: number;
      bounds: object | null;
    }[];
  }[];
  readonly sweeps: { coin: string; state: string; waits_for: string; amount: string | null }[];
  readonly moves: { id: string; kind: string; coin: string; state: string; amount: string }[];
}

describe('hot and cold wallets as an operator works with them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cambist-cold-'));
  let server: TestApp;
  let operator: string;
  let policy: Policy = { networks: {} };
  const signer = new Signer({
    ...{ seed: Buffer.alloc(32, 5), signed: new SignedFile(join(folder, 'signed.jsonl'), 'make'), clock: Date },
    policy: () => policy,
  });
  const cold = signer.hotAddress('ERC20');

  const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
    server.call({ method, url: `/api/v3/${url}`, token: operator, ...(payload ? { payload } : {}) });
  const shown = async () => (await ask('GET', 'admin/hot-and-cold')).body as unknown as Shown;
  const ethereum = async () => (await shown()).networks.find(({ network }) => network === 'ERC20');
  const walletOf = async (coin: string) => (await ethereum())?.wallets.find((wallet) => wallet.coin === coin);

  async function mine(blocks: number): Promise<void> {
    for (let made = 0; made < blocks; made += 1) {
      server.app.developmentChains.get('ERC20')?.mine(1);
      await server.app.deposits.sync();
      await server.app.sweeps.sync();
      await server.app.cold.sync();
      await server.app.payouts.sync();
    }
  }

  beforeAll(async () => {
    server = await startTestApp('postgres');
    await server.app.accounts.ensure('op@example.test', PASSWORD, 'another-one', 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
    await ask('POST', 'step-up', { purpose: 'treasury', transaction_password: 'another-one' });
    const dataFolder = server.source.environment.DATA_DIR;
    writeFileSync(join(dataFolder, 'development-cold.json'), JSON.stringify({ ERC20: cold }));
    await server.app.deposits.sync();
    await server.app.cold.sync();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are bounded by amounts in their order, within the decimals of the chain, and kept in audit', async () => {
    expect(await ethereum()).toMatchObject({ cold_address: cold, sweeps: { is_on: true, least_multiple: 20 } });
    expect(await walletOf('USDT')).toMatchObject({ hot: '10000000.000000', cold: '0.000000', bounds: null });
    const bound = (bounds: object | null, coin = 'USDT') =>
      ask('PATCH', 'admin/wallet-bounds', { coin, network: 'ERC20', bounds });
    const confirmer = await confirmingOperator(server);
    expect((await bound({ low: '2', target: '1', high: '3' })).status).toBe(422);
    expect((await bound({ low: '0', target: '1.0000001', high: '3' })).status).toBe(422);
    expect((await bound({ low: '0', target: '1', high: '3' }, 'BTC')).status).toBe(404);
    expect((await bound({ low: '1', target: '2000', high: '3000' }, 'ETH')).status).toBe(200);
    expect((await walletOf('ETH'))?.bounds).toMatchObject({ low: '1.000000000000000000' });
    expect((await bound(null, 'ETH')).status).toBe(200);
    expect((await walletOf('ETH'))?.bounds).toMatchObject({ target: '2000.000000000000000000' });
    expect(await confirmAll(server, confirmer)).toMatchObject([{ kind: 'wallet-bounds', state: 'APPLIED' }]);
    expect((await walletOf('ETH'))?.bounds).toBeNull();
    expect((await bound({ low: '100', target: '200', high: '10000000' })).status).toBe(200);
    const sweeping = { network: 'ERC20', is_on: true, least_multiple: 30 };
    expect((await ask('PATCH', 'admin/sweep-policy', sweeping)).status).toBe(200);
    expect((await ethereum())?.sweeps).toMatchObject({ is_on: true, least_multiple: 30, coin_price: null });
    const { entries } = (await ask('GET', 'admin/audit')).body as unknown as { entries: { act: string }[] };
    expect(entries.map(({ act }) => act)).toEqual(
      expect.arrayContaining(['change-wallet-bounds', 'remove-wallet-bounds', 'change-sweep-policy']),
    );
  });

  it('keep what an operator has said that the own coin of a chain is worth, with the day, until it is taken back', async () => {
    const price = (coin_price?: string | null) =>
      ask('PATCH', 'admin/sweep-policy', { network: 'TRC20', is_on: true, least_multiple: 20, coin_price });
    const said = async () => (await shown()).networks.find(({ network }) => network === 'TRC20')?.sweeps;
    for (const wrong of ['0', '0.000', '0.000000001', '1000000001', '-1', '1e3'])
      expect([wrong, (await price(wrong)).status]).toEqual([wrong, 422]);
    expect((await price('0.000')).body).toMatchObject({ code: 'INVALID_FIELD', errors: [{ field: 'coin_price' }] });
    expect(await said()).toMatchObject({ own_coin: 'TRX', coin_price: null, coin_price_at: null });
    const before = server.now();
    expect((await price('0.2784')).status).toBe(200);
    const first = await said();
    expect(first).toMatchObject({ coin_price: '0.2784', least_multiple: 20 });
    expect(first?.coin_price_at).toBeGreaterThanOrEqual(before);
    server.advance(60_000);
    // What stays keeps its day, and what is not named stays.
    expect([(await price('0.2784')).status, (await price()).status]).toEqual([200, 200]);
    expect(await said()).toEqual(first);
    await price('0.3');
    expect((await said())?.coin_price_at).toBeGreaterThanOrEqual(before + 60_000);
    await price(null);
    expect(await said()).toMatchObject({ coin_price: null, coin_price_at: null });
    const { entries } = (await ask('GET', 'admin/audit')).body as unknown as { entries: { detail: object }[] };
    expect(entries.map(({ detail }) => detail)).toContainEqual(expect.objectContaining({ coin_price: '0.2784' }));
  });

  it('show a sweep to its end, what it leaves, and what goes to the cold wallet as it comes above the bound', async () => {
    const token = await server.trader('hot-and-cold', {});
    const payload = { wallet_type: 'ERC20' };
    const { body } = await server.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
    const { wallet_address: address } = (body as unknown as { wallet: { wallet_address: string } }).wallet;
    const contract = '0xdac17f958d2ee523a2206206994597c13d831ec7';
    const units = 5_000_000_000n;
    server.app.developmentChains.get('ERC20')?.send({ contract, address: address.toLowerCase(), units });
    await mine(65);
    expect(await walletOf('USDT')).toMatchObject({ at_addresses: '5000.000000', addresses: 1 });
    expect((await shown()).sweeps).toMatchObject([{ coin: 'USDT', state: 'TOPPING_UP', waits_for: '', amount: null }]);
    await mine(40);
    expect((await shown()).sweeps).toMatchObject([{ coin: 'USDT', state: 'FINAL', amount: '5000.000000' }]);
    expect((await shown()).moves).toMatchObject([
      { kind: 'TO_COLD', coin: 'USDT', state: 'FINAL', amount: '10004800.000000' },
    ]);
    expect(await walletOf('USDT')).toMatchObject({ hot: '200.000000', cold: '10004800.000000', addresses: 0 });
    expect(await walletOf('ETH')).toMatchObject({ addresses: 1 });
  });

  it('sweep a token of a chain whose own coin nobody deposits, and say what was sent for gas in its decimals', async () => {
    // What an operator sets for withdrawals there.
    const database = await server.source.open();
    await database.query(
      `UPDATE coin_networks SET withdraw_minimum = '10', withdraw_fee = '1', withdraw_confirmations = 15
       WHERE coin = 'USDT' AND network = 'BEP20'`,
    );
    await database.close();
    const token = await server.trader('sweep-bnb', {});
    const payload = { wallet_type: 'BEP20' };
    const { body } = await server.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
    const { wallet_address: address } = (body as unknown as { wallet: { wallet_address: string } }).wallet;
    const chain = server.app.developmentChains.get('BEP20');
    const contract = '0x55d398326f99059ff775485246999027b3197955';
    chain?.send({ contract, address: address.toLowerCase(), units: 900n * 10n ** 18n });
    for (let block = 0; block < 60; block += 1) {
      chain?.mine(1);
      await server.app.deposits.sync();
      await server.app.sweeps.sync();
      await server.app.payouts.sync();
    }
    const swept = (await shown()).sweeps.filter(({ amount }) => amount?.startsWith('900.'));
    expect(swept).toMatchObject([{ coin: 'USDT', state: 'FINAL', amount: '900.000000000000000000' }]);
    const { payouts } = (await ask('GET', 'admin/chains')).body as unknown as { payouts: object[] };
    expect(payouts).toContainEqual(
      expect.objectContaining({ kind: 'TOP_UP', network: 'BEP20', coin: 'BNB', amount: '0.000126000000000000' }),
    );
  });

  it('are refilled from a file that is downloaded, signed elsewhere and uploaded', async () => {
    const developmentChain = server.app.developmentChains.get('ERC20');
    developmentChain?.send({ contract: null, address: cold.toLowerCase(), units: 10n ** 18n });
    await ask('PATCH', 'admin/wallet-bounds', {
      ...{ coin: 'USDT', network: 'ERC20' },
      bounds: { low: '300', target: '400', high: '1000' },
    });
    // More may stay in the hot wallet.
    await confirmAll(server, await confirmingOperator(server));
    await mine(2);
    const [asked] = (await shown()).moves;
    expect(asked).toMatchObject({ kind: 'REFILL', state: 'PLANNED', amount: '200.000000' });
    const id = asked?.id ?? '';
    const { file } = (await ask('GET', `admin/refills/${id}/file`)).body as unknown as { file: string };
    const { to, contract } = JSON.parse(file) as { to: string; contract: string };
    const coin = { contract, most_per_payment: 10n ** 12n, most_per_day: 10n ** 12n };
    policy = {
      networks: {
        ERC20: {
          format: 'development',
          fee_cap: 10n ** 16n,
          most_fees_per_day: 10n ** 30n,
          only_to: to,
          coins: [coin],
        },
      },
    };
    const { signed } = await signRefill({ signer, policy: () => policy }, file);
    const upload = (text: string) => ask('POST', `admin/refills/${id}/signed`, { file: text });
    expect((await upload('{}')).body).toMatchObject({ code: 'UNREADABLE' });
    expect((await upload(signed.replace(/refill:\d+/, 'refill:999'))).status).toBe(422);
    expect((await upload(signed)).status).toBe(200);
    expect((await upload(signed)).status).toBe(409);
    const cancel = await ask('POST', `admin/refills/${id}/cancel`, { reason: 'Tried in a test' });
    expect(cancel.status).toBe(409);
    await mine(20);
    expect((await shown()).moves[0]).toMatchObject({ id, state: 'FINAL' });
    expect(await walletOf('USDT')).toMatchObject({ hot: '400.000000', cold: '10004600.000000' });
  });
});
