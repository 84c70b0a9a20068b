/**
 * Seeded randomness: xoshiro128** 1.1 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018),
 * its state filled from the seed by splitmix32. Fast, repeatable everywhere, and not for secrets.
 */
export class Random {
  readonly #state = new Uint32Array(4);

  constructor(seed: number) {
    let mixed = seed >>> 0;
    for (let place = 0; place < 4; place += 1) {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = mixed;
      word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      this.#state[place] = word ^ (word >>> 15);
    }
  }

  /** 32 random bits. */
  word(): number {
    const state = this.#state;
    const scrambled = Math.imul(rotated(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotated(state[3]!, 11);
    return scrambled;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True `percent` times in a hundred. */
  chance(percent: number): boolean {
    return this.fraction() * 100 < percent;
  }

  /** One of a list that is not empty. */
  pick<Value>(values: readonly Value[]): Value {
    return values[this.between(0, values.length - 1)]!;
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
