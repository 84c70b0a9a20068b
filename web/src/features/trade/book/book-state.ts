/** The order book as the stream tells it: ticks to lots on both sides. Integers, so that levels add up exactly. */
import { decimal, rescale } from '../../../lib/decimal.ts';

export interface BookPush {
  readonly asks: readonly (readonly [price: string, size: string, ...rest: string[]])[];
  readonly bids: readonly (readonly [price: string, size: string, ...rest: string[]])[];
}

export interface Scales {
  readonly price: number;
  readonly quantity: number;
}

export interface BookState {
  readonly asks: ReadonlyMap<number, number>;
  readonly bids: ReadonlyMap<number, number>;
}

export const EMPTY_BOOK: BookState = { asks: new Map(), bids: new Map() };

/** A book's prices and sizes are bounded by the engine to safe integers. */
export function toInteger(text: string, scale: number): number {
  return Number(rescale(decimal(text), scale, 'nearest').units);
}

function applySide(side: ReadonlyMap<number, number>, levels: BookPush['asks'], scales: Scales): Map<number, number> {
  const next = new Map(side);
  for (const [price, size] of levels) {
    const ticks = toInteger(price, scales.price);
    const lots = toInteger(size, scales.quantity);
    if (lots === 0) next.delete(ticks);
    else next.set(ticks, lots);
  }
  return next;
}

export function applyBook(book: BookState, push: BookPush, snapshot: boolean, scales: Scales): BookState {
  const before = snapshot ? EMPTY_BOOK : book;
  return { asks: applySide(before.asks, push.asks, scales), bids: applySide(before.bids, push.bids, scales) };
}
