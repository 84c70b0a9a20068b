/** Payouts by a real Bitcoin node: each is paid once or not at all, whatever the chain does and wherever a process ends. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BitcoinTestNode, startBitcoinNode } from '../../../test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '../../../test/bitcoin-program.ts';
import { type BitcoinStage, createBitcoinStage } from '../../../test/bitcoin-stage.ts';
import { openMigrated } from '../../../test/databases.ts';
import { liveThrough } from '../../../test/simulation.ts';
import { seedsTo } from '../../../test/suite.ts';
import type { Database } from '../../platform/database.ts';

const isMissing = (await findBitcoinProgram()) === undefined;

const COIN = 100_000_000n;
let stages = 0;

describe('payouts by a Bitcoin node', () => {
  let bitcoin: BitcoinTestNode;
  let database: Database;
  let close: () => Promise<void>;
  let stage: BitcoinStage;

  const to = (reference: number) => stage.to(reference);
  async function begin(...amounts: readonly string[]): Promise<void> {
    stages += 1;
    stage = await createBitcoinStage(database, bitcoin, Buffer.alloc(32, stages));
    await stage.fund(...amounts);
  }
  async function mine(blocks: number): Promise<void> {
    for (let mined = 0; mined < blocks; mined += 1) {
      await bitcoin.mine(1);
      await stage.sync();
    }
  }
  const statesOf = (...references: readonly number[]) =>
    Promise.all(references.map(async (reference) => (await stage.payout(reference)).state));

  beforeAll(async () => {
    if (isMissing) return;
    bitcoin = await startBitcoinNode();
    ({ database, close } = await openMigrated('postgres'));
  });
  beforeEach(({ skip }) => skip(isMissing, withoutBitcoinNode()));
  afterEach(() => stage?.remove());
  afterAll(async () => {
    await close?.();
    await bitcoin?.stop();
  });

  it('pay addresses of every kind in one transaction, whose cost counts once', async () => {
    await begin('2', '1');
    const addresses = [
      ...['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', to(1)],
      'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
      'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
    ];
    for (const [index, address] of addresses.entries()) await stage.plan(index + 1, 10_000_000n, address);
    await stage.sync();
    const payouts = await Promise.all([1, 2, 3, 4].map((reference) => stage.payout(reference)));
    expect(new Set(payouts.map(({ transaction }) => transaction)).size).toBe(1);
    expect(payouts.map(({ state, carriedBy }) => [state, carriedBy === null])).toEqual([
      ['BROADCAST', true],
      ...[2, 3, 4].map(() => ['BROADCAST', false]),
    ]);
    const before = await stage.sender.balance(stage.hot, null);
    await mine(6);
    const ended = await Promise.all([1, 2, 3, 4].map((reference) => stage.payout(reference)));
    expect(ended.map(({ state, confirmations }) => [state, confirmations])).toEqual(
      [1, 2, 3, 4].map(() => ['FINAL', 6]),
    );
    const cost = await stage.costs([ended[0]?.transaction ?? '']);
    expect(ended.map((one) => one.cost)).toEqual([cost, null, null, null]);
    expect(await stage.sender.balance(stage.hot, null)).toBe(before - 40_000_000n - cost);
    for (const address of addresses) expect(await stage.paid(address)).toEqual({ units: 10_000_000n, count: 1 });
    const [margin] = await stage.store.margins(0);
    expect(margin).toMatchObject({ network: 'BTC', count: 4, cost, charged: 10n });
    expect(await stage.store.undoneCosts()).toMatchObject([{ amount: cost }]);
  });

  it('that are stuck are replaced for a higher fee, and whichever is mined pays, once (faults 6, 7, 8)', async () => {
    await begin('1');
    await stage.plan(1, 10_000_000n, to(1));
    await stage.plan(2, 20_000_000n, to(2));
    await stage.sync();
    const first = await stage.payout(1);
    for (let block = 0; block < 12; block += 1) {
      await bitcoin.mineEmpty(1);
      await stage.sync();
    }
    const replaced = await stage.payout(1);
    expect(replaced.attempts).toHaveLength(2);
    expect(replaced.transaction).not.toBe(first.transaction);
    expect((await stage.payout(2)).transaction).toBe(replaced.transaction);
    expect(await bitcoin.call('getrawmempool')).toEqual([replaced.transaction]);
    // A miner has kept the one before it.
    const own = await bitcoin.call('getnewaddress');
    await bitcoin.call('generateblock', own, [first.attempts[0]?.raw]);
    await stage.sync();
    expect((await stage.payout(2)).transaction).toBe(first.transaction);
    // That block is replaced in turn, and now the newer one is mined.
    await bitcoin.drop(1);
    await stage.sync();
    expect(await statesOf(1, 2)).toEqual(['BROADCAST', 'BROADCAST']);
    await bitcoin.call('generateblock', own, [replaced.attempts[1]?.raw]);
    await mine(6);
    expect(await statesOf(1, 2)).toEqual(['FINAL', 'FINAL']);
    expect(await stage.paid(to(1))).toEqual({ units: 10_000_000n, count: 1 });
    expect(await stage.paid(to(2))).toEqual({ units: 20_000_000n, count: 1 });
  });

  it('without change are replaced with one coin more, and paid once (faults 7, 21)', async () => {
    await begin('0.1', '0.5');
    await stage.plan(1, 10_000_000n - 1_115n, to(1));
    await stage.sync();
    const [first] = (await stage.payout(1)).attempts;
    expect(first?.terms).toMatchObject({ change: 0n, inputs: [{ units: 10_000_000n }] });
    for (let block = 0; block < 12; block += 1) {
      await bitcoin.mineEmpty(1);
      await stage.sync();
    }
    const [, second] = (await stage.payout(1)).attempts;
    expect(second?.terms).toMatchObject({ inputs: [{ units: 10_000_000n }, { units: 50_000_000n }] });
    expect(await bitcoin.call('getrawmempool')).toEqual([second?.transaction]);
    await mine(6);
    expect([await statesOf(1), await stage.paid(to(1))]).toEqual([['FINAL'], { units: 9_998_885n, count: 1 }]);
  });

  it('wait while the wallet is short, and for change that is on its way, without an alarm for that (fault 10)', async () => {
    await begin('0.5');
    await stage.plan(1, COIN, to(1));
    await stage.sync();
    await stage.sync();
    expect(await stage.payout(1)).toMatchObject({ state: 'PLANNED', waitsFor: 'FUNDS' });
    expect(stage.alarms).toEqual([expect.stringMatching(/^hot-wallet-short/)]);
    // What fits goes first.
    await stage.plan(2, 10_000_000n, to(2));
    await stage.fund('0.75');
    await stage.sync();
    expect((await stage.payout(1)).state).toBe('BROADCAST');
    await stage.plan(3, 1_000_000n, to(3));
    for (let looks = 0; looks < 3; looks += 1) await stage.sync();
    expect(await stage.payout(3)).toMatchObject({ state: 'PLANNED', waitsFor: 'FUNDS' });
    expect(stage.alarms).toHaveLength(1);
    await mine(13);
    expect(await statesOf(1, 2, 3)).toEqual(['FINAL', 'FINAL', 'FINAL']);
    for (const reference of [1, 2, 3]) expect((await stage.paid(to(reference))).count).toBe(1);
  });

  it('have failed only once another transaction that spends their input is final', async () => {
    await begin('1');
    await stage.plan(1, 10_000_000n, to(1));
    await stage.plan(2, 10_000_000n, to(2));
    await stage.sync();
    const [attempt] = (await stage.payout(1)).attempts;
    if (attempt?.terms.format !== 'bitcoin') throw new Error('Terms of another chain');
    const { inputs } = attempt.terms;
    const terms = { ...attempt.terms, inputs, others: [], change: 0n, fee: 9_000_000n };
    const units = inputs.reduce((sum, input) => sum + input.units, 0n) - terms.fee;
    const payment = { network: 'BTC', contract: null, address: to(9), units } as const;
    const other = await stage.otherSigner().sign({ id: 'another:1', attempt: 1, source: null, payment, terms });
    if (!other.ok) throw new Error(`Refused: ${other.code}`);
    await bitcoin.call('sendrawtransaction', other.raw, 0);
    await mine(3);
    // Who has not read the blocks finds it as well, and not before it is deep enough.
    stage.restart();
    await mine(2);
    expect(await statesOf(1, 2)).toEqual(['BROADCAST', 'BROADCAST']);
    await mine(1);
    expect(await statesOf(1, 2)).toEqual(['FAILED', 'FAILED']);
    expect(stage.alarms).toEqual([expect.stringMatching(/^payout-replaced/)]);
    expect((await stage.paid(to(1))).count + (await stage.paid(to(2))).count).toBe(0);
  });

  it('go by themselves where the signer refuses one of several, so that it holds up no other', async () => {
    await begin('3');
    stage.policy.networks.BTC = {
      ...{ format: 'bitcoin', fee_cap: 10_000_000n, most_fees_per_day: 10n ** 30n },
      coins: [{ contract: null, most_per_payment: 50_000_000n, most_per_day: COIN }],
    };
    await stage.plan(1, 10_000_000n, to(1));
    await stage.plan(2, 60_000_000n, to(2));
    await stage.sync();
    await mine(8);
    expect([await statesOf(1, 2), (await stage.payout(2)).waitsFor]).toEqual([
      ['FINAL', 'PLANNED'],
      'REFUSED_BY_SIGNER',
    ]);
  });

  it('are found at the signer by a database that was set back, whichever of them it asks for first (fault 13)', async () => {
    await begin('1', '1');
    for (const reference of [1, 2, 3]) await stage.plan(reference, 10_000_000n, to(reference));
    await stage.sync();
    const { transaction } = await stage.payout(1);
    await database.query('DELETE FROM payout_attempts');
    await database.query(
      `UPDATE payouts SET carried_by = NULL, state = 'PLANNED', sender = '', transaction = NULL, waits_for = ''`,
    );
    // The first of them is not asked for: it is given up for now.
    await database.query(`UPDATE payouts SET coin = 'none' WHERE reference = 1`);
    await database.query(`UPDATE payouts SET coin = 'BTC', id = DEFAULT WHERE reference = 1`);
    stage.restart();
    await mine(7);
    const ended = await Promise.all([1, 2, 3].map((reference) => stage.payout(reference)));
    expect(ended.map((one) => [one.state, one.transaction])).toEqual([1, 2, 3].map(() => ['FINAL', transaction]));
    for (const reference of [1, 2, 3])
      expect(await stage.paid(to(reference))).toEqual({ units: 10_000_000n, count: 1 });
  });

  async function act(random: Random, wishes: Map<number, bigint>): Promise<void> {
    const what = random.between(0, 99);
    if (what < 40) {
      for (let count = random.between(1, 4); count > 0; count -= 1) {
        const [reference, units] = [wishes.size + 1, BigInt(random.between(1_000, 3_000_000))];
        wishes.set(reference, units);
        await stage.plan(reference, units, to(reference));
      }
    } else if (what < 70) await bitcoin.mine(random.between(1, 2));
    else if (what < 80) await bitcoin.mineEmpty(random.between(1, 6));
    else if (what < 95) {
      const depth = random.between(1, 3);
      await bitcoin.drop(depth);
      if (random.between(0, 1) === 0) await bitcoin.mineEmpty(depth + 1);
      else await bitcoin.mine(depth + 1);
    } else await stage.store.pause('BTC', random.between(0, 1) === 1);
  }

  it.each(seedsTo(4))(
    'end with each of them paid once, through kills, lost answers, empty blocks and reorganizations, seed %i (faults 1, 2, 3, 5, 6)',
    async (seed) => {
      const random = new Random(seed);
      await begin('0.4', '0.1', '0.3', '0.05', '4');
      const wishes = new Map<number, bigint>();
      const start = await stage.sender.balance(stage.hot, null);
      const turns = { turns: 50, restMs: 40_000, idle: 0 };
      const kills = await liveThrough(stage, random, { ...turns, act: () => act(random, wishes) });
      await stage.store.pause('BTC', false);
      for (let turn = 0; turn < 60; turn += 1) {
        stage.clock.at += 61_000;
        await mine(1);
        if ((await stage.store.open('BTC', 1)).length === 0) break;
      }
      expect([kills > 0, wishes.size > 20]).toEqual([true, true]);
      const transactions = new Set<string>();
      for (const [reference, units] of wishes) {
        const { state, transaction } = await stage.payout(reference);
        expect({ reference, state, ...(await stage.paid(to(reference))) }).toEqual({
          reference,
          state: 'FINAL',
          units,
          count: 1,
        });
        transactions.add(transaction ?? '');
      }
      const cost = await stage.costs(transactions);
      const sum = [...wishes.values()].reduce((all, units) => all + units, 0n);
      expect(await stage.sender.balance(stage.hot, null)).toBe(start - sum - cost);
      expect(transactions.size).toBeLessThan(wishes.size);
    },
    120_000,
  );
});
