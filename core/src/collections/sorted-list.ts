/**
 * Items in ascending order of a comparison that tells any two of them apart. A binary search finds an item and a move of
 * memory makes or closes its gap; taking from the end costs nothing, so what is wanted first belongs there.
 */
export class SortedList<Item> {
  readonly #items: Item[] = [];
  readonly #compare: (left: Item, right: Item) => number;

  constructor(compare: (left: Item, right: Item) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The item that comes after all others. */
  get last(): Item | undefined {
    return this.#items[this.#items.length - 1];
  }

  add(item: Item): void {
    this.#items.splice(this.#placeOf(item), 0, item);
  }

  /** Removes an item if it is there; its order must not have changed since it was added. */
  remove(item: Item): boolean {
    const place = this.#placeOf(item);
    if (this.#items[place] !== item) return false;
    this.#items.splice(place, 1);
    return true;
  }

  /** The item that compares equal to one. */
  find(like: Item): Item | undefined {
    const found = this.#items[this.#placeOf(like)];
    return found !== undefined && this.#compare(found, like) === 0 ? found : undefined;
  }

  pop(): Item | undefined {
    return this.#items.pop();
  }

  values(): Iterable<Item> {
    return this.#items.values();
  }

  /** The first place whose item does not come before. */
  #placeOf(item: Item): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#items[middle]!, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
