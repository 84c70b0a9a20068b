const FIRST_CAPACITY = 1024;
/** An odd number close to 2^32 / golden ratio: Fibonacci hashing (Knuth, The Art of Computer Programming 6.4). */
const FIBONACCI = 0x9e3779b1 | 0;
const BITS = 32;
/** Ids from the first one of a run on that have a place of their own. */
const WINDOW = 1 << 20;

/**
 * Order id → a number above 0, for the orders of one run. Those that were placed in it have ids that ascend with few gaps, so
 * an id less the first one is a place; the others are hashed. Small on purpose: it is looked at for each record, and should
 * stay in the processor's cache.
 */
export class RowIndex {
  #first = 0;
  #ascending = new Int32Array(FIRST_CAPACITY);
  /** Places that were written, up to the last. */
  #end = 0;

  /** Ids and numbers of the others in the order in which they came, from 1. */
  #ids = new Float64Array(FIRST_CAPACITY / 2);
  #numbers = new Int32Array(FIRST_CAPACITY / 2);
  #count = 0;
  /** Which of them, by hash; 0 for none. */
  #table = new Int32Array(FIRST_CAPACITY);
  #shift = BITS - Math.log2(FIRST_CAPACITY);

  /** 0 for an order that was not added. */
  get(orderId: number): number {
    const place = orderId - this.#first;
    if (place >= 0 && place < this.#end && this.#ascending[place] !== 0) return this.#ascending[place]!;
    return this.#numbers[this.#table[this.#placeOf(orderId)]!]!;
  }

  /** Adds an order that was not. @param isNew whether it was placed in the run */
  add(orderId: number, number: number, isNew: boolean): void {
    if (isNew && this.#end === 0) this.#first = orderId;
    const place = orderId - this.#first;
    if (!isNew || place < 0 || place >= WINDOW) {
      this.#addOther(orderId, number);
      return;
    }
    if (place >= this.#ascending.length) this.#ascending = widened(this.#ascending, place);
    this.#ascending[place] = number;
    this.#end = Math.max(this.#end, place + 1);
  }

  clear(): void {
    this.#ascending.fill(0, 0, this.#end);
    this.#end = 0;
    if (this.#count > 0) this.#table.fill(0);
    this.#count = 0;
  }

  /** Where in the table an id is or belongs. */
  #placeOf(orderId: number): number {
    const mask = this.#table.length - 1;
    let place = Math.imul(orderId | 0, FIBONACCI) >>> this.#shift;
    for (;;) {
      const found = this.#table[place]!;
      if (found === 0 || this.#ids[found] === orderId) return place;
      place = (place + 1) & mask;
    }
  }

  #addOther(orderId: number, number: number): void {
    if ((this.#count + 1) * 2 >= this.#table.length) this.#grow();
    this.#count += 1;
    this.#ids[this.#count] = orderId;
    this.#numbers[this.#count] = number;
    this.#table[this.#placeOf(orderId)] = this.#count;
  }

  #grow(): void {
    const ids = new Float64Array(this.#ids.length * 2);
    ids.set(this.#ids);
    this.#ids = ids;
    this.#numbers = widened(this.#numbers, ids.length - 1);
    this.#table = new Int32Array(ids.length * 2);
    this.#shift -= 1;
    for (let other = 1; other <= this.#count; other += 1) this.#table[this.#placeOf(ids[other]!)] = other;
  }
}

/** The same words with room for a place, the new ones zero. */
function widened(words: Int32Array<ArrayBuffer>, place: number): Int32Array<ArrayBuffer> {
  let { length } = words;
  while (length <= place) length *= 2;
  const wider = new Int32Array(length);
  wider.set(words);
  return wider;
}
