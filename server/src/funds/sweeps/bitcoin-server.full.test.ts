/** Sweeps, a withdrawal and a refill by a real Bitcoin node in a whole server: custody agrees with the ledger at every block. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReserveStatement } from '@cambist/contract/liabilities.ts';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type BitcoinTestNode, startBitcoinNode } from '../../../test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '../../../test/bitcoin-program.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { bitcoinElsewhere } from '../../../test/elsewhere.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import type { Database } from '../../platform/database.ts';
import { keyHashAddress, scriptOf } from '../chains/bitcoin-addresses.ts';
import { amount } from '../chains/bitcoin-node.ts';

const isMissing = (await findBitcoinProgram()) === undefined;
const COIN = 100_000_000n;
const scanned = z.object({ unspents: z.array(z.object({ txid: z.string(), vout: z.number(), amount })) });

interface Shown {
  readonly networks: {
    network: string;
    sweeps: object | null;
    is_counting: boolean;
    wallets: { hot: string; cold: string; at_addresses: string; addresses: number }[];
  }[];
  readonly sweeps: { id: string; state: string; amount: string | null; transaction: string | null }[];
  readonly moves: { id: string; kind: string; state: string; amount: string }[];
}

describe('sweeps and refills by a Bitcoin node, in a whole server', () => {
  const key = HDKey.fromMasterSeed(Buffer.alloc(32, 77));
  const cold = keyHashAddress(key.identifier ?? Buffer.alloc(20), 'regtest');
  let bitcoin: BitcoinTestNode;
  let app: TestApp;
  let database: Database;
  let wd: Withdrawing;
  let operator: string;
  let runs = 0;

  beforeAll(async () => {
    if (isMissing) return;
    bitcoin = await startBitcoinNode();
    const source = await makeTestDatabase('postgres', 'migrated');
    const opened = await source.open();
    await opened.query(
      `UPDATE coin_networks SET credited_at = 2, unlocked_at = 3, withdraw_confirmations = 3 WHERE network = 'BTC'`,
    );
    await opened.close();
    app = await startTestApp('postgres', source, { BTC_RPC_URL: bitcoin.url, BTC_NETWORK: 'regtest' });
    database = await source.open();
    writeFileSync(join(app.source.environment.DATA_DIR ?? '', 'development-cold.json'), JSON.stringify({ BTC: cold }));
    wd = createWithdrawing(app);
    operator = await wd.operator('keeper');
    await wd.treasury(operator);
    await sync();
  });
  beforeEach(({ skip }) => skip(isMissing, withoutBitcoinNode()));
  afterAll(async () => {
    await database?.close();
    await app?.remove();
    await bitcoin?.stop();
  });

  async function sync(): Promise<void> {
    await app.app.deposits.sync();
    await app.app.sweeps.sync();
    await app.app.cold.sync();
    await app.app.withdrawals.sync();
    await app.app.payouts.sync();
  }
  const shown = () => wd.get<Shown>('/api/v3/admin/hot-and-cold', operator);
  const network = async () => (await shown()).networks.find((one) => one.network === 'BTC');
  async function difference(): Promise<bigint | undefined> {
    await app.app.payouts.compare();
    const [row] = await database.query<{ rest: bigint }>(
      `SELECT chains - ledger AS rest FROM custody_checks WHERE coin = 'BTC'`,
    );
    return row?.rest;
  }
  async function isStopped(): Promise<boolean | undefined> {
    const [row] = await database.query<{ is_stopped: boolean }>(
      `SELECT is_stopped FROM custody_checks WHERE coin = 'BTC'`,
    );
    return row?.is_stopped;
  }
  /** Blocks with everything that is to be done after each, where both sides are always the same. */
  async function mine(blocks: number, rest = 0n): Promise<void> {
    for (let mined = 0; mined < blocks; mined += 1) {
      await bitcoin.mine(1);
      await sync();
      expect([mined, await difference()]).toEqual([mined, rest]);
      const [holds, onChain] = await stated();
      expect([mined, holds]).toEqual([mined, onChain]);
      const [wallet] = (await network())?.wallets ?? [];
      const seen = [wallet?.hot, wallet?.at_addresses].map((text) => Number(text)).reduce((sum, one) => sum + one);
      // What is not unlocked may not leave, and is not shown there.
      expect(Math.round(seen * 1e8), `block ${mined}`).toBeLessThanOrEqual(Number(onChain));
    }
  }
  /** What the exchange states, in satoshis, and what the chain has at its block, of all that was credited. */
  async function stated(): Promise<readonly [stated: bigint, onChain: bigint]> {
    runs += 1;
    // A run is of a batch of the ledger.
    await app.client(`stated-${runs}`, { USDT: '1' });
    await wd.post('/api/v3/admin/liabilities', operator);
    const { holdings } = await wd.get<ReserveStatement>('/api/v3/liabilities/reserves', operator);
    const addresses = await database.query<{ address: string }>(
      `SELECT address FROM deposit_addresses WHERE family = 'BTC' UNION
       SELECT hot_address FROM payout_networks WHERE network = 'BTC'`,
    );
    const scripts = addresses.map(({ address }) => `addr(${address})`);
    const { unspents } = scanned.parse(await bitcoin.call('scantxoutset', 'start', scripts));
    const [row] = await database.query<{ units: bigint }>(
      `SELECT coalesce(sum(units), 0)::numeric AS units FROM deposits WHERE state = 'SEEN' AND height IS NOT NULL`,
    );
    const own = holdings.filter(({ coin, kind }) => coin === 'BTC' && kind !== 'cold');
    return [
      own.reduce((sum, { units }) => sum + BigInt(units), 0n),
      unspents.reduce((sum, { amount: units }) => sum + units, -(row?.units ?? 0n)),
    ];
  }
  async function client(name: string): Promise<{ token: string; address: string }> {
    const token = await app.client(name, {});
    const { body } = await wd.post<{ wallet: { wallet_address: string } }>('/api/v3/generate-wallet', token, {
      wallet_type: 'BTC',
    });
    return { token, address: body.wallet.wallet_address };
  }

  it('bring deposits home and pay a withdrawal from them (fault 25)', async () => {
    const [anne, ben] = [await client('btc-anne'), await client('btc-ben')];
    expect(await network()).toMatchObject({ sweeps: { is_on: true, least_multiple: 20 }, is_counting: false });
    await bitcoin.pay({ [anne.address]: '1', [ben.address]: '0.5' });
    await bitcoin.pay({ [anne.address]: '0.25' });
    await mine(10);
    const { sweeps } = await shown();
    expect(sweeps.map(({ state, amount }) => `${state} ${amount}`).sort()).toEqual([
      'FINAL 0.50000000',
      'FINAL 1.25000000',
    ]);
    expect(new Set(sweeps.map(({ transaction }) => transaction)).size).toBe(1);
    const [wallet] = (await network())?.wallets ?? [];
    expect([wallet?.addresses, Number(wallet?.at_addresses)]).toEqual([0, 0]);
    expect(Number(wallet?.hot)).toBeGreaterThan(1.7499);
    const to = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';
    const wish = { coin: 'BTC', bchain_name: 'BTC', withdraw_address: to, withdraw_amount: '0.4' };
    const sent = await wd.withdraw(anne.token, { ...wish, verification: await wd.code('btc-anne', anne.token) });
    expect(sent.status).toBe(200);
    for (const name of ['first', 'second']) {
      const approver = await wd.operator(name);
      await wd.treasury(approver);
      await wd.post(`/api/v3/admin/withdrawals/${sent.body.withdrawal?.id}/approve`, approver);
    }
    await sync();
    await mine(6);
    expect((await wd.history(anne.token))[0]).toMatchObject({ state: 'PROCEED' });
    expect(await wd.history(ben.token)).toEqual([]);
    const deposits = await database.query('SELECT id FROM deposits');
    expect(deposits).toHaveLength(3);
  });

  it('refill the hot wallet by a PSBT that an operator downloads, another wallet signs, and an operator uploads', async () => {
    await wd.treasury(operator);
    await bitcoin.pay({ [cold]: '5' });
    await mine(1, 5n * COIN);
    const bounds = { low: '3', target: '4', high: '9' };
    const payload = { coin: 'BTC', network: 'BTC', bounds };
    const changed = await app.call({ method: 'PATCH', url: '/api/v3/admin/wallet-bounds', token: operator, payload });
    expect(changed.status).toBe(200);
    await mine(1, 5n * COIN);
    const [asked] = (await shown()).moves;
    expect(asked).toMatchObject({ kind: 'REFILL', state: 'PLANNED', has_psbt: true });
    const file = await wd.get<{ name: string; psbt: string | null }>(
      `/api/v3/admin/refills/${asked?.id}/file`,
      operator,
    );
    const transaction = Transaction.fromPSBT(Buffer.from(file.psbt ?? '', 'base64'));
    transaction.sign(key.privateKey ?? new Uint8Array());
    transaction.finalize();
    const signed = Buffer.from(transaction.toPSBT()).toString('base64');
    const upload = (text: string) => wd.post(`/api/v3/admin/refills/${asked?.id}/signed`, operator, { file: text });
    expect(await upload(file.psbt ?? '')).toMatchObject({ status: 422, body: { code: 'UNREADABLE' } });
    expect((await upload(signed)).status).toBe(200);
    expect((await upload(signed)).status).toBe(409);
    await sync();
    await mine(4, 5n * COIN);
    expect((await shown()).moves).toMatchObject([{ kind: 'REFILL', state: 'FINAL' }]);
    const [wallet] = (await network())?.wallets ?? [];
    expect([Number(wallet?.hot), Math.round(Number(wallet?.cold) * 100)]).toEqual([4, 235]);
  });

  it('are followed by payouts that stand still while the chain holds less than the ledger owes (fault 25)', async () => {
    const { address } = await client('btc-carl');
    await bitcoin.pay({ [address]: '20' });
    // Swept, and most of it brought to the cold wallet.
    await mine(12, 5n * COIN);
    const [wallet] = (await network())?.wallets ?? [];
    expect(Math.round(Number(wallet?.cold))).toBe(22);
    const script = Buffer.from(scriptOf(cold, 'regtest') ?? []);
    const { unspents } = scanned.parse(await bitcoin.call('scantxoutset', 'start', [`raw(${script.toString('hex')})`]));
    const theft = new Transaction();
    for (const { txid, vout, amount: units } of unspents)
      theft.addInput({ txid, index: vout, witnessUtxo: { script, amount: units } });
    const sum = unspents.reduce((all, { amount: units }) => all + units, 0n);
    theft.addOutput({ script: Buffer.from(scriptOf(bitcoinElsewhere(1), 'regtest') ?? []), amount: sum - 10_000n });
    theft.sign(key.privateKey ?? new Uint8Array());
    theft.finalize();
    await bitcoin.call('sendrawtransaction', theft.hex);
    await bitcoin.mine(1);
    await sync();
    // One block may come between two readings.
    expect([await difference(), await isStopped()]).toEqual([5n * COIN - sum, false]);
    expect([await difference(), await isStopped()]).toEqual([5n * COIN - sum, true]);
    const to = { network: 'BTC', coin: 'BTC', address: bitcoinElsewhere(2), units: COIN / 10n } as const;
    const payment = { purpose: 'withdrawal', reference: 900, ...to } as const;
    await database.transaction([app.app.payouts.planning(payment, 3, app.now())]);
    const payout = async () => (await app.app.payouts.byReferences('withdrawal', [900]))[0];
    await mine(2, 5n * COIN - sum);
    expect(await payout()).toMatchObject({ state: 'PLANNED', waitsFor: 'PAUSED' });
    await bitcoin.pay({ [cold]: `${sum / COIN}.${String(sum % COIN).padStart(8, '0')}` });
    await bitcoin.mine(1);
    expect([await difference(), await isStopped()]).toEqual([5n * COIN, false]);
    for (let block = 0; block < 4; block += 1) {
      await sync();
      await bitcoin.mine(1);
    }
    await sync();
    expect(await payout()).toMatchObject({ state: 'FINAL' });
  });
});
