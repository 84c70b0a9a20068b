import { IntegerMap } from '@cambist/core/collections/integer-map.ts';

/** The newest 65,536 ids have a place of their own. */
const WINDOW = 1 << 16;
const MASK = WINDOW - 1;

/**
 * Order id → a number that is not 0, for the orders of one run. Most ids ascend, so that low bits of an id are its place; one
 * whose place another has taken is in a map.
 */
export class RowIndex {
  readonly #ids = new Float64Array(WINDOW);
  readonly #values = new Int32Array(WINDOW);
  readonly #others = new IntegerMap();
  /** Where ids were written, so that few are forgotten at the price of few. */
  #written = new Int32Array(256);
  #count = 0;

  /** 0 for an order that was not added. */
  get(orderId: number): number {
    const place = orderId & MASK;
    if (this.#ids[place] === orderId) return this.#values[place]!;
    return this.#others.size === 0 ? 0 : this.#findOther(orderId);
  }

  /** Adds an order that was not. */
  add(orderId: number, value: number): void {
    const place = orderId & MASK;
    if (this.#ids[place] !== 0) {
      // A map takes numbers above 0 alone.
      this.#others.add(orderId, value > 0 ? value * 2 : 1 - value * 2);
      return;
    }
    this.#ids[place] = orderId;
    this.#values[place] = value;
    if (this.#count === this.#written.length) this.#grow();
    this.#written[this.#count] = place;
    this.#count += 1;
  }

  clear(): void {
    for (let index = 0; index < this.#count; index += 1) this.#ids[this.#written[index]!] = 0;
    this.#count = 0;
    if (this.#others.size > 0) this.#others.clear();
  }

  #findOther(orderId: number): number {
    const found = this.#others.get(orderId);
    return (found & 1) === 0 ? found >> 1 : -(found >> 1);
  }

  #grow(): void {
    const wider = new Int32Array(this.#written.length * 2);
    wider.set(this.#written);
    this.#written = wider;
  }
}
