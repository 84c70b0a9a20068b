/** On TRON every deposit comes to the hot wallet once or stays where it is, wherever a process ends and whatever the chain does. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { liveThrough, untilQuiet } from '../../../test/simulation.ts';
import { hexOf, type TronLie } from '../../../test/tron-node.ts';
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

  /** Of the second of two nodes: it is away, hides payments or says that their time is over, or names other figures. */
  const lies: Readonly<Record<'none' | 'away' | 'hides' | 'energy' | 'poor' | 'rich' | 'amounts', TronLie>> = {
    none: () => undefined,
    away: () => {
      throw new Error('The node is away');
    },
    hides: (path) => (/transactioninfobyid|transactionfrompending/.test(path) ? {} : undefined),
    energy: (path, answer) => {
      const { energy_used: used = 0 } = answer as { energy_used?: number };
      return path.endsWith('triggerconstantcontract') ? { ...answer, energy_used: used * 2 } : undefined;
    },
    poor: (path) => (path.endsWith('getaccount') ? {} : undefined),
    rich: (path, answer) => (path.endsWith('getaccount') ? { ...answer, balance: 10 ** 15 } : undefined),
    amounts: (path, answer) =>
      path.endsWith('gettransactioninfobyblocknum')
        ? (JSON.parse(JSON.stringify(answer).replaceAll('"data":"0', '"data":"1')) as object)
        : undefined,
  };
  let lie: TronLie = lies.none;

  function calm(): void {
    lie = lies.none;
    stage.chain.modes.clear();
    stage.chain.energyPercent = 100n;
  }

  async function check(): Promise<void> {
    const sweeps = await stage.all();
    expect(sweeps.length).toBeGreaterThan(3);
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
    const isKnown = (alarm: string) =>
      /payout-undone|payout-would-fail|hot-wallet-short|deposit-reversed|nodes-disagree/.test(alarm);
    expect(stage.alarms.filter((alarm) => !isKnown(alarm))).toEqual([]);
  }

  it.each([
    ...Array.from({ length: 6 }, (_, seed) => [seed + 1, 'one node'] as const),
    ...Array.from({ length: 2 }, (_, seed) => [seed + 1, 'two nodes of which one is away and lies'] as const),
  ])(
    'ends with nothing lost, nothing twice and custody equal to the chain, through kills, lost answers, expiry, reorganizations and energy that runs out, seed %i, by %s (faults 1, 2, 3, 5, 14, 15, 22, 23)',
    async (seed, by) => {
      const random = new Random(seed);
      const isPair = by !== 'one node';
      const second: TronLie = (...asked) => lie(...asked);
      stage = await createTronStage(database, { owners: OWNERS, ...(isPair && { second }) });
      // A watcher that has just begun knows no block below its first.
      await stage.blocks(DEEPEST + 1);
      const live = () => {
        act(random);
        if (isPair && random.between(0, 3) === 0) lie = random.pick(Object.values(lies));
      };
      const kills = await liveThrough(stage, random, { turns: 130, restMs: 200_000, act: live });
      expect(kills).toBeGreaterThan(0);
      calm();
      await untilQuiet(stage, 'TRC20', 4 * DEPTH);
      await stage.sync();
      await check();
    },
    180_000,
  );
});
