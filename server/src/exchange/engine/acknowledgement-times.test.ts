import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AcknowledgementTimes } from './acknowledgement-times.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('acknowledgement times', () => {
  it('are unknown until an order was acknowledged, and again an hour after the last one', () => {
    const times = new AcknowledgementTimes();
    expect(times.read(0)).toBeUndefined();
    times.record(0, 2);
    expect(times.read(HOUR_MS - 1)).toMatchObject({ orders: 1 });
    expect(times.read(HOUR_MS)).toBeUndefined();
  });

  it('forget a minute when its row is used again', () => {
    const times = new AcknowledgementTimes();
    for (let count = 0; count < 100; count += 1) times.record(0, 5_000);
    times.record(HOUR_MS, 2);
    expect(times.read(HOUR_MS)).toMatchObject({ orders: 1, p99Ms: expect.closeTo(2, 0) });
  });

  it('have percentiles of the sorted times, at most 5% too high', () => {
    const took = fc.double({ min: 0.06, max: 60_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(took, { minLength: 1, maxLength: 300 }), (list) => {
        const times = new AcknowledgementTimes();
        for (const [index, ms] of list.entries()) times.record((index % 50) * MINUTE_MS, ms);
        const sorted = [...list].sort((a, b) => a - b);
        const { orders, p50Ms, p99Ms } = times.read(50 * MINUTE_MS)!;
        expect(orders).toBe(list.length);
        for (const [share, found] of [
          [0.5, p50Ms],
          [0.99, p99Ms],
        ] as const) {
          const exact = sorted[Math.ceil(sorted.length * share) - 1]!;
          expect(found).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
          expect(found).toBeLessThanOrEqual(exact * 1.05 * (1 + 1e-9));
        }
      }),
    );
  });
});
