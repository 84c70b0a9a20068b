import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { LedgerReason } from '../ledger/event.ts';
import { TRADE_AMOUNTS, TradeAmount } from '../ledger/ledger.ts';
import type { MarketSpec } from '../money/market.ts';
import { BUY, type OrderType, type Side, type TimeInForce } from './command.ts';
import type { CancelReason, OrderStatus } from './event.ts';
import type { EventSink } from './event-sink.ts';

const FIRST_CAPACITY = 1 << 14;

/** Longest record in words, a trade; room for one is made before any is written. */
const LONGEST_RECORD = 16;
/** Longest ledger transaction, a trade whose two sides both use fee credit. */
const MOST_POSTINGS = 8;
const HELD_KEY = accountKey(0, Wallet.SPOT, Bucket.HELD, 0);

/** Record kinds. */
const TIME = 1;
const ACCEPTED = 2;
const TRADE = 3;
const CHANGED = 4;
const MOVED = 5;
const ISSUED = 6;
const HALTED = 7;
const FEES = 8;
const REFERENCE = 9;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const BUYS: Side = BUY;
const { QUOTE, BASE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeAmount;
const AMOUNTS = TRADE_AMOUNTS;
const TRADE_LENGTH = 7 + AMOUNTS;
const ACCEPTED_LENGTH = 5;
/** A code of an accepted order that has a quote total. */
const WITH_TOTAL = 1 << 4;
const FEES_OWNER = SystemOwner.FEES;
const CREDIT_KEY = accountKey(0, Wallet.CREDIT, Bucket.AVAILABLE, 0);
const OWNER_KEY = accountKey(1, Wallet.SPOT, Bucket.AVAILABLE, 0);

/** Codes are places in these lists. */
const TYPES: readonly OrderType[] = ['limit', 'market'];
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'POST_ONLY'];
const STATUSES: readonly OrderStatus[] = ['open', 'filled', 'cancelled'];
const REASONS: readonly CancelReason[] = [
  'NONE',
  'BY_OWNER',
  'UNFILLED_REMAINDER',
  'SELF_TRADE',
  'PRICE_BAND',
  'INSUFFICIENT_FUNDS',
];
const LEDGER_REASONS: readonly LedgerReason[] = [
  'order-hold',
  'order-release',
  'development-credit',
  'house-capital',
  'fee-credit-grant',
];

/** An order's last state, as a pair of codes: what it is and why. */
export const Ending = {
  OPEN: 0,
  FILLED: 1,
  CANCELLED_BY_OWNER: 2 | (1 << 2),
  CANCELLED_UNFILLED: 2 | (2 << 2),
  CANCELLED_SELF_TRADE: 2 | (3 << 2),
  CANCELLED_PRICE_BAND: 2 | (4 << 2),
  /** Open still, but smaller because it met an order of its own owner. */
  OPEN_AFTER_SELF_TRADE: 0 | (3 << 2),
} as const;
export type Ending = (typeof Ending)[keyof typeof Ending];

/**
 * Events of a batch as records of 8-byte words in one reused buffer, which three views read as doubles, int64 and pairs
 * of int32. A record's first word holds its kind and its small codes. Writing an event costs a few stores; an object is
 * made only if the reader wants one. A trade and its ledger transaction are one record: the postings follow from it.
 */
export class EventLog {
  #doubles = new Float64Array(FIRST_CAPACITY);
  #units = new BigInt64Array(this.#doubles.buffer);
  #words = new Int32Array(this.#doubles.buffer);
  #end = 0;
  #time = -1;
  readonly #markets: readonly MarketSpec[];
  readonly #fees = new BigInt64Array(4);
  readonly #postingKeys = new Float64Array(MOST_POSTINGS);
  readonly #postingAmounts = new BigInt64Array(MOST_POSTINGS);

  /** `market` in the methods below is the place in this list, not the market's id. */
  constructor(markets: readonly MarketSpec[]) {
    this.#markets = markets;
  }

  /** Events that follow happen at `time`. */
  setTime(time: number): void {
    if (time === this.#time) return;
    this.#time = time;
    const at = this.#record(TIME, 0, 2);
    this.#doubles[at + 1] = time;
  }

  accepted(
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    type: OrderType,
    timeInForce: TimeInForce,
    price: number,
    quantity: number,
  ): void {
    const codes = (market << 8) | (timeInForceCode(timeInForce) << 2) | (type === 'limit' ? 0 : 2) | side;
    const at = this.#record(ACCEPTED, codes, ACCEPTED_LENGTH);
    this.#doubles[at + 1] = orderId;
    this.#doubles[at + 2] = owner;
    this.#words[at * 2 + 6] = price;
    this.#words[at * 2 + 7] = quantity;
  }

  /** Adds the quote total to the record that `accepted` has just written. */
  acceptedQuoteTotal(quoteTotal: bigint): void {
    const at = this.#end - ACCEPTED_LENGTH;
    this.#words[at * 2 + 1]! |= WITH_TOTAL;
    this.#units[at + 4] = quoteTotal;
  }

  /** `amounts` as the ledger left them. */
  trade(
    tradeId: number,
    market: number,
    takerSide: Side,
    price: number,
    quantity: number,
    makerOrderId: number,
    makerOwner: number,
    takerOrderId: number,
    takerOwner: number,
    amounts: BigInt64Array,
  ): void {
    const at = this.#record(TRADE, (market << 8) | takerSide, TRADE_LENGTH);
    const doubles = this.#doubles;
    doubles[at + 1] = tradeId;
    this.#words[at * 2 + 4] = price;
    this.#words[at * 2 + 5] = quantity;
    doubles[at + 3] = makerOrderId;
    doubles[at + 4] = makerOwner;
    doubles[at + 5] = takerOrderId;
    doubles[at + 6] = takerOwner;
    const units = this.#units;
    for (let place = 0; place < AMOUNTS; place += 1) units[at + 7 + place] = amounts[place]!;
  }

  changed(
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    price: number,
    quantity: number,
    remaining: number,
    priority: number,
    ending: Ending,
  ): void {
    const at = this.#record(CHANGED, (market << 8) | (ending << 1) | side, 6);
    this.#doubles[at + 1] = orderId;
    this.#doubles[at + 2] = owner;
    this.#doubles[at + 3] = priority;
    this.#words[at * 2 + 8] = price;
    this.#words[at * 2 + 9] = quantity;
    this.#words[at * 2 + 10] = remaining;
  }

  /** `availableKey` names the pair; amounts[0] moved between its two accounts. */
  held(orderId: number, availableKey: number, amounts: BigInt64Array): void {
    this.#moved(0, orderId, availableKey, amounts);
  }

  released(orderId: number, availableKey: number, amounts: BigInt64Array): void {
    this.#moved(1, orderId, availableKey, amounts);
  }

  issued(reason: LedgerReason, reference: number, fromKey: number, toKey: number, amount: bigint): void {
    const at = this.#record(ISSUED, LEDGER_REASONS.indexOf(reason), 5);
    this.#doubles[at + 1] = reference;
    this.#doubles[at + 2] = fromKey;
    this.#doubles[at + 3] = toKey;
    this.#units[at + 4] = amount;
  }

  halted(market: number, halted: boolean): void {
    this.#record(HALTED, (market << 8) | (halted ? 1 : 0), 1);
  }

  feesSet(owner: number, makerPpm: number, takerPpm: number): void {
    const at = this.#record(FEES, 0, 3);
    this.#doubles[at + 1] = owner;
    this.#words[at * 2 + 4] = makerPpm;
    this.#words[at * 2 + 5] = takerPpm;
  }

  referencePriceSet(market: number, price: number): void {
    const at = this.#record(REFERENCE, market << 8, 2);
    this.#words[at * 2 + 2] = price;
  }

  /** Reads all records to the sink in the order in which they were written, and forgets them. */
  drain(sink: EventSink): void {
    const end = this.#end;
    // Reset first: a sink that throws must not see the same events again.
    this.#end = 0;
    this.#time = -1;
    let time = 0;
    for (let at = 0; at < end; ) {
      switch (this.#words[at * 2]) {
        case TIME:
          time = this.#doubles[at + 1]!;
          at += 2;
          break;
        case ACCEPTED:
          this.#readAccepted(at, time, sink);
          at += ACCEPTED_LENGTH;
          break;
        case TRADE:
          this.#readTrade(at, time, sink);
          at += TRADE_LENGTH;
          break;
        case CHANGED:
          this.#readChanged(at, time, sink);
          at += 6;
          break;
        case MOVED:
          this.#readMoved(at, time, sink);
          at += 4;
          break;
        default:
          at += this.#readRare(at, time, sink);
      }
    }
  }

  /** Starts a record and returns its place. */
  #record(kind: number, codes: number, length: number): number {
    const at = this.#end;
    if (at + LONGEST_RECORD > this.#doubles.length) this.#grow();
    this.#end = at + length;
    this.#words[at * 2] = kind;
    this.#words[at * 2 + 1] = codes;
    return at;
  }

  #moved(reasonCode: number, orderId: number, availableKey: number, amounts: BigInt64Array): void {
    const at = this.#record(MOVED, reasonCode, 4);
    this.#doubles[at + 1] = orderId;
    this.#doubles[at + 2] = availableKey;
    this.#units[at + 3] = amounts[0]!;
  }

  #readAccepted(at: number, time: number, sink: EventSink): void {
    const codes = this.#words[at * 2 + 1]!;
    sink.orderAccepted(
      time,
      this.#doubles[at + 1]!,
      this.#doubles[at + 2]!,
      this.#markets[codes >> 8]!.id,
      (codes & 1) as Side,
      TYPES[(codes >> 1) & 1]!,
      TIMES_IN_FORCE[(codes >> 2) & 3]!,
      this.#words[at * 2 + 6]!,
      this.#words[at * 2 + 7]!,
      // Reading an int64 as a value makes an object, so it is only read where there is one.
      (codes & WITH_TOTAL) === 0 ? 0n : this.#units[at + 4]!,
    );
  }

  #readTrade(at: number, time: number, sink: EventSink): void {
    const codes = this.#words[at * 2 + 1]!;
    const market = this.#markets[codes >> 8]!;
    const takerSide = (codes & 1) as Side;
    const takerBuys = takerSide === BUYS;
    const fees = this.#fees;
    const units = this.#units;
    const amounts = at + 7;
    fees[takerBuys ? 2 : 0] = units[amounts + BUYER_FEE]!;
    fees[takerBuys ? 3 : 1] = units[amounts + BUYER_CREDIT]!;
    fees[takerBuys ? 0 : 2] = units[amounts + SELLER_FEE]!;
    fees[takerBuys ? 1 : 3] = units[amounts + SELLER_CREDIT]!;
    const tradeId = this.#doubles[at + 1]!;
    sink.trade(
      time,
      tradeId,
      market.id,
      this.#words[at * 2 + 4]!,
      this.#words[at * 2 + 5]!,
      takerSide,
      this.#doubles[at + 3]!,
      this.#doubles[at + 4]!,
      this.#doubles[at + 5]!,
      this.#doubles[at + 6]!,
      fees,
    );
    const count = this.#tradePostings(at, market, takerBuys);
    sink.ledger(time, 'trade', tradeId, count, this.#postingKeys, this.#postingAmounts);
  }

  /** Writes a trade's postings, those of nothing left out, and returns how many there are. */
  #tradePostings(at: number, market: MarketSpec, takerBuys: boolean): number {
    const keys = this.#postingKeys;
    const values = this.#postingAmounts;
    const units = this.#units;
    const amounts = at + 7;
    const maker = this.#doubles[at + 4]! * OWNER_KEY;
    const taker = this.#doubles[at + 6]! * OWNER_KEY;
    const fees = FEES_OWNER * OWNER_KEY;
    const buyer = takerBuys ? taker : maker;
    const seller = takerBuys ? maker : taker;
    const { id: base } = market.base;
    const { id: quote } = market.quote;
    const quoteAmount = units[amounts + QUOTE]!;
    const baseAmount = units[amounts + BASE]!;
    const buyerFee = units[amounts + BUYER_FEE]!;
    const sellerFee = units[amounts + SELLER_FEE]!;
    const buyerCredit = units[amounts + BUYER_CREDIT]!;
    const sellerCredit = units[amounts + SELLER_CREDIT]!;

    // The maker pays from what was held for the order, the taker from what is available.
    keys[0] = buyer + quote + (takerBuys ? 0 : HELD_KEY);
    values[0] = -quoteAmount;
    keys[1] = seller + base + (takerBuys ? HELD_KEY : 0);
    values[1] = -baseAmount;
    let count = 2;
    count = this.#posting(count, seller + quote, BigInt.asIntN(64, quoteAmount - sellerFee));
    count = this.#posting(count, buyer + base, BigInt.asIntN(64, baseAmount - buyerFee));
    count = this.#posting(count, fees + base, buyerFee);
    count = this.#posting(count, fees + quote, BigInt.asIntN(64, sellerFee + buyerCredit + sellerCredit));
    if (buyerCredit !== 0n) count = this.#posting(count, buyer + CREDIT_KEY + quote, -buyerCredit);
    if (sellerCredit !== 0n) count = this.#posting(count, seller + CREDIT_KEY + quote, -sellerCredit);
    return count;
  }

  #posting(count: number, key: number, amount: bigint): number {
    if (amount === 0n) return count;
    this.#postingKeys[count] = key;
    this.#postingAmounts[count] = amount;
    return count + 1;
  }

  #readChanged(at: number, time: number, sink: EventSink): void {
    const codes = this.#words[at * 2 + 1]!;
    sink.orderChanged(
      time,
      this.#doubles[at + 1]!,
      this.#doubles[at + 2]!,
      this.#markets[codes >> 8]!.id,
      (codes & 1) as Side,
      this.#words[at * 2 + 8]!,
      this.#words[at * 2 + 9]!,
      this.#words[at * 2 + 10]!,
      this.#doubles[at + 3]!,
      STATUSES[(codes >> 1) & 3]!,
      REASONS[(codes >> 3) & 7]!,
    );
  }

  #readMoved(at: number, time: number, sink: EventSink): void {
    const hold = this.#words[at * 2 + 1] === 0;
    const available = this.#doubles[at + 2]!;
    const amount = this.#units[at + 3]!;
    this.#postingKeys[0] = hold ? available : available + HELD_KEY;
    this.#postingAmounts[0] = BigInt.asIntN(64, -amount);
    this.#postingKeys[1] = hold ? available + HELD_KEY : available;
    this.#postingAmounts[1] = amount;
    const reason = hold ? 'order-hold' : 'order-release';
    sink.ledger(time, reason, this.#doubles[at + 1]!, 2, this.#postingKeys, this.#postingAmounts);
  }

  /** Reads a record of an uncommon kind and returns its length. */
  #readRare(at: number, time: number, sink: EventSink): number {
    const codes = this.#words[at * 2 + 1]!;
    switch (this.#words[at * 2]) {
      case ISSUED:
        this.#postingKeys[0] = this.#doubles[at + 2]!;
        this.#postingAmounts[0] = -this.#units[at + 4]!;
        this.#postingKeys[1] = this.#doubles[at + 3]!;
        this.#postingAmounts[1] = this.#units[at + 4]!;
        sink.ledger(time, LEDGER_REASONS[codes]!, this.#doubles[at + 1]!, 2, this.#postingKeys, this.#postingAmounts);
        return 5;
      case HALTED:
        sink.marketHalted(this.#markets[codes >> 8]!.id, (codes & 1) === 1);
        return 1;
      case FEES:
        sink.feesSet(this.#doubles[at + 1]!, this.#words[at * 2 + 4]!, this.#words[at * 2 + 5]!);
        return 3;
      default:
        sink.referencePriceSet(this.#markets[codes >> 8]!.id, this.#words[at * 2 + 2]!);
        return 2;
    }
  }

  #grow(): void {
    const wider = new Float64Array(this.#doubles.length * 2);
    // Copied as integers: a double may not keep every bit pattern.
    const units = new BigInt64Array(wider.buffer);
    units.set(this.#units);
    this.#doubles = wider;
    this.#units = units;
    this.#words = new Int32Array(wider.buffer);
  }
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
