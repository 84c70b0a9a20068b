/** Trades of a run, as rows of a binary COPY. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { CopyRows, placesOf, writeNumber } from '../../platform/copy-rows.ts';

/** Columns, with their bytes. */
export const TRADED = {
  ...({ id: 8, price: 8, quantity: 8, maker_order: 8, taker_order: 8, maker_owner: 8, taker_owner: 8 } as const),
  ...({ maker_fee: 8, taker_fee: 8, maker_credit: 8, taker_credit: 8, time: 8, market: 2, taker_side: 2 } as const),
} as const;

// Constants of this module are folded into the compiled code; properties are loaded at every use.
const TO = placesOf(TRADED);
const [ID, PRICE, LOTS, TIME, MARKET, TAKER_SIDE] = [TO.id, TO.price, TO.quantity, TO.time, TO.market, TO.taker_side];
const [MAKER, TAKER, MAKER_OWNER, TAKER_OWNER] = [TO.maker_order, TO.taker_order, TO.maker_owner, TO.taker_owner];
const [MAKER_FEE, TAKER_FEE, MAKER_CREDIT, TAKER_CREDIT] = [
  TO.maker_fee,
  TO.taker_fee,
  TO.maker_credit,
  TO.taker_credit,
];
const LOW = 4;
/** Words from a fee to the credit that was used. */
const TO_CREDIT = 4;

export class TradeRows {
  readonly #rows = new CopyRows(TRADED);

  get size(): number {
    return this.#rows.size;
  }

  add(events: EventBatch, at: number): void {
    const row = this.#rows.add();
    const { view } = this.#rows;
    writeNumber(view, row + ID, events.tradeId(at));
    // The upper halves of numbers within 31 bits are zero in every row, as it was made.
    view.setInt32(row + PRICE + LOW, events.price(at));
    view.setInt32(row + LOTS + LOW, events.lots(at));
    writeNumber(view, row + MAKER, events.orderId(at));
    writeNumber(view, row + TAKER, events.takerOrderId(at));
    view.setInt32(row + MAKER_OWNER + LOW, events.owner(at) | 0);
    view.setInt32(row + TAKER_OWNER + LOW, events.takerOwner(at) | 0);
    writeNumber(view, row + TIME, events.time(at));
    view.setInt16(row + MARKET, events.market(at));
    view.setInt16(row + TAKER_SIDE, events.takerSide(at));
    const { words } = events;
    const [maker, taker] = [events.makerFeeWord(at), events.takerFeeWord(at)];
    writeFigure(view, row + MAKER_FEE, words, maker);
    writeFigure(view, row + TAKER_FEE, words, taker);
    writeFigure(view, row + MAKER_CREDIT, words, maker + TO_CREDIT);
    writeFigure(view, row + TAKER_CREDIT, words, taker + TO_CREDIT);
  }

  /** Good until the next `add`. */
  copy(): Uint8Array {
    return this.#rows.finish();
  }

  clear(): void {
    this.#rows.reset();
  }
}

function writeFigure(view: DataView, to: number, words: Int32Array, at: number): void {
  view.setInt32(to, words[at + 1]!);
  view.setInt32(to + LOW, words[at]!);
}
