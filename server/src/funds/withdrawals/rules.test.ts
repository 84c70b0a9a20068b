import { describe, expect, it } from 'vitest';
import { approvalsFor, type Reviewed, reviewReasons, withdrawableOf } from './rules.ts';

describe('what may leave', () => {
  const free = { available: 100n, availableWorth: 100n, locked: 0n, totalWorth: 100n, lockedWorth: 0n };

  it('is everything where no deposit is locked, whatever prices say', () => {
    expect(withdrawableOf(free)).toBe(100n);
    expect(withdrawableOf({ ...free, availableWorth: 0n, totalWorth: 0n })).toBe(100n);
  });

  it('is what is not locked of the coin', () => {
    expect(withdrawableOf({ ...free, locked: 30n, lockedWorth: 30n })).toBe(70n);
    expect(withdrawableOf({ ...free, locked: 130n, lockedWorth: 130n, totalWorth: 130n })).toBe(0n);
  });

  it('leaves the account worth what is locked, also where it was traded into this coin', () => {
    const traded = { available: 50n, availableWorth: 500n, locked: 0n, totalWorth: 800n, lockedWorth: 500n };
    expect(withdrawableOf(traded)).toBe(30n);
    expect(withdrawableOf({ ...traded, totalWorth: 500n })).toBe(0n);
    expect(withdrawableOf({ ...traded, totalWorth: 400n })).toBe(0n);
    expect(withdrawableOf({ ...traded, totalWorth: 2000n })).toBe(50n);
  });
});

describe('an operator looks at a withdrawal', () => {
  const plain: Reviewed = {
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
