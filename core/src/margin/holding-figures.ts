/**
 * The figures of all holdings of an exchange, in records of 64 bytes, one cache line each: five int64, then three doubles. They
 * are written with every order and every trade, and so make no object. Records start at multiples of eight, so that a field's
 * index is `at | FIELD`.
 */
import { doublesOf, int64sOf, lineWords, widerWords } from '../collections/records.ts';

/** int64 in a record. */
export const HOLDING_INT64S = 8;

/** int64 of a record, in settlement units. */
export const HoldingUnit = {
  COST: 0,
  MARGIN: 1,
  /** By side. */
  ORDER_VALUE: 2,
  /** What the leverage asks for of the cost, so that it is divided once and not with every order. */
  INITIAL: 4,
} as const;

/** Doubles of a record. */
export const HoldingDouble = {
  /** Open lots, below zero of a short position. */
  LOTS: 5,
  /** Lots of orders, by side. */
  ORDER_LOTS: 6,
} as const;

const WORDS = 2 * HOLDING_INT64S;
const FIRST_CAPACITY = 256;

export class HoldingFigures {
  words = lineWords(FIRST_CAPACITY * WORDS);
  doubles = doublesOf(this.words);
  units = int64sOf(this.words);
  #end = 0;

  /** Makes room for so many more at once. */
  reserve(more: number): void {
    const length = (this.#end + more * HOLDING_INT64S) * 2;
    if (length > this.words.length) this.#widen(Math.max(length, this.words.length * 2));
  }

  /** @returns where a new record begins, in int64; all of it is zero */
  add(): number {
    const at = this.#end;
    if (at === this.units.length) this.#widen(this.words.length * 2);
    this.#end = at + HOLDING_INT64S;
    return at;
  }

  #widen(length: number): void {
    this.words = widerWords(this.words, length);
    this.doubles = doublesOf(this.words);
    this.units = int64sOf(this.words);
  }
}
