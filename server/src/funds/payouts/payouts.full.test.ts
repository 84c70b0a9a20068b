/** Payouts by a chain of development: what takes many of them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { createPayoutStage, type PayoutStage } from '../../../test/payout-stage.ts';

const ETHER = 10n ** 18n;
/** More than one run looks at. */
const MANY = 520;
const to = (number: number) => `0x${number.toString(16).padStart(40, 'a')}`;

describe.each(databaseKinds)('payouts (%s)', (kind) => {
  let close: () => Promise<void>;
  let stage: PayoutStage;

  beforeAll(async () => {
    const opened = await openMigrated(kind);
    close = opened.close;
    stage = await createPayoutStage(opened.database);
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  const states = (...references: number[]) =>
    Promise.all(references.map(async (reference) => (await stage.payout(reference)).state));

  it('go on behind more that the chain would undo than one run looks at', async () => {
    stage.chain.refused.add(to(1));
    for (let reference = 1; reference <= MANY; reference += 1) await stage.plan(reference, 'ETH', 1n, to(1));
    await stage.plan(MANY + 1, 'ETH', ETHER, to(3));
    for (let runs = 0; runs < 4; runs += 1) await stage.sync();
    expect(await states(1, MANY + 1)).toEqual(['PLANNED', 'BROADCAST']);
    stage.clock.at += 61_000;
    await stage.plan(MANY + 2, 'ETH', ETHER, to(3));
    for (let runs = 0; runs < 4; runs += 1) await stage.sync();
    expect(await states(MANY + 2)).toEqual(['BROADCAST']);
  });
});
