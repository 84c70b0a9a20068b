import type { ConditionalEvent } from '../conditional/event.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { LedgerReason } from '../ledger/event.ts';
import { TradeAmount } from '../ledger/ledger.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { MarketSpec } from '../money/market.ts';
import type { PlaceOrder, TimeInForce } from './command.ts';
import { EventBuffer } from './event-buffer.ts';
import { EventReader, LEDGER_REASONS } from './event-reader.ts';
import { type Ending, RecordDouble, RecordKind, RecordWord, TRADE_LOTS_WORD, TradeDouble } from './event-record.ts';
import type { EventSink } from './event-sink.ts';

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { TIME, ACCEPTED, PLACED, RESTED, CHANGED, RELEASED, SHRUNK, TRADE, ISSUED, HALTED, FEES, REFERENCE } =
  RecordKind;
const { HELD, CONDITIONAL } = RecordKind;
const { BOOK_SIDE, PRICE, QUANTITY, REMAINING, CODES } = RecordWord;
const { ORDER_ID, OWNER, PRIORITY, AMOUNT, BASE_AMOUNT } = RecordDouble;
const { TRADE_ID, TAKER_ORDER_ID, TAKER_OWNER, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeDouble;
const LOTS = TRADE_LOTS_WORD;
const FROM = TradeAmount;

/**
 * Events of a batch as records of integers (see event-record.ts). Writing an event costs a few stores; an object is made
 * only if the reader wants one. A resting order is read from the pool itself, so that few values travel through calls.
 */
export class EventLog {
  readonly #buffer = new EventBuffer();
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #reader: EventReader;
  /** Events that are objects, as their records count them. */
  #objects: ConditionalEvent[] = [];
  #time = -1;

  /** A `bookSide` below is the place in this list × 2 + side, not the market's id. */
  constructor(markets: readonly MarketSpec[], pool: OrderPool, accounts: AccountTable) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#reader = new EventReader(markets, this.#buffer);
  }

  /** Events that follow happen at `time`. */
  setTime(time: number): void {
    if (time === this.#time) return;
    this.#time = time;
    const at = this.#buffer.start(TIME);
    this.#buffer.doubles[(at >> 1) | ORDER_ID] = time;
  }

  /** An order was accepted; what becomes of it follows. */
  accepted(order: PlaceOrder, bookSide: number): void {
    const at = this.#buffer.start(ACCEPTED);
    const { words, doubles, units } = this.#buffer;
    words[at | BOOK_SIDE] = bookSide | 0;
    words[at | PRICE] = order.price;
    words[at | QUANTITY] = order.quantity;
    words[at | CODES] = placingCodes(order);
    doubles[(at >> 1) | ORDER_ID] = order.orderId;
    doubles[(at >> 1) | OWNER] = order.owner;
    units[(at >> 1) | AMOUNT] = order.quoteTotal;
  }

  /** A limit order was accepted, amounts[0] held for it, and all of it rests in a slot. */
  placed(order: PlaceOrder, slot: number, amounts: BigInt64Array): void {
    const at = this.#order(PLACED, slot, placingCodes(order));
    this.#buffer.units[(at >> 1) | AMOUNT] = amounts[0]!;
  }

  /** amounts[0] was held for an order, and it rests in a slot. */
  rested(slot: number, amounts: BigInt64Array): void {
    const at = this.#order(RESTED, slot, 0);
    this.#buffer.units[(at >> 1) | AMOUNT] = amounts[0]!;
  }

  /** amounts[0] was released for a resting order, which now stands as its slot says or has ended. */
  shrunk(slot: number, ending: Ending, amounts: BigInt64Array): void {
    const at = this.#order(SHRUNK, slot, ending);
    this.#buffer.units[(at >> 1) | AMOUNT] = amounts[0]!;
  }

  /** amounts[0] was released for a resting order; how it stands follows. */
  released(slot: number, amounts: BigInt64Array): void {
    const at = this.#order(RELEASED, slot, 0);
    this.#buffer.units[(at >> 1) | AMOUNT] = amounts[0]!;
  }

  /** An arriving order ended without resting. */
  ended(
    orderId: number,
    owner: number,
    bookSide: number,
    price: number,
    quantity: number,
    remaining: number,
    ending: Ending,
  ): void {
    const at = this.#buffer.start(CHANGED);
    const { words, doubles } = this.#buffer;
    words[at | BOOK_SIDE] = bookSide | 0;
    words[at | PRICE] = price | 0;
    words[at | QUANTITY] = quantity | 0;
    words[at | REMAINING] = remaining | 0;
    words[at | CODES] = ending | 0;
    doubles[(at >> 1) | ORDER_ID] = orderId;
    doubles[(at >> 1) | OWNER] = owner;
    doubles[(at >> 1) | PRIORITY] = 0;
  }

  /** A trade at the maker's price. The maker's slot already lacks the lots; `amounts` as the ledger left them. */
  trade(
    tradeId: number,
    lots: number,
    maker: number,
    ending: Ending,
    takerOrderId: number,
    takerOwner: number,
    amounts: BigInt64Array,
  ): void {
    const at = this.#order(TRADE, maker, ending);
    const more = this.#buffer.extend();
    const { words, doubles, units } = this.#buffer;
    units[(at >> 1) | AMOUNT] = amounts[FROM.QUOTE]!;
    units[(at >> 1) | BASE_AMOUNT] = amounts[FROM.BASE]!;
    words[more | LOTS] = lots | 0;
    doubles[(more >> 1) | TRADE_ID] = tradeId;
    doubles[(more >> 1) | TAKER_ORDER_ID] = takerOrderId;
    doubles[(more >> 1) | TAKER_OWNER] = takerOwner;
    units[(more >> 1) | BUYER_FEE] = amounts[FROM.BUYER_FEE]!;
    units[(more >> 1) | SELLER_FEE] = amounts[FROM.SELLER_FEE]!;
    units[(more >> 1) | BUYER_CREDIT] = amounts[FROM.BUYER_CREDIT]!;
    units[(more >> 1) | SELLER_CREDIT] = amounts[FROM.SELLER_CREDIT]!;
  }

  issued(reason: LedgerReason, reference: number, fromKey: number, toKey: number, amount: bigint): void {
    const at = this.#buffer.start(ISSUED);
    const { words, doubles, units } = this.#buffer;
    words[at | CODES] = LEDGER_REASONS.indexOf(reason);
    doubles[(at >> 1) | ORDER_ID] = reference;
    doubles[(at >> 1) | OWNER] = fromKey;
    doubles[(at >> 1) | PRIORITY] = toKey;
    units[(at >> 1) | AMOUNT] = amount;
  }

  halted(market: number, halted: boolean): void {
    const at = this.#buffer.start(HALTED);
    this.#buffer.words[at | BOOK_SIDE] = market * 2;
    this.#buffer.words[at | CODES] = halted ? 1 : 0;
  }

  feesSet(owner: number, makerPpm: number, takerPpm: number): void {
    const at = this.#buffer.start(FEES);
    this.#buffer.doubles[(at >> 1) | OWNER] = owner;
    this.#buffer.words[at | QUANTITY] = makerPpm | 0;
    this.#buffer.words[at | REMAINING] = takerPpm | 0;
  }

  referencePriceSet(market: number, price: number): void {
    const at = this.#buffer.start(REFERENCE);
    this.#buffer.words[at | BOOK_SIDE] = market * 2;
    this.#buffer.words[at | PRICE] = price | 0;
  }

  /** amounts[0] was held for an order that waits. */
  heldWaiting(orderId: number, owner: number, bookSide: number, amounts: BigInt64Array): void {
    this.#moved(HELD, orderId, owner, bookSide, amounts);
  }

  /** amounts[0] was released for an order that waits no more, or waits on other terms. */
  releasedWaiting(orderId: number, owner: number, bookSide: number, amounts: BigInt64Array): void {
    this.#moved(RELEASED, orderId, owner, bookSide, amounts);
  }

  conditional(event: UntimedEvent): void {
    const at = this.#buffer.start(CONDITIONAL);
    this.#buffer.words[at | QUANTITY] = this.#objects.length;
    this.#objects.push({ ...event, time: this.#time } as ConditionalEvent);
  }

  /** Reads all records to the sink in the order in which they were written, and forgets them. */
  drain(sink: EventSink): void {
    const { end } = this.#buffer;
    // Reset first: a sink that throws must not see the same events again.
    this.#buffer.end = 0;
    this.#time = -1;
    const objects = this.#objects;
    if (objects.length > 0) this.#objects = [];
    this.#reader.read(end, objects, sink);
  }

  #moved(kind: number, orderId: number, owner: number, bookSide: number, amounts: BigInt64Array): void {
    const at = this.#buffer.start(kind);
    const { words, doubles, units } = this.#buffer;
    words[at | BOOK_SIDE] = bookSide | 0;
    doubles[(at >> 1) | ORDER_ID] = orderId;
    doubles[(at >> 1) | OWNER] = owner;
    units[(at >> 1) | AMOUNT] = amounts[0]!;
  }

  /** Starts a record about a resting order and returns its place. */
  #order(kind: number, slot: number, codes: number): number {
    const pool = this.#pool;
    const at = this.#buffer.start(kind);
    const { words, doubles } = this.#buffer;
    words[at | BOOK_SIDE] = pool.bookSide(slot);
    words[at | PRICE] = pool.price(slot);
    words[at | QUANTITY] = pool.quantity(slot);
    words[at | REMAINING] = pool.remaining(slot);
    words[at | CODES] = codes | 0;
    doubles[(at >> 1) | ORDER_ID] = pool.orderId(slot);
    doubles[(at >> 1) | OWNER] = this.#accounts.ownerNumber(pool.owner(slot));
    doubles[(at >> 1) | PRIORITY] = pool.priority(slot);
    return at;
  }
}

/** A conditional event without its time, which the log knows. */
type UntimedEvent = ConditionalEvent extends infer Event
  ? Event extends ConditionalEvent
    ? Omit<Event, 'time'>
    : never
  : never;

/** How an order was placed, as places in TYPES and TIMES_IN_FORCE. */
function placingCodes(order: PlaceOrder): number {
  return (order.type === 'limit' ? 0 : 1) | (timeInForceCode(order.timeInForce) << 1);
}

function timeInForceCode(timeInForce: TimeInForce): number {
  switch (timeInForce) {
    case 'GTC':
      return 0;
    case 'IOC':
      return 1;
    case 'FOK':
      return 2;
    case 'POST_ONLY':
      return 3;
  }
}
