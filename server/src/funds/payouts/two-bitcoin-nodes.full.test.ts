/** Deposits, payouts, sweeps and refills by two real nodes of Bitcoin, whichever of them is away, on another branch, or lies. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiabilityRun } from '@cambist/contract/liabilities.ts';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type BitcoinTestNode, startBitcoinNode } from '../../../test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '../../../test/bitcoin-program.ts';
import { type ChainView, createChainView, syncAll } from '../../../test/chain-view.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { type LyingNode, startLyingNode } from '../../../test/lying-node.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import type { Database } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { keyHashAddress } from '../chains/bitcoin-addresses.ts';
import { BitcoinChain } from '../chains/bitcoin-chain.ts';
import { BitcoinNode } from '../chains/bitcoin-node.ts';
import { SPLIT_MS } from '../chains/both-nodes.ts';
import { PairedChain } from '../chains/paired-chain.ts';
import type { Sender } from '../chains/service.ts';

const isMissing = (await findBitcoinProgram()) === undefined;
const COIN = 100_000_000n;
const CONFIRMATIONS = 3;
/** Of one input and two outputs of key hashes. */
const VIRTUAL_BYTES = 141n;

describe('two nodes of Bitcoin', () => {
  const coldKey = HDKey.fromMasterSeed(Buffer.alloc(32, 78));
  const cold = keyHashAddress(coldKey.identifier ?? Buffer.alloc(20), 'regtest');
  let nodes: readonly [BitcoinTestNode, BitcoinTestNode];
  let doors: readonly [LyingNode, LyingNode];
  let app: TestApp;
  let database: Database;
  let wd: Withdrawing;
  let operator: string;
  let hot: string;
  let view: ChainView;

  /** A block at both. */
  async function extend(blocks = 1): Promise<void> {
    const hashes = await nodes[0].mine(blocks);
    await nodes[1].call('waitforblock', hashes.at(-1), 30_000);
  }
  async function mine(blocks: number): Promise<void> {
    for (let mined = 0; mined < blocks; mined += 1) {
      await extend();
      await syncAll(app);
    }
  }
  const addressOf = (reference: number) => {
    const hash = Buffer.alloc(20, 0x6b);
    hash.writeUInt32BE(reference);
    return keyHashAddress(hash, 'regtest');
  };
  async function paid(reference: number): Promise<bigint> {
    const { unspents } = (await nodes[1].call('scantxoutset', 'start', [
      `addr(${nodes[1].addressHere(addressOf(reference))})`,
    ])) as {
      unspents: { amount: string }[];
    };
    return unspents.reduce((sum, { amount }) => sum + BigInt(Math.round(Number(amount) * 1e8)), 0n);
  }
  beforeAll(async () => {
    if (isMissing) return;
    const first = await startBitcoinNode();
    nodes = [first, await startBitcoinNode(first)];
    doors = [await startLyingNode(nodes[0].url), await startLyingNode(nodes[1].url)];
    const source = await makeTestDatabase('postgres', 'migrated');
    database = await source.open();
    await database.query(
      `UPDATE coin_networks SET credited_at = 2, unlocked_at = 3, withdraw_confirmations = 3 WHERE network = 'BTC'`,
    );
    const settings = { BTC_RPC_URL: doors[0].url, BTC_RPC_URL_2: doors[1].url, BTC_NETWORK: 'regtest' };
    app = await startTestApp('postgres', source, settings);
    writeFileSync(join(source.environment.DATA_DIR ?? '', 'development-cold.json'), JSON.stringify({ BTC: cold }));
    wd = createWithdrawing(app);
    operator = await wd.operator('two-bitcoin');
    await wd.treasury(operator);
    const bitcoin = { network: 'BTC', coin: 'BTC', confirmations: CONFIRMATIONS, addressOf } as const;
    view = createChainView({ app, database, wd, operator, ...bitcoin });
    await syncAll(app);
    const [row] = await database.query<{ hot_address: string }>(
      `SELECT hot_address FROM payout_networks WHERE network = 'BTC'`,
    );
    hot = row?.hot_address ?? '';
    await nodes[0].pay({ [hot]: '2' });
    // For the wallet of the second node.
    await nodes[0].call('sendtoaddress', await nodes[1].call('getnewaddress'), '10');
    await mine(3);
  }, 120_000);
  beforeEach(({ skip }) => skip(isMissing, withoutBitcoinNode()));
  afterEach(() => {
    for (const door of doors ?? []) Object.assign(door, { isShut: false, lie: undefined });
  });
  afterAll(async () => {
    await database?.close();
    await app?.remove();
    for (const one of [...(doors ?? []), ...(nodes ?? [])]) await one.stop();
  });

  describe.each([
    ['first', 0],
    ['second', 1],
  ] as const)('of which the %s one is wrong', (name, index) => {
    let wrong: LyingNode;
    let wrongNode: BitcoinTestNode;
    let rightNode: BitcoinTestNode;
    beforeEach(() => {
      if (isMissing) return;
      wrong = doors[index];
      [wrongNode, rightNode] = index === 0 ? nodes : [nodes[1], nodes[0]];
    });

    it('pay once, are sent to both, and are not complete while one hides the payment; that splits the network', async () => {
      const before = await view.alarms();
      const reference = await view.plan(1_000_000n);
      const { transaction } = await view.payout(reference);
      for (const node of nodes) expect(await node.call('getrawmempool')).toContain(transaction);
      wrong.lie = (method, [of]) =>
        method === 'getrawtransaction' && of === transaction
          ? { result: null, error: { code: -5, message: 'No such transaction' } }
          : undefined;
      await mine(CONFIRMATIONS + 12);
      // Mined as well, if it was asked for before the server knew that both have its block: until then one may be ahead.
      const unended = { state: expect.stringMatching('BROADCAST|MINED'), attempts: 1 };
      expect(await view.payout(reference)).toMatchObject(unended);
      app.advance(SPLIT_MS);
      await syncAll(app);
      await syncAll(app);
      expect([(await view.card())?.trouble, await view.alarms()]).toEqual(['SPLIT', before + 1]);
      const waits = await view.plan(2_000_000n);
      expect(await view.payout(waits)).toMatchObject({ state: 'PLANNED', waits_for: 'NODE' });
      wrong.lie = undefined;
      await syncAll(app);
      await syncAll(app);
      expect(await view.payout(reference)).toMatchObject({ state: 'FINAL', attempts: 1, transaction });
      await mine(CONFIRMATIONS);
      expect(await view.payout(waits)).toMatchObject({ state: 'FINAL' });
      expect([await paid(reference), await paid(waits)]).toEqual([1_000_000n, 2_000_000n]);
    }, 120_000);

    it('spend no coin that one does not have with its amount, and pay the lower of both fees', async () => {
      for (const change of [{ value: 1.5 }, null]) {
        wrong.lie = (method, _, answer) =>
          method === 'gettxout' && answer.result
            ? { result: change && { ...answer.result, ...change }, error: null }
            : undefined;
        const reference = await view.plan(1_000_000n);
        expect(await view.payout(reference)).toMatchObject({ state: 'PLANNED', waits_for: 'FUNDS' });
        wrong.lie = undefined;
        await syncAll(app);
        await mine(CONFIRMATIONS);
        expect([await view.payout(reference), await paid(reference)]).toMatchObject([{ state: 'FINAL' }, 1_000_000n]);
      }
      // Neither node has seen enough for an estimate: ten satoshis a byte are asked then.
      for (const [rate, perByte] of [
        [0.003, 10n],
        [0.00002, 2n],
      ] as const) {
        wrong.lie = (method) =>
          method === 'estimatesmartfee' ? { result: { feerate: rate }, error: null } : undefined;
        const reference = await view.plan(1_000_000n);
        wrong.lie = undefined;
        await mine(CONFIRMATIONS);
        const { cost } = await view.payout(reference);
        expect(Number(cost) / Number(VIRTUAL_BYTES * perByte)).toBeCloseTo(1, 1);
      }
    }, 120_000);

    it('spend no coin that one has made up, nor one of somebody else', async () => {
      const script = { of: '' };
      wrong.lie = (method, [, wanted], { result }) => {
        if (method !== 'scantxoutset') return undefined;
        script.of = /raw\((.*)\)/.exec(String((wanted as string[])[0]))?.[1] ?? '';
        const found = result as { unspents: object[] };
        const other = { txid: foreign.txid, vout: foreign.vout, scriptPubKey: script.of, amount: foreign.amount };
        return {
          result: { ...found, unspents: [...found.unspents, made.is === 'up' ? madeUp(script.of) : other] },
          error: null,
        };
      };
      const [foreign] = (await nodes[0].call('listunspent')) as [{ txid: string; vout: number; amount: string }];
      const madeUp = (of: string) => ({ txid: 'ab'.repeat(32), vout: 0, scriptPubKey: of, amount: 50 });
      const made = { is: 'up' as 'up' | 'foreign' };
      for (made.is of ['up', 'foreign'] as const) {
        const [one, other] = doors.map(
          ({ url }) => new BitcoinChain(new BitcoinNode({ url, cookieFile: undefined, network: 'regtest' })),
        ) as [BitcoinChain, BitcoinChain];
        const pair = new PairedChain({ first: one, second: other, clock: Date, logger: createLogger('silent') });
        const sender = pair.sender as Sender;
        const payment = { network: 'BTC', contract: null, address: addressOf(999), units: 20n * COIN } as const;
        const claimed = { next: null, underway: [] };
        // It believes itself; the pair has what both have.
        expect(await (index === 0 ? one : other).sender.balance(hot, null)).toBeGreaterThan(10n * COIN);
        expect(await sender.balance(hot, null)).toBeLessThan(3n * COIN);
        expect(await sender.prepare(hot, payment, claimed)).toBe('short');
        const terms = await sender
          .prepare(hot, { ...payment, units: COIN }, claimed)
          .catch((error: Error) => error.name);
        if (terms !== 'NodeFailure')
          expect(JSON.stringify(terms, (_, part) => String(part))).not.toContain(
            made.is === 'up' ? 'abab' : foreign.txid,
          );
      }
    }, 120_000);

    it('sign nothing while one is away, and go on once it is back', async () => {
      const underway = await view.plan(1_000_000n);
      wrong.isShut = true;
      await mine(CONFIRMATIONS + 1);
      const waits = await view.plan(2_000_000n);
      expect([await view.payout(underway), await view.payout(waits)]).toMatchObject([
        { state: 'BROADCAST', attempts: 1 },
        { state: 'PLANNED', waits_for: 'NODE' },
      ]);
      expect((await view.card())?.nodes.map(({ head }) => head === null)).toEqual([index === 0, index === 1]);
      wrong.isShut = false;
      await mine(1);
      await mine(CONFIRMATIONS);
      expect([await view.payout(underway), await view.payout(waits)]).toMatchObject([
        { state: 'FINAL' },
        { state: 'FINAL' },
      ]);
      expect([await paid(underway), await paid(waits)]).toEqual([1_000_000n, 2_000_000n]);
    }, 120_000);

    it('on two branches credit nothing of either, are split after a minute, and go on by themselves on the longer one', async () => {
      const before = await view.alarms();
      const { token, address } = await view.client(`two-bitcoin-${name}`);
      await wrongNode.disconnect();
      await rightNode.disconnect();
      await wrongNode.pay({ [address]: '0.3' });
      await wrongNode.mine(4);
      await rightNode.pay({ [address]: '0.2' });
      await rightNode.mine(5);
      await syncAll(app);
      expect([await view.deposits(token), (await view.card())?.trouble]).toEqual([[], null]);
      app.advance(SPLIT_MS);
      await syncAll(app);
      await syncAll(app);
      expect([await view.deposits(token), (await view.card())?.trouble, await view.alarms()]).toEqual([
        [],
        'SPLIT',
        before + 1,
      ]);
      const waits = await view.plan(1_000_000n);
      expect(await view.payout(waits)).toMatchObject({ state: 'PLANNED', waits_for: 'NODE' });
      await nodes[0].connect(nodes[1]);
      await syncAll(app);
      await syncAll(app);
      expect([await view.deposits(token), (await view.card())?.trouble]).toEqual([['0.20000000 UNLOCKED'], null]);
      await mine(CONFIRMATIONS + 1);
      expect([await view.payout(waits), await paid(waits)]).toMatchObject([{ state: 'FINAL' }, 1_000_000n]);
      expect((await view.deposits(token)).filter((one) => one.startsWith('0.2'))).toHaveLength(1);
    }, 120_000);
  });

  it('state what the hot wallet holds by its address on this network, as the script finds out', async () => {
    const { run } = (await wd.post<{ run: LiabilityRun }>('/api/v3/admin/liabilities', operator)).body;
    expect(run.reserves?.signers).toContain(hot);
    const held = run.reserves?.holdings.find(({ network, kind }) => network === 'BTC' && kind === 'hot');
    const header = await nodes[1].call('getblockheader', await nodes[1].call('getbestblockhash'));
    expect(held).toMatchObject({ address: hot, height: (header as { height: number }).height });
    const file = join(app.source.environment.DATA_DIR ?? '', 'reserves.json');
    writeFileSync(file, (await app.app.http.inject({ url: `/api/v3/liabilities/reserves?batch=${run.batch}` })).body);
    const script = new URL('../../../../web/public/verify-reserves.mjs', import.meta.url).pathname;
    const { status, stdout } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    expect([hot.startsWith('bcrt1q'), status]).toEqual([true, 0]);
    expect(stdout).toContain(`Signed by ${hot}`);
    expect(stdout).toContain(`${hot} is of a test network of Bitcoin: its coins are worth nothing`);
  }, 120_000);

  it('bring deposits home with what both would spend, and refill the hot wallet by a PSBT (fault 25)', async () => {
    const { address } = await view.client('two-bitcoin-sweep');
    await nodes[0].pay({ [address]: '1' });
    const difference = async () => {
      await app.app.payouts.compare();
      const [row] = await database.query<{ rest: bigint }>(
        `SELECT chains - ledger AS rest FROM custody_checks WHERE coin = 'BTC'`,
      );
      return row?.rest;
    };
    const before = await difference();
    for (let block = 0; block < 10; block += 1) {
      await mine(1);
      expect([block, await difference()]).toEqual([block, before]);
    }
    type Shown = { sweeps: { state: string; amount: string }[]; moves: { id: string; kind: string; state: string }[] };
    const shown = () => wd.get<Shown>('/api/v3/admin/hot-and-cold', operator);
    expect((await shown()).sweeps).toContainEqual(expect.objectContaining({ state: 'FINAL', amount: '1.00000000' }));

    await wd.treasury(operator);
    await nodes[0].pay({ [cold]: '9' });
    await mine(1);
    const payload = { coin: 'BTC', network: 'BTC', bounds: { low: '7', target: '8', high: '20' } };
    expect(
      (await app.call({ method: 'PATCH', url: '/api/v3/admin/wallet-bounds', token: operator, payload })).status,
    ).toBe(200);
    await mine(1);
    const [asked] = (await shown()).moves;
    expect(asked).toMatchObject({ kind: 'REFILL', state: 'PLANNED' });
    const { psbt } = await wd.get<{ psbt: string | null }>(`/api/v3/admin/refills/${asked?.id}/file`, operator);
    const transaction = Transaction.fromPSBT(Buffer.from(psbt ?? '', 'base64'));
    transaction.sign(coldKey.privateKey ?? new Uint8Array());
    transaction.finalize();
    const file = Buffer.from(transaction.toPSBT()).toString('base64');
    expect((await wd.post(`/api/v3/admin/refills/${asked?.id}/signed`, operator, { file })).status).toBe(200);
    await syncAll(app);
    await mine(CONFIRMATIONS + 1);
    expect((await shown()).moves).toMatchObject([{ kind: 'REFILL', state: 'FINAL' }]);
  }, 120_000);
});
