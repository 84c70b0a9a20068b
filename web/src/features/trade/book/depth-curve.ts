/** The book as two staircases: what stands between the best price and each further one. */
import type { BookRow, BookView } from '../../../lib/order-book/book-state.ts';

export interface DepthPoint {
  readonly ticks: number;
  /** Lots from the best price to here. */
  readonly lots: number;
}

export interface DepthCurve {
  readonly middle: number;
  /** Ticks at the left and right edge. */
  readonly from: number;
  readonly to: number;
  readonly deepest: number;
  readonly asks: readonly DepthPoint[];
  readonly bids: readonly DepthPoint[];
}

function cumulate(side: readonly BookRow[], isWithin: (ticks: number) => boolean): DepthPoint[] {
  let lots = 0;
  return side
    .filter(([ticks]) => isWithin(ticks))
    .map(([ticks, size]) => {
      lots += size;
      return { ticks, lots };
    });
}

/** Both sides within `percent` of the middle; undefined for a book with an empty side. */
export function depthCurve(book: BookView, percent: number): DepthCurve | undefined {
  const [ask] = book.asks[0] ?? [];
  const [bid] = book.bids[0] ?? [];
  if (ask === undefined || bid === undefined) return undefined;
  const middle = (ask + bid) / 2;
  const from = middle * (1 - percent / 100);
  const to = middle * (1 + percent / 100);
  const asks = cumulate(book.asks, (ticks) => ticks <= to);
  const bids = cumulate(book.bids, (ticks) => ticks >= from);
  const deepest = Math.max(1, asks.at(-1)?.lots ?? 0, bids.at(-1)?.lots ?? 0);
  return { middle, from, to, deepest, asks, bids };
}

/**
 * Round numbers within a range for the marks of an axis: steps of 1, 2 or 5 times a power of ten, `most` of them at most.
 * For drawing; prices in ticks and sums in lots are whole, and so are their marks.
 */
export function axisMarks(from: number, to: number, most: number): number[] {
  const least = (to - from) / most;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= least) ?? 10 * power;
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
}

/** What one side has at a price of the picture; for the pointer. */
export function depthAt(curve: DepthCurve, ticks: number): DepthPoint | undefined {
  const side = ticks >= curve.middle ? curve.asks : curve.bids;
  return side.filter((point) => (ticks >= curve.middle ? point.ticks <= ticks : point.ticks >= ticks)).at(-1);
}
