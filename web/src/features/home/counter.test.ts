import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counterAt, untilNextStep } from './counter.ts';

const STARTED_AT = Date.parse('2024-11-12T00:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** Some moment of the century after the start. */
const moment = fc.integer({ min: STARTED_AT, max: STARTED_AT + 36_500 * DAY });

describe('the headline counter', () => {
  it('starts at 8,140,681 and is never less (A-counter-03)', () => {
    expect(counterAt(STARTED_AT)).toBe(8_140_681);
    expect(counterAt(STARTED_AT - 1)).toBe(8_140_681);
    fc.assert(fc.property(moment, (time) => counterAt(time) >= 8_140_681));
  });

  it('grows by 12 every 30 s (A-counter-04)', () => {
    expect(counterAt(STARTED_AT + 30 * SECOND)).toBe(8_140_693);
    fc.assert(
      fc.property(moment, (time) => {
        const sameHour = Math.floor(time / HOUR) === Math.floor((time + 30 * SECOND) / HOUR);
        return !sameHour || counterAt(time + 30 * SECOND) - counterAt(time) === 12;
      }),
    );
  });

  it('drops by 300 at every full hour (A-counter-05)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 876_000 }), (hours) => {
        const full = STARTED_AT + hours * HOUR;
        // The twelve of the half minute that ends then come in the same instant.
        expect(counterAt(full) - counterAt(full - 1)).toBe(12 - 300);
      }),
    );
  });

  it('is extended by 27,360 for each day since 2024-11-12 (A-counter-06, A-counter-07)', () => {
    expect(counterAt(STARTED_AT + DAY)).toBe(8_140_681 + 27_360);
    fc.assert(fc.property(moment, (time) => counterAt(time + DAY) - counterAt(time) === 27_360));
  });

  it('says how long its figure holds', () => {
    fc.assert(
      fc.property(moment, (time) => {
        const wait = untilNextStep(time);
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(30 * SECOND);
        expect(counterAt(time + wait - 1)).toBe(counterAt(time));
        expect(counterAt(time + wait)).not.toBe(counterAt(time));
      }),
    );
  });
});
