import { FIRST_CLIENT } from '../ledger/account.ts';
import { type AccountTable, MAXIMUM_OWNER } from '../ledger/account-table.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MAXIMUM_OPEN_ORDERS, type OrderPool } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { AmendOrder, CancelOrder, Outcome, PlaceOrder, RejectReason, Side } from './command.ts';
import { BUY, SELL } from './command.ts';
import type { EventLog } from './event-log.ts';
import { Ending } from './event-record.ts';
import type { MarketBook } from './market-book.ts';
import { Matcher, Stop } from './matcher.ts';
import type { OpenOrders } from './open-orders.ts';
import type { ExchangeOptions } from './options.ts';
import { OK, refused } from './outcome.ts';

const NO_TOTAL = -1n;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const BUYS: Side = BUY;
const { NO_ORDERS, PRICE } = Stop;
const { OPEN, CANCELLED_BY_OWNER, CANCELLED_UNFILLED } = Ending;

/** Whether an owner number may trade and own money: the exchange's own accounts may not. */
export function isClient(owner: number): boolean {
  return Number.isSafeInteger(owner) && owner >= FIRST_CLIENT && owner <= MAXIMUM_OWNER;
}

/** Places, cancels and amends orders: every check first, then every change. */
export class OrderDesk {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #ledger: Ledger;
  readonly #log: EventLog;
  readonly #orders: OpenOrders;
  readonly #options: ExchangeOptions;
  readonly matcher: Matcher;
  lastOrderId = 0;
  lastPriority = 0;

  constructor(
    pool: OrderPool,
    accounts: AccountTable,
    ledger: Ledger,
    log: EventLog,
    orders: OpenOrders,
    options: ExchangeOptions,
  ) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#ledger = ledger;
    this.#log = log;
    this.#orders = orders;
    this.#options = options;
    this.matcher = new Matcher(pool, accounts, ledger, log, orders);
  }

  /** Places an order; `market` is undefined when the order names one that does not exist. */
  place(market: MarketBook | undefined, order: PlaceOrder): Outcome {
    // The comparison is also false for NaN. An id that was refused is not used up: nothing has changed then.
    if (!(order.orderId > this.lastOrderId) || !Number.isSafeInteger(order.orderId)) return refused('DUPLICATE_ID');
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const outcome = this.arrive(market, order);
    if (outcome.ok) this.lastOrderId = order.orderId;
    return outcome;
  }

  /** Takes an order whose id is known to be good: a new one, or one that waited under it. */
  arrive(market: MarketBook, order: PlaceOrder): Outcome {
    if (market.halted) return refused('MARKET_HALTED');
    if (!isClient(order.owner)) return refused('ACCOUNT_LIMIT');
    const owner = this.#accounts.owner(order.owner);
    return order.type === 'limit' ? this.#placeLimit(market, order, owner) : this.#placeMarket(market, order, owner);
  }

  /** Cancels what an owner has open, oldest first, in the market at one place of the list or in all. */
  cancelAll(markets: readonly MarketBook[], ownerNumber: number, place: number | undefined): void {
    const pool = this.#pool;
    const owner = this.#accounts.findOwner(ownerNumber);
    if (owner === 0) return;
    const slots: number[] = [];
    for (let slot = this.#accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      if (place === undefined || pool.bookSide(slot) >> 1 === place) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(left) - pool.orderId(right));
    for (const slot of slots) {
      const bookSide = pool.bookSide(slot);
      this.matcher.cancelResting(markets[bookSide >> 1]!, (bookSide & 1) as Side, slot, CANCELLED_BY_OWNER);
    }
  }

  /** Cancels an open order of the owner who asks. Allowed while the market is halted. */
  cancel(markets: readonly MarketBook[], command: CancelOrder): Outcome {
    const slot = this.#ownOrder(command.orderId, command.owner);
    if (slot === 0) return refused('ORDER_NOT_FOUND');
    const bookSide = this.#pool.bookSide(slot);
    this.matcher.cancelResting(markets[bookSide >> 1]!, (bookSide & 1) as Side, slot, CANCELLED_BY_OWNER);
    return OK;
  }

  /**
   * Amends an open order. Less quantity at the same price keeps the place; anything else leaves the queue and comes
   * back as a new arrival, which is refused when it would trade, unless the command says GTC.
   */
  amend(markets: readonly MarketBook[], command: AmendOrder): Outcome {
    const pool = this.#pool;
    const slot = this.#ownOrder(command.orderId, command.owner);
    if (slot === 0) return refused('ORDER_NOT_FOUND');
    const bookSide = pool.bookSide(slot);
    const market = markets[bookSide >> 1]!;
    const side = (bookSide & 1) as Side;
    if (market.halted) return refused('MARKET_HALTED');
    const before = pool.quantity(slot);
    const price = command.price ?? pool.price(slot);
    const quantity = command.quantity ?? before;
    const samePrice = price === pool.price(slot);
    if (samePrice && quantity === before) return refused('NOTHING_TO_AMEND');
    const problem = market.limitProblem(price, quantity);
    if (problem !== undefined) return refused(problem);
    if (quantity <= before - pool.remaining(slot)) return refused('INVALID_QUANTITY');
    if (samePrice && quantity < before) return this.#shrink(market, side, slot, quantity);
    return this.#replace(market, side, slot, command, price, quantity);
  }

  #placeLimit(market: MarketBook, order: PlaceOrder, owner: number): Outcome {
    const { side, price, quantity, timeInForce } = order;
    const rests = timeInForce === 'GTC' || timeInForce === 'POST_ONLY';
    const problem = market.limitProblem(price, quantity) ?? this.#limitRefusal(market, order, owner, rests);
    if (problem !== undefined) return refused(problem);
    const paying = this.#accounts.spot(owner, market.payingAsset(side));
    this.#ledger.measure(market.terms, side, price, quantity);
    if (!this.#ledger.affords(paying)) return refused('INSUFFICIENT_FUNDS');
    if (rests && !market.book.crosses(side, price)) {
      this.#placeAtRest(market, order, owner, paying);
      return OK;
    }
    if (timeInForce === 'FOK') {
      const survey = this.matcher.survey(market, side, price, quantity, NO_TOTAL, owner, order.selfTrade);
      if (survey.stop !== Stop.FILLED || survey.decremented) return refused('NOT_FILLABLE');
    }

    this.#accept(market, order, owner, paying);
    this.matcher.start(quantity, quantity);
    const stop = this.matcher.run(market, side, price, order.selfTrade);
    if (rests && (stop === PRICE || stop === NO_ORDERS)) this.#rest(market, side, price);
    else this.#end(market, side, price, endingOf(stop, CANCELLED_UNFILLED));
    return OK;
  }

  /** Puts an order that meets nothing into the book, with what was just measured held for it. */
  #placeAtRest(market: MarketBook, order: PlaceOrder, owner: number, paying: number): void {
    const { orderId, side, price, quantity } = order;
    this.lastPriority += 1;
    this.#ledger.hold(paying);
    const slot = this.#orders.add(market, side, orderId, owner, paying, price, quantity, quantity, this.lastPriority);
    this.#log.placed(order, slot, this.#ledger.amounts);
  }

  /** Why a limit order can't be taken as the market stands now, funds apart. */
  #limitRefusal(market: MarketBook, order: PlaceOrder, owner: number, rests: boolean): RejectReason | undefined {
    const { side, price } = order;
    if (order.quoteTotal !== 0n) return 'INVALID_QUANTITY';
    if (price < market.lowestPrice() || price > market.highestPrice()) return 'PRICE_OUTSIDE_BAND';
    if (!rests) return undefined;
    if (order.timeInForce === 'POST_ONLY' && market.book.crosses(side, price)) return 'WOULD_TAKE';
    const open = this.#accounts.openOrders(owner);
    const full = open >= this.#options.maximumOpenOrdersPerOwner || this.#pool.count >= MAXIMUM_OPEN_ORDERS;
    return full ? 'ACCOUNT_LIMIT' : undefined;
  }

  #placeMarket(market: MarketBook, order: PlaceOrder, owner: number): Outcome {
    const { side } = order;
    const problem = marketProblem(market, order);
    if (problem !== undefined) return refused(problem);
    const byTotal = order.quoteTotal > 0n;
    const total = byTotal ? order.quoteTotal : NO_TOTAL;
    const quantity = byTotal ? market.spec.maximumLots : order.quantity;
    const limit = market.worstPrice(side);
    const survey = this.matcher.survey(market, side, limit, quantity, total, owner, order.selfTrade);
    if (survey.lots === 0) return refused(survey.stop === Stop.TOTAL_SPENT ? 'BELOW_MINIMUM_SIZE' : 'NO_LIQUIDITY');
    if (byTotal && survey.stop === Stop.FILLED) return refused('ABOVE_MAXIMUM_SIZE');
    if (order.timeInForce === 'FOK') {
      const complete = survey.stop === (byTotal ? Stop.TOTAL_SPENT : Stop.FILLED);
      if (!complete || survey.decremented) return refused('NOT_FILLABLE');
    }
    const paying = this.#accounts.spot(owner, market.payingAsset(side));
    const cost = side === BUYS ? this.matcher.surveyedCost[0]! : BigInt(survey.lots) * market.terms.units[SELL]!;
    if (this.#accounts.balances[paying]! < cost) return refused('INSUFFICIENT_FUNDS');

    this.#accept(market, order, owner, paying);
    this.matcher.start(quantity, quantity);
    if (byTotal) this.matcher.limitTotal(total);
    const stop = this.matcher.run(market, side, limit, order.selfTrade);
    if (byTotal) {
      // Its size in lots is only known now: what was traded is all of it.
      this.matcher.quantity = this.matcher.traded;
      this.matcher.remaining = 0;
    }
    this.#end(market, side, 0, endingOf(stop, Ending.CANCELLED_PRICE_BAND));
    return OK;
  }

  #accept(market: MarketBook, order: PlaceOrder, owner: number, paying: number): void {
    const { taker } = this.matcher;
    taker.owner = owner;
    taker.orderId = order.orderId;
    taker.paying = paying;
    taker.feePpm = this.#accounts.takerPpm(owner);
    this.#log.accepted(order, (market.place << 1) | order.side);
  }

  /** Puts what remains of the arriving order into the book and holds what it can cost. */
  #rest(market: MarketBook, side: Side, price: number): void {
    const { taker, quantity, remaining } = this.matcher;
    this.#ledger.measure(market.terms, side, price, remaining);
    this.#ledger.hold(taker.paying);
    this.lastPriority += 1;
    const slot = this.#orders.add(
      market,
      side,
      taker.orderId,
      taker.owner,
      taker.paying,
      price,
      quantity,
      remaining,
      this.lastPriority,
    );
    this.#log.rested(slot, this.#ledger.amounts);
  }

  /** Says how the arriving order ended without resting. */
  #end(market: MarketBook, side: Side, price: number, ending: Ending): void {
    const { taker, quantity, remaining } = this.matcher;
    const owner = this.#accounts.ownerNumber(taker.owner);
    this.#log.ended(taker.orderId, owner, (market.place << 1) | side, price, quantity, remaining, ending);
  }

  /** The slot of an open order if it belongs to the owner; else 0. */
  #ownOrder(orderId: number, owner: number): number {
    const slot = this.#orders.find(orderId);
    return slot !== 0 && this.#accounts.ownerNumber(this.#pool.owner(slot)) === owner ? slot : 0;
  }

  #shrink(market: MarketBook, side: Side, slot: number, quantity: number): Outcome {
    const pool = this.#pool;
    const lots = pool.quantity(slot) - quantity;
    this.matcher.release(market, side, slot, lots);
    pool.setQuantity(slot, quantity);
    market.book.reduce(slot, lots);
    this.#log.shrunk(slot, OPEN, this.#ledger.amounts);
    return OK;
  }

  #replace(
    market: MarketBook,
    side: Side,
    slot: number,
    command: AmendOrder,
    price: number,
    quantity: number,
  ): Outcome {
    const pool = this.#pool;
    const remaining = quantity - (pool.quantity(slot) - pool.remaining(slot));
    if (price < market.lowestPrice() || price > market.highestPrice()) return refused('PRICE_OUTSIDE_BAND');
    if (command.timeInForce !== 'GTC' && market.book.crosses(side, price)) return refused('WOULD_TAKE');
    const paying = pool.paying(slot);
    const units = market.terms.units[side]!;
    const oldHold = BigInt(side === BUYS ? pool.price(slot) : 1) * BigInt(pool.remaining(slot)) * units;
    const newHold = BigInt(side === BUYS ? price : 1) * BigInt(remaining) * units;
    if (this.#accounts.balances[paying]! + oldHold < newHold) return refused('INSUFFICIENT_FUNDS');

    const { taker } = this.matcher;
    taker.owner = pool.owner(slot);
    taker.orderId = command.orderId;
    taker.paying = paying;
    taker.feePpm = this.#accounts.takerPpm(taker.owner);
    this.matcher.release(market, side, slot, pool.remaining(slot));
    this.#log.released(slot, this.#ledger.amounts);
    this.#orders.remove(market, side, slot);
    this.matcher.start(quantity, remaining);
    const stop = this.matcher.run(market, side, price, command.selfTrade ?? 'CANCEL_NEWEST');
    if (stop === PRICE || stop === NO_ORDERS) this.#rest(market, side, price);
    else this.#end(market, side, price, endingOf(stop, CANCELLED_UNFILLED));
    return OK;
  }
}

/** What is wrong with a market order in itself or against the best price. Its minimum value is measured there. */
function marketProblem(market: MarketBook, order: PlaceOrder): RejectReason | undefined {
  if (order.price !== 0) return 'INVALID_PRICE';
  if (order.timeInForce === 'POST_ONLY') return 'WOULD_TAKE';
  if (order.quoteTotal !== 0n) {
    if (order.quantity !== 0 || order.quoteTotal < 0n || order.quoteTotal > MAXIMUM_AMOUNT) return 'INVALID_QUANTITY';
    return order.quoteTotal < market.spec.minimumNotional ? 'BELOW_MINIMUM_NOTIONAL' : undefined;
  }
  const problem = market.quantityProblem(order.quantity);
  if (problem !== undefined) return problem;
  const best = market.book.best(order.side === BUY ? SELL : BUY);
  return best === 0 ? 'NO_LIQUIDITY' : market.notionalProblem(best, order.quantity);
}

/** How an arriving order that does not rest ends; `beyondLimit` when prices beyond its limit were left. */
function endingOf(stop: Stop, beyondLimit: Ending): Ending {
  switch (stop) {
    case Stop.FILLED:
    case Stop.TOTAL_SPENT:
      return Ending.FILLED;
    case Stop.NO_ORDERS:
      return Ending.CANCELLED_UNFILLED;
    case Stop.PRICE:
      return beyondLimit;
    case Stop.SELF_TRADE:
      return Ending.CANCELLED_SELF_TRADE;
  }
}
