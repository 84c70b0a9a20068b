/** On TRON every deposit comes to the hot wallet once or stays where it is, wherever a process ends and whatever the chain does. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { fateBy } from '../../../test/mortal-database.ts';
import { hexOf } from '../../../test/tron-node.ts';
import { createTronStage, DEPTH, TOKEN, type TronStage } from '../../../test/tron-stage.ts';
import type { Database } from '../../platform/database.ts';

const OWNERS = [401, 402, 403, 404];
/** Less deep than what is final. */
const DEEPEST = 12;
const HOUR_MS = 3_600_000;

describe.each(databaseKinds)('sweeps and a TRON that changes its mind (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: TronStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  function act(random: Random): void {
    const { chain } = stage;
    const what = random.between(0, 99);
    if (what < 22) stage.deposit(random.pick(OWNERS), BigInt(random.between(2, 900)) * 1_000_000n);
    else if (what < 60) stage.mine(random.between(1, 25));
    // Longer than a payment is good.
    else if (what < 66) stage.mine(random.between(190, 260), true);
    else if (what < 78) chain.reorganize(random.between(1, DEEPEST), random.between(0, 1) === 0);
    else if (what < 84) chain.pool.splice(random.between(0, 2));
    else if (what < 88) chain.energyPercent = random.pick([150n, 220n]);
    else if (what < 91) chain.modes.set(hexOf(TOKEN), random.pick(['reverts', 'false'] as const));
    else if (what < 93) stage.clock.at += HOUR_MS;
    else calm();
  }

  function calm(): void {
    stage.chain.modes.clear();
    stage.chain.energyPercent = 100n;
  }

  async function check(): Promise<void> {
    const sweeps = await stage.all();
    expect(sweeps.length).toBeGreaterThan(3);
    expect([await stage.sweeps.open('TRC20'), await stage.store.open('TRC20', 50)]).toEqual([[], []]);
    const spot = OWNERS.reduce((sum, owner) => sum + stage.spot(owner), 0n);
    // Each is credited what was sent from outside, and nothing else.
    expect(spot / 100n).toBe(stage.received());
    expect(await stage.believed('USDT')).toBe(stage.atAddresses('USDT'));
    expect(await stage.believed('TRX')).toBe(stage.atAddresses('TRX'));
    expect(stage.held(stage.hot, 'USDT') + stage.atAddresses('USDT')).toBe(stage.start.USDT + stage.received());
    expect(stage.held(stage.hot, 'TRX') + stage.atAddresses('TRX') + stage.fees()).toBe(stage.start.TRX);
    expect(await stage.booked()).toBe(stage.fees());
    const swept = sweeps.flatMap(({ state, units }) => (state === 'FINAL' && units !== null ? [units] : []));
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + swept.reduce((sum, units) => sum + units, 0n));
    // One top-up for each sweep that has wanted one.
    const ids = sweeps.map(({ id }) => id);
    const topUps = await stage.store.byReferences('top-up', ids);
    expect(topUps.length).toBe(sweeps.filter((sweep) => sweep.top_up !== null).length);
    expect(stage.toppedUp()).toBe(topUps.filter(({ state }) => state === 'FINAL').length);
    const isKnown = (alarm: string) => /payout-undone|payout-would-fail|hot-wallet-short|deposit-reversed/.test(alarm);
    expect(stage.alarms.filter((alarm) => !isKnown(alarm))).toEqual([]);
  }

  it.each(Array.from({ length: 6 }, (_, seed) => seed + 1))(
    'ends with nothing lost, nothing twice and custody equal to the chain, through kills, lost answers, expiry, reorganizations and energy that runs out, seed %i (faults 1, 2, 3, 5, 14, 22, 23)',
    async (seed) => {
      const random = new Random(seed);
      stage = await createTronStage(database, { owners: OWNERS });
      // A watcher that has just begun knows no block below its first.
      await stage.blocks(DEEPEST + 1);
      let kills = 0;
      for (let turn = 0; turn < 130; turn += 1) {
        act(random);
        stage.clock.at += random.between(0, 200_000);
        if (random.between(0, 2) === 0) continue;
        const other = random.between(0, 3) === 0 ? stage.beside() : undefined;
        const wakes = Array.from({ length: random.between(0, 9) === 0 ? 20 : 0 }, () => () => stage.runner.run());
        const others = other === undefined ? [] : [() => other.runner.run(), () => other.costs(), ...other.works];
        const works = [...wakes, ...others];
        if (await stage.syncUnder(fateBy(random), works)) {
          kills += 1;
          stage.restart();
        }
      }
      expect(kills).toBeGreaterThan(0);
      calm();
      for (let turn = 0; turn < 400; turn += 1) {
        await stage.blocks(1);
        stage.clock.at += 61_000;
        const isOpen = (await stage.sweeps.open('TRC20')).length + (await stage.store.open('TRC20', 1)).length > 0;
        if (turn > 4 * DEPTH && !isOpen) break;
      }
      await stage.sync();
      await check();
    },
    180_000,
  );
});
