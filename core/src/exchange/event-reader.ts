import type { ConditionalEvent } from '../conditional/event.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { LedgerReason } from '../ledger/event.ts';
import type { MarketSpec } from '../money/market.ts';
import { BUY, type Side } from './command.ts';
import type { EventBuffer } from './event-buffer.ts';
import {
  REASONS,
  RecordDouble,
  RecordKind,
  RecordWord,
  STATUSES,
  TIMES_IN_FORCE,
  TRADE_LOTS_WORD,
  TradeDouble,
  TYPES,
  UNIT_WORDS,
} from './event-record.ts';
import type { EventSink } from './event-sink.ts';

/** Reasons of issuing; codes are places in this list. */
export const LEDGER_REASONS: readonly LedgerReason[] = ['development-credit', 'house-capital', 'fee-credit-grant'];

/** Longest ledger transaction, a trade whose two sides both use fee credit. */
const MOST_POSTINGS = 8;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { TIME, ACCEPTED, PLACED, RESTED, CHANGED, RELEASED, SHRUNK, TRADE, ISSUED, HALTED, FEES } = RecordKind;
const { HELD, CONDITIONAL } = RecordKind;
const { BOOK_SIDE, PRICE, QUANTITY, REMAINING, CODES } = RecordWord;
const { ORDER_ID, OWNER, PRIORITY, AMOUNT, BASE_AMOUNT } = RecordDouble;
const { TRADE_ID, TAKER_ORDER_ID, TAKER_OWNER, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeDouble;
const LOTS = TRADE_LOTS_WORD;
const UNIT = UNIT_WORDS;
const BUYS: Side = BUY;
const ORDER_TYPES = TYPES;
const ORDER_TIMES = TIMES_IN_FORCE;
const ORDER_STATUSES = STATUSES;
const ORDER_REASONS = REASONS;
const HELD_KEY = accountKey(0, Wallet.SPOT, Bucket.HELD, 0);
const CREDIT_KEY = accountKey(0, Wallet.CREDIT, Bucket.AVAILABLE, 0);
const OWNER_KEY = accountKey(1, Wallet.SPOT, Bucket.AVAILABLE, 0);
const FEES_KEY = accountKey(SystemOwner.FEES, Wallet.SPOT, Bucket.AVAILABLE, 0);

/** Tells the records of a buffer as events. */
export class EventReader {
  readonly #buffer: EventBuffer;
  /** By place in the list of markets: ids of the market and its assets. */
  readonly #marketIds: Int32Array;
  #objects: readonly ConditionalEvent[] = [];
  readonly #baseIds: Int32Array;
  readonly #quoteIds: Int32Array;
  /** By `bookSide`: what an order pays with. Which side comes next is chance, so a look-up beats a branch. */
  readonly #payingIds: Int32Array;
  readonly #fees = new BigInt64Array(4);
  readonly #keys = new Float64Array(MOST_POSTINGS);
  readonly #amounts = new BigInt64Array(MOST_POSTINGS);

  constructor(markets: readonly MarketSpec[], buffer: EventBuffer) {
    this.#buffer = buffer;
    this.#marketIds = Int32Array.from(markets, ({ id }) => id);
    this.#baseIds = Int32Array.from(markets, ({ base }) => base.id);
    this.#quoteIds = Int32Array.from(markets, ({ quote }) => quote.id);
    this.#payingIds = Int32Array.from(markets.flatMap(({ base, quote }) => [quote.id, base.id]));
  }

  /** Tells all records before `end`; those of kind CONDITIONAL are places in a list of objects. */
  read(end: number, objects: readonly ConditionalEvent[], sink: EventSink): void {
    this.#objects = objects;
    let time = 0;
    for (let at = 0; at < end; ) {
      if (this.#buffer.words[at] === TIME) {
        time = this.#buffer.doubles[(at >> 1) | ORDER_ID]!;
        at += UNIT;
      }
      // The time is handed over as it is: as a local of one loop it would be made an object for every event.
      at = this.#readUntilTime(at, end, time, sink);
    }
  }

  /** Tells records up to the next time and returns where that is. */
  #readUntilTime(start: number, end: number, time: number, sink: EventSink): number {
    const { words } = this.#buffer;
    let at = start;
    for (; at < end; at += UNIT) {
      switch (words[at]) {
        case PLACED:
          this.#placed(at, time, sink);
          break;
        case SHRUNK:
          this.#shrunk(at, time, sink);
          break;
        case TRADE:
          this.#trade(at, time, sink);
          this.#changed(at, time, sink, words[at | CODES]!);
          at += UNIT;
          break;
        case CHANGED:
          this.#changed(at, time, sink, words[at | CODES]!);
          break;
        case ACCEPTED:
          this.#accepted(at, time, sink, this.#buffer.units[(at >> 1) | AMOUNT]!);
          break;
        case RESTED:
          this.#held(at, time, sink);
          this.#changed(at, time, sink, 0);
          break;
        case TIME:
          return at;
        default:
          this.#rare(at, time, sink);
      }
    }
    return at;
  }

  #accepted(at: number, time: number, sink: EventSink, quoteTotal: bigint): void {
    const { words, doubles } = this.#buffer;
    const bookSide = words[at | BOOK_SIDE]!;
    const codes = words[at | CODES]!;
    sink.orderAccepted(
      time,
      doubles[(at >> 1) | ORDER_ID]!,
      doubles[(at >> 1) | OWNER]!,
      this.#marketIds[bookSide >> 1]!,
      (bookSide & 1) as Side,
      ORDER_TYPES[codes & 1]!,
      ORDER_TIMES[codes >> 1]!,
      words[at | PRICE]!,
      words[at | QUANTITY]!,
      quoteTotal,
    );
  }

  #changed(at: number, time: number, sink: EventSink, ending: number): void {
    const { words, doubles } = this.#buffer;
    const bookSide = words[at | BOOK_SIDE]!;
    sink.orderChanged(
      time,
      doubles[(at >> 1) | ORDER_ID]!,
      doubles[(at >> 1) | OWNER]!,
      this.#marketIds[bookSide >> 1]!,
      (bookSide & 1) as Side,
      words[at | PRICE]!,
      words[at | QUANTITY]!,
      words[at | REMAINING]!,
      doubles[(at >> 1) | PRIORITY]!,
      ORDER_STATUSES[ending & 3]!,
      ORDER_REASONS[ending >> 2]!,
    );
  }

  /** Reads all of the record before the sink is called: calls make V8 look at the buffer anew. */
  #placed(at: number, time: number, sink: EventSink): void {
    const { words, doubles } = this.#buffer;
    const half = at >> 1;
    const orderId = doubles[half | ORDER_ID]!;
    const owner = doubles[half | OWNER]!;
    const priority = doubles[half | PRIORITY]!;
    const bookSide = words[at | BOOK_SIDE]!;
    const side = (bookSide & 1) as Side;
    const price = words[at | PRICE]!;
    const quantity = words[at | QUANTITY]!;
    const codes = words[at | CODES]!;
    const market = this.#marketIds[bookSide >> 1]!;
    const type = ORDER_TYPES[codes & 1]!;
    const timeInForce = ORDER_TIMES[codes >> 1]!;
    this.#postMove(at, 0, HELD_KEY);
    sink.orderAccepted(time, orderId, owner, market, side, type, timeInForce, price, quantity, 0n);
    sink.ledger(time, 'order-hold', orderId, 2, this.#keys, this.#amounts);
    sink.orderChanged(time, orderId, owner, market, side, price, quantity, quantity, priority, 'open', 'NONE');
  }

  /** Reads as `#placed` does. */
  #shrunk(at: number, time: number, sink: EventSink): void {
    const { words, doubles } = this.#buffer;
    const half = at >> 1;
    const orderId = doubles[half | ORDER_ID]!;
    const owner = doubles[half | OWNER]!;
    const priority = doubles[half | PRIORITY]!;
    const bookSide = words[at | BOOK_SIDE]!;
    const side = (bookSide & 1) as Side;
    const price = words[at | PRICE]!;
    const quantity = words[at | QUANTITY]!;
    const remaining = words[at | REMAINING]!;
    const ending = words[at | CODES]!;
    const market = this.#marketIds[bookSide >> 1]!;
    const status = ORDER_STATUSES[ending & 3]!;
    const reason = ORDER_REASONS[ending >> 2]!;
    this.#postMove(at, HELD_KEY, 0);
    sink.ledger(time, 'order-release', orderId, 2, this.#keys, this.#amounts);
    sink.orderChanged(time, orderId, owner, market, side, price, quantity, remaining, priority, status, reason);
  }

  #held(at: number, time: number, sink: EventSink): void {
    this.#postMove(at, 0, HELD_KEY);
    sink.ledger(time, 'order-hold', this.#buffer.doubles[(at >> 1) | ORDER_ID]!, 2, this.#keys, this.#amounts);
  }

  #released(at: number, time: number, sink: EventSink): void {
    this.#postMove(at, HELD_KEY, 0);
    sink.ledger(time, 'order-release', this.#buffer.doubles[(at >> 1) | ORDER_ID]!, 2, this.#keys, this.#amounts);
  }

  /** Writes the postings of a hold or release; `from` and `to` are what is added to the available account's key. */
  #postMove(at: number, from: number, to: number): void {
    const { words, doubles, units } = this.#buffer;
    const keys = this.#keys;
    const amounts = this.#amounts;
    const available = doubles[(at >> 1) | OWNER]! * OWNER_KEY + this.#payingIds[words[at | BOOK_SIDE]!]!;
    const amount = units[(at >> 1) | AMOUNT]!;
    keys[0] = available + from;
    keys[1] = available + to;
    amounts[0] = BigInt.asIntN(64, -amount);
    amounts[1] = amount;
  }

  #trade(at: number, time: number, sink: EventSink): void {
    const { words, doubles, units } = this.#buffer;
    const more = at + UNIT;
    const bookSide = words[at | BOOK_SIDE]!;
    // The record is the maker's.
    const takerSide = ((bookSide & 1) ^ 1) as Side;
    const takerBuys = takerSide === BUYS;
    const fees = this.#fees;
    fees[takerBuys ? 2 : 0] = units[(more >> 1) | BUYER_FEE]!;
    fees[takerBuys ? 3 : 1] = units[(more >> 1) | BUYER_CREDIT]!;
    fees[takerBuys ? 0 : 2] = units[(more >> 1) | SELLER_FEE]!;
    fees[takerBuys ? 1 : 3] = units[(more >> 1) | SELLER_CREDIT]!;
    const tradeId = doubles[(more >> 1) | TRADE_ID]!;
    const maker = doubles[(at >> 1) | OWNER]!;
    const taker = doubles[(more >> 1) | TAKER_OWNER]!;
    sink.trade(
      time,
      tradeId,
      this.#marketIds[bookSide >> 1]!,
      words[at | PRICE]!,
      words[more | LOTS]!,
      takerSide,
      doubles[(at >> 1) | ORDER_ID]!,
      maker,
      doubles[(more >> 1) | TAKER_ORDER_ID]!,
      taker,
      fees,
    );
    const count = this.#tradePostings(at, more, takerBuys ? taker : maker, takerBuys ? maker : taker, takerBuys);
    sink.ledger(time, 'trade', tradeId, count, this.#keys, this.#amounts);
  }

  /** Writes a trade's postings, those of nothing left out, and returns how many there are. */
  #tradePostings(at: number, more: number, buyerOwner: number, sellerOwner: number, takerBuys: boolean): number {
    const { words, units } = this.#buffer;
    const market = words[at | BOOK_SIDE]! >> 1;
    const base = this.#baseIds[market]!;
    const quote = this.#quoteIds[market]!;
    const buyer = buyerOwner * OWNER_KEY;
    const seller = sellerOwner * OWNER_KEY;
    const quoteAmount = units[(at >> 1) | AMOUNT]!;
    const baseAmount = units[(at >> 1) | BASE_AMOUNT]!;
    const buyerFee = units[(more >> 1) | BUYER_FEE]!;
    const sellerFee = units[(more >> 1) | SELLER_FEE]!;
    const buyerCredit = units[(more >> 1) | BUYER_CREDIT]!;
    const sellerCredit = units[(more >> 1) | SELLER_CREDIT]!;

    // The maker pays from what was held for the order, the taker from what is available.
    this.#keys[0] = buyer + quote + (takerBuys ? 0 : HELD_KEY);
    this.#amounts[0] = BigInt.asIntN(64, -quoteAmount);
    this.#keys[1] = seller + base + (takerBuys ? HELD_KEY : 0);
    this.#amounts[1] = BigInt.asIntN(64, -baseAmount);
    let count = 2;
    count = this.#posting(count, seller + quote, BigInt.asIntN(64, quoteAmount - sellerFee));
    count = this.#posting(count, buyer + base, BigInt.asIntN(64, baseAmount - buyerFee));
    count = this.#posting(count, FEES_KEY + base, buyerFee);
    const quoteFees = BigInt.asIntN(64, BigInt.asIntN(64, sellerFee + buyerCredit) + sellerCredit);
    count = this.#posting(count, FEES_KEY + quote, quoteFees);
    count = this.#posting(count, buyer + CREDIT_KEY + quote, BigInt.asIntN(64, -buyerCredit));
    return this.#posting(count, seller + CREDIT_KEY + quote, BigInt.asIntN(64, -sellerCredit));
  }

  #posting(count: number, key: number, amount: bigint): number {
    if (amount === 0n) return count;
    this.#keys[count] = key;
    this.#amounts[count] = amount;
    return count + 1;
  }

  #rare(at: number, time: number, sink: EventSink): void {
    const { words, doubles } = this.#buffer;
    const market = this.#marketIds[words[at | BOOK_SIDE]! >> 1]!;
    switch (words[at]) {
      case RELEASED:
        this.#released(at, time, sink);
        break;
      case HELD:
        this.#held(at, time, sink);
        break;
      case CONDITIONAL:
        sink.conditional(this.#objects[words[at | QUANTITY]!]!);
        break;
      case ISSUED:
        this.#issued(at, time, sink);
        break;
      case HALTED:
        sink.marketHalted(market, words[at | CODES] === 1);
        break;
      case FEES:
        sink.feesSet(doubles[(at >> 1) | OWNER]!, words[at | QUANTITY]!, words[at | REMAINING]!);
        break;
      default:
        sink.referencePriceSet(market, words[at | PRICE]!);
    }
  }

  #issued(at: number, time: number, sink: EventSink): void {
    const { words, doubles, units } = this.#buffer;
    const amount = units[(at >> 1) | AMOUNT]!;
    this.#keys[0] = doubles[(at >> 1) | OWNER]!;
    this.#amounts[0] = -amount;
    this.#keys[1] = doubles[(at >> 1) | PRIORITY]!;
    this.#amounts[1] = amount;
    const reason = LEDGER_REASONS[words[at | CODES]!]!;
    sink.ledger(time, reason, doubles[(at >> 1) | ORDER_ID]!, 2, this.#keys, this.#amounts);
  }
}
