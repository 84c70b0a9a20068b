import { BitIndex, bitsAbove, bitsBelow, highestBit, lowestBit } from '../collections/bit-index.ts';
import { doublesOf, lineWords, widerWords } from '../collections/records.ts';

/** A page covers 1024 ticks: 32 words of 32 levels, and one summary word over them. */
const PAGE_BITS = 10;
const PAGE_TICKS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_TICKS - 1;
const PAGE_WORDS = 32;

/** A level is 32 bytes: four 32-bit words and two doubles. */
const LEVEL_BITS = 3;
const LEVEL_WORDS = 1 << LEVEL_BITS;
/** How far a level is shifted to become the number of its word of bits, and of its page. */
const TO_WORD = LEVEL_BITS + 5;
const TO_PAGE = LEVEL_BITS + PAGE_BITS;
const HEAD = 0;
const TAIL = 1;
const COUNT = 2;
const PRICE = 3;
const LOTS = 2;
const LAST_PRIORITY = 3;

/** None to use yet: most markets of a fresh exchange have no order, and a page takes 32 KiB. */
const FIRST_PAGES = 1;
const FIRST_DIRECTORY = 256;

/**
 * The price levels of one market, from 1 to 2^31 − 1 ticks. Bids and asks share it: a book is never crossed, so a
 * price belongs to one side only.
 *
 * Pages of 1024 neighbouring ticks are made where there are orders and given back when they are empty. Inside a page
 * two levels of bits lead to the next price; across pages a `BitIndex` does. Near the touch, where nearly all of the
 * work is, a step costs one or two words, and a far price costs a page, never a rebuilt window.
 *
 * A level is the place of its first word, (page slot × 1024 + price within the page) × 8, stable while the level has
 * orders; 0 means none. A field's place is `level | field`, without the overflow check of a sum; `| 0` as in the order pool.
 */
export class PriceLadder {
  #levels = lineWords(FIRST_PAGES * PAGE_TICKS * LEVEL_WORDS);
  #doubles = doublesOf(this.#levels);
  #words = new Int32Array(FIRST_PAGES * PAGE_WORDS);
  #summaries = new Int32Array(FIRST_PAGES);
  #freePages: number[] = [];
  /** Page slot 0 is never used, so that level 0 can mean none. */
  #untouchedPage = 1;
  /** Page number (price >> 10) → page slot; 0 where there is no page. */
  #directory = new Int32Array(FIRST_DIRECTORY);
  readonly #pages = new BitIndex();

  constructor() {
    this.#pages.grow(FIRST_DIRECTORY);
  }

  /** The level of a price; 0 when its page has no order at all. */
  find(price: number): number {
    const page = this.#directory[price >> PAGE_BITS];
    return page === undefined || page === 0 ? 0 : levelAt(page, price);
  }

  /** The level of a price, made ready to take its first order if it has none. */
  open(price: number): number {
    const found = this.find(price);
    const level = found !== 0 ? found : levelAt(this.#addPage(price >> PAGE_BITS), price);
    if (this.#levels[level | COUNT] === 0) {
      this.#levels[level | PRICE] = price | 0;
      this.#doubles[(level >> 1) | LAST_PRIORITY] = 0;
      this.#words[level >> TO_WORD]! |= 1 << ((level >> LEVEL_BITS) & 31);
      this.#summaries[level >> TO_PAGE]! |= 1 << ((level >> TO_WORD) & 31);
    }
    return level;
  }

  /** Forgets a level that has no order left. */
  close(level: number): void {
    const word = level >> TO_WORD;
    this.#words[word]! &= ~(1 << ((level >> LEVEL_BITS) & 31));
    if (this.#words[word] !== 0) return;
    const page = level >> TO_PAGE;
    this.#summaries[page]! &= ~(1 << (word & 31));
    if (this.#summaries[page] === 0) this.#removePage(page, this.#levels[level | PRICE]! >> PAGE_BITS);
  }

  /** The lowest price with orders above `price`; 0 when there is none. */
  above(price: number): number {
    const page = this.#directory[price >> PAGE_BITS] ?? 0;
    if (page !== 0) {
      const word = (price & PAGE_MASK) >> 5;
      const near = bitsAbove(this.#words[page * PAGE_WORDS + word]!, price & 31);
      if (near !== 0) return (price & ~31) + lowestBit(near);
      const later = bitsAbove(this.#summaries[page]!, word);
      if (later !== 0) return this.#lowestIn(price >> PAGE_BITS, page, lowestBit(later));
    }
    const number = this.#pages.above(price >> PAGE_BITS);
    if (number < 0) return 0;
    const next = this.#directory[number]!;
    return this.#lowestIn(number, next, lowestBit(this.#summaries[next]!));
  }

  /** The highest price with orders below `price`; 0 when there is none. */
  below(price: number): number {
    const page = this.#directory[price >> PAGE_BITS] ?? 0;
    if (page !== 0) {
      const word = (price & PAGE_MASK) >> 5;
      const near = bitsBelow(this.#words[page * PAGE_WORDS + word]!, price & 31);
      if (near !== 0) return (price & ~31) + highestBit(near);
      const earlier = bitsBelow(this.#summaries[page]!, word);
      if (earlier !== 0) return this.#highestIn(price >> PAGE_BITS, page, highestBit(earlier));
    }
    const number = this.#pages.below(price >> PAGE_BITS);
    if (number < 0) return 0;
    const next = this.#directory[number]!;
    return this.#highestIn(number, next, highestBit(this.#summaries[next]!));
  }

  /** First order of the queue. */
  head(level: number): number {
    return this.#levels[level | HEAD]!;
  }

  setHead(level: number, slot: number): void {
    this.#levels[level | HEAD] = slot | 0;
  }

  /** Last order of the queue. */
  tail(level: number): number {
    return this.#levels[level | TAIL]!;
  }

  setTail(level: number, slot: number): void {
    this.#levels[level | TAIL] = slot | 0;
  }

  /** Notes the priority of an order that joins the queue, and says whether it comes after those before it. */
  arrive(level: number, priority: number): boolean {
    const place = (level >> 1) | LAST_PRIORITY;
    const later = priority > this.#doubles[place]!;
    this.#doubles[place] = priority;
    return later;
  }

  /** Orders at the level. */
  orders(level: number): number {
    return this.#levels[level | COUNT]!;
  }

  /** Lots at the level. */
  lots(level: number): number {
    return this.#doubles[(level >> 1) | LOTS]!;
  }

  addLots(level: number, lots: number): void {
    this.#doubles[(level >> 1) | LOTS]! += lots;
  }

  /** Changes both totals and returns how many orders are there now. */
  count(level: number, orders: number, lots: number): number {
    this.#doubles[(level >> 1) | LOTS]! += lots;
    const now = this.#levels[level | COUNT]! + orders;
    this.#levels[level | COUNT] = now;
    return now;
  }

  #lowestIn(number: number, page: number, word: number): number {
    return (number << PAGE_BITS) + (word << 5) + lowestBit(this.#words[page * PAGE_WORDS + word]!);
  }

  #highestIn(number: number, page: number, word: number): number {
    return (number << PAGE_BITS) + (word << 5) + highestBit(this.#words[page * PAGE_WORDS + word]!);
  }

  #addPage(number: number): number {
    if (number >= this.#directory.length) this.#growDirectory(number);
    const page = this.#freePages.pop() ?? this.#newPage();
    this.#directory[number] = page;
    this.#pages.add(number);
    return page;
  }

  /** An empty page is all zeros but for old prices, so it can serve again as it is. */
  #removePage(page: number, number: number): void {
    this.#directory[number] = 0;
    this.#pages.remove(number);
    this.#freePages.push(page);
  }

  #newPage(): number {
    if (this.#untouchedPage === this.#summaries.length) {
      this.#levels = widerWords(this.#levels, this.#levels.length * 2);
      this.#doubles = doublesOf(this.#levels);
      this.#words = widened(this.#words, this.#words.length * 2);
      this.#summaries = widened(this.#summaries, this.#summaries.length * 2);
    }
    this.#untouchedPage += 1;
    return this.#untouchedPage - 1;
  }

  #growDirectory(number: number): void {
    let length = this.#directory.length;
    while (length <= number) length *= 2;
    this.#directory = widened(this.#directory, length);
    this.#pages.grow(length);
  }
}

function levelAt(page: number, price: number): number {
  return ((page << PAGE_BITS) | (price & PAGE_MASK)) << LEVEL_BITS;
}

function widened(words: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length);
  wider.set(words);
  return wider;
}
