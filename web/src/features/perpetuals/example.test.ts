import { describe, expect, it } from 'vitest';
import { marketTerms, unitsOf } from '../../lib/futures/terms.ts';
import { type Example, rateOf, workedExample } from './example.ts';
import type { Perpetual } from './frame.tsx';
import { inEightHours } from './funding-page.tsx';
import { withChanges } from './insurance-page.tsx';

const PERPETUAL = {
  ...{ price_scale: 1, quantity_scale: 3, taker_fee_percent: '0.0500' },
  tiers: [
    { maximum_value: '10000', maximum_leverage: 100, maintenance_percent: '0.4000' },
    { maximum_value: '50000', maximum_leverage: 50, maintenance_percent: '1.0000' },
  ],
  funding: {
    ...{ interval_hours: 8, interest_percent: '0.0100000', damp_percent: '0.0500000' },
    ...{ cap_percent: '0.7500000', impact_value: '10000' },
  },
} as Perpetual;

const MARKET = marketTerms(PERPETUAL, PERPETUAL);

/** 20 coins at 1,000.0. */
const LONG: Example = {
  ...{ isLong: true, leverage: 10, entry: 10_000, lots: 20_000, added: 0n, mark: 9_500, ratePpb: 100_000n },
};

describe('the worked example', () => {
  it('shares the value out among the tiers, and says what each asks for', () => {
    const worked = workedExample(MARKET, LONG)!;
    expect(worked.initial).toBe(unitsOf('2000'));
    expect(worked.parts.map(({ part }) => part)).toEqual([unitsOf('10000'), unitsOf('9000')]);
    // 40 + 90, and 0.05 % of 19,000.
    expect([worked.maintenance, worked.closingFee, worked.required]).toEqual(['130', '9.5', '139.5'].map(unitsOf));
  });

  it('is liquidated at the price that it shows and one tick before it is not', () => {
    for (const isLong of [true, false]) {
      const example = { ...LONG, isLong };
      const price = workedExample(MARKET, example)!.liquidationPrice!;
      expect(workedExample(MARKET, { ...example, mark: price })!.isLiquidated).toBe(true);
      expect(workedExample(MARKET, { ...example, mark: price + (isLong ? 1 : -1) })!.isLiquidated).toBe(false);
    }
  });

  it('moves the price of liquidation away by what is added', () => {
    const price = (added: string) => workedExample(MARKET, { ...LONG, added: unitsOf(added) })!.liquidationPrice!;
    expect(price('500')).toBeLessThan(price('0'));
  });

  it('pays the rate of the value, and receives it on the other side', () => {
    expect(workedExample(MARKET, LONG)!.payment).toBe(unitsOf('1.9'));
    expect(workedExample(MARKET, { ...LONG, isLong: false })!.payment).toBe(unitsOf('-1.9'));
    expect(rateOf(PERPETUAL, 500_000n)).toBe(100_000n);
    expect(rateOf(PERPETUAL, 20_000_000n)).toBe(7_500_000n);
  });

  it('ranks what has won above what has lost, and more leverage above less', () => {
    const rank = (change: Partial<Example>) => workedExample(MARKET, { ...LONG, ...change })!.rank;
    expect(rank({ mark: 9_500 })).toBeLessThan(0n);
    expect(rank({ mark: 11_000, leverage: 20 })).toBeGreaterThan(rank({ mark: 11_000 }));
  });

  it('is none without a price or an amount, and above the largest tier', () => {
    expect(workedExample(MARKET, { ...LONG, lots: 0 })).toBeUndefined();
    expect(workedExample(MARKET, { ...LONG, entry: 0 })).toBeUndefined();
    expect(workedExample(MARKET, { ...LONG, lots: 50_001 })).toBeUndefined();
    expect(workedExample(MARKET, { ...LONG, lots: 50_000 })).toBeDefined();
  });
});

it('compares rates of other intervals by eight hours', () => {
  expect(inEightHours('0.000100000', 8)).toBe('0.000100000');
  expect(inEightHours('-0.000012500', 1)).toBe('-0.000100000');
  expect(inEightHours('0.000050000', 4)).toBe('0.000100000');
});

it('says of each day of the fund what changed since the one before', () => {
  const days = [
    { time: 2, balance: '7.50' },
    { time: 1, balance: '10.00' },
  ];
  expect(withChanges(days).map(({ change }) => change)).toEqual(['-2.50', undefined]);
});
