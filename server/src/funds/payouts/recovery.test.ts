/** Every payout is paid once or not at all, whatever the chain does and wherever a process ends. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { createPayoutStage, type PayoutStage } from '../../../test/payout-stage.ts';
import { liveThrough } from '../../../test/simulation.ts';
import { seedsTo } from '../../../test/suite.ts';
import type { Database } from '../../platform/database.ts';

const CONFIRMATIONS = 12;
/** Less deep than what is final. */
const DEEPEST = 9;
const to = (reference: number) => `0x${reference.toString(16).padStart(40, 'a')}`;

describe.each(databaseKinds)('payouts and a chain that changes its mind (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: PayoutStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  interface Wish {
    readonly coin: 'ETH' | 'USDT';
    readonly units: bigint;
  }

  async function plan(random: Random, wishes: Map<number, Wish>): Promise<void> {
    const reference = wishes.size + 1;
    const coin = random.pick(['ETH', 'USDT'] as const);
    const units = coin === 'ETH' ? BigInt(random.between(1, 900)) * 10n ** 15n : BigInt(random.between(1, 900_000_000));
    wishes.set(reference, { coin, units });
    await stage.plan(reference, coin, units, to(reference), CONFIRMATIONS);
  }

  /** What happens around the process. */
  async function act(random: Random, wishes: Map<number, Wish>): Promise<void> {
    const { chain } = stage;
    const what = random.between(0, 99);
    if (what < 30) await plan(random, wishes);
    else if (what < 65) chain.mine(random.between(1, 3));
    else if (what < 78) chain.reorganize(random.between(1, DEEPEST), random.pick(['KEEP', 'DROP', 'WAIT']));
    else if (what < 83) for (const { id } of [...chain.pool.values()].slice(random.between(0, 2))) chain.forget(id);
    else if (what < 88) chain.baseFee *= 5n;
    else if (what < 90) chain.baseFee = 420_000_000_000_000n;
    else if (what < 95) for (const { outputs } of chain.pool.values()) chain.refused.add(outputs[0]?.address ?? '');
    else if (what < 98) chain.refused.clear();
    else await stage.store.pause('ERC20', random.between(0, 1) === 1);
    if (chain.baseFee > 4_000_000_000_000_000n) chain.baseFee = 420_000_000_000_000n;
  }

  async function check(wishes: ReadonlyMap<number, Wish>): Promise<void> {
    const paid = { ETH: 0n, USDT: 0n };
    for (const [reference, { coin, units }] of wishes) {
      const { state } = await stage.payout(reference);
      const seen = { reference, state, ...stage.paid(to(reference)) };
      const once = { units, count: 1 };
      expect(seen).toEqual({ reference, state, ...(state === 'FINAL' ? once : { units: 0n, count: 0 }) });
      expect(['FINAL', 'FAILED']).toContain(state);
      if (state === 'FINAL') paid[coin] += units;
    }
    const { chain, hot, start, usdt } = stage;
    expect(chain.accounts.balance(hot, null)).toBe(start.ETH - paid.ETH - stage.fees());
    expect(chain.accounts.balance(hot, usdt)).toBe(start.USDT - paid.USDT);
    expect(await stage.booked()).toBe(stage.fees());
    expect([...wishes.keys()].length).toBeGreaterThan(20);
  }

  it.each(seedsTo(10))(
    'ends with each of them paid once or given up, through kills, lost answers, dropped transactions and reorganizations, seed %i (faults 1, 2, 3, 5, 6, 7, 9)',
    async (seed) => {
      const random = new Random(seed);
      stage = await createPayoutStage(database);
      const wishes = new Map<number, Wish>();
      const kills = await liveThrough(stage, random, { turns: 160, restMs: 40_000, act: () => act(random, wishes) });
      expect(kills).toBeGreaterThan(0);
      await stage.store.pause('ERC20', false);
      stage.chain.refused.clear();
      for (let turn = 0; turn < 400; turn += 1) {
        stage.clock.at += 61_000;
        await stage.sync();
        stage.chain.mine(1);
        const open = await stage.store.open('ERC20', 1);
        if (open.length === 0) break;
      }
      await stage.sync();
      await check(wishes);
    },
    120_000,
  );
});
