/** Sweeps on a chain of development, one thing at a time. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { createSweepStage, type SweepStage, UNLOCKED_AT } from '../../../test/sweep-stage.ts';
import type { Database } from '../../platform/database.ts';

const ETHER = 10n ** 18n;
const USDT = 10n ** 6n;
const [ANNE, BEN] = [101, 102];

describe.each(databaseKinds)('sweeps (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: SweepStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  beforeEach(async () => {
    stage = await createSweepStage(database, [ANNE, BEN]);
    await stage.sync();
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  const states = async () => (await stage.all()).map(({ coin, state }) => `${coin} ${state}`).sort();

  /** Custody believes of addresses what the chain has there. */
  async function expectEven(): Promise<void> {
    for (const coin of ['ETH', 'USDT'] as const)
      expect([coin, await stage.believed(coin)]).toEqual([coin, stage.atAddresses(coin)]);
  }

  it('bring what is unlocked to the hot wallet: the coin at once, a token once its address has gas for it', async () => {
    stage.deposit(ANNE, 'ETH', ETHER);
    stage.deposit(BEN, 'USDT', 500n * USDT);
    await stage.blocks(UNLOCKED_AT - 1);
    expect(await states()).toEqual([]);
    await expectEven();
    await stage.blocks(1);
    expect(await states()).toEqual(['ETH SENDING', 'USDT TOPPING_UP']);
    for (let block = 0; block < 30; block += 1) {
      await stage.blocks(1);
      await expectEven();
    }
    expect(await states()).toEqual(['ETH FINAL', 'USDT FINAL']);
    const fee = stage.chain.baseFee;
    // Room for a higher fee stays at the address, and is in account.
    expect(stage.balance(stage.addressOf(ANNE), 'ETH')).toBe(fee);
    expect(await stage.holding(ANNE, 'ETH')).toBe(fee);
    expect(stage.balance(stage.addressOf(BEN), 'USDT')).toBe(0n);
    expect([stage.balance(stage.addressOf(BEN), 'ETH'), await stage.holding(BEN, 'ETH')]).toEqual([fee, fee]);
    expect(stage.balance(stage.hot, 'USDT')).toBe(stage.start.USDT + 500n * USDT);
    expect(stage.toppedUp()).toEqual({ units: 2n * fee, count: 1 });
    // Three transactions, each booked once as a cost of the network.
    expect([stage.fees(), await stage.booked()]).toEqual([3n * fee, 3n * fee]);
    expect(stage.alarms).toEqual([]);
  });

  it('are no deposits, and neither is the gas that is sent for them: nobody is credited for it', async () => {
    stage.deposit(BEN, 'USDT', 500n * USDT);
    await stage.blocks(UNLOCKED_AT + 30);
    expect(await states()).toEqual(['USDT FINAL']);
    expect(stage.toppedUp().count).toBe(1);
    const rows = await database.query('SELECT coin, units FROM deposits');
    expect(rows).toEqual([{ coin: 'USDT', units: 500n * USDT }]);
    expect(await database.query('SELECT units FROM unlisted_deposits')).toEqual([]);
    expect([stage.spot(BEN, 'ETH'), stage.spot(BEN, 'USDT')]).toEqual([0n, 500n * 10n ** 8n]);
  });

  it('of which the database was set back are known by who has paid: gas is no deposit then either', async () => {
    stage.deposit(BEN, 'USDT', 500n * USDT);
    await stage.blocks(UNLOCKED_AT);
    expect(await states()).toEqual(['USDT TOPPING_UP']);
    await database.transaction(
      ['payout_attempts', 'payouts', 'sweeps'].map((table) => ({ sql: `DELETE FROM ${table}` })),
    );
    await stage.blocks(10);
    expect(stage.toppedUp().count).toBeGreaterThan(0);
    expect(await database.query(`SELECT units FROM deposits WHERE coin = 'ETH'`)).toEqual([]);
  });

  it('leave what is not worth its fee, and take all of it once it is (fault 22)', async () => {
    const { baseFee } = stage.chain;
    const dust = 19n * baseFee;
    stage.deposit(ANNE, 'ETH', dust);
    stage.deposit(BEN, 'USDT', 33n * USDT);
    await stage.blocks(UNLOCKED_AT + 5);
    expect(await states()).toEqual([]);
    expect([await stage.holding(ANNE, 'ETH'), await stage.holding(BEN, 'USDT')]).toEqual([dust, 33n * USDT]);
    stage.deposit(ANNE, 'ETH', 10n * baseFee);
    stage.deposit(BEN, 'USDT', USDT);
    await stage.blocks(UNLOCKED_AT + 30);
    expect(await states()).toEqual(['ETH FINAL', 'USDT FINAL']);
    expect(stage.balance(stage.hot, 'USDT')).toBe(stage.start.USDT + 34n * USDT);
    await expectEven();
  });

  it('obey the policy of their network: the multiple of the fee, and whether they are on', async () => {
    await database.query(`UPDATE sweep_policy SET is_on = false WHERE network = 'ERC20'`);
    stage.deposit(ANNE, 'ETH', 100n * stage.chain.baseFee);
    await stage.blocks(UNLOCKED_AT + 2);
    expect(await states()).toEqual([]);
    await database.query(`UPDATE sweep_policy SET is_on = true, least_multiple = 101 WHERE network = 'ERC20'`);
    await stage.blocks(1);
    expect(await states()).toEqual([]);
    await database.query(`UPDATE sweep_policy SET least_multiple = 90 WHERE network = 'ERC20'`);
    await stage.blocks(1);
    expect(await states()).toEqual(['ETH SENDING']);
  });

  it('take what the chain has at the address, a payment that is not credited included', async () => {
    stage.deposit(ANNE, 'ETH', ETHER);
    await stage.blocks(UNLOCKED_AT - 1);
    stage.deposit(ANNE, 'ETH', 2n * ETHER);
    await stage.blocks(20);
    expect(await states()).toEqual(['ETH FINAL']);
    expect(stage.balance(stage.addressOf(ANNE), 'ETH')).toBe(stage.chain.baseFee);
    expect(stage.spot(ANNE, 'ETH')).toBe(3n * 10n ** 8n);
    await expectEven();
    await stage.blocks(UNLOCKED_AT);
    // What was unlocked later has left already: nothing is swept twice.
    expect(await states()).toEqual(['ETH FINAL']);
    expect(await stage.holding(ANNE, 'ETH')).toBe(stage.chain.baseFee);
  });

  it('that a reorganization takes out of their block go again with the same nonce, and count once', async () => {
    stage.deposit(ANNE, 'ETH', ETHER);
    await stage.blocks(UNLOCKED_AT + 3);
    expect(await states()).toEqual(['ETH SENDING']);
    await expectEven();
    stage.chain.reorganize(3, 'DROP');
    await stage.sync();
    await stage.sync();
    await expectEven();
    expect(stage.balance(stage.hot, 'ETH')).toBe(stage.start.ETH);
    await stage.blocks(20);
    expect(await states()).toEqual(['ETH FINAL']);
    expect(stage.balance(stage.hot, 'ETH')).toBe(stage.start.ETH + ETHER - 2n * stage.chain.baseFee);
    await expectEven();
  });

  it('of a deposit that is reversed afterwards leave a debt of the client and no crash', async () => {
    stage.deposit(ANNE, 'ETH', ETHER);
    await stage.blocks(UNLOCKED_AT + 3);
    expect(await states()).toEqual(['ETH SENDING']);
    stage.chain.reorganize(UNLOCKED_AT + 10, 'DROP');
    await stage.blocks(3);
    expect(stage.spot(ANNE, 'ETH')).toBe(0n);
    expect(stage.alarms.join()).toMatch(/deposit-reversed/);
    await expectEven();
    expect(await stage.holding(ANNE, 'ETH')).toBe(0n);
    // What was signed waits for as long as the chain has nothing at the address; another deposit makes it good.
    stage.deposit(ANNE, 'ETH', 2n * ETHER);
    await stage.blocks(UNLOCKED_AT + 40);
    expect((await states()).every((state) => state === 'ETH FINAL')).toBe(true);
    await expectEven();
  });

  it('that have failed by a clock which was ahead are tried again, and do not wait until then', async () => {
    stage.chain.refused.add(stage.usdt);
    stage.deposit(BEN, 'USDT', 500n * USDT);
    await stage.blocks(UNLOCKED_AT + 2);
    expect(await states()).toEqual(['USDT FAILED']);
    await database.query('UPDATE sweeps SET updated_at = updated_at + 365 * 86400000::bigint');
    stage.chain.refused.clear();
    for (let block = 0; block < 20 && !(await states()).includes('USDT SENDING'); block += 1) await stage.blocks(1);
    expect(await states()).toEqual(['USDT FAILED', 'USDT SENDING']);
  });

  it('that a token would undo move nothing and are tried again later; one that it undoes in its block costs its fee', async () => {
    stage.chain.refused.add(stage.usdt);
    stage.deposit(BEN, 'USDT', 500n * USDT);
    await stage.blocks(UNLOCKED_AT + 2);
    expect(await stage.all()).toMatchObject([{ state: 'FAILED', waits_for: 'WOULD_FAIL' }]);
    expect(stage.toppedUp().count).toBe(0);
    stage.chain.refused.clear();
    await stage.blocks(1);
    expect(await states()).toEqual(['USDT FAILED']);
    stage.clock.at += 3_600_000;
    for (let block = 0; block < 20 && !(await states()).includes('USDT SENDING'); block += 1) await stage.blocks(1);
    expect(await states()).toEqual(['USDT FAILED', 'USDT SENDING']);
    stage.chain.refused.add(stage.usdt);
    for (let block = 0; block < 15; block += 1) {
      await stage.blocks(1);
      await expectEven();
    }
    expect(await stage.all()).toMatchObject([{ state: 'FAILED', waits_for: 'PAYMENT' }, { state: 'FAILED' }]);
    expect(stage.balance(stage.addressOf(BEN), 'USDT')).toBe(500n * USDT);
    expect(await stage.booked()).toBe(stage.fees());
    stage.chain.refused.clear();
    stage.clock.at += 3_600_000;
    await stage.blocks(40);
    expect(stage.balance(stage.hot, 'USDT')).toBe(stage.start.USDT + 500n * USDT);
    await expectEven();
  });

  it('whose fee has become too low are replaced, out of the gas that was left for it', async () => {
    stage.deposit(ANNE, 'ETH', ETHER);
    await stage.blocks(UNLOCKED_AT);
    stage.chain.baseFee = (stage.chain.baseFee * 3n) / 2n;
    await stage.blocks(40);
    expect(await states()).toEqual(['ETH FINAL']);
    const [payout] = await stage.store.byReferences('sweep', [(await stage.all())[0]?.id ?? 0]);
    expect(payout?.attempts).toHaveLength(2);
    expect(await stage.booked()).toBe(stage.fees());
    await expectEven();
  });

  it('whose higher fee is more than their address has go as they were signed before, once that is enough again (fault 7)', async () => {
    const usual = stage.chain.baseFee;
    stage.deposit(ANNE, 'USDT', 500n * USDT);
    for (let block = 0; block < 60 && !(await states()).includes('USDT SENDING'); block += 1) await stage.blocks(1);
    stage.chain.baseFee = 5n * usual;
    await stage.blocks(12);
    const payout = async () => (await stage.store.byReferences('sweep', [(await stage.all())[0]?.id ?? 0]))[0];
    for (const { id } of [...stage.chain.pool.values()]) stage.chain.forget(id);
    expect((await payout())?.attempts).toHaveLength(2);
    stage.chain.baseFee = usual;
    await stage.blocks(20);
    expect(await states()).toEqual(['USDT FINAL']);
    expect(await payout()).toMatchObject({ transaction: (await payout())?.attempts[0]?.transaction, waitsFor: '' });
    expect(stage.balance(stage.hot, 'USDT')).toBe(stage.start.USDT + 500n * USDT);
    expect(await stage.booked()).toBe(stage.fees());
    await expectEven();
  });
});
