import { describe, expect, it } from 'vitest';
import { approvalsFor, type Funds, type Reviewed, reviewReasons, withdrawableOf } from './rules.ts';

describe('what may leave', () => {
  const free: Funds = {
    ...{ available: 100n, held: 100n, locked: 0n },
    ...{ missingWorth: 0n, otherSpareWorth: 0n, spareWorth: 100n },
  };

  it('is everything where every locked coin is still there, whatever prices say', () => {
    expect(withdrawableOf(free)).toBe(100n);
    expect(withdrawableOf({ ...free, spareWorth: 0n })).toBe(100n);
    expect(withdrawableOf({ ...free, locked: 30n, spareWorth: 0n })).toBe(70n);
  });

  it('is what is not locked of the coin', () => {
    expect(withdrawableOf({ ...free, locked: 30n, spareWorth: 70n })).toBe(70n);
    expect(withdrawableOf({ ...free, locked: 130n, missingWorth: 30n, spareWorth: 0n })).toBe(0n);
  });

  it('leaves what covers the locked coins that were traded into this one', () => {
    const traded = { ...free, available: 50n, held: 50n, missingWorth: 200n, spareWorth: 500n };
    expect(withdrawableOf(traded)).toBe(30n);
    expect(withdrawableOf({ ...traded, missingWorth: 500n })).toBe(0n);
    expect(withdrawableOf({ ...traded, missingWorth: 600n })).toBe(0n);
    expect(withdrawableOf({ ...traded, otherSpareWorth: 200n })).toBe(50n);
    expect(withdrawableOf({ ...traded, spareWorth: 0n })).toBe(0n);
  });

  it('is nothing while a missing locked coin has no price', () => {
    expect(withdrawableOf({ ...free, missingWorth: undefined })).toBe(0n);
  });
});

describe('an operator looks at a withdrawal', () => {
  const plain: Reviewed = {
    isPriceTrusted: true,
    ...{ worth: 100n, used: 0n, approval: 10_000n, fourEyes: 100_000n, medianFactor: 20, settled: [] },
    ...{ isNewDevice: false, isNewAddress: true, hasFactor: true, recent: 0, hourlyCount: 10 },
  };
  const reasons = (changed: Partial<Reviewed>) => reviewReasons({ ...plain, ...changed });

  it('not where there is no reason', () => {
    expect(reasons({})).toEqual([]);
    expect(approvalsFor([])).toBe(0);
  });

  it('from the limit on, together with what left in the 24 hours before', () => {
    expect(reasons({ worth: 9_999n })).toEqual([]);
    expect(reasons({ worth: 10_000n })).toEqual(['AMOUNT']);
    expect(reasons({ worth: 1n, used: 9_999n })).toEqual(['AMOUNT']);
    expect(approvalsFor(['AMOUNT', 'NEW_DEVICE'])).toBe(1);
  });

  it('and a second one does from the second limit on, and where it cannot be measured', () => {
    expect(reasons({ worth: 100_000n })).toEqual(['AMOUNT', 'FOUR_EYES']);
    expect(reasons({ worth: undefined })).toEqual(['FOUR_EYES']);
    expect(reasons({ worth: 0n })).toEqual(['FOUR_EYES']);
    expect(approvalsFor(['AMOUNT', 'FOUR_EYES'])).toBe(2);
  });

  it('where nothing but own last trades price it; two of them from the second limit on', () => {
    expect(reasons({ isPriceTrusted: false })).toEqual(['UNTRUSTED_PRICE']);
    expect(approvalsFor(reasons({ isPriceTrusted: false }))).toBe(1);
    expect(approvalsFor(reasons({ isPriceTrusted: false, worth: 100_000n }))).toBe(2);
  });

  it('where it is far above what is usual, once that is known', () => {
    expect(reasons({ worth: 201n, settled: [10n, 10n, 10n] })).toEqual(['UNUSUAL_AMOUNT']);
    expect(reasons({ worth: 200n, settled: [10n, 10n, 10n] })).toEqual([]);
    expect(reasons({ worth: 5_000n, settled: [10n, 10n] })).toEqual([]);
    expect(reasons({ worth: 401n, settled: [10n, 1000n, 30n, 1n] })).toEqual(['UNUSUAL_AMOUNT']);
    expect(reasons({ worth: 400n, settled: [10n, 1000n, 30n, 1n] })).toEqual([]);
  });

  it('where the device is new, withdrawals are many, or a new address is asked for without a second factor', () => {
    expect(reasons({ isNewDevice: true })).toEqual(['NEW_DEVICE']);
    expect(reasons({ recent: 4 })).toEqual([]);
    expect(reasons({ recent: 5 })).toEqual(['FREQUENT']);
    expect(reasons({ worth: 1_000n, hasFactor: false })).toEqual(['NEW_ADDRESS']);
    expect(reasons({ worth: 999n, hasFactor: false })).toEqual([]);
    expect(reasons({ worth: 1_000n, hasFactor: false, isNewAddress: false })).toEqual([]);
  });
});
