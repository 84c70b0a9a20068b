import { describe, expect, it } from 'vitest';
import { BAND_FROM_REFERENCE, NEWEST_RULES } from '../terms/rules.ts';
import { simulatePriceAttacks } from './price-attacker.ts';

const STEPS = 20_000;

describe('one person with two accounts in a thin book', () => {
  it.each([
    { isFed: true, seed: 1 },
    { isFed: true, seed: 2 },
    { isFed: false, seed: 3 },
    { isFed: false, seed: 4 },
  ])('wins no more than the bound, fed: $isFed, seed $seed', ({ isFed, seed }) => {
    const attacks = simulatePriceAttacks({ seed, steps: STEPS, rules: NEWEST_RULES, isFed });
    expect(attacks).toMatchObject({ beyond: 0 });
    // It is tried: stops are reached, markets pause, and something is won.
    expect(Math.min(attacks.attacks, attacks.triggered, attacks.pauses, Number(attacks.mostWon))).toBeGreaterThan(50);
  });

  it('won more than that in half of all attacks while a trade moved the band', () => {
    const attacks = simulatePriceAttacks({ seed: 1, steps: STEPS, rules: BAND_FROM_REFERENCE - 1, isFed: true });
    expect(attacks.beyond).toBeGreaterThan(attacks.attacks / 3);
    const without = simulatePriceAttacks({ seed: 1, steps: STEPS, rules: BAND_FROM_REFERENCE - 1, isFed: false });
    expect(without.beyond).toBeGreaterThan(0);
  });
});
