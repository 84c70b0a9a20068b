/**
 * A copy of one order book by price level, kept from what was committed. It also remembers which levels changed since
 * the last update was taken, so that a stream sends one merged update for any number of batches.
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

/** The reading half of the exchange that a book is copied from. */
export interface LevelSource {
  levelQuantity(market: number, side: Side, price: number): number;
  levelOrders(market: number, side: Side, price: number): number;
  depth(market: number, side: Side, levels: number): number[];
}

interface HalfBook {
  /** Best first. */
  readonly prices: number[];
  readonly levels: Map<number, Level>;
  readonly touched: Set<number>;
}

const ALL_LEVELS = 1_000_000;

const createHalf = (): HalfBook => ({ prices: [], levels: new Map(), touched: new Set() });

export function createBook(market: number, source: LevelSource) {
  const halves = [createHalf(), createHalf()] as const;
  let seqId = 1;
  let takenSeqId = 1;
  let time = 0;
  let isChanged = false;

  /** Where a price stands or would stand, best first. */
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
    /** Reads these levels again; the book moves one step on if one of them differs. */
    refresh(changed: Iterable<readonly [Side, number]>, at: number): boolean {
      for (const [side, price] of changed) {
        const lots = source.levelQuantity(market, side, price);
        set(side, price, lots, lots === 0 ? 0 : source.levelOrders(market, side, price));
      }
      return step(at);
    },

    /** Reads the whole book again. */
    reload(at: number): boolean {
      for (const side of [BUY, SELL] as const) {
        const flat = source.depth(market, side, ALL_LEVELS);
        const gone = new Set(halves[side].prices);
        for (let index = 0; index < flat.length; index += 3) {
          gone.delete(flat[index]!);
          set(side, flat[index]!, flat[index + 1]!, flat[index + 2]!);
        }
        for (const price of gone) set(side, price, 0, 0);
      }
      return step(at);
    },

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
