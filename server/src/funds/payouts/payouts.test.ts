/** Payouts by a chain of development, one thing at a time. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { createPayoutStage, type PayoutStage } from '../../../test/payout-stage.ts';
import type { Database } from '../../platform/database.ts';

const ETHER = 10n ** 18n;
const USDT = 10n ** 6n;
const to = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

describe.each(databaseKinds)('payouts (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: PayoutStage;

  beforeAll(async () => {
    const opened = await openMigrated(kind);
    database = opened.database;
    close = async () => {
      await opened.database.close();
      await opened.source.remove();
    };
  });
  beforeEach(async () => {
    stage = await createPayoutStage(database);
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  async function mine(blocks: number): Promise<void> {
    for (let made = 0; made < blocks; made += 1) {
      stage.chain.mine(1);
      await stage.sync();
    }
  }

  it('go from planned to final, are paid once, and their cost comes to the ledger', async () => {
    await stage.plan(1, 'ETH', ETHER / 2n, to(1));
    await stage.plan(2, 'USDT', 75n * USDT, to(2));
    expect(await stage.payout(1)).toMatchObject({ state: 'PLANNED', transaction: null, confirmations: 0 });
    await stage.sync();
    expect([(await stage.payout(1)).state, (await stage.payout(2)).state]).toEqual(['BROADCAST', 'BROADCAST']);
    await mine(1);
    expect(await stage.payout(2)).toMatchObject({ state: 'MINED', confirmations: 1, cost: stage.chain.baseFee });
    await mine(11);
    expect([(await stage.payout(1)).state, (await stage.payout(2)).state]).toEqual(['FINAL', 'FINAL']);
    expect([stage.paid(to(1)), stage.paid(to(2))]).toEqual([
      { units: ETHER / 2n, count: 1 },
      { units: 75n * USDT, count: 1 },
    ]);
    expect(stage.chain.accounts.balance(stage.hot, null)).toBe(stage.start.ETH - ETHER / 2n - stage.fees());
    expect(await stage.booked()).toBe(2n * stage.chain.baseFee);
    expect(stage.alarms).toEqual([]);
  });

  it('of one reference are one, for ever', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await expect(stage.plan(1, 'ETH', ETHER, to(1))).rejects.toThrow();
    await stage.sync();
    await mine(12);
    await expect(stage.plan(1, 'ETH', ETHER, to(1))).rejects.toThrow();
  });
});
