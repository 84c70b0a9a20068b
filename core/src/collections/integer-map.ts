import { InvariantError } from '../invariant.ts';

const FIRST_CAPACITY = 1024;

/** An odd number close to 2^32 / golden ratio: Fibonacci hashing (Knuth, The Art of Computer Programming 6.4). */
const FIBONACCI = 0x9e3779b1 | 0;
const MIX_HIGH = 0x85ebca6b | 0;
const TO_HIGH_WORD = 2 ** -32;

/**
 * A map from safe integers above zero to 31-bit integers above zero. Open addressing with linear probing in one buffer
 * (8 bytes of key beside 4 of value, so that a hit touches one cache line); removal shifts back, so there are no
 * tombstones. Holds no object for an entry and makes no garbage.
 */
export class IntegerMap {
  #capacity = FIRST_CAPACITY;
  #shift = 32 - Math.log2(FIRST_CAPACITY);
  #size = 0;
  #keys = new Float64Array(FIRST_CAPACITY * 2);
  #values = new Int32Array(this.#keys.buffer);

  get size(): number {
    return this.#size;
  }

  /** The value of a key; 0 when it is not there. */
  get(key: number): number {
    const mask = this.#capacity - 1;
    const keys = this.#keys;
    let place = this.#home(key);
    for (;;) {
      const found = keys[place * 2];
      // Empty first: a key of 0 is never there, whatever an emptied place still holds.
      if (found === 0) return 0;
      if (found === key) return this.#values[place * 4 + 2]!;
      place = (place + 1) & mask;
    }
  }

  /** Adds a key that is not there yet. */
  add(key: number, value: number): void {
    if (this.#size * 2 >= this.#capacity) this.#grow();
    const mask = this.#capacity - 1;
    const keys = this.#keys;
    let place = this.#home(key);
    for (let found = keys[place * 2]!; found !== 0; found = keys[place * 2]!) {
      if (found === key) throw new InvariantError('a key is added once', { key, value });
      place = (place + 1) & mask;
    }
    keys[place * 2] = key;
    this.#values[place * 4 + 2] = value;
    this.#size += 1;
  }

  /** Removes a key that is there, closing the gap so that later entries are still found. */
  remove(key: number): void {
    const mask = this.#capacity - 1;
    const keys = this.#keys;
    const values = this.#values;
    let gap = this.#home(key);
    while (keys[gap * 2] !== key) {
      if (keys[gap * 2] === 0) throw new InvariantError('a removed key is there', { key });
      gap = (gap + 1) & mask;
    }
    for (let next = (gap + 1) & mask; keys[next * 2] !== 0; next = (next + 1) & mask) {
      const moved = keys[next * 2]!;
      // An entry may only move back to a place at or after its home, seen around the ring.
      if (((next - this.#home(moved)) & mask) < ((next - gap) & mask)) continue;
      keys[gap * 2] = moved;
      values[gap * 4 + 2] = values[next * 4 + 2]!;
      gap = next;
    }
    keys[gap * 2] = 0;
    this.#size -= 1;
  }

  /** Forgets every entry and keeps the room for them. */
  clear(): void {
    this.#keys.fill(0);
    this.#size = 0;
  }

  /** Makes room for so many entries at once. */
  reserve(entries: number): void {
    if (this.#capacity >= entries * 2) return;
    while (this.#capacity < entries * 2) {
      this.#capacity *= 2;
      this.#shift -= 1;
    }
    this.#rehash();
  }

  #home(key: number): number {
    const high = (key * TO_HIGH_WORD) | 0;
    return Math.imul((key | 0) ^ Math.imul(high, MIX_HIGH), FIBONACCI) >>> this.#shift;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#shift -= 1;
    this.#rehash();
  }

  #rehash(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Float64Array(this.#capacity * 2);
    this.#values = new Int32Array(this.#keys.buffer);
    this.#size = 0;
    for (let place = 0; place * 2 < keys.length; place += 1) {
      const key = keys[place * 2]!;
      if (key !== 0) this.add(key, values[place * 4 + 2]!);
    }
  }
}
