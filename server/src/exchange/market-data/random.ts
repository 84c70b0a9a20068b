/** Seeded random numbers for simulated markets: the same seed gives the same market on every machine. */
export interface Random {
  /** From 0 to below 1. */
  uniform(): number;
  /** Mean 0, deviation 1. */
  normal(): number;
}

/** Spreads a seed over 32 bits (the finaliser of MurmurHash3). */
export function mixSeed(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part | 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Mulberry32 for uniforms, Marsaglia's polar method for normals. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  let spare = Number.NaN;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = () => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    let x = 0;
    let y = 0;
    let square = 0;
    do {
      x = uniform() * 2 - 1;
      y = uniform() * 2 - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt((-2 * Math.log(square)) / square);
    spare = y * factor;
    return x * factor;
  };
  return { uniform, normal };
}
