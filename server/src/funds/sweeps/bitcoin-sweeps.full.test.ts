/** Sweeps by a real Bitcoin node: deposits come home once, whatever the chain does and wherever a process ends. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BitcoinTestNode, startBitcoinNode } from '../../../test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '../../../test/bitcoin-program.ts';
import {
  type BitcoinSweepStage,
  CONFIRMATIONS,
  createBitcoinSweepStage,
  MINIMUM,
  UNLOCKED_AT,
} from '../../../test/bitcoin-sweep-stage.ts';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { liveThrough, untilQuiet } from '../../../test/simulation.ts';
import type { Database } from '../../platform/database.ts';
import { readTransaction } from '../chains/bitcoin-block.ts';
import { feeOf, virtualBytes } from '../chains/bitcoin-selection.ts';

const isMissing = (await findBitcoinProgram()) === undefined;

const COIN = 100_000_000n;
/** As the node has no estimate: for 1,000 virtual bytes, and 20 times that for what is worth it. */
const RATE = 10_000n;
const OWNERS = [301, 302, 303, 304];
const [ANNE, BEN, CARL] = [301, 302, 303];
const HOT_SCRIPT = Buffer.alloc(22);
const feeFor = (coins: number) => feeOf(virtualBytes(coins, [HOT_SCRIPT]), RATE);
let stages = 100;

describe.each(databaseKinds)('sweeps by a Bitcoin node (%s)', (kind) => {
  let bitcoin: BitcoinTestNode;
  let database: Database;
  let close: () => Promise<void>;
  let stage: BitcoinSweepStage;

  beforeAll(async () => {
    if (isMissing) return;
    bitcoin = await startBitcoinNode();
    ({ database, close } = await openMigrated(kind));
  });
  beforeEach(async ({ skip }) => {
    skip(isMissing, withoutBitcoinNode());
    stages += 1;
    stage = await createBitcoinSweepStage(database, bitcoin, Buffer.alloc(32, stages), OWNERS);
    await stage.sync();
  });
  afterEach(() => stage?.remove());
  afterAll(async () => {
    await close?.();
    await bitcoin?.stop();
  });

  const to = (reference: number) => stage.to(reference);
  const states = async () => (await stage.all()).map(({ state }) => state).sort();
  const hot = () => stage.sender.balance(stage.hot, null);
  const payoutsOf = async () =>
    stage.store.byReferences(
      'sweep',
      (await stage.all()).map(({ id }) => id),
    );
  async function untilSent(): Promise<string> {
    await stage.blocks(UNLOCKED_AT);
    await stage.sync();
    const [payout] = await payoutsOf();
    return payout?.transaction ?? '';
  }

  /** Custody believes of addresses what the chain has there. */
  async function expectEven(): Promise<void> {
    expect(await stage.believed()).toBe(await stage.atAddresses());
  }

  it('bring every coin of several addresses in one transaction and one output, whose fee is booked once (fault 20)', async () => {
    await stage.deposit(ANNE, COIN);
    await stage.deposit(ANNE, COIN / 2n);
    await stage.deposit(BEN, COIN / 4n);
    await stage.blocks(UNLOCKED_AT - 1);
    await expectEven();
    expect(await states()).toEqual([]);
    await stage.blocks(1);
    for (let block = 0; block < CONFIRMATIONS + 2; block += 1) {
      await stage.blocks(1);
      await expectEven();
    }
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    const payouts = await payoutsOf();
    expect(new Set(payouts.map(({ transaction }) => transaction)).size).toBe(1);
    const cost = await stage.costs([payouts[0]?.transaction ?? '']);
    expect(cost).toBe(feeFor(3));
    expect(payouts.flatMap((one) => one.cost ?? [])).toEqual([cost]);
    const raw = String(await bitcoin.call('getrawtransaction', payouts[0]?.transaction));
    expect(readTransaction(raw)).toMatchObject({ outputs: [{ units: (7n * COIN) / 4n - cost }] });
    expect(readTransaction(raw).inputs).toHaveLength(3);
    expect([await hot(), stage.booked(), await stage.atAddresses()]).toEqual([(7n * COIN) / 4n - cost, cost, 0n]);
    expect([stage.spot(ANNE), stage.spot(BEN)]).toEqual([(3n * COIN) / 2n, COIN / 4n]);
    // What came home was no deposit of anybody, and nothing is swept twice.
    expect(await database.query('SELECT count(*) AS count FROM deposits')).toEqual([{ count: 3 }]);
    await stage.blocks(UNLOCKED_AT + 2);
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    expect(stage.alarms).toEqual([]);
  });

  it('pay withdrawals from what was swept', async () => {
    await stage.deposit(ANNE, COIN);
    await untilSent();
    await stage.plan(1, COIN / 2n, to(1), CONFIRMATIONS);
    await stage.sync();
    // It is not there before it is in a block.
    expect((await stage.payout(1)).state).toBe('PLANNED');
    await stage.blocks(CONFIRMATIONS + 3);
    expect([(await stage.payout(1)).state, await stage.paid(to(1))]).toEqual(['FINAL', { units: COIN / 2n, count: 1 }]);
    expect(await stage.costs((await stage.store.list(9)).flatMap(({ transaction }) => transaction ?? []))).toBe(
      stage.booked(),
    );
  });

  it('leave what is not worth its fee, and take along what is too little to be credited where it is worth it (faults 21, 22)', async () => {
    const dust = 20n * (feeFor(2) - feeFor(1)) - 1n;
    await stage.deposit(ANNE, dust);
    await stage.deposit(BEN, MINIMUM - 1n);
    await stage.deposit(CARL, 20n * feeFor(1) - 1n);
    await stage.blocks(UNLOCKED_AT + 1);
    const below = MINIMUM - 1n;
    expect((await stage.all()).map(({ units }) => units)).toEqual([below]);
    await stage.deposit(ANNE, COIN);
    await stage.blocks(UNLOCKED_AT + CONFIRMATIONS + 3);
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    // One coin of Anne's and one of Ben's have come, and hers that costs more to spend has not.
    expect(await hot()).toBe(below + COIN - 2n * feeFor(1));
    expect((await stage.paid(stage.addressOf(ANNE))).units).toBe(dust);
    expect([stage.spot(ANNE), stage.spot(BEN)]).toEqual([COIN, 0n]);
    await expectEven();
  });

  it("take no block's new coins, which are no deposit (fault 20)", async () => {
    await bitcoin.mineTo(stage.addressOf(CARL), 1);
    await stage.deposit(ANNE, COIN);
    await stage.blocks(UNLOCKED_AT + CONFIRMATIONS + 3);
    expect(await states()).toEqual(['FINAL']);
    expect(await hot()).toBe(COIN - feeFor(1));
    expect((await stage.paid(stage.addressOf(CARL))).count).toBe(1);
    expect(await database.query('SELECT contract FROM unlisted_deposits')).toEqual([{ contract: 'coinbase' }]);
  });

  it('obey the policy of their network', async () => {
    await database.query(`UPDATE sweep_policy SET is_on = false WHERE network = 'BTC'`);
    await stage.deposit(ANNE, 100n * feeFor(1));
    await stage.blocks(UNLOCKED_AT + 1);
    expect(await states()).toEqual([]);
    await database.query(`UPDATE sweep_policy SET is_on = true, least_multiple = 101 WHERE network = 'BTC'`);
    await stage.blocks(1);
    expect(await states()).toEqual([]);
    await database.query(`UPDATE sweep_policy SET least_multiple = 100 WHERE network = 'BTC'`);
    await stage.blocks(1);
    expect(await states()).toEqual(['SENDING']);
  });

  it('are replaced by the same coins for a higher fee out of the output, and whichever is mined counts once (faults 7, 21)', async () => {
    await stage.deposit(ANNE, COIN);
    await stage.deposit(BEN, COIN);
    const first = await untilSent();
    const [leader] = (await payoutsOf()).filter(({ carriedBy }) => carriedBy === null);
    if (leader === undefined) throw new Error('Nothing was sent');
    for (let empty = 0; empty < 12; empty += 1) {
      await bitcoin.mineEmpty(1);
      await stage.sync();
    }
    // It can wait: only an operator wants it sooner.
    expect((await stage.store.find(leader.id))?.attempts).toHaveLength(1);
    await stage.runner.replace(leader.id);
    const second = await stage.store.find(leader.id);
    expect(second?.attempts.map(({ terms }) => terms)).toMatchObject([
      { fee: feeFor(2), change: 0n },
      { fee: feeFor(2) + (feeFor(2) + 7n) / 8n, change: 0n },
    ]);
    expect(await bitcoin.call('getrawmempool')).toEqual([second?.transaction]);
    // A miner has kept the one before it.
    const own = await bitcoin.call('getnewaddress');
    await bitcoin.call('generateblock', own, [leader.attempts[0]?.raw]);
    await stage.sync();
    await expectEven();
    expect((await stage.store.find(leader.id))?.transaction).toBe(first);
    // That block is replaced in turn, and now the newer one is mined.
    await bitcoin.drop(1);
    await stage.sync();
    await bitcoin.call('generateblock', own, [second?.attempts[1]?.raw]);
    await stage.sync();
    await expectEven();
    await stage.blocks(CONFIRMATIONS);
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    expect((await payoutsOf()).every(({ transaction }) => transaction === second?.transaction)).toBe(true);
    const cost = await stage.costs([second?.transaction ?? '']);
    expect([await hot(), stage.booked()]).toEqual([2n * COIN - cost, cost]);
  });

  it('are replaced by themselves once they are in no block for a day, and never for more than half of what they bring', async () => {
    await database.query(`UPDATE sweep_policy SET least_multiple = 3 WHERE network = 'BTC'`);
    await stage.deposit(ANNE, 3n * feeFor(1));
    await untilSent();
    const fees = async () =>
      (await payoutsOf())[0]?.attempts.map(({ terms }) => terms.format === 'bitcoin' && terms.fee);
    await bitcoin.mineEmpty(143);
    await stage.sync();
    expect(await fees()).toEqual([feeFor(1)]);
    await bitcoin.mineEmpty(1);
    await stage.sync();
    expect(await fees()).toHaveLength(2);
    for (let more = 0; more < 5; more += 1) await stage.runner.replace((await payoutsOf())[0]?.id ?? 0);
    const asked = (await fees()) ?? [];
    expect(asked).toHaveLength(4);
    expect(asked.every((fee) => typeof fee === 'bigint' && 2n * fee <= 3n * feeFor(1))).toBe(true);
    await stage.blocks(CONFIRMATIONS + 1);
    expect(await states()).toEqual(['FINAL']);
    expect(await hot()).toBe(3n * feeFor(1) - (await stage.costs([(await payoutsOf())[0]?.transaction ?? ''])));
    await expectEven();
  }, 120_000);

  it('go by themselves where the signer refuses one of several, and are given up where it refuses for good', async () => {
    await stage.deposit(ANNE, COIN);
    await stage.deposit(BEN, COIN / 2n);
    const { BTC: policy } = stage.policy.networks;
    if (policy === undefined) throw new Error('There is no policy');
    // Enough for one coin, and not for two.
    stage.policy.networks.BTC = { ...policy, fee_cap: feeFor(1) };
    await stage.blocks(UNLOCKED_AT + CONFIRMATIONS + 3);
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    expect(new Set((await payoutsOf()).map(({ transaction }) => transaction)).size).toBe(2);
    await expectEven();
  });

  it('are found at the signer by a database that was set back, whichever of them it asks for first (fault 13)', async () => {
    await stage.deposit(ANNE, COIN);
    await stage.deposit(BEN, COIN / 2n);
    const transaction = await untilSent();
    await database.query('DELETE FROM payout_attempts');
    await database.query(
      `UPDATE payouts SET carried_by = NULL, state = 'PLANNED', sender = '', transaction = NULL, waits_for = ''`,
    );
    // The signer is asked for the one that went along, since the other one is left out for a while.
    await database.query(`UPDATE payouts SET coin = 'none' WHERE carried_by IS NULL AND units = $1::text::numeric`, [
      String(COIN),
    ]);
    stage.restart();
    await database.query(`UPDATE payouts SET coin = 'BTC', id = DEFAULT WHERE coin = 'none'`);
    await stage.blocks(CONFIRMATIONS + 2);
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    expect((await payoutsOf()).map((one) => one.transaction)).toEqual([transaction, transaction]);
    await expectEven();
  });

  async function act(random: Random, wishes: Map<number, bigint>): Promise<void> {
    const what = random.between(0, 99);
    if (what < 35) {
      for (let count = random.between(1, 4); count > 0; count -= 1)
        await stage.deposit(random.pick(OWNERS), BigInt(random.between(2_000, 9_000_000)));
    } else if (what < 45) {
      const reference = wishes.size + 1;
      wishes.set(reference, BigInt(random.between(1_000, 2_000_000)));
      await stage.plan(reference, wishes.get(reference) ?? 0n, to(reference), CONFIRMATIONS);
    } else if (what < 75) await bitcoin.mine(random.between(1, 3));
    else if (what < 83) await bitcoin.mineEmpty(random.between(1, 4));
    else if (what < 95) {
      // Less deep than what is final.
      const depth = random.between(1, 3);
      await bitcoin.drop(depth);
      if (random.between(0, 1) === 0) await bitcoin.mineEmpty(depth + 1);
      else await bitcoin.mine(depth + 1);
    } else
      for (const payout of await payoutsOf()) if (payout.state === 'BROADCAST') await stage.runner.replace(payout.id);
  }

  async function check(wishes: ReadonlyMap<number, bigint>): Promise<void> {
    const ended = await states();
    expect(ended.length).toBeGreaterThan(3);
    const { units: received, credited } = await stage.received();
    expect(OWNERS.reduce((sum, owner) => sum + stage.spot(owner), 0n)).toBe(credited);
    await expectEven();
    for (const [reference, units] of wishes)
      expect({ reference, ...(await stage.paid(to(reference))) }).toEqual({ reference, units, count: 1 });
    const paid = [...wishes.values()].reduce((sum, units) => sum + units, 0n);
    const all = (await stage.store.list(1000)).filter(({ state }) => state === 'FINAL');
    const transactions = new Set(all.flatMap(({ transaction }) => transaction ?? []));
    const cost = await stage.costs(transactions);
    expect(stage.booked()).toBe(cost);
    expect((await hot()) + (await stage.atAddresses()) + paid + cost).toBe(START + received);
    // What is left would cost too much, or is too new.
    const swept = all.filter(({ purpose }) => purpose === 'sweep');
    expect(transactions.size).toBeLessThan(swept.length + wishes.size);
    expect(stage.alarms.filter((alarm) => !/^(deposit-reversed|hot-wallet-short)/.test(alarm))).toEqual([]);
  }
  const START = COIN;

  it.each([1, 2, 3])(
    'end with nothing lost, nothing twice and custody equal to the chain, through kills, lost answers and reorganizations, seed %i (faults 1, 2, 3, 5, 6, 14)',
    async (seed) => {
      const random = new Random(seed);
      await stage.fund('1');
      await stage.blocks(8);
      const wishes = new Map<number, bigint>();
      const turns = { turns: 70, restMs: 400_000, idle: 25 };
      const kills = await liveThrough(stage, random, { ...turns, act: () => act(random, wishes) });
      await untilQuiet(stage, 'BTC', 16, 700_000);
      expect(kills).toBeGreaterThan(0);
      await check(wishes);
    },
    180_000,
  );
});
