/** What the simulated series look like over weeks, with fixed seeds and a clock that the test moves. */
import { fundingRate } from '@cambist/core/margin/funding.ts';
import { movedReference, REFERENCE_SCALE } from '@cambist/core/money/reference-price.ts';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../instruments/service.ts';
import { createRandom } from '../market-data/service.ts';
import { createPerpetualReference, createSimulatedReference } from './service.ts';
import { drawSqueeze, squeezeAt } from './squeeze.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const spot = { coin: 'BTC', spec: { id: 0, tickScale: 1 }, dailyTurnover: 1_400_000_000, dailyVolatility: 1 };
const swap = { coin: 'BTC', spec: { id: 7, tickScale: 1, perpetual: {} } };
const catalogue = {
  markets: [spot],
  byId: (id: number) => (id === 0 ? spot : swap),
} as unknown as Catalogue;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

describe('the simulated difference of a perpetual from its coin', () => {
  /** Sampled each minute. */
  function basisOf(seed: number, minutes: number): number[] {
    let now = 0;
    const fixed = {
      start: async () => undefined,
      price: () => 1_000_000,
      momentum: () => 0,
      close: async () => undefined,
    };
    const clock = { now: () => now };
    const reference = createPerpetualReference({ reference: fixed, catalogue, clock, seed, isSimulated: true });
    return Array.from({ length: minutes }, () => {
      now += MINUTE;
      return reference.price(7)! / 1_000_000 - 1;
    });
  }
  const intervals = (samples: readonly number[]) =>
    Array.from({ length: samples.length / 480 }, (_, at) => mean(samples.slice(at * 480, (at + 1) * 480)));

  it('follows from its seed alone', () => {
    expect(basisOf(3, 500)).toEqual(basisOf(3, 500));
    expect(basisOf(3, 500)).not.toEqual(basisOf(4, 500));
  });

  it('comes home to nothing, within 0.3 %, and stays on one side for days at times', () => {
    const samples = basisOf(5, 300 * 1440);
    expect(samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)).toBeLessThanOrEqual(0.003_000_001);
    expect(Math.abs(mean(samples))).toBeLessThan(0.000_15);
    expect(deviation(samples)).toBeGreaterThan(0.000_8);
    expect(deviation(samples)).toBeLessThan(0.001_1);
    let longest = 0;
    let run = 0;
    for (const one of intervals(samples)) {
      run = one > 0 ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    expect(longest).toBeGreaterThanOrEqual(9);
  });

  it('makes funding that differs from interval to interval, paid by longs and by shorts', () => {
    const terms = { intervalMs: 8 * HOUR, interestPpb: 100_000, dampPpb: 500_000, capPpb: 7_500_000 };
    const rates = intervals(basisOf(5, 300 * 1440)).map((one) => {
      const spec = terms as unknown as Parameters<typeof fundingRate>[1];
      return Number(fundingRate(BigInt(Math.round(one * 1e9)), spec));
    });
    const share = (test: (rate: number) => boolean) => rates.filter(test).length / rates.length;
    expect(share((rate) => rate === 100_000)).toBeGreaterThan(0.2);
    expect(share((rate) => rate > 100_000)).toBeGreaterThan(0.1);
    expect(share((rate) => rate < 0)).toBeGreaterThan(0.1);
    expect(new Set(rates).size).toBeGreaterThan(rates.length * 0.3);
  });

  it('needs no catching up: after a long silence it is like any other moment', () => {
    let now = 0;
    const fixed = {
      start: async () => undefined,
      price: () => 1_000_000,
      momentum: () => 0,
      close: async () => undefined,
    };
    const parts = { reference: fixed, catalogue, clock: { now: () => now }, isSimulated: true };
    const values = Array.from({ length: 2_000 }, (_, seed) => {
      now = 0;
      const reference = createPerpetualReference({ ...parts, seed });
      reference.price(7);
      now = 30 * DAY;
      return reference.price(7)! / 1_000_000 - 1;
    });
    expect(deviation(values)).toBeGreaterThan(0.000_85);
    expect(deviation(values)).toBeLessThan(0.001_05);
  });
});

describe('the simulated price', () => {
  /** Each five seconds; the last trade follows the price. */
  function pricesOf(seed: number, days: number): number[] {
    let now = 1_700_000_000_000;
    let last = 1_000_000;
    let average = last * REFERENCE_SCALE;
    const reference = createSimulatedReference({
      ...{ catalogue, seed, clock: { now: () => now } },
      marketData: { lastPrice: () => 1_000_000 },
      bandPrice: () => Math.floor(average / REFERENCE_SCALE),
    });
    return Array.from({ length: (days * DAY) / (5 * SECOND) }, () => {
      now += 5 * SECOND;
      average = movedReference(average, last, 5 * SECOND);
      const price = reference.price(0)!;
      last = Math.round(price);
      return price;
    });
  }
  const MINUTE_STEPS = 12;

  /** Where a price has run more than 1.5 % within a minute, once each. */
  function runsIn(prices: readonly number[]): { readonly at: number; readonly size: number }[] {
    const runs: { at: number; size: number }[] = [];
    for (let at = MINUTE_STEPS; at < prices.length; at += 1) {
      const size = Math.log(prices[at]! / prices[at - MINUTE_STEPS]!);
      const before = runs.at(-1);
      if (Math.abs(size) < 0.015) continue;
      if (before === undefined || at - before.at > 200) runs.push({ at, size });
      else if (Math.abs(size) > Math.abs(before.size)) runs[runs.length - 1] = { at, size };
    }
    return runs;
  }

  it('follows from its seed alone', () => {
    expect(pricesOf(3, 1)).toEqual(pricesOf(3, 1));
    expect(pricesOf(3, 1)).not.toEqual(pricesOf(4, 1));
  });

  it('is squeezed about twice a day, up and down, by 2 to 5 % within a minute, and partly comes back', () => {
    const prices = pricesOf(9, 60);
    const runs = runsIn(prices);
    expect(runs.length).toBeGreaterThan(80);
    expect(runs.length).toBeLessThan(160);
    expect(runs.filter(({ size }) => size > 0).length / runs.length).toBeGreaterThan(0.35);
    expect(runs.filter(({ size }) => size > 0).length / runs.length).toBeLessThan(0.65);
    expect(Math.max(...runs.map(({ size }) => Math.abs(size)))).toBeLessThan(0.054);
    expect(runs[0]!.at * 5 * SECOND).toBeGreaterThan(HOUR);
    const back = runs
      .filter(({ at }) => at + 150 < prices.length)
      .map(({ at, size }) => -Math.log(prices[at + 150]! / prices[at]!) / size);
    expect(mean(back)).toBeGreaterThan(0.35);
    expect(mean(back)).toBeLessThan(0.65);
  });

  it('and the index that is made from it are moved by no trade, but by what others trade for minutes', () => {
    let now = 1_700_000_000_000;
    let average = 1_000_000 * REFERENCE_SCALE;
    const still = { ...spot, dailyVolatility: 0 };
    const reference = createSimulatedReference({
      ...{ catalogue: { ...catalogue, byId: () => still } as unknown as Catalogue, seed: 1, clock: { now: () => now } },
      marketData: { lastPrice: () => 1_000_000 },
      bandPrice: () => Math.floor(average / REFERENCE_SCALE),
    });
    /** @param last what is traded, whatever the price is */
    const pass = (seconds: number, last: number) => {
      for (let second = 0; second < seconds; second += 1) {
        now += SECOND;
        average = movedReference(average, last, SECOND);
        reference.price(0);
      }
      return reference.price(0)! / 1_000_000 - 1;
    };
    expect(reference.price(0)).toBeCloseTo(1_000_000, 3);
    expect(Math.abs(pass(2, 900_000))).toBeLessThan(0.000_1);
    expect(pass(300, 900_000)).toBeLessThan(-0.01);
  });

  it('of squeezes keeps the bounds: how long, how far, and how much comes back', () => {
    const random = createRandom(2);
    let now = 0;
    for (let count = 0; count < 5_000; count += 1) {
      const squeeze = drawSqueeze(random, now);
      const { startsAt, turnsAt, endsAt, size } = squeeze;
      expect(startsAt - now).toBeGreaterThanOrEqual(HOUR);
      expect(turnsAt - startsAt).toBeLessThanOrEqual(MINUTE);
      expect(endsAt - turnsAt).toBeLessThanOrEqual(10 * MINUTE);
      expect(Math.abs(size)).toBeGreaterThanOrEqual(0.02);
      expect(Math.abs(size)).toBeLessThanOrEqual(0.05);
      expect([squeezeAt(squeeze, now), squeezeAt(squeeze, startsAt)]).toEqual([0, 0]);
      expect(squeezeAt(squeeze, turnsAt)).toBe(size);
      const left = squeezeAt(squeeze, endsAt) / size;
      expect(left).toBeGreaterThanOrEqual(0.299);
      expect(left).toBeLessThanOrEqual(0.701);
      expect(squeezeAt(squeeze, endsAt + HOUR)).toBe(squeezeAt(squeeze, endsAt));
      now = endsAt;
    }
    // A calm hour, eleven more on average, and the squeeze itself.
    expect(now / 5_000).toBeGreaterThan(11.5 * HOUR);
    expect(now / 5_000).toBeLessThan(12.7 * HOUR);
  });
});
