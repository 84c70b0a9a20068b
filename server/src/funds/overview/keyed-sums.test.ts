import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedSums } from './keyed-sums.ts';

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const KEY = fc.oneof(
  fc.integer({ min: 1, max: 9 }),
  fc.maxSafeInteger().map((key) => Math.abs(key) || 1),
);
const SUMMAND = fc.record({
  key: KEY,
  amount: fc.bigInt(INT64),
  count: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
});

function addAll(sums: KeyedSums, summands: readonly { key: number; amount: bigint; count: number }[]): void {
  const units = new BigInt64Array(2);
  const words = new Int32Array(units.buffer);
  for (const { key, amount, count } of summands) {
    units[1] = amount;
    const at = sums.of(key);
    sums.addInt64(at, 0, words, 2);
    sums.add(at, 1, count);
  }
}

describe('sums by key', () => {
  it('are exact whatever is added, and begin at zero again', () => {
    fc.assert(
      fc.property(fc.array(SUMMAND, { maxLength: 600 }), fc.array(SUMMAND), (before, summands) => {
        const sums = new KeyedSums(2);
        addAll(sums, before);
        sums.clear();
        addAll(sums, summands);
        const expected = new Map<number, readonly [bigint, bigint]>();
        for (const { key, amount, count } of summands) {
          const [amounts, counts] = expected.get(key) ?? [0n, 0n];
          expected.set(key, [amounts + amount, counts + BigInt(count)]);
        }
        const keys = [...sums.keys()];
        expect(keys).toEqual([...expected.keys()].sort((one, other) => one - other));
        const totals = keys.map((key) => [0, 1].map((sum) => BigInt(sums.total(sums.of(key), sum))));
        expect(totals).toEqual(keys.map((key) => expected.get(key)));
      }),
    );
  });
});
