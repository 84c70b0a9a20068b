import type { MarketIds } from '../instruments/market-ids.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { TradeAmount } from '../ledger/ledger.ts';
import type { Holding } from '../margin/holding.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { ObjectEvent, UntimedEvent } from './event.ts';
import { EventBatch } from './event-batch.ts';
import {
  BEFORE_HIDDEN,
  BEFORE_LOTS,
  BEFORE_PRICE,
  Ending,
  FigureDouble,
  HIDDEN,
  IS_NEW,
  IS_RESTING,
  RecordDouble,
  RecordKind,
  RecordWord,
  TRADE_LOTS,
  TradeDouble,
  UNIT_WORDS,
  VISIBLE,
} from './event-record.ts';

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { ORDER, TRADE, POSITION } = RecordKind;
const { BOOK_SIDE, PRICE, QUANTITY, REMAINING, CODES } = RecordWord;
const { ORDER_ID, OWNER, PRIORITY, HELD, CREATED_AT } = RecordDouble;
const { TIME, FILLED_VALUE, FEE, CREDIT, QUOTE_TOTAL } = FigureDouble;
const { TRADE_ID, TAKER_ORDER_ID, TAKER_OWNER, REFERENCE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } =
  TradeDouble;
const LOTS = TRADE_LOTS;
const NOT_SHOWN = HIDDEN;
const NOT_SHOWN_BEFORE = BEFORE_HIDDEN;
const SHOWN_AT_ONCE = VISIBLE;
const FROM = TradeAmount;
const SECOND = UNIT_WORDS;
const THIRD = 2 * UNIT_WORDS;
const NEW = IS_NEW;
const RESTING = IS_RESTING;
const { OPEN, OPEN_AFTER_SELF_TRADE: OPEN_AFTER } = Ending;

/** An arriving order on its way through the book: what its record needs when it ends without resting. */
export interface ArrivingFigures {
  orderId: number;
  /** Owner number. */
  ownerNumber: number;
  bookSide: number;
  price: number;
  terms: number;
  isNew: boolean;
  createdAt: number;
  quoteTotal: bigint;
  /** Lots that it will show at a time; 0 for all. */
  visible: number;
  /** int64 each: filled value, fee, credit. An array, so that adding to it costs no object. */
  readonly figures: BigInt64Array;
}

/**
 * Writes what happens into a batch of records. A resting order is read from the pool itself, so that few values travel
 * through calls. A batch that was taken is written to again once it was given back.
 */
export class EventLog {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #markets: MarketIds;
  readonly #spare: EventBatch[] = [];
  #batch: EventBatch;
  /** Of the command at hand, ms. */
  time = 0;

  constructor(markets: MarketIds, pool: OrderPool, accounts: AccountTable) {
    this.#markets = markets;
    this.#pool = pool;
    this.#accounts = accounts;
    this.#batch = new EventBatch(markets);
  }

  /** The batch that is being written: its end moves with every event. */
  get batch(): EventBatch {
    return this.#batch;
  }

  /** Hands over what was written since the last time, with the balances that changed. */
  take(): EventBatch {
    const batch = this.#batch;
    this.#accounts.takeChanged(batch);
    this.#batch = this.#spare.pop() ?? new EventBatch(this.#markets);
    return batch;
  }

  /** Takes a batch back that has been read. */
  recycle(batch: EventBatch): void {
    batch.clear();
    this.#spare.push(batch);
  }

  /** A new order rests whole in a slot, and amounts[0] is held for it. */
  placed(slot: number, amounts: BigInt64Array): void {
    const at = this.#order(ORDER, 2, slot, NEW | RESTING);
    this.#batch.units[(at >> 1) | HELD] = amounts[0]!;
    this.#before(at, 0, 0, 0);
  }

  /** What remains of an arriving order rests in a slot, and amounts[0] is held for it. */
  rested(slot: number, isNew: boolean, amounts: BigInt64Array): void {
    const at = this.#order(ORDER, 2, slot, isNew ? NEW | RESTING : RESTING);
    this.#batch.units[(at >> 1) | HELD] = amounts[0]!;
    this.#before(at, 0, 0, 0);
  }

  /**
   * amounts[0] was released for an order, of which `lots` rested before at its price and its slot's remaining do now;
   * `hidden` were not in the book before.
   */
  shrunk(slot: number, ending: Ending, lots: number, hidden: number, amounts: BigInt64Array): void {
    const at = this.#order(ORDER, 2, slot, ending === OPEN || ending === OPEN_AFTER ? ending | RESTING : ending);
    this.#batch.units[(at >> 1) | HELD] = BigInt.asIntN(64, -amounts[0]!);
    this.#before(at, this.#pool.price(slot), lots, hidden);
  }

  /** amounts[0] was released for a resting order that leaves the book to come back on other terms. */
  released(slot: number, amounts: BigInt64Array): void {
    const at = this.#order(ORDER, 2, slot, 0);
    this.#batch.units[(at >> 1) | HELD] = BigInt.asIntN(64, -amounts[0]!);
    this.#before(at, this.#pool.price(slot), this.#pool.remaining(slot), this.#pool.hidden(slot));
  }

  /** An order rests as before, and so much more is held for it; below zero less. */
  reserved(slot: number, held: bigint): void {
    const at = this.#order(ORDER, 2, slot, RESTING);
    this.#batch.units[(at >> 1) | HELD] = held;
    this.#before(at, this.#pool.price(slot), this.#pool.remaining(slot), this.#pool.hidden(slot));
  }

  /** An arriving order ended without resting. */
  ended(order: ArrivingFigures, quantity: number, remaining: number, ending: Ending): void {
    const at = this.#batch.start(ORDER, 2);
    const { words, doubles, units } = this.#batch;
    words[at | BOOK_SIDE] = order.bookSide | 0;
    words[at | PRICE] = order.price | 0;
    words[at | QUANTITY] = quantity | 0;
    words[at | REMAINING] = remaining | 0;
    words[at | CODES] = ending | order.terms | (order.isNew ? NEW : 0);
    const half = at >> 1;
    doubles[half | ORDER_ID] = order.orderId;
    doubles[half | OWNER] = order.ownerNumber;
    doubles[half | PRIORITY] = 0;
    units[half | HELD] = 0n;
    doubles[half | CREATED_AT] = order.createdAt;
    this.#before(at, 0, 0, 0);
    words[(at + SECOND) | NOT_SHOWN] = 0;
    words[(at + SECOND) | SHOWN_AT_ONCE] = order.visible | 0;
    const second = (at + SECOND) >> 1;
    units[second | FILLED_VALUE] = order.figures[0]!;
    units[second | FEE] = order.figures[1]!;
    units[second | CREDIT] = order.figures[2]!;
    units[second | QUOTE_TOTAL] = order.quoteTotal;
  }

  /**
   * A TWAP after a change: it rests in no book, so all that remains of an open one is hidden, and `hidden` were before.
   * `held` moved to held, below zero back to available.
   */
  scheduled(
    order: ArrivingFigures,
    quantity: number,
    remaining: number,
    ending: Ending,
    held: bigint,
    hidden: number,
  ): void {
    const at = this.#batch.end;
    this.ended(order, quantity, remaining, ending);
    this.#batch.units[(at >> 1) | HELD] = held;
    this.#before(at, hidden === 0 ? 0 : order.price, 0, hidden);
    this.#batch.words[(at + SECOND) | NOT_SHOWN] = ending === OPEN ? remaining | 0 : 0;
  }

  /**
   * A trade at the maker's price. The maker's slot already lacks the lots, of which `shown` and `hidden` were there
   * before; `amounts` as the ledger left them, and the market's reference where it has moved (else 0).
   */
  trade(
    tradeId: number,
    lots: number,
    maker: number,
    ending: Ending,
    takerOrderId: number,
    takerOwner: number,
    amounts: BigInt64Array,
    shown: number,
    hidden: number,
    reference: number,
  ): void {
    const at = this.#order(TRADE, 3, maker, ending === OPEN ? RESTING : ending);
    const { words, doubles, units } = this.#batch;
    units[(at >> 1) | HELD] = 0n;
    this.#before(at, this.#pool.price(maker), shown, hidden);
    const third = at + THIRD;
    const half = third >> 1;
    words[(at + SECOND) | LOTS] = lots | 0;
    doubles[half | TRADE_ID] = tradeId;
    doubles[half | TAKER_ORDER_ID] = takerOrderId;
    doubles[half | TAKER_OWNER] = takerOwner;
    doubles[half | REFERENCE] = reference;
    units[half | BUYER_FEE] = amounts[FROM.BUYER_FEE]!;
    units[half | SELLER_FEE] = amounts[FROM.SELLER_FEE]!;
    units[half | BUYER_CREDIT] = amounts[FROM.BUYER_CREDIT]!;
    units[half | SELLER_CREDIT] = amounts[FROM.SELLER_CREDIT]!;
    this.#batch.trades += 1;
  }

  /** An event that is rare, and so is an object. */
  object(event: UntimedEvent): void {
    this.#batch.addObject({ ...event, time: this.time } as ObjectEvent);
  }

  /**
   * What an owner has in a market has changed. The figures of the change are in the record that was reserved for it.
   * @param market id
   * @param cause as `Cause` numbers them
   * @param lotsChange that were bought, below zero that were sold
   */
  positionChanged(holding: Holding, market: number, cause: number, lotsChange: number): void {
    const batch = this.#batch;
    const { positions } = batch;
    const owner = this.#accounts.ownerNumber(holding.owner);
    const record = positions.add(holding, owner, market, cause, lotsChange, this.time);
    positions.follow(record, batch.trades, batch.objects.length);
    const at = batch.start(POSITION, 1);
    batch.words[at | PRICE] = record;
  }

  /** What rested before, and the figures' time. */
  #before(at: number, price: number, lots: number, hidden: number): void {
    const second = at + SECOND;
    const { words, doubles } = this.#batch;
    words[second | NOT_SHOWN_BEFORE] = hidden | 0;
    words[second | BEFORE_PRICE] = price | 0;
    words[second | BEFORE_LOTS] = lots | 0;
    doubles[(second >> 1) | TIME] = this.time;
  }

  /** Starts a record about an order in a slot and returns its index. */
  #order(kind: number, size: number, slot: number, codes: number): number {
    const pool = this.#pool;
    const at = this.#batch.start(kind, size);
    const { words, doubles, units } = this.#batch;
    const half = at >> 1;
    words[at | BOOK_SIDE] = pool.bookSide(slot);
    words[at | PRICE] = pool.price(slot);
    words[at | QUANTITY] = pool.quantity(slot);
    const hidden = pool.hidden(slot);
    words[at | REMAINING] = pool.remaining(slot) + hidden;
    words[(at + SECOND) | NOT_SHOWN] = hidden;
    words[(at + SECOND) | SHOWN_AT_ONCE] = pool.visible(slot);
    words[at | CODES] = codes | pool.terms(slot);
    doubles[half | ORDER_ID] = pool.orderId(slot);
    doubles[half | OWNER] = this.#accounts.ownerNumber(pool.owner(slot));
    doubles[half | PRIORITY] = pool.priority(slot);
    doubles[half | CREATED_AT] = pool.createdAt(slot);
    const second = (at + SECOND) >> 1;
    units[second | FILLED_VALUE] = pool.filledValue(slot);
    units[second | FEE] = pool.fee(slot);
    units[second | CREDIT] = pool.credit(slot);
    units[second | QUOTE_TOTAL] = 0n;
    return at;
  }
}
