/**
 * A copy of one order book by price level, kept from the committed changes of its orders. It also remembers which levels
 * changed since the last update was taken, so that a stream sends one merged update for any number of batches.
 */
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';

/** Price in ticks, lots, number of orders. */
export type Level = readonly [price: number, lots: number, orders: number];

export interface BookSnapshot {
  readonly seqId: number;
  readonly time: number;
  /** Best first. */
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

export interface BookUpdate extends BookSnapshot {
  readonly prevSeqId: number;
}

/** One side of a book, and which of its levels changed since they were last taken. */
class HalfBook {
  readonly #side: Side;
  /** Best first. */
  readonly #prices: number[] = [];
  readonly #levels = new Map<number, Level>();
  readonly #touched = new Set<number>();

  constructor(side: Side) {
    this.#side = side;
  }

  level(price: number): Level | undefined {
    return this.#levels.get(price);
  }

  /** @returns whether the level differs from before */
  set(price: number, lots: number, orders: number): boolean {
    const known = this.#levels.get(price);
    if (known === undefined ? lots === 0 : known[1] === lots && known[2] === orders) return false;
    if (lots === 0) {
      this.#levels.delete(price);
      this.#prices.splice(this.#indexOf(price), 1);
    } else {
      if (known === undefined) this.#prices.splice(this.#indexOf(price), 0, price);
      this.#levels.set(price, [price, lots, orders]);
    }
    this.#touched.add(price);
    return true;
  }

  /** Best first. */
  top(count: number): Level[] {
    const prices = this.#prices;
    const found: Level[] = [];
    for (let index = 0; index < prices.length && index < count; index += 1)
      found.push(this.#levels.get(prices[index]!)!);
    return found;
  }

  /** Best first; levels that are gone have 0 lots. */
  takeTouched(): Level[] {
    const changed = [...this.#touched].map((price): Level => this.#levels.get(price) ?? [price, 0, 0]);
    this.#touched.clear();
    return changed.sort((a, b) => (this.#side === BUY ? b[0] - a[0] : a[0] - b[0]));
  }

  /** Index of a price among the others, best first, or the index that it would have. */
  #indexOf(price: number): number {
    const prices = this.#prices;
    let low = 0;
    let high = prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const isBetter = this.#side === BUY ? prices[middle]! > price : prices[middle]! < price;
      if (isBetter) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Book {
  readonly #bids = new HalfBook(BUY);
  readonly #asks = new HalfBook(SELL);
  #seqId = 1;
  #takenSeqId = 1;
  #time: number;
  #isChanged = false;

  /** @param since when it is known, ms: the time of a book to which nothing has come yet */
  constructor(since: number) {
    this.#time = since;
  }

  /** Takes over a whole side, best first: flat triples of price, lots, orders. */
  load(side: Side, levels: readonly number[]): void {
    for (let index = 0; index < levels.length; index += 3) {
      this.#set(side, levels[index]!, levels[index + 1]!, levels[index + 2]!);
    }
  }

  /** Adds lots and orders to a level, or takes them away. */
  change(side: Side, price: number, lots: number, orders: number): void {
    if (lots === 0 && orders === 0) return;
    const known = this.#half(side).level(price);
    const left = (known?.[1] ?? 0) + lots;
    this.#set(side, price, left, left === 0 ? 0 : (known?.[2] ?? 0) + orders);
  }

  /** The batch is over: the book moves one step on if a level differs. @returns whether one does */
  step(at: number): boolean {
    if (!this.#isChanged) return false;
    this.#isChanged = false;
    this.#seqId += 1;
    this.#time = at;
    return true;
  }

  snapshot(levels: number): BookSnapshot {
    return { seqId: this.#seqId, time: this.#time, asks: this.#asks.top(levels), bids: this.#bids.top(levels) };
  }

  best(side: Side): Level | undefined {
    return this.#half(side).top(1)[0];
  }

  /** What changed since the last call, merged by price; undefined when nothing did. Gone levels have 0 lots. */
  takeUpdate(): BookUpdate | undefined {
    if (this.#seqId === this.#takenSeqId) return undefined;
    const numbers = { seqId: this.#seqId, prevSeqId: this.#takenSeqId, time: this.#time };
    this.#takenSeqId = this.#seqId;
    return { ...numbers, asks: this.#asks.takeTouched(), bids: this.#bids.takeTouched() };
  }

  #half(side: Side): HalfBook {
    return side === BUY ? this.#bids : this.#asks;
  }

  #set(side: Side, price: number, lots: number, orders: number): void {
    if (this.#half(side).set(price, lots, orders)) this.#isChanged = true;
  }
}
