import { IntegerMap } from '@cambist/core/collections/integer-map.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import {
  FigureDouble,
  isReducing,
  REASON_MASK,
  REASON_SHIFT,
  REASONS,
  RecordDouble,
  RecordWord,
  STATUS_MASK,
  UNIT_WORDS,
} from '@cambist/core/events/event-record.ts';
import { CopyWriter } from '../../platform/copy-writer.ts';

/** Words of an order's record. */
const WORDS = 2 * UNIT_WORDS;
const FIRST_ROWS = 256;
/** Where a kept record has its market's id; the batch it came from knows the market by an index. */
const MARKET = RecordWord.KIND;
const SECOND = UNIT_WORDS;
const CHANGED_COLUMNS = 17;
const ALL_COLUMNS = 21;

const reasonTexts = REASONS.map((reason) => Buffer.from(reason === 'NONE' ? '' : reason, 'latin1'));

/** The last record of each of some orders: what a run of batches writes of them, as one row each. */
export class OrderRecords {
  #words = new Int32Array(FIRST_ROWS * WORDS);
  #doubles = new Float64Array(this.#words.buffer);
  #units = new BigInt64Array(this.#words.buffer);
  /** Row of an order, counted from 1. */
  readonly #rows = new IntegerMap();
  readonly #writer: CopyWriter;
  readonly #withBegun: boolean;

  /** @param withBegun whether the rows hold what never changes of an order too */
  constructor(withBegun: boolean) {
    this.#withBegun = withBegun;
    this.#writer = new CopyWriter(withBegun ? ALL_COLUMNS : CHANGED_COLUMNS);
  }

  get size(): number {
    return this.#rows.size;
  }

  has(orderId: number): boolean {
    return this.#rows.get(orderId) !== 0;
  }

  /** Keeps an order's record, in place of the one before. */
  put(orderId: number, events: EventBatch, at: number): void {
    let row = this.#rows.get(orderId);
    if (row === 0) {
      row = this.#rows.size + 1;
      this.#rows.add(orderId, row);
      if (row * WORDS > this.#words.length) this.#grow();
    }
    const to = (row - 1) * WORDS;
    const units = this.#units;
    const from = events.units;
    // Never as doubles: one that is no number would not keep the bits of an int64.
    for (let unit = 0; unit < WORDS / 2; unit += 1) units[(to >> 1) | unit] = from[(at >> 1) + unit]!;
    this.#words[to + MARKET] = events.market(at);
  }

  clear(): void {
    this.#rows.clear();
  }

  /** The rows for a binary COPY; good until the next call. */
  copy(): Uint8Array {
    const rows = this.#writer;
    rows.reset();
    for (let row = 0; row < this.size; row += 1) {
      rows.row();
      this.#writeChanged(rows, row * WORDS);
      if (this.#withBegun) this.#writeBegun(rows, row * WORDS);
    }
    return rows.finish();
  }

  #writeChanged(rows: CopyWriter, at: number): void {
    const words = this.#words;
    const doubles = this.#doubles;
    const codes = words[at + RecordWord.CODES]!;
    const quantity = words[at + RecordWord.QUANTITY]!;
    const remaining = words[at + RecordWord.REMAINING]!;
    rows.int8(doubles[(at >> 1) + RecordDouble.ORDER_ID]!);
    rows.int2((codes >> 8) & 1);
    rows.int2((codes >> 6) & 3);
    rows.int2((codes >> 9) & 3);
    rows.int2(isReducing(codes) ? 1 : 0);
    rows.int8(words[at + RecordWord.PRICE]!);
    rows.int8(quantity);
    this.#writeFigure(rows, at, FigureDouble.QUOTE_TOTAL);
    rows.int8(remaining);
    rows.int8(quantity - remaining);
    this.#writeFigure(rows, at, FigureDouble.FILLED_VALUE);
    this.#writeFigure(rows, at, FigureDouble.FEE);
    this.#writeFigure(rows, at, FigureDouble.CREDIT);
    rows.int2(codes & STATUS_MASK);
    rows.text(reasonTexts[(codes >> REASON_SHIFT) & REASON_MASK]!);
    rows.int8(doubles[(at >> 1) + RecordDouble.PRIORITY]!);
    rows.int8(doubles[((at + SECOND) >> 1) + FigureDouble.TIME]!);
  }

  #writeBegun(rows: CopyWriter, at: number): void {
    const words = this.#words;
    const doubles = this.#doubles;
    rows.int8(doubles[(at >> 1) + RecordDouble.OWNER]!);
    rows.int2(words[at + MARKET]!);
    rows.int2(words[at + RecordWord.BOOK_SIDE]! & 1);
    rows.int8(doubles[(at >> 1) + RecordDouble.CREATED_AT]!);
  }

  #writeFigure(rows: CopyWriter, at: number, figure: number): void {
    const place = at + SECOND + figure * 2;
    rows.words(this.#words[place]!, this.#words[place + 1]!);
  }

  #grow(): void {
    const wider = new Int32Array(this.#words.length * 2);
    wider.set(this.#words);
    this.#words = wider;
    this.#doubles = new Float64Array(wider.buffer);
    this.#units = new BigInt64Array(wider.buffer);
  }
}
