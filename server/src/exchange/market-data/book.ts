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

interface HalfBook {
  /** Best first. */
  readonly prices: number[];
  readonly levels: Map<number, Level>;
  readonly touched: Set<number>;
}

const createHalf = (): HalfBook => ({ prices: [], levels: new Map(), touched: new Set() });

export function createBook() {
  const halves = [createHalf(), createHalf()] as const;
  let seqId = 1;
  let takenSeqId = 1;
  let time = 0;
  let isChanged = false;

  /** Index of a price among the others, best first, or the index that it would have. */
  function positionOf(side: Side, price: number): number {
    const { prices } = halves[side];
    let low = 0;
    let high = prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const isBetter = side === BUY ? prices[middle]! > price : prices[middle]! < price;
      if (isBetter) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function set(side: Side, price: number, lots: number, orders: number): void {
    const half = halves[side];
    const known = half.levels.get(price);
    if (known === undefined ? lots === 0 : known[1] === lots && known[2] === orders) return;
    if (lots === 0) {
      half.levels.delete(price);
      half.prices.splice(positionOf(side, price), 1);
    } else {
      if (known === undefined) half.prices.splice(positionOf(side, price), 0, price);
      half.levels.set(price, [price, lots, orders]);
    }
    half.touched.add(price);
    isChanged = true;
  }

  /** @returns whether anything differs from before */
  function step(at: number): boolean {
    if (!isChanged) return false;
    isChanged = false;
    seqId += 1;
    time = at;
    return true;
  }

  function top(side: Side, count: number): Level[] {
    const { prices, levels } = halves[side];
    const found: Level[] = [];
    for (let index = 0; index < prices.length && index < count; index += 1) found.push(levels.get(prices[index]!)!);
    return found;
  }

  function takeTouched(side: Side): Level[] {
    const half = halves[side];
    const changed = [...half.touched].map((price): Level => half.levels.get(price) ?? [price, 0, 0]);
    half.touched.clear();
    return changed.sort((a, b) => (side === BUY ? b[0] - a[0] : a[0] - b[0]));
  }

  return {
    /** Takes over a whole side, best first: flat triples of price, lots, orders. */
    load(side: Side, levels: readonly number[]): void {
      for (let index = 0; index < levels.length; index += 3) {
        set(side, levels[index]!, levels[index + 1]!, levels[index + 2]!);
      }
    },

    /** Adds lots and orders to a level, or takes them away. */
    change(side: Side, price: number, lots: number, orders: number): void {
      if (lots === 0 && orders === 0) return;
      const known = halves[side].levels.get(price);
      const left = (known?.[1] ?? 0) + lots;
      set(side, price, left, left === 0 ? 0 : (known?.[2] ?? 0) + orders);
    },

    /** The batch is over: the book moves one step on if a level differs. @returns whether one does */
    step,

    snapshot: (levels: number): BookSnapshot => ({ seqId, time, asks: top(SELL, levels), bids: top(BUY, levels) }),

    best: (side: Side): Level | undefined => top(side, 1)[0],

    /** What changed since the last call, merged by price; undefined when nothing did. Gone levels have 0 lots. */
    takeUpdate(): BookUpdate | undefined {
      if (seqId === takenSeqId) return undefined;
      const update = { seqId, prevSeqId: takenSeqId, time, asks: takeTouched(SELL), bids: takeTouched(BUY) };
      takenSeqId = seqId;
      return update;
    },
  };
}

export type Book = ReturnType<typeof createBook>;
