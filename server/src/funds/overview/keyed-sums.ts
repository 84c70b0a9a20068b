/**
 * Exact sums of int64 by integer keys, without an object for any of them: each half of 32 bits is summed as a double, which is
 * exact for two million summands. A run of the projector has some thousands.
 */
import { IntegerMap } from '@cambist/core/collections/integer-map.ts';

const FIRST_CAPACITY = 256;
const HALVES = 2;
const HALF = 2 ** 32;

export class KeyedSums {
  /** Sums of each key. */
  readonly #width: number;
  readonly #places = new IntegerMap();
  #keys = new Float64Array(FIRST_CAPACITY);
  /** The lower half of a sum, then the upper one. */
  #halves: Float64Array;
  size = 0;

  constructor(width: number) {
    this.#width = width * HALVES;
    this.#halves = new Float64Array(FIRST_CAPACITY * this.#width);
  }

  /** Where the sums of a key begin, which are zero at first. Good until the next call. @param key a safe integer above zero */
  of(key: number): number {
    const known = this.#places.get(key);
    if (known !== 0) return (known - 1) * this.#width;
    if (this.size === this.#keys.length) this.#grow();
    const at = this.size * this.#width;
    this.#halves.fill(0, at, at + this.#width);
    this.#keys[this.size] = key;
    this.size += 1;
    this.#places.add(key, this.size);
    return at;
  }

  /** Adds an integer of 32 bits. @param sum which of the key's */
  add(at: number, sum: number, value: number): void {
    this.#halves[at + sum * HALVES]! += value;
  }

  /** Adds an int64 that lies in words, the lower one first. */
  addInt64(at: number, sum: number, words: Int32Array, word: number): void {
    this.#halves[at + sum * HALVES]! += words[word]! >>> 0;
    this.#halves[at + sum * HALVES + 1]! += words[word + 1]!;
  }

  /** Ascending. */
  keys(): Float64Array {
    return this.#keys.slice(0, this.size).sort();
  }

  /** A number where one can say it exactly. */
  total(at: number, sum: number): number | bigint {
    const [low, high] = [this.#halves[at + sum * HALVES]!, this.#halves[at + sum * HALVES + 1]!];
    const total = high * HALF + low;
    return Number.isSafeInteger(total) ? total : BigInt(high) * BigInt(HALF) + BigInt(low);
  }

  /** Forgets all of them, and keeps the memory. */
  clear(): void {
    this.#places.clear();
    this.size = 0;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const halves = new Float64Array(this.#halves.length * 2);
    halves.set(this.#halves);
    this.#halves = halves;
  }
}
