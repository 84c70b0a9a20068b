/** Ids of the markets by the index that the books and records count them by. Ids are sparse, indexes are not. */
export class MarketIds {
  #ids = new Int32Array(16);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @returns the index of the new id */
  add(id: number): number {
    if (this.#count === this.#ids.length) {
      const wider = new Int32Array(this.#ids.length * 2);
      wider.set(this.#ids);
      this.#ids = wider;
    }
    this.#ids[this.#count] = id;
    this.#count += 1;
    return this.#count - 1;
  }

  idAt(index: number): number {
    return this.#ids[index]!;
  }
}
