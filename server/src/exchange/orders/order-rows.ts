/** The last state of each order of a run, as one row of a binary COPY that is written when a record comes. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import {
  FigureDouble,
  IS_HEDGED,
  isReducing,
  REASON_MASK as REASON_BITS,
  RecordDouble,
  RecordWord,
  STATUS_MASK,
  REASON_SHIFT as TO_REASON,
  UNIT_WORDS,
} from '@cambist/core/events/event-record.ts';
import { CopyRows, highWord, placesOf, writeInt64 } from '../../platform/copy-rows.ts';
import { RowIndex } from './row-index.ts';

/** Columns of an order that every change writes, with their bytes. */
export const CHANGED = {
  ...({
    price: 8,
    quantity: 8,
    quote_total: 8,
    remaining: 8,
    filled: 8,
    filled_quote: 8,
    fee: 8,
    fee_credit: 8,
  } as const),
  ...({
    priority: 8,
    updated_at: 8,
    type: 2,
    time_in_force: 2,
    self_trade: 2,
    reduce_only: 2,
    is_hedged: 2,
    state: 2,
    reason: 2,
  } as const),
} as const;
export const UPDATED = { id: 8, ...CHANGED } as const;
/** With those that never change. */
export const INSERTED = { ...UPDATED, owner: 8, created_at: 8, market: 2, side: 2 } as const;

// Constants of this module are folded into the compiled code; imported ones and properties are loaded at every use.
const TO = placesOf(INSERTED);
const [ID, PRICE, QUANTITY, TOTAL, REMAINING, FILLED] = [
  TO.id,
  TO.price,
  TO.quantity,
  TO.quote_total,
  TO.remaining,
  TO.filled,
];
const [VALUE, FEE, CREDIT, PRIORITY, UPDATED_AT] = [TO.filled_quote, TO.fee, TO.fee_credit, TO.priority, TO.updated_at];
const [TYPE, TIME_IN_FORCE, SELF_TRADE] = [TO.type, TO.time_in_force, TO.self_trade];
const [REDUCE_ONLY, HEDGED] = [TO.reduce_only, TO.is_hedged];
const [STATE, REASON, OWNER, CREATED_AT, MARKET, SIDE] = [
  TO.state,
  TO.reason,
  TO.owner,
  TO.created_at,
  TO.market,
  TO.side,
];
const LOW = 4;
const { BOOK_SIDE, CODES } = RecordWord;
const { PRICE: PRICE_WORD, QUANTITY: QUANTITY_WORD, REMAINING: REMAINING_WORD } = RecordWord;
const { OWNER: OWNER_NUMBER, PRIORITY: PRIORITY_NUMBER, CREATED_AT: CREATED } = RecordDouble;
const { TIME, FILLED_VALUE, FEE: FEE_UNITS, CREDIT: CREDIT_UNITS, QUOTE_TOTAL } = FigureDouble;
const SECOND = UNIT_WORDS;
const STATUS = STATUS_MASK;
const REASONS = REASON_BITS;
const REASON_AT = TO_REASON;
const OF_LEG = IS_HEDGED;

export class OrderRows {
  /** Orders that were placed in the run, and those that were there before. */
  readonly #started = new CopyRows(INSERTED);
  readonly #changed = new CopyRows(UPDATED);
  /** Twice the place where the row of an order begins, and 1 more among those that started. */
  readonly #rows = new RowIndex();

  /** How many started. */
  get started(): number {
    return this.#started.size;
  }

  /** How many others changed. */
  get changed(): number {
    return this.#changed.size;
  }

  put(events: EventBatch, at: number): void {
    const id = events.orderId(at);
    let row = this.#rows.get(id);
    if (row === 0) row = this.#begin(id, events, at);
    writeChange((row & 1) === 1 ? this.#started.view : this.#changed.view, row >> 1, events, at);
  }

  /** Good until the next `put`. */
  copyStarted(): Uint8Array {
    return this.#started.finish();
  }

  /** Good until the next `put`. */
  copyChanged(): Uint8Array {
    return this.#changed.finish();
  }

  clear(): void {
    this.#started.reset();
    this.#changed.reset();
    this.#rows.clear();
  }

  #begin(id: number, events: EventBatch, at: number): number {
    const isNew = events.isNew(at);
    const rows = isNew ? this.#started : this.#changed;
    const row = rows.add();
    const { view } = rows;
    view.setInt32(row + ID, highWord(id));
    view.setInt32(row + ID + LOW, id | 0);
    if (isNew) writeBeginning(view, row, events, at);
    const number = isNew ? (row << 1) | 1 : row << 1;
    this.#rows.add(id, number, isNew);
    return number;
  }
}

/** What never changes of an order. The upper halves of numbers within 31 bits are zero in every row, as it was made. */
function writeBeginning(view: DataView, row: number, events: EventBatch, at: number): void {
  const created = events.doubles[(at >> 1) | CREATED]!;
  view.setInt32(row + OWNER + LOW, events.doubles[(at >> 1) | OWNER_NUMBER]! | 0);
  view.setInt32(row + CREATED_AT, highWord(created));
  view.setInt32(row + CREATED_AT + LOW, created | 0);
  view.setInt16(row + MARKET, events.market(at));
  view.setInt16(row + SIDE, events.words[at | BOOK_SIDE]! & 1);
}

function writeChange(view: DataView, row: number, { words, doubles }: EventBatch, at: number): void {
  const codes = words[at | CODES]!;
  const quantity = words[at | QUANTITY_WORD]!;
  const remaining = words[at | REMAINING_WORD]!;
  view.setInt32(row + PRICE + LOW, words[at | PRICE_WORD]!);
  view.setInt32(row + QUANTITY + LOW, quantity);
  view.setInt32(row + REMAINING + LOW, remaining);
  view.setInt32(row + FILLED + LOW, quantity - remaining);
  const priority = doubles[(at >> 1) | PRIORITY_NUMBER]!;
  view.setInt32(row + PRIORITY, highWord(priority));
  view.setInt32(row + PRIORITY + LOW, priority | 0);
  const time = doubles[((at + SECOND) >> 1) | TIME]!;
  view.setInt32(row + UPDATED_AT, highWord(time));
  view.setInt32(row + UPDATED_AT + LOW, time | 0);
  view.setInt16(row + TYPE, (codes >> 8) & 1);
  view.setInt16(row + TIME_IN_FORCE, (codes >> 6) & 3);
  view.setInt16(row + SELF_TRADE, (codes >> 9) & 3);
  view.setInt16(row + REDUCE_ONLY, isReducing(codes) ? 1 : 0);
  view.setInt16(row + HEDGED, (codes & OF_LEG) === 0 ? 0 : 1);
  view.setInt16(row + STATE, codes & STATUS);
  view.setInt16(row + REASON, (codes >> REASON_AT) & REASONS);
  const second = at + SECOND;
  writeInt64(view, row + VALUE, words, second | (FILLED_VALUE * 2));
  writeInt64(view, row + FEE, words, second | (FEE_UNITS * 2));
  writeInt64(view, row + CREDIT, words, second | (CREDIT_UNITS * 2));
  writeInt64(view, row + TOTAL, words, second | (QUOTE_TOTAL * 2));
}
