import type { MarketIds } from '../instruments/market-ids.ts';
import type { BalanceChanges } from '../ledger/account-table.ts';
import type { OrderState, OrderStatus } from '../orders/order-state.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import type { ExchangeEvent, ObjectEvent, TradeSide } from './event.ts';
import {
  BEFORE_HIDDEN,
  BEFORE_LOTS,
  BEFORE_PRICE,
  FigureDouble,
  HIDDEN,
  IS_NEW,
  IS_RESTING,
  positionTermsOf,
  REASON_MASK,
  REASON_SHIFT,
  REASONS,
  RecordDouble,
  RecordKind,
  RecordWord,
  STATUS_MASK,
  STATUSES,
  selfTradeOf,
  TERMS_MASK,
  TRADE_LOTS,
  TradeDouble,
  timeInForceOf,
  typeOf,
  UNIT_WORDS,
  VISIBLE,
} from './event-record.ts';
import { POSITION_WORDS, PositionRecords } from './position-records.ts';

const FIRST_CAPACITY = 1 << 15;
const LONGEST_RECORD = 3 * UNIT_WORDS;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const UNIT = UNIT_WORDS;
const { ORDER, TRADE, OBJECT, POSITION } = RecordKind;
const { KIND, BOOK_SIDE, PRICE, QUANTITY, REMAINING, CODES } = RecordWord;
const { ORDER_ID, OWNER, PRIORITY, HELD, CREATED_AT } = RecordDouble;
const { TIME, FILLED_VALUE, FEE, CREDIT, QUOTE_TOTAL } = FigureDouble;
const { TRADE_ID, TAKER_ORDER_ID, TAKER_OWNER, REFERENCE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } =
  TradeDouble;
const SECOND = UNIT;
const THIRD = 2 * UNIT;
const LOTS = TRADE_LOTS;
const RECORD = POSITION_WORDS;
const NOT_SHOWN = HIDDEN;
const NOT_SHOWN_BEFORE = BEFORE_HIDDEN;
const SHOWN_AT_ONCE = VISIBLE;

/**
 * Reads a batch once, in order. `at` is what the batch's getters take. A trade is told to `trade` and then, as the
 * maker's change, to `order` with the same `at`. An object comes with the number of trades
 * of the batch before it.
 */
export interface EventReader {
  order?(batch: EventBatch, at: number): void;
  trade?(batch: EventBatch, at: number): void;
  position?(records: PositionRecords, at: number): void;
  object?(event: ObjectEvent, tradesBefore: number): void;
}

/** Reads changes of positions and objects alone; `sequence` is the place among them of one, from 1 on. */
export interface RareReader {
  position?(records: PositionRecords, at: number, sequence: number): void;
  object?(event: ObjectEvent, tradesBefore: number, sequence: number): void;
}

/**
 * Events of some commands as records of integers (see event-record.ts), and the balances that they left. Written by the
 * log; read afterwards by as many readers as there are, without an object for an event.
 */
export class EventBatch implements BalanceChanges {
  words = new Int32Array(FIRST_CAPACITY);
  doubles = new Float64Array(this.words.buffer);
  units = new BigInt64Array(this.words.buffer);
  /** The first free word. */
  end = 0;
  objects: ObjectEvent[] = [];
  /** For each object, the trades of the batch before it. */
  #tradesBefore: number[] = [];
  readonly positions: PositionRecords = new PositionRecords();
  trades = 0;
  /** Accounts that changed, by index and by key, and what is in them before and after the batch; `balanceCount` of them. */
  balanceAccounts = new Int32Array(256);
  balanceKeys = new Float64Array(256);
  balancesBefore = new BigInt64Array(256);
  balances = new BigInt64Array(256);
  balanceCount = 0;
  readonly #markets: MarketIds;

  constructor(markets: MarketIds) {
    this.#markets = markets;
  }

  /** Calls each reader for each event, in order. */
  read(...readers: readonly EventReader[]): void {
    this.readBetween(0, this.end, readers);
  }

  /** The same for the records between two ends, such as those of one command. */
  readBetween(start: number, end: number, readers: readonly EventReader[]): void {
    for (let at = start; at < end; at = this.#after(at)) {
      for (const reader of readers) this.#tell(at, reader);
    }
  }

  /** The same for trades alone. */
  readTrades(reader: Required<Pick<EventReader, 'trade'>>): void {
    if (this.trades === 0) return;
    for (let at = 0; at < this.end; at = this.#after(at)) if (this.words[at | KIND] === TRADE) reader.trade(this, at);
  }

  /** The same for changes of positions and objects alone, which are few beside orders and trades. */
  readRare(reader: RareReader): void {
    const { positions, objects } = this;
    let [done, sequence] = [0, 0];
    for (let at = 0; at < positions.end; at += RECORD) {
      for (const before = positions.objectsBefore(at); done < before; done += 1) {
        sequence += 1;
        this.#tellObject(done, reader, sequence);
      }
      sequence += 1;
      reader.position?.(positions, at, sequence);
    }
    for (; done < objects.length; done += 1) {
      sequence += 1;
      this.#tellObject(done, reader, sequence);
    }
  }

  /** How many changes of positions and objects there are. */
  get rareCount(): number {
    return this.positions.count + this.objects.length;
  }

  /** Whether nothing happened. */
  get isEmpty(): boolean {
    return this.end === 0;
  }

  /** Index of the last record of an order between two ends; −1 when there is none. */
  lastOrder(orderId: number, start: number, end: number): number {
    let found = -1;
    for (let at = start; at < end; at = this.#after(at)) {
      const kind = this.words[at | KIND];
      if ((kind === ORDER || kind === TRADE) && this.orderId(at) === orderId) found = at;
    }
    return found;
  }

  /** Objects between two ends. */
  *objectsBetween(start: number, end: number): Iterable<ObjectEvent> {
    for (let at = start; at < end; at = this.#after(at)) {
      if (this.words[at | KIND] === OBJECT) yield this.objects[this.words[at | PRICE]!]!;
    }
  }

  /** All events as objects: for tests and tools. */
  events(): ExchangeEvent[] {
    const events: ExchangeEvent[] = [];
    this.read({
      order: (_, at) => events.push(this.orderEvent(at)),
      trade: (_, at) => events.push(this.tradeEvent(at)),
      position: (records, at) => events.push(records.event(at)),
      object: (event) => events.push(event),
    });
    return events;
  }

  // Of an order, and of the maker of a trade.

  market(at: number): number {
    return this.#markets.idAt(this.words[at | BOOK_SIDE]! >> 1);
  }

  side(at: number): Side {
    return (this.words[at | BOOK_SIDE]! & 1) as Side;
  }

  orderId(at: number): number {
    return this.doubles[(at >> 1) | ORDER_ID]!;
  }

  owner(at: number): number {
    return this.doubles[(at >> 1) | OWNER]!;
  }

  price(at: number): number {
    return this.words[at | PRICE]!;
  }

  quantity(at: number): number {
    return this.words[at | QUANTITY]!;
  }

  remaining(at: number): number {
    return this.words[at | REMAINING]!;
  }

  /** Terms, status and reason: see event-record.ts. */
  codes(at: number): number {
    return this.words[at | CODES]!;
  }

  status(at: number): OrderStatus {
    return STATUSES[this.words[at | CODES]! & STATUS_MASK]!;
  }

  isNew(at: number): boolean {
    return (this.words[at | CODES]! & IS_NEW) !== 0;
  }

  /** Lots of it that rest in the book now. */
  resting(at: number): number {
    return (this.words[at | CODES]! & IS_RESTING) === 0 ? 0 : this.words[at | REMAINING]! - this.hidden(at);
  }

  /** Lots of an iceberg that are not in the book. */
  hidden(at: number): number {
    return this.words[(at + SECOND) | NOT_SHOWN]!;
  }

  beforeHidden(at: number): number {
    return this.words[(at + SECOND) | NOT_SHOWN_BEFORE]!;
  }

  /** Lots that an iceberg shows at a time; 0 for an order that shows all. */
  visible(at: number): number {
    return this.words[(at + SECOND) | SHOWN_AT_ONCE]!;
  }

  priority(at: number): number {
    return this.doubles[(at >> 1) | PRIORITY]!;
  }

  held(at: number): bigint {
    return this.units[(at >> 1) | HELD]!;
  }

  createdAt(at: number): number {
    return this.doubles[(at >> 1) | CREATED_AT]!;
  }

  beforePrice(at: number): number {
    return this.words[(at + SECOND) | BEFORE_PRICE]!;
  }

  beforeLots(at: number): number {
    return this.words[(at + SECOND) | BEFORE_LOTS]!;
  }

  time(at: number): number {
    return this.doubles[((at + SECOND) >> 1) | TIME]!;
  }

  filledValue(at: number): bigint {
    return this.units[((at + SECOND) >> 1) | FILLED_VALUE]!;
  }

  fee(at: number): bigint {
    return this.units[((at + SECOND) >> 1) | FEE]!;
  }

  credit(at: number): bigint {
    return this.units[((at + SECOND) >> 1) | CREDIT]!;
  }

  quoteTotal(at: number): bigint {
    return this.units[((at + SECOND) >> 1) | QUOTE_TOTAL]!;
  }

  // Of a trade; price, market, time and the maker are above.

  tradeId(at: number): number {
    return this.doubles[((at + THIRD) >> 1) | TRADE_ID]!;
  }

  lots(at: number): number {
    return this.words[(at + SECOND) | LOTS]!;
  }

  takerSide(at: number): Side {
    return (this.side(at) ^ 1) as Side;
  }

  takerOrderId(at: number): number {
    return this.doubles[((at + THIRD) >> 1) | TAKER_ORDER_ID]!;
  }

  takerOwner(at: number): number {
    return this.doubles[((at + THIRD) >> 1) | TAKER_OWNER]!;
  }

  /** The market's reference price after it, in parts of a tick; 0 where it has not changed. */
  reference(at: number): number {
    return this.doubles[((at + THIRD) >> 1) | REFERENCE]!;
  }

  makerFee(at: number): bigint {
    return this.units[((at + THIRD) >> 1) | (this.side(at) === BUY ? BUYER_FEE : SELLER_FEE)]!;
  }

  takerFee(at: number): bigint {
    return this.units[((at + THIRD) >> 1) | (this.side(at) === BUY ? SELLER_FEE : BUYER_FEE)]!;
  }

  makerCredit(at: number): bigint {
    return this.units[((at + THIRD) >> 1) | (this.side(at) === BUY ? BUYER_CREDIT : SELLER_CREDIT)]!;
  }

  takerCredit(at: number): bigint {
    return this.units[((at + THIRD) >> 1) | (this.side(at) === BUY ? SELLER_CREDIT : BUYER_CREDIT)]!;
  }

  /** Index of the first word of the maker's fee; what it paid from credit is four words on. */
  makerFeeWord(at: number): number {
    return at + THIRD + 2 * (this.side(at) === BUY ? BUYER_FEE : SELLER_FEE);
  }

  /** The same for the taker. */
  takerFeeWord(at: number): number {
    return at + THIRD + 2 * (this.side(at) === BUY ? SELLER_FEE : BUYER_FEE);
  }

  /** An order as a plain record. */
  orderState(at: number): OrderState {
    const codes = this.codes(at);
    return {
      orderId: this.orderId(at),
      owner: this.owner(at),
      market: this.market(at),
      side: this.side(at),
      type: typeOf(codes),
      timeInForce: timeInForceOf(codes),
      selfTrade: selfTradeOf(codes),
      price: this.price(at),
      quantity: this.quantity(at),
      remaining: this.remaining(at),
      priority: this.priority(at),
      filledValue: this.filledValue(at),
      fee: this.fee(at),
      credit: this.credit(at),
      createdAt: this.createdAt(at),
      visible: this.visible(at),
      hidden: this.hidden(at),
      ...positionTermsOf(this.side(at), codes),
      quoteTotal: this.quoteTotal(at),
      status: this.status(at),
      reason: REASONS[(codes >> REASON_SHIFT) & REASON_MASK]!,
    };
  }

  orderEvent(at: number): ExchangeEvent {
    const before = { price: this.beforePrice(at), lots: this.beforeLots(at) };
    const change = { isNew: this.isNew(at), before, resting: this.resting(at), held: this.held(at) };
    return { kind: 'order', time: this.time(at), order: this.orderState(at), ...change };
  }

  tradeEvent(at: number): ExchangeEvent {
    const maker: TradeSide = {
      orderId: this.orderId(at),
      owner: this.owner(at),
      fee: this.makerFee(at),
      credit: this.makerCredit(at),
    };
    const taker: TradeSide = {
      orderId: this.takerOrderId(at),
      owner: this.takerOwner(at),
      fee: this.takerFee(at),
      credit: this.takerCredit(at),
    };
    return {
      kind: 'trade',
      time: this.time(at),
      tradeId: this.tradeId(at),
      market: this.market(at),
      price: this.price(at),
      quantity: this.lots(at),
      takerSide: this.takerSide(at),
      maker,
      taker,
      ...(this.reference(at) > 0 && { reference: this.reference(at) }),
    };
  }

  /** Starts a record of so many units and returns its index. */
  start(kind: number, size: number): number {
    const at = this.end;
    if (at + LONGEST_RECORD > this.words.length) this.#grow();
    this.end = at + size * UNIT;
    this.words[at] = kind | 0;
    return at;
  }

  /** Makes room for so many more balances. */
  reserve(more: number): void {
    if (this.balanceCount + more > this.balanceKeys.length) this.#growBalances(this.balanceCount + more);
  }

  /** Forgets everything, so that it can be written again. */
  clear(): void {
    this.end = 0;
    this.balanceCount = 0;
    this.trades = 0;
    this.positions.clear();
    if (this.objects.length === 0) return;
    this.objects = [];
    this.#tradesBefore = [];
  }

  /** Adds an event that is an object. */
  addObject(event: ObjectEvent): void {
    const at = this.start(OBJECT, 1);
    this.words[at | PRICE] = this.objects.length;
    this.objects.push(event);
    this.#tradesBefore.push(this.trades);
  }

  #tell(at: number, reader: EventReader): void {
    switch (this.words[at]) {
      case ORDER:
        reader.order?.(this, at);
        break;
      case TRADE:
        reader.trade?.(this, at);
        reader.order?.(this, at);
        break;
      case POSITION:
        reader.position?.(this.positions, this.words[at | PRICE]!);
        break;
      default:
        this.#tellObject(this.words[at | PRICE]!, reader);
    }
  }

  #tellObject(index: number, reader: RareReader, sequence = 0): void {
    reader.object?.(this.objects[index]!, this.#tradesBefore[index]!, sequence);
  }

  #after(at: number): number {
    const kind = this.words[at];
    return at + (kind === ORDER ? THIRD : kind === TRADE ? THIRD + UNIT : UNIT);
  }

  #grow(): void {
    const wider = new Int32Array(this.words.length * 2);
    wider.set(this.words);
    this.words = wider;
    this.doubles = new Float64Array(wider.buffer);
    this.units = new BigInt64Array(wider.buffer);
  }

  #growBalances(room: number): void {
    let { length } = this.balanceKeys;
    while (length < room) length *= 2;
    const accounts = new Int32Array(length);
    accounts.set(this.balanceAccounts);
    this.balanceAccounts = accounts;
    const keys = new Float64Array(length);
    keys.set(this.balanceKeys);
    this.balanceKeys = keys;
    const balances = new BigInt64Array(length);
    balances.set(this.balances);
    this.balances = balances;
    const before = new BigInt64Array(length);
    before.set(this.balancesBefore);
    this.balancesBefore = before;
  }
}

/** Terms of a record's codes alone. */
export const termsOf = (codes: number): number => codes & TERMS_MASK;
