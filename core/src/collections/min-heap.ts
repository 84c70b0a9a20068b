/** A binary heap: the least item first (Williams, "Algorithm 232: Heapsort", 1964). */
export class MinHeap<Item> {
  #items: Item[] = [];
  readonly #isBefore: (left: Item, right: Item) => boolean;

  constructor(isBefore: (left: Item, right: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  get least(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const items = this.#items;
    let place = items.length;
    items.push(item);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isBefore(item, items[above]!)) break;
      items[place] = items[above]!;
      place = above;
    }
    items[place] = item;
  }

  pop(): Item | undefined {
    const [least] = this.#items;
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(0, last);
    return least;
  }

  /** Leaves out all items but some. */
  retain(isKept: (item: Item) => boolean): void {
    this.#items = this.#items.filter(isKept);
    for (let place = (this.#items.length >> 1) - 1; place >= 0; place -= 1) this.#sink(place, this.#items[place]!);
  }

  #sink(from: number, item: Item): void {
    const items = this.#items;
    let place = from;
    for (let below = 2 * place + 1; below < items.length; below = 2 * place + 1) {
      if (below + 1 < items.length && this.#isBefore(items[below + 1]!, items[below]!)) below += 1;
      if (!this.#isBefore(items[below]!, item)) break;
      items[place] = items[below]!;
      place = below;
    }
    items[place] = item;
  }
}
