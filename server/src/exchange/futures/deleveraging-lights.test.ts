import { LONG } from '@cambist/core/margin/perpetual.ts';
import { describe, expect, it } from 'vitest';
import { DeleveragingLights } from './deleveraging-lights.ts';
import type { OpenPosition } from './describe.ts';

/** Owners 1 to `count`, whose rank is ten times their number. */
function lightsOf(count: number) {
  let now = 0;
  const ranks = new Map(Array.from({ length: count }, (_, place) => [place + 1, BigInt(place + 1) * 10n]));
  const exchange = {
    *openPositions() {
      for (const owner of ranks.keys()) yield { owner, leg: 0 } as const;
    },
    deleveragingRankOf: (owner: number) => ranks.get(owner),
  };
  const lights = new DeleveragingLights(exchange, { now: () => now });
  const position = { direction: LONG, lots: 1, cost: 1n };
  return {
    ranks,
    pass: (ms: number) => {
      now += ms;
    },
    of: (owner: number) => lights.of({ owner, market: 1, leg: 0, position } as OpenPosition),
  };
}

describe('the light of automatic deleveraging', () => {
  it('says in which fifth of its side a position is, the first to be closed in the last', () => {
    const { of } = lightsOf(10);
    expect(Array.from({ length: 10 }, (_, place) => of(place + 1))).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('is full where there is no other position', () => {
    expect(lightsOf(1).of(1)).toBe(5);
    expect([1, 2, 3].map(lightsOf(3).of)).toEqual([2, 4, 5]);
  });

  it('follows a rank at once, and the others within seconds', () => {
    const { ranks, of, pass } = lightsOf(10);
    expect(of(1)).toBe(1);
    ranks.set(1, 1_000n);
    expect(of(1)).toBe(5);
    for (let owner = 2; owner <= 10; owner += 1) ranks.set(owner, 10_000n);
    expect(of(2)).toBe(5);
    pass(10_000);
    expect(of(1)).toBe(1);
  });
});
