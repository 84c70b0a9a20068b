/** The order book as the stream tells it: ticks to lots on both sides. Integers, so that levels add up exactly. */
import { decimal, rescale } from '../decimal.ts';

type BookLevel = readonly [price: string, size: string, ...rest: string[]];

export interface BookPush {
  readonly asks: readonly BookLevel[];
  readonly bids: readonly BookLevel[];
}

export interface Scales {
  readonly price: number;
  readonly quantity: number;
}

/** Ticks and lots. */
export type BookRow = readonly [ticks: number, lots: number];

/** Both sides sorted, the best price first. */
export interface BookView {
  readonly asks: readonly BookRow[];
  readonly bids: readonly BookRow[];
}

export const EMPTY_BOOK: BookView = { asks: [], bids: [] };

const PLAIN = /^(\d+)(?:\.(\d+))?$/;
/** Digits that surely stay below 2^53. */
const SAFE_DIGITS = 15;

/**
 * Text to whole units of a scale. A book's prices and sizes are bounded by the engine to safe integers; the usual
 * text, with no more decimals than the scale, is read without big integers, five hundred times a second.
 */
export function toInteger(text: string, scale: number): number {
  const [, whole = '', fraction = ''] = PLAIN.exec(text) ?? [];
  if (whole !== '' && fraction.length <= scale && whole.length + scale <= SAFE_DIGITS) {
    return Number(whole + fraction.padEnd(scale, '0'));
  }
  return Number(rescale(decimal(text), scale, 'nearest').units);
}

/** Where a price is, or would be, in a side that is sorted with the best price first. */
function indexOf(side: readonly BookRow[], ticks: number, direction: 1 | -1): number {
  let [low, high] = [0, side.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (((side[middle]?.[0] ?? 0) - ticks) * direction < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A book that changes in place and stays sorted: copying or sorting it for each of hundreds of updates a second would be
 * most of the work.
 */
export class LiveBook {
  readonly #asks: BookRow[] = [];
  readonly #bids: BookRow[] = [];
  readonly #scales: Scales;

  constructor(scales: Scales) {
    this.#scales = scales;
  }

  apply(push: BookPush, snapshot: boolean): void {
    this.#applySide(this.#asks, push.asks, 1, snapshot);
    this.#applySide(this.#bids, push.bids, -1, snapshot);
  }

  #applySide(side: BookRow[], levels: readonly BookLevel[], direction: 1 | -1, snapshot: boolean): void {
    if (snapshot) side.length = 0;
    for (const [price, size] of levels) {
      const ticks = toInteger(price, this.#scales.price);
      const lots = toInteger(size, this.#scales.quantity);
      const index = indexOf(side, ticks, direction);
      const known = side[index]?.[0] === ticks ? 1 : 0;
      if (lots === 0) side.splice(index, known);
      else if (known === 1) side[index] = [ticks, lots];
      else side.splice(index, 0, [ticks, lots]);
    }
  }

  view(): BookView {
    return { asks: [...this.#asks], bids: [...this.#bids] };
  }
}
