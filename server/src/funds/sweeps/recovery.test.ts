/** Every deposit comes to the hot wallet once or stays where it is, wherever a process ends and whatever the chain does. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { liveThrough, untilQuiet } from '../../../test/simulation.ts';
import { seedsTo } from '../../../test/suite.ts';
import { createSweepStage, type SweepStage } from '../../../test/sweep-stage.ts';
import type { Database } from '../../platform/database.ts';

const OWNERS = [201, 202, 203, 204];
const COINS = ['ETH', 'USDT'] as const;
const USUAL_FEE = 420_000_000_000_000n;
/** Less deep than what is final. */
const DEEPEST = 9;

describe.each(databaseKinds)('sweeps and a chain that changes its mind (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: SweepStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  function act(random: Random): void {
    const { chain } = stage;
    const what = random.between(0, 99);
    const coin = random.pick(COINS);
    const units =
      coin === 'ETH' ? BigInt(random.between(3, 900)) * 10n ** 15n : BigInt(random.between(2, 900)) * 10n ** 6n;
    if (what < 25) stage.deposit(random.pick(OWNERS), coin, units);
    else if (what < 70) chain.mine(random.between(1, 25));
    else if (what < 82) chain.reorganize(random.between(1, DEEPEST), random.pick(['KEEP', 'WAIT'] as const));
    else if (what < 87) for (const { id } of [...chain.pool.values()].slice(random.between(0, 2))) chain.forget(id);
    else if (what < 92) chain.baseFee = random.pick([USUAL_FEE, 2n * USUAL_FEE, 5n * USUAL_FEE]);
    else if (what < 95) chain.refused.add(stage.usdt);
    else chain.refused.clear();
  }

  async function check(): Promise<void> {
    const sweeps = await stage.all();
    expect(sweeps.length).toBeGreaterThan(3);
    for (const coin of COINS) {
      const spot = OWNERS.reduce((sum, owner) => sum + stage.spot(owner, coin), 0n);
      const scale = coin === 'ETH' ? 10n ** 10n : 1n;
      // Each is credited what was sent from outside, and nothing else.
      expect([coin, coin === 'ETH' ? spot * scale : spot / 100n]).toEqual([coin, stage.received(coin)]);
      expect([coin, await stage.believed(coin)]).toEqual([coin, stage.atAddresses(coin)]);
      const hot = stage.balance(stage.hot, coin);
      const fees = coin === 'ETH' ? stage.fees() : 0n;
      expect([coin, hot + stage.atAddresses(coin) + fees]).toEqual([coin, stage.start[coin] + stage.received(coin)]);
    }
    expect(await stage.booked()).toBe(stage.fees());
    // One top-up for each sweep that has wanted one.
    const topUps = await stage.store.byReferences(
      'top-up',
      sweeps.map(({ id }) => id),
    );
    expect(topUps.length).toBe(sweeps.filter((sweep) => sweep.top_up !== null).length);
    expect(stage.toppedUp().count).toBe(topUps.filter(({ state }) => state === 'FINAL').length);
    expect(
      stage.alarms.filter((alarm) => !/payout-undone|payout-would-fail|hot-wallet-short|deposit-reversed/.test(alarm)),
    ).toEqual([]);
  }

  it.each(seedsTo(6))(
    'ends with nothing lost, nothing twice and custody equal to the chain, through kills, lost answers and reorganizations, seed %i (faults 1, 2, 5, 6, 22)',
    async (seed) => {
      const random = new Random(seed);
      stage = await createSweepStage(database, OWNERS);
      await stage.sync();
      const kills = await liveThrough(stage, random, { turns: 130, restMs: 400_000, act: () => act(random) });
      expect(kills).toBeGreaterThan(0);
      stage.chain.refused.clear();
      stage.chain.baseFee = USUAL_FEE;
      await untilQuiet(stage, 'ERC20', 80);
      await stage.sync();
      await check();
    },
    180_000,
  );
});
