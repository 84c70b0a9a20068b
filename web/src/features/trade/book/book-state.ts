/** The order book as the stream tells it: ticks to lots on both sides. Integers, so that levels add up exactly. */
import { decimal, rescale } from '../../../lib/decimal.ts';

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

/** A book that changes in place: copying it for each of hundreds of updates a second would be most of the work. */
export class LiveBook {
  readonly #asks = new Map<number, number>();
  readonly #bids = new Map<number, number>();
  readonly #scales: Scales;

  constructor(scales: Scales) {
    this.#scales = scales;
  }

  apply(push: BookPush, snapshot: boolean): void {
    this.#applySide(this.#asks, push.asks, snapshot);
    this.#applySide(this.#bids, push.bids, snapshot);
  }

  #applySide(side: Map<number, number>, levels: readonly BookLevel[], snapshot: boolean): void {
    if (snapshot) side.clear();
    for (const [price, size] of levels) {
      const ticks = toInteger(price, this.#scales.price);
      const lots = toInteger(size, this.#scales.quantity);
      if (lots === 0) side.delete(ticks);
      else side.set(ticks, lots);
    }
  }

  view(): BookView {
    return {
      asks: [...this.#asks].sort(([a], [b]) => a - b),
      bids: [...this.#bids].sort(([a], [b]) => b - a),
    };
  }
}
