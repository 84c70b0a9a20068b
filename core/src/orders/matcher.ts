import type { ArrivingFigures, EventLog } from '../events/event-log.ts';
import { Ending } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { HELD_BESIDE } from '../ledger/account-table.ts';
import { TradeAmount } from '../ledger/ledger.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import { BUY, SELL, type SelfTradeMode, type Side } from '../terms/order-terms.ts';
import { meetLevel } from './iceberg.ts';
import type { MarketBook } from './market-book.ts';
import type { OpenOrders } from './open-orders.ts';
import type { Party } from './settlement.ts';

/** Why matching an arriving order came to its end. */
export const Stop = {
  /** Nothing of it remains. */
  FILLED: 0,
  /** The other side is empty. */
  NO_ORDERS: 1,
  /** The other side's best price is beyond the order's limit. */
  PRICE: 2,
  /** It met its own owner and gave way. */
  SELF_TRADE: 3,
  /** The rest of its quote total buys no whole lot at the best price. */
  TOTAL_SPENT: 4,
} as const;
export type Stop = (typeof Stop)[keyof typeof Stop];

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const BUYS: Side = BUY;
const SELLS: Side = SELL;
const TO_HELD = HELD_BESIDE;
const { FILLED, NO_ORDERS, PRICE, SELF_TRADE, TOTAL_SPENT } = Stop;
const { QUOTE, BUYER_FEE, SELLER_FEE, BUYER_CREDIT, SELLER_CREDIT } = TradeAmount;
const { OPEN, FILLED: ORDER_FILLED, OPEN_AFTER_SELF_TRADE, CANCELLED_SELF_TRADE } = Ending;

/** What a dry run found. */
export interface Survey {
  /** Lots that would trade. */
  lots: number;
  /** Whether an order of the same owner is in its way. */
  metOwn: boolean;
  /** Whether lots of the arriving order would be lost to a self-trade without being traded. */
  decremented: boolean;
  /** The last price at which lots would trade, in ticks; 0 if none would. */
  worst: number;
  stop: Stop;
}

/**
 * Trades an arriving order against the other side of the book, best price first and then oldest first. The arriving
 * order stays in the fields of this one object until it is done; nothing is allocated for it.
 */
export class Matcher {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  readonly #orders: OpenOrders;
  lastTradeId = 0;

  /** The arriving order's party, set by whoever calls `run`. */
  readonly taker: Party = { owner: 0, orderId: 0, paying: 0, receiving: 0, feePpm: 0, terms: 0, isMaker: false };
  readonly #maker: Party = { owner: 0, orderId: 0, paying: 0, receiving: 0, feePpm: 0, terms: 0, isMaker: true };
  /** Total lots of the arriving order; a decrement makes it smaller. */
  quantity = 0;
  remaining = 0;
  traded = 0;
  /** What is known of the arriving order beside its party; the figures are filled value, fee and credit. */
  readonly arriving: ArrivingFigures = {
    orderId: 0,
    ownerNumber: 0,
    bookSide: 0,
    price: 0,
    terms: 0,
    isNew: true,
    createdAt: 0,
    quoteTotal: 0n,
    visible: 0,
    figures: new BigInt64Array(3),
  };
  /** Whether the order is limited by a quote total, and what is left of it in quote units. */
  byTotal = false;
  total = 0n;
  /** Value in quote units of what the last survey would trade; an array of one, so that it costs no allocation. */
  readonly surveyedCost = new BigInt64Array(1);

  constructor(pool: OrderPool, accounts: AccountTable, log: EventLog, orders: OpenOrders) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#log = log;
    this.#orders = orders;
  }

  /** Sets the arriving order's sizes in lots. */
  start(quantity: number, remaining: number): void {
    this.quantity = quantity;
    this.remaining = remaining;
    this.traded = 0;
    this.byTotal = false;
  }

  /** Limits the order that was started by a quote total, in quote units. */
  limitTotal(total: bigint): void {
    this.byTotal = true;
    this.total = total;
  }

  /** Trades until the order is filled or must stop. `limit` is the worst acceptable price in ticks. */
  run(market: MarketBook, side: Side, limit: number, mode: SelfTradeMode): Stop {
    const { book } = market;
    const pool = this.#pool;
    this.taker.receiving = market.settlement.receivingAccount(this.taker.owner, side);
    while (this.remaining > 0) {
      const price = side === BUYS ? book.bestAsk : book.bestBid;
      if (price === 0) return NO_ORDERS;
      if (side === BUYS ? price > limit : price < limit) return PRICE;
      const slot = book.ladder.head(book.ladder.find(price));
      let lots = Math.min(this.remaining, pool.remaining(slot));
      if (this.byTotal) {
        lots = lotsWithin(this.total, price, lots, market.quoteUnits[0]!);
        if (lots === 0) return TOTAL_SPENT;
      }
      if (pool.owner(slot) === this.taker.owner) {
        if (this.#meetsItself(market, side, slot, price, lots, mode)) return SELF_TRADE;
      } else {
        this.#trade(market, side, slot, price, lots);
      }
    }
    return FILLED;
  }

  /**
   * What `run` would do with the same order, without doing it. The order's quote total limits it when `total` ≥ 0n.
   */
  survey(
    market: MarketBook,
    side: Side,
    limit: number,
    quantity: number,
    total: bigint,
    owner: number,
    mode: SelfTradeMode,
  ): Survey {
    const { book, quoteUnits } = market;
    const pool = this.#pool;
    const other = side === BUYS ? SELLS : BUYS;
    const survey: Survey = { lots: 0, metOwn: false, decremented: false, worst: 0, stop: FILLED };
    const cost = this.surveyedCost;
    cost[0] = 0n;
    let remaining = quantity;
    let left = total;
    if (pool.icebergs > 0) return this.#surveyParts(market, side, limit, quantity, total, owner, mode);
    for (let price = book.best(other); remaining > 0; price = book.worse(other, price)) {
      if (price === 0) return ended(survey, NO_ORDERS);
      if (side === BUYS ? price > limit : price < limit) return ended(survey, PRICE);
      const first = book.ladder.head(book.ladder.find(price));
      for (let slot = first; slot !== 0 && remaining > 0; slot = pool.next(slot)) {
        const wanted = Math.min(remaining, pool.remaining(slot));
        const lots = total >= 0n ? lotsWithin(left, price, wanted, quoteUnits[0]!) : wanted;
        if (lots === 0) return ended(survey, TOTAL_SPENT);
        const own = pool.owner(slot) === owner;
        if (own) survey.metOwn = true;
        if (own && mode === 'CANCEL_OLDEST') continue;
        if (own && mode !== 'DECREMENT') return ended(survey, SELF_TRADE);
        remaining -= lots;
        left = BigInt.asIntN(64, left - BigInt(price | 0) * BigInt(lots | 0) * quoteUnits[0]!);
        if (own) survey.decremented = true;
        else {
          survey.lots += lots;
          survey.worst = price;
        }
        if (!own) cost[0] = BigInt.asIntN(64, cost[0]! + BigInt(price | 0) * BigInt(lots | 0) * quoteUnits[0]!);
        if (lots < wanted) return ended(survey, TOTAL_SPENT);
      }
    }
    return survey;
  }

  /** The same where there are icebergs: the book is met part by part. */
  #surveyParts(
    market: MarketBook,
    side: Side,
    limit: number,
    quantity: number,
    total: bigint,
    owner: number,
    mode: SelfTradeMode,
  ): Survey {
    const { book, quoteUnits } = market;
    const survey: Survey = { lots: 0, metOwn: false, decremented: false, worst: 0, stop: FILLED };
    const cost = this.surveyedCost;
    let remaining = quantity;
    let left = total;
    const take = (price: number, shown: number, isOwn: boolean): number | undefined => {
      if (remaining === 0) return undefined;
      const wanted = Math.min(remaining, shown);
      const lots = total >= 0n ? lotsWithin(left, price, wanted, quoteUnits[0]!) : wanted;
      const value = BigInt(price) * BigInt(lots) * quoteUnits[0]!;
      if (isOwn && lots > 0) survey.metOwn = true;
      if (lots === 0) survey.stop = TOTAL_SPENT;
      else if (isOwn && mode === 'CANCEL_OLDEST') return 0;
      else if (isOwn && mode !== 'DECREMENT') survey.stop = SELF_TRADE;
      if (survey.stop !== FILLED) return undefined;
      remaining -= lots;
      left -= value;
      if (isOwn) survey.decremented = true;
      else {
        survey.lots += lots;
        survey.worst = price;
        cost[0] = cost[0]! + value;
      }
      if (lots < wanted) survey.stop = TOTAL_SPENT;
      return lots < wanted ? undefined : lots;
    };
    const run = { owner, take };
    const other = side === BUYS ? SELLS : BUYS;
    for (let price = book.best(other); remaining > 0; price = book.worse(other, price)) {
      if (price === 0) return ended(survey, NO_ORDERS);
      if (side === BUYS ? price > limit : price < limit) return ended(survey, PRICE);
      if (!meetLevel(this.#pool, book, price, run)) return survey;
    }
    return survey;
  }

  #trade(market: MarketBook, side: Side, slot: number, price: number, lots: number): void {
    const pool = this.#pool;
    const { taker } = this;
    const maker = this.#maker;
    maker.owner = pool.owner(slot);
    maker.orderId = pool.orderId(slot);
    maker.paying = pool.paying(slot) + TO_HELD;
    maker.receiving = market.settlement.payingAccount(maker.owner, side);
    maker.feePpm = this.#accounts.makerPpm(maker.owner);
    maker.terms = pool.terms(slot);
    const buying = side === BUYS;
    market.settlement.fill(price, lots, buying ? taker : maker, buying ? maker : taker);
    this.lastTradeId += 1;
    const reference = price === market.lastPrice ? 0 : market.tradeAt(price);
    market.traded = true;
    this.remaining -= lots;
    this.traded += lots;
    if (this.byTotal) this.total -= BigInt(price) * BigInt(lots) * market.quoteUnits[0]!;
    const shown = pool.remaining(slot);
    const hidden = pool.hidden(slot);
    market.book.reduce(slot, lots);
    const filled = shown === lots && hidden === 0;
    if (shown === lots && hidden > 0) this.#orders.showNext(market, buying ? SELLS : BUYS, slot);
    const ending = filled ? ORDER_FILLED : OPEN;
    const { amounts } = market.settlement;
    this.#addFill(slot, buying, amounts);
    const { ownerNumber } = this.arriving;
    this.#log.trade(
      this.lastTradeId,
      lots,
      slot,
      ending,
      taker.orderId,
      ownerNumber,
      amounts,
      shown,
      hidden,
      reference,
    );
    if (filled) this.#orders.remove(market, buying ? SELLS : BUYS, slot);
    if (market.lastWatch !== undefined) market.lastWatch.observe(price);
  }

  /** Adds the trade at hand to the figures of both orders. */
  #addFill(maker: number, takerBuys: boolean, amounts: BigInt64Array): void {
    const { figures } = this.arriving;
    const value = amounts[QUOTE]!;
    const makerFee = amounts[takerBuys ? SELLER_FEE : BUYER_FEE]!;
    const makerCredit = amounts[takerBuys ? SELLER_CREDIT : BUYER_CREDIT]!;
    this.#pool.addFill(maker, value, makerFee, makerCredit);
    figures[0] = BigInt.asIntN(64, figures[0]! + value);
    figures[1] = BigInt.asIntN(64, figures[1]! + amounts[takerBuys ? BUYER_FEE : SELLER_FEE]!);
    figures[2] = BigInt.asIntN(64, figures[2]! + amounts[takerBuys ? BUYER_CREDIT : SELLER_CREDIT]!);
  }

  /** Moves what `lots` of a resting order hold back to the owner. The caller writes it to the log. */
  release(market: MarketBook, side: Side, slot: number, lots: number): void {
    const pool = this.#pool;
    market.settlement.measure(side, pool.price(slot), lots, pool.owner(slot), pool.terms(slot));
    market.settlement.release(pool.paying(slot));
  }

  /** Ends a resting order before it is filled: releases what it holds, says so, and removes it. */
  cancelResting(market: MarketBook, side: Side, slot: number, ending: Ending): void {
    const [shown, hidden] = [this.#pool.remaining(slot), this.#pool.hidden(slot)];
    this.release(market, side, slot, shown + hidden);
    this.#log.shrunk(slot, ending, shown, hidden, market.settlement.amounts);
    this.#orders.remove(market, side, slot);
  }

  /** The arriving order meets one of its own owner: `mode` says who gives way. True when the arriving one ends. */
  #meetsItself(
    market: MarketBook,
    side: Side,
    slot: number,
    price: number,
    lots: number,
    mode: SelfTradeMode,
  ): boolean {
    const restingSide = side === BUYS ? SELLS : BUYS;
    switch (mode) {
      case 'CANCEL_NEWEST':
        return true;
      case 'CANCEL_OLDEST':
        this.cancelResting(market, restingSide, slot, CANCELLED_SELF_TRADE);
        return false;
      case 'CANCEL_BOTH':
        this.cancelResting(market, restingSide, slot, CANCELLED_SELF_TRADE);
        return true;
      case 'DECREMENT':
        this.#decrement(market, restingSide, slot, price, lots);
        return this.remaining === 0;
    }
  }

  /** Both orders become smaller by the same lots, without a trade; total quantities shrink too, so that total − remaining
   * stays what was traded. */
  #decrement(market: MarketBook, side: Side, slot: number, price: number, lots: number): void {
    const pool = this.#pool;
    this.quantity -= lots;
    this.remaining -= lots;
    if (this.byTotal) this.total -= BigInt(price) * BigInt(lots) * market.quoteUnits[0]!;
    this.release(market, side, slot, lots);
    pool.setQuantity(slot, pool.quantity(slot) - lots);
    const [shown, hidden] = [pool.remaining(slot), pool.hidden(slot)];
    market.book.reduce(slot, lots);
    const gone = shown === lots && hidden === 0;
    if (shown === lots && hidden > 0) this.#orders.showNext(market, side, slot);
    const ending = gone ? CANCELLED_SELF_TRADE : OPEN_AFTER_SELF_TRADE;
    this.#log.shrunk(slot, ending, shown, hidden, market.settlement.amounts);
    if (gone) this.#orders.remove(market, side, slot);
  }
}

/** How many of `lots` a quote total covers at a price, rounded down. */
function lotsWithin(total: bigint, price: number, lots: number, quoteUnits: bigint): number {
  const covered = total / (BigInt(price) * quoteUnits);
  return covered < BigInt(lots) ? Number(covered) : lots;
}

function ended(survey: Survey, stop: Stop): Survey {
  survey.stop = stop;
  return survey;
}
