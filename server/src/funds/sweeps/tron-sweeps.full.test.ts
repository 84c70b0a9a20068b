/** Sweeps on a node of TRON, one thing at a time. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { hexOf } from '../../../test/tron-node.ts';
import { ASSETS, createTronStage, DEPTH, TOKEN, type TronStage } from '../../../test/tron-stage.ts';
import type { Database } from '../../platform/database.ts';

const USDT = 1_000_000n;
const TRX = 1_000_000n;
const [ANNE, BEN] = [301, 302];
const HOUR_MS = 3_600_000;

describe.each(databaseKinds)('sweeps by TRON (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: TronStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  beforeEach(async () => {
    stage = await createTronStage(database, { owners: [ANNE, BEN] });
    await stage.sync();
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  const states = async () =>
    (await stage.all()).map(({ state, waits_for: waits }) => `${state} ${waits}`.trim()).sort();
  const gas = (owner: number) => stage.held(stage.addressOf(owner), 'TRX');

  /** Custody believes of addresses what the chain has there, and the ledger has every cost. */
  async function expectEven(): Promise<void> {
    expect(await stage.believed('USDT')).toBe(stage.atAddresses('USDT'));
    expect(await stage.believed('TRX')).toBe(stage.atAddresses('TRX'));
    expect(stage.held(stage.hot, 'USDT') + stage.atAddresses('USDT')).toBe(stage.start.USDT + stage.received());
    expect(stage.held(stage.hot, 'TRX') + stage.atAddresses('TRX') + stage.fees()).toBe(stage.start.TRX);
  }
  /** Until a sweep of so many has ended. */
  async function untilEnded(count: number): Promise<void> {
    const ended = async () => (await stage.all()).filter(({ state }) => state === 'FINAL' || state === 'FAILED').length;
    for (let block = 0; block < 120 && (await ended()) < count; block += 1) await stage.blocks(1);
  }

  it('bring a token home: TRX opens the address and pays for it, nobody is credited for that, and what it cost is booked', async () => {
    stage.deposit(ANNE, 500n * USDT);
    await stage.blocks(DEPTH);
    expect(await states()).toEqual(['TOPPING_UP']);
    await stage.blocks(1);
    // A third above what the call takes, and its bytes; the address had no account.
    const brought = (64_285n * 100n * 4n) / 3n + 400_000n;
    expect(gas(ANNE)).toBe(brought);
    expect(stage.start.TRX - stage.held(stage.hot, 'TRX')).toBe(brought + 1_100_000n);
    for (let block = 0; block < 45; block += 1) {
      await stage.blocks(1);
      await expectEven();
    }
    expect(await states()).toEqual(['FINAL']);
    expect([stage.held(stage.hot, 'USDT'), stage.atAddresses('USDT')]).toEqual([stage.start.USDT + 500n * USDT, 0n]);
    expect(gas(ANNE)).toBe(brought - 64_285n * 100n - 345_000n);
    expect(stage.spot(ANNE)).toBe(500n * 10n ** 8n);
    expect(await database.query('SELECT coin FROM deposits')).toEqual([{ coin: 'USDT' }]);
    expect(await database.query('SELECT units FROM unlisted_deposits')).toEqual([]);
    expect([await stage.booked(), stage.toppedUp()]).toEqual([stage.fees(), 1]);
    expect(stage.alarms).toEqual([]);
  });

  it('cost what is kept while the exchange does not list TRX, and is booked whole with the first one once it does', async () => {
    stage.remove();
    let assets = ASSETS.filter(({ code }) => code === 'USDT');
    stage = await createTronStage(database, { owners: [ANNE, BEN], assets: () => assets });
    await stage.sync();
    stage.deposit(ANNE, 500n * USDT);
    await stage.blocks(DEPTH);
    await untilEnded(1);
    const kept = (await stage.store.networks()).get('TRC20')?.costRest;
    expect([kept, await database.query('SELECT payout FROM payout_costs')]).toEqual([stage.fees(), []]);
    assets = [...ASSETS];
    stage.restart();
    stage.deposit(BEN, 500n * USDT);
    await stage.blocks(DEPTH);
    await untilEnded(2);
    expect((await stage.store.networks()).get('TRC20')?.costRest).toBe(0n);
    expect(await stage.booked()).toBe(stage.fees());
  });

  it('of which the database was set back are known by who has paid: TRX for gas is no deposit then either', async () => {
    stage.deposit(ANNE, 500n * USDT);
    await stage.blocks(DEPTH);
    await database.transaction(
      ['payout_attempts', 'payouts', 'sweeps'].map((table) => ({ sql: `DELETE FROM ${table}` })),
    );
    await stage.blocks(3);
    expect(stage.toppedUp()).toBe(1);
    expect(await database.query('SELECT units FROM unlisted_deposits')).toEqual([]);
  });

  it('use the gas that the last one has left, and bring only what is missing', async () => {
    stage.deposit(ANNE, 500n * USDT);
    await stage.blocks(DEPTH);
    await untilEnded(1);
    const left = gas(ANNE);
    stage.deposit(ANNE, 400n * USDT);
    await stage.blocks(DEPTH);
    await untilEnded(2);
    const [second] = await stage.all();
    expect(second).toMatchObject({ state: 'FINAL', units: 400n * USDT });
    expect(second?.top_up).toBe((64_285n * 100n * 4n) / 3n + 400_000n - left);
    await expectEven();
  });

  it('leave what is not worth its energy, its bytes and the account that has to be opened (fault 22)', async () => {
    // 6.4285 TRX for energy, 0.345 and 0.268 for bytes, 1.1 for the account, at 0.30 USDT, twenty times: 48.85.
    stage.deposit(ANNE, 48n * USDT);
    await stage.blocks(DEPTH + 5);
    expect(await states()).toEqual([]);
    stage.deposit(ANNE, USDT);
    await stage.blocks(DEPTH);
    await untilEnded(1);
    expect(await states()).toEqual(['FINAL']);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 49n * USDT);
  });

  it('cost twice the energy where the hot wallet has none of the token, and are measured by that', async () => {
    await database.query(`UPDATE sweep_policy SET least_multiple = 1 WHERE network = 'TRC20'`);
    stage.chain.endow(stage.hot, TOKEN, -stage.start.USDT);
    // 15.1 TRX and more, at 0.30: above four.
    stage.deposit(ANNE, 4n * USDT);
    stage.deposit(BEN, 5n * USDT);
    await stage.blocks(DEPTH + 1);
    expect((await stage.all()).map(({ address }) => address)).toEqual([stage.addressOf(BEN)]);
    await untilEnded(1);
    expect(stage.held(stage.hot, 'USDT')).toBe(5n * USDT);
  });

  it('whose energy has run out have moved nothing, and go again with a higher limit and the gas that is left (fault 23)', async () => {
    stage.chain.energyPercent = 180n;
    stage.deposit(ANNE, 900n * USDT);
    await stage.blocks(DEPTH);
    await untilEnded(1);
    expect(await states()).toEqual(['FAILED PAYMENT']);
    expect(stage.held(stage.addressOf(ANNE), 'USDT')).toBe(900n * USDT);
    await expectEven();
    const left = gas(ANNE);
    stage.clock.at += HOUR_MS;
    await untilEnded(2);
    const [second] = await stage.all();
    expect(second).toMatchObject({ state: 'FINAL', units: 900n * USDT });
    const limit = (64_285n * 100n * 4n) / 3n;
    expect(second?.top_up).toBe(2n * limit + 400_000n - left);
    expect(await stage.booked()).toBe(stage.fees());
    await expectEven();
  });

  it('whose energy runs out again and again end once that is not worth it (faults 22, 23)', async () => {
    stage.chain.energyPercent = 100_000n;
    stage.deposit(ANNE, 300n * USDT);
    await stage.blocks(DEPTH);
    for (let hour = 1; hour < 8; hour += 1) {
      await untilEnded(hour);
      stage.clock.at += HOUR_MS;
      await stage.blocks(1);
    }
    const paid = (await stage.all()).filter(({ waits_for: waits }) => waits === 'PAYMENT').length;
    expect([paid, (await states()).at(0)]).toEqual([3, 'FAILED NOT_WORTH']);
    // Limits of 8.6, 17.1 and 34.3 TRX were burned; twenty times the next one is above what there is.
    expect(stage.fees()).toBeLessThan(66n * TRX);
    await expectEven();
  });

  it('for which more energy is needed than was brought bring the rest, and never wait for it to become cheap', async () => {
    stage.deposit(ANNE, 500n * USDT);
    await stage.blocks(DEPTH + 2);
    expect(await states()).toEqual(['TOPPING_UP']);
    const brought = gas(ANNE);
    stage.chain.endow(stage.hot, TOKEN, -stage.start.USDT);
    await stage.blocks(DEPTH);
    expect(await states()).toEqual(['FAILED WOULD_FAIL']);
    stage.clock.at += HOUR_MS;
    await untilEnded(2);
    const [second] = await stage.all();
    expect(second).toMatchObject({ state: 'FINAL', top_up: (130_285n * 100n * 4n) / 3n + 400_000n - brought });
    expect(stage.held(stage.hot, 'USDT')).toBe(500n * USDT);
  });

  it('that expire unseen are signed anew once that is final, and move what there is once', async () => {
    stage.deposit(ANNE, 500n * USDT);
    for (let block = 0; block < 80 && !(await states()).includes('SENDING'); block += 1) await stage.blocks(1);
    stage.mine(230, true);
    await stage.sync();
    stage.mine(1, true);
    await stage.sync();
    stage.mine(30, true);
    stage.clock.at += 61_000;
    await stage.sync();
    await untilEnded(1);
    const [sweep] = await stage.all();
    const [payout] = await stage.store.byReferences('sweep', [sweep?.id ?? 0]);
    expect([sweep?.state, payout?.attempts.length]).toEqual(['FINAL', 2]);
    await expectEven();
  });

  it('that a token would undo, or undoes in its block, move nothing and are tried again later (faults 16, 18)', async () => {
    stage.chain.modes.set(hexOf(TOKEN), 'reverts');
    stage.deposit(BEN, 500n * USDT);
    await stage.blocks(DEPTH + 1);
    expect(await states()).toEqual(['FAILED WOULD_FAIL']);
    expect(stage.toppedUp()).toBe(0);
    stage.chain.modes.clear();
    stage.clock.at += HOUR_MS;
    for (let block = 0; block < 60 && !(await states()).includes('SENDING'); block += 1) await stage.blocks(1);
    stage.chain.modes.set(hexOf(TOKEN), 'false');
    await untilEnded(2);
    expect(await states()).toEqual(['FAILED PAYMENT', 'FAILED WOULD_FAIL']);
    await expectEven();
    stage.chain.modes.clear();
    stage.clock.at += HOUR_MS;
    await untilEnded(3);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 500n * USDT);
    await expectEven();
  });
});
