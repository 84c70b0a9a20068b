import { doublesOf, int64sOf, lineWords, widerWords } from '../collections/records.ts';
import type { StateHasher } from '../collections/state-hash.ts';
import { InvariantError } from '../invariant.ts';

/**
 * A record is 64 bytes, one cache line: two doubles, then twelve 32-bit integers. Offsets below are in doubles for the
 * first two and in 32-bit words for the rest. Records start at multiples of 16 words, so a field's index is
 * `slot | field`: unlike a sum of integers, which V8 checks for overflow, that is one instruction. What is stored gets
 * `| 0`, which tells V8 that an argument is a small integer; else each store would ask which kind of number it is.
 */
const WORDS = 16;
const ORDER_ID = 0;
const PRIORITY = 1;
const PRICE = 4;
const REMAINING = 5;
const QUANTITY = 6;
const NEXT = 7;
const PREVIOUS = 8;
const LEVEL = 9;
const BOOK_SIDE = 10;
const OWNER = 11;
const OWNER_NEXT = 12;
const OWNER_PREVIOUS = 13;
const PAYING = 14;
const TERMS = 15;

/** Figures of an order are a second record of 64 bytes at the same index, so that matching touches it only for a fill. */
const CREATED_AT = 0;
const FILLED_VALUE = 1;
const FEE = 2;
const CREDIT = 3;
/** Words of the same record: lots that are not in the book, and how many of them it shows at a time; 0 for most orders. */
const HIDDEN = 8;
const VISIBLE = 9;

const FIRST_CAPACITY = 1024;

/**
 * With at most 2^22 open orders of at most 2^31 − 1 lots each, the sum of lots at a price stays below 2^53 and is
 * exact in a double.
 */
export const MAXIMUM_OPEN_ORDERS = 2 ** 22;
// What is exported is loaded at every use; what is not is folded into the compiled code.
const LIMIT = MAXIMUM_OPEN_ORDERS;

/**
 * Open orders as records in one growing buffer, linked by slots; no object for an order. A slot is the place of its
 * record's first word, a multiple of 16; 0 means none. Links may be written to the record of slot 0, which is never read:
 * whether an order has a neighbour is chance, and a branch on chance costs more than a store.
 * Prices and quantities are ticks and lots; owners and accounts are the dense indexes of their own tables.
 */
export class OrderPool {
  words = lineWords(FIRST_CAPACITY * WORDS);
  doubles = doublesOf(this.words);
  #figureWords = lineWords(FIRST_CAPACITY * WORDS);
  #figures = doublesOf(this.#figureWords);
  #units = int64sOf(this.#figureWords);
  /** Slots that were used and are free again, linked by NEXT. */
  firstFree = 0;
  /** The lowest slot never used. */
  untouched = WORDS;
  count = 0;
  /** Open orders that show a part at a time. */
  icebergs = 0;

  /** A free slot, its record undefined. */
  take(): number {
    if (this.count >= LIMIT) throw new InvariantError('open orders stay within their limit');
    this.count += 1;
    const slot = this.firstFree;
    if (slot !== 0) {
      this.firstFree = this.words[slot | NEXT]!;
      return slot;
    }
    const fresh = this.untouched;
    if (fresh >= this.words.length) this.#widen(this.words.length * 2);
    this.untouched = fresh + WORDS;
    return fresh;
  }

  /** Gives a slot back. Its id becomes 0, which is how a walk over all slots knows the free ones. */
  free(slot: number): void {
    if (this.icebergs > 0 && this.visible(slot) > 0) this.icebergs -= 1;
    this.doubles[(slot >> 1) | ORDER_ID] = 0;
    this.words[slot | NEXT] = this.firstFree;
    this.firstFree = slot;
    this.count -= 1;
  }

  orderId(slot: number): number {
    return this.doubles[(slot >> 1) | ORDER_ID]!;
  }

  /** Arrival number: ascending within a level, and over all levels the order in which recovery puts orders back. */
  priority(slot: number): number {
    return this.doubles[(slot >> 1) | PRIORITY]!;
  }

  setIdentity(slot: number, orderId: number, priority: number): void {
    this.doubles[(slot >> 1) | ORDER_ID] = orderId;
    this.doubles[(slot >> 1) | PRIORITY] = priority;
  }

  price(slot: number): number {
    return this.words[slot | PRICE]!;
  }

  remaining(slot: number): number {
    return this.words[slot | REMAINING]!;
  }

  quantity(slot: number): number {
    return this.words[slot | QUANTITY]!;
  }

  setTerms(slot: number, price: number, quantity: number, remaining: number): void {
    this.words[slot | PRICE] = price | 0;
    this.words[slot | QUANTITY] = quantity | 0;
    this.words[slot | REMAINING] = remaining | 0;
  }

  setRemaining(slot: number, remaining: number): void {
    this.words[slot | REMAINING] = remaining | 0;
  }

  setQuantity(slot: number, quantity: number): void {
    this.words[slot | QUANTITY] = quantity | 0;
  }

  /** Neighbours in the queue of a price level. */
  next(slot: number): number {
    return this.words[slot | NEXT]!;
  }

  setNext(slot: number, next: number): void {
    this.words[slot | NEXT] = next | 0;
  }

  previous(slot: number): number {
    return this.words[slot | PREVIOUS]!;
  }

  setPrevious(slot: number, previous: number): void {
    this.words[slot | PREVIOUS] = previous | 0;
  }

  level(slot: number): number {
    return this.words[slot | LEVEL]!;
  }

  setLevel(slot: number, level: number): void {
    this.words[slot | LEVEL] = level | 0;
  }

  /** The place of the order's book in the exchange's list × 2 + side. */
  bookSide(slot: number): number {
    return this.words[slot | BOOK_SIDE]!;
  }

  owner(slot: number): number {
    return this.words[slot | OWNER]!;
  }

  /** The owner's available account of the asset that the order pays with; the held account is beside it. */
  paying(slot: number): number {
    return this.words[slot | PAYING]!;
  }

  setParties(slot: number, bookSide: number, owner: number, paying: number): void {
    this.words[slot | BOOK_SIDE] = bookSide | 0;
    this.words[slot | OWNER] = owner | 0;
    this.words[slot | PAYING] = paying | 0;
  }

  /** Time in force, type and self-trade mode, as the codes of event records. */
  terms(slot: number): number {
    return this.words[slot | TERMS]!;
  }

  setTermsCode(slot: number, terms: number): void {
    this.words[slot | TERMS] = terms | 0;
  }

  /** Ms. */
  createdAt(slot: number): number {
    return this.#figures[(slot >> 1) | CREATED_AT]!;
  }

  /** Quote units that its trades were worth. */
  filledValue(slot: number): bigint {
    return this.#units[(slot >> 1) | FILLED_VALUE]!;
  }

  /** Units of the received asset that it paid. */
  fee(slot: number): bigint {
    return this.#units[(slot >> 1) | FEE]!;
  }

  /** Quote units of fee credit that it used. */
  credit(slot: number): bigint {
    return this.#units[(slot >> 1) | CREDIT]!;
  }

  /** Begins the figures of an order with those of a `figures` array: filled value, fee, credit. */
  setFigures(slot: number, createdAt: number, figures: BigInt64Array): void {
    const half = slot >> 1;
    this.#figures[half | CREATED_AT] = createdAt;
    this.#units[half | FILLED_VALUE] = figures[0]!;
    this.#units[half | FEE] = figures[1]!;
    this.#units[half | CREDIT] = figures[2]!;
    this.#figureWords[slot | HIDDEN] = 0;
    this.#figureWords[slot | VISIBLE] = 0;
  }

  /** Lots of an iceberg that are not in the book; its `remaining` are those that are. */
  hidden(slot: number): number {
    return this.#figureWords[slot | HIDDEN]!;
  }

  /** Lots that an iceberg shows at a time; 0 for an order that shows all. */
  visible(slot: number): number {
    return this.#figureWords[slot | VISIBLE]!;
  }

  /** Makes the order of a slot an iceberg; after `setFigures`. */
  setIceberg(slot: number, visible: number, hidden: number): void {
    this.#figureWords[slot | VISIBLE] = visible | 0;
    this.#figureWords[slot | HIDDEN] = hidden | 0;
    this.icebergs += 1;
  }

  setHidden(slot: number, hidden: number): void {
    this.#figureWords[slot | HIDDEN] = hidden | 0;
  }

  /** Whether it has traded. */
  hasFigures(slot: number): boolean {
    const half = slot >> 1;
    const units = this.#units;
    return units[half | FILLED_VALUE] !== 0n || units[half | FEE] !== 0n || units[half | CREDIT] !== 0n;
  }

  /** Folds creation time, filled value, fee and credit into a hash, without making a bigint of each. */
  hashFigures(slot: number, hasher: StateHasher): void {
    const words = this.#figureWords;
    hasher.number(this.createdAt(slot));
    for (let at = slot + FILLED_VALUE * 2; at <= slot + CREDIT * 2; at += 2) hasher.words(words[at]!, words[at + 1]!);
  }

  /** Adds a fill. */
  addFill(slot: number, value: bigint, fee: bigint, credit: bigint): void {
    const half = slot >> 1;
    this.#units[half | FILLED_VALUE] = BigInt.asIntN(64, this.#units[half | FILLED_VALUE]! + value);
    this.#units[half | FEE] = BigInt.asIntN(64, this.#units[half | FEE]! + fee);
    if (credit !== 0n) this.#units[half | CREDIT] = BigInt.asIntN(64, this.#units[half | CREDIT]! + credit);
  }

  /** Neighbours among the open orders of the same owner, newest first. */
  ownerNext(slot: number): number {
    return this.words[slot | OWNER_NEXT]!;
  }

  /** Puts a slot at the head of an owner's list. */
  linkOwner(slot: number, head: number): void {
    this.words[slot | OWNER_NEXT] = head | 0;
    this.words[slot | OWNER_PREVIOUS] = 0;
    this.words[head | OWNER_PREVIOUS] = slot | 0;
  }

  /** Takes a slot out of an owner's list and returns the list's head after it. */
  unlinkOwner(slot: number, head: number): number {
    const next = this.words[slot | OWNER_NEXT]!;
    const previous = this.words[slot | OWNER_PREVIOUS]!;
    this.words[next | OWNER_PREVIOUS] = previous | 0;
    this.words[previous | OWNER_NEXT] = next | 0;
    return previous === 0 ? next : head;
  }

  /** Makes room for so many orders at once. */
  reserve(orders: number): void {
    const words = this.untouched + orders * WORDS;
    if (words > this.words.length) this.#widen(words);
  }

  #widen(length: number): void {
    this.words = widerWords(this.words, length);
    this.doubles = doublesOf(this.words);
    this.#figureWords = widerWords(this.#figureWords, this.words.length);
    this.#figures = doublesOf(this.#figureWords);
    this.#units = int64sOf(this.#figureWords);
  }
}
