/** Whatever the coins are, what is chosen pays what is wanted, with a fee that nodes take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dustOf } from './bitcoin-addresses.ts';
import { feeOf, selectCoins, virtualBytes } from './bitcoin-selection.ts';
import { MOST_INPUTS } from './transactions.ts';

const script = Buffer.alloc(22);
const coin = (units: bigint, output = 0) => ({ transaction: units.toString(16).padStart(64, '0'), output, units });
const wanted = (units: bigint, rate = 10_000n) => ({ scripts: [script], units, rate, ownScript: script });

describe('coins for a payment', () => {
  it('are the set that needs no change, where there is one', () => {
    const fee = feeOf(virtualBytes(2, [script]), 10_000n) + 100n;
    const coins = [coin(5_000_000n), coin(300_000n), coin(200_000n + fee), coin(90_000n)];
    const chosen = selectCoins(coins, wanted(500_000n));
    expect(chosen?.inputs.map(({ units }) => units).sort()).toEqual([200_000n + fee, 300_000n]);
    expect(chosen).toMatchObject({ change: 0n, fee });
  });

  it('else leave change that is worth spending: the smallest coin that does, so that large ones stay whole', () => {
    const chosen = selectCoins([coin(50_000_000n), coin(9_000_000n), coin(1_010_000n)], wanted(1_000_000n));
    expect(chosen?.inputs).toEqual([coin(9_000_000n)]);
    expect(chosen?.change).toBe(8_000_000n - (chosen?.fee ?? 0n));
  });

  it('give change that would be dust to the fee, and are never those that cost more than they bring', () => {
    const fee = feeOf(virtualBytes(1, [script]), 10_000n);
    expect(selectCoins([coin(100_000n + fee + 250n)], wanted(100_000n))).toMatchObject({ change: 0n, fee: fee + 250n });
    const dust = Array.from({ length: 3_000 }, (_, index) => coin(600n, index));
    expect(selectCoins(dust, wanted(1_000n))).toBeUndefined();
    expect(selectCoins([...dust, coin(900_000n)], wanted(100_000n))?.inputs).toEqual([coin(900_000n)]);
  });

  it('add up for any wallet and any payment, with a fee of the rate at least, and little more (faults 21, 22)', () => {
    const units = fc.bigInt({ min: 300n, max: 10n ** 9n });
    const coins = fc.array(units, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(coins, units, fc.bigInt({ min: 1_000n, max: 300_000n }), (sums, amount, rate) => {
        const all = sums.map((sum, index) => coin(sum, index));
        const chosen = selectCoins(all, wanted(amount, rate));
        const inputCost = feeOf(68n, rate);
        if (chosen === undefined) {
          const best = sums.sort((one, other) => Number(other - one)).slice(0, MOST_INPUTS);
          const most = best.reduce((sum, one) => (one > inputCost ? sum + one - inputCost : sum), 0n);
          // One unit for the rounding of each input.
          expect(most).toBeLessThan(amount + feeOf(virtualBytes(0, [script]) + 1n, rate) + BigInt(MOST_INPUTS));
          return;
        }
        const { inputs, change, fee } = chosen;
        expect(inputs.reduce((sum, one) => sum + one.units, 0n)).toBe(amount + change + fee);
        expect(inputs.length).toBeLessThanOrEqual(MOST_INPUTS);
        expect(new Set(inputs.map(({ output }) => output)).size).toBe(inputs.length);
        expect(change === 0n || change >= dustOf(script)).toBe(true);
        const scripts = change > 0n ? [script, script] : [script];
        const least = feeOf(virtualBytes(inputs.length, scripts), rate);
        expect(fee).toBeGreaterThanOrEqual(least);
        expect(fee).toBeLessThanOrEqual(least + inputCost + feeOf(31n, rate) + dustOf(script) + 1n);
      }),
      { numRuns: 500 },
    );
  });
});
