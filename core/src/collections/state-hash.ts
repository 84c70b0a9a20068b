const MIX_A = 0x9e3779b1 | 0;
const MIX_B = 0x85ebca77 | 0;
const TWO_32 = 2 ** 32;

/**
 * Folds integers into 64 bits, for comparing states (not against an adversary). Two 32-bit lanes, each a
 * multiply-and-rotate as in xxHash32's rounds, finished with MurmurHash3's 32-bit finaliser.
 */
export class StateHasher {
  #a = 0x243f6a88 | 0;
  #b = 0x13198a2e | 0;

  /** A safe integer. */
  number(value: number): void {
    this.#word(value | 0);
    this.#word(Math.floor(value / TWO_32) | 0);
  }

  /** An int64: the same words as of a safe integer, which takes no big ones on the way. */
  amount(value: bigint): void {
    const near = Number(value);
    if (Number.isSafeInteger(near)) {
      this.number(near);
      return;
    }
    this.#word(Number(BigInt.asIntN(32, value)));
    this.#word(Number(BigInt.asIntN(32, value >> 32n)));
  }

  /** The two halves of an int64. */
  words(low: number, high: number): void {
    this.#word(low);
    this.#word(high);
  }

  /** 16 hexadecimal digits. */
  digest(): string {
    const [first, second] = this.halves();
    return hexadecimal(first) + hexadecimal(second);
  }

  /** The digest as two words. */
  halves(): readonly [number, number] {
    return [finished(this.#a ^ this.#b), finished(Math.imul(this.#a, MIX_B) + this.#b)];
  }

  #word(word: number): void {
    this.#a = Math.imul(rotated(this.#a ^ word, 13), MIX_A);
    this.#b = Math.imul(rotated((this.#b + word) | 0, 17), MIX_B) ^ this.#a;
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finished(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
