import { describe, expect, it } from 'vitest';
import {
  BAND_FROM_REFERENCE,
  CLOSES_IN_PARTS,
  LAST_PRICE_IS_TOLD,
  OPENS_ABOVE_MAINTENANCE,
  REDUCING_ENDS_WITH_POSITION,
  SAMPLES_ARE_BOUNDED,
  TRIGGERS_ANY_SIZE,
  TWAPS_ARE_SPREAD,
  UNTRIGGERED_NEED_FUNDS,
} from '../terms/rules.ts';
import { TEST_MARKETS, TEST_PERPETUALS } from './markets.ts';
import { describeRun, type Run, shrink, simulate, simulateHurried, simulateLowered, simulateSetBack } from './twins.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
/** In which accounts are lively enough that much is traded. */
const PERPETUAL_SEEDS = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13];
const STEPS = 2_000;
/** So narrow that orders leave it, and pause markets. */
const NARROW_BANDS = TEST_MARKETS.map((market) => ({ ...market, priceBandPpm: 2_000, minimumNotional: 10_000n }));
const SMALL_ORDERS = TEST_PERPETUALS.map((market) => ({ ...market, maximumLots: 5 }));

function explain(run: Run, markets = TEST_MARKETS): string {
  return run.failure === undefined ? '' : describeRun(shrink(run.steps, markets));
}

describe('simulation', () => {
  it.each(SEEDS)('agrees with the reference and with the auditor, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, TEST_MARKETS);
    expect(explain(run)).toBe('');
    expect(run.accepted).toBeGreaterThan(STEPS / 4);
    expect(run.trades).toBeGreaterThan(STEPS / 20);
  });

  it.each(PERPETUAL_SEEDS)('agrees with both where perpetuals are traded, seed %i', (seed) => {
    // With one market alone a wallet backs one position, of which less is counted.
    const markets = seed % 2 === 0 ? TEST_PERPETUALS : TEST_PERPETUALS.slice(0, 1);
    const run = simulate(seed, STEPS, 3 + seed, markets);
    expect(explain(run, markets)).toBe('');
    expect(run.accepted).toBeGreaterThan(STEPS / 4);
    expect(run.trades).toBeGreaterThan(STEPS / 30);
  });

  it.each([1, 2, 3])('agrees with both where positions are larger than orders, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, SMALL_ORDERS);
    expect(explain(run, SMALL_ORDERS)).toBe('');
    expect(run.accepted).toBeGreaterThan(STEPS / 5);
  });

  it.each([1, 2, 3, 4])('agrees with both where the largest order is lowered, seed %i', (seed) => {
    const markets = seed % 2 === 0 ? TEST_PERPETUALS : TEST_MARKETS;
    const run = simulateLowered(seed, STEPS, 3 + seed, markets);
    expect(explain(run, markets)).toBe('');
    expect(run.accepted).toBeGreaterThan(STEPS / 6);
  });

  it.each([1, 2, 3, 4])('agrees with both where bands are narrow and markets pause, seed %i', (seed) => {
    const run = simulateHurried(seed, STEPS, 3 + seed, NARROW_BANDS);
    expect(explain(run, NARROW_BANDS)).toBe('');
    expect(run.accepted).toBeGreaterThan(STEPS / 8);
    expect(run.pauses).toBeGreaterThan(3);
  });

  it.each([2, 3])('agrees with both under rules by which one trade moves the band and triggers, seed %i', (seed) => {
    const run = simulateHurried(seed, STEPS, 3 + seed, NARROW_BANDS, BAND_FROM_REFERENCE - 1);
    expect(run.failure).toBeUndefined();
    expect([run.pauses, run.hash === simulateHurried(seed, STEPS, 3 + seed, NARROW_BANDS).hash]).toEqual([0, false]);
  });

  it.each([2, 6])('agrees with both under the rules before there were parts, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, SMALL_ORDERS, CLOSES_IN_PARTS - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, SMALL_ORDERS).hash);
  });

  it.each([1, 3])('agrees with both under rules by which a size can end what was triggered, seed %i', (seed) => {
    const run = simulateLowered(seed, STEPS, 3 + seed, TEST_MARKETS, TRIGGERS_ANY_SIZE - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulateLowered(seed, STEPS, 3 + seed, TEST_MARKETS).hash);
  });

  it.each([1, 4])('agrees with both under rules by which an untriggered order needs no funds, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS, UNTRIGGERED_NEED_FUNDS - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS).hash);
  });

  it.each([2, 5])('agrees with both under rules by which a sample has no bound, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS, SAMPLES_ARE_BOUNDED - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS).hash);
  });

  it.each([1, 2])('agrees with both under rules by which a last price is not told, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, TEST_MARKETS, LAST_PRICE_IS_TOLD - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, TEST_MARKETS).hash);
  });

  it.each([1, 3])('agrees with both under rules by which missed slices are made up for at once, seed %i', (seed) => {
    for (const markets of [TEST_MARKETS, TEST_PERPETUALS]) {
      const run = simulate(seed, STEPS, 3 + seed, markets, TWAPS_ARE_SPREAD - 1);
      expect(run.failure).toBeUndefined();
      expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, markets).hash);
    }
  });

  it.each([1, 2])('agrees with both under rules by which an opening may be liquidated at once, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS, OPENS_ABOVE_MAINTENANCE - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS).hash);
  });

  it.each([1, 5])('agrees with both under rules by which a stop outlives its position, seed %i', (seed) => {
    const run = simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS, REDUCING_ENDS_WITH_POSITION - 1);
    expect(run.failure).toBeUndefined();
    expect(run.hash).not.toBe(simulate(seed, STEPS, 3 + seed, TEST_PERPETUALS).hash);
  });

  it.each([1, 2, 3, 4, 8])('agrees with both where a clock that is ahead is set right, seed %i', (seed) => {
    const markets = seed % 2 === 0 ? TEST_PERPETUALS : TEST_MARKETS;
    const run = simulateSetBack(seed, STEPS, 3 + seed, markets);
    expect(explain(run, markets)).toBe('');
    expect(run.accepted).toBeGreaterThan(STEPS / 6);
  });

  it('is the same run for the same seed', () => {
    expect(simulate(7, 300, 5, TEST_MARKETS).hash).toBe(simulate(7, 300, 5, TEST_MARKETS).hash);
  });
});
