import type { EventLog } from '../events/event-log.ts';
import { Ending, isReducing, legOf, namedLeg, selfTradeOf, timeInForceOf } from '../events/event-record.ts';
import type { OrderLimits } from '../instruments/commands.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { Holding } from '../margin/holding.ts';
import { MAXIMUM_OPEN_ORDERS, type OrderPool } from '../matching/order-pool.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import { OK, type Outcome, type RejectReason, refused } from '../terms/outcome.ts';
import { CLOSES_IN_PARTS, NEWEST_RULES } from '../terms/rules.ts';
import { arrive, arriveAgain, type Placing } from './arrival.ts';
import { BulkCancels } from './bulk-cancels.ts';
import type { ClientOrderIds } from './client-order-ids.ts';
import type { AmendOrder, CancelOrder, PlaceOrder } from './commands.ts';
import { type ExitTerms, exitSideProblem } from './exits/exit-plan.ts';
import type { ExitPlans } from './exits/exit-plans.ts';
import { isVisible } from './iceberg.ts';
import type { MarketBook } from './market-book.ts';
import { Matcher, Stop } from './matcher.ts';
import type { OpenOrders } from './open-orders.ts';
import {
  endingOf,
  entryProblem,
  icebergProblem,
  liquidationOrder,
  marketProblem,
  nothingTraded,
  positionSideProblem,
  reduces,
  termsOf,
} from './order-terms.ts';
import { moreProblem, runWithTerm, surveyedOpeningProblem, surveyedProblem, termProblem } from './position-terms.ts';
import { pauseWhereStopped } from './volatility-pause.ts';

const NO_TOTAL = -1n;
/** Filled value, fee and credit of an order without a trade. */
const NO_FIGURES = new BigInt64Array(3);

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { NO_ORDERS, PRICE } = Stop;
const { OPEN, CANCELLED_BY_OWNER, CANCELLED_UNFILLED, CANCELLED_PRICE_BAND } = Ending;

/** What placing an entry needs of its exits. */
export interface AttachesExits {
  problem(market: MarketBook, order: PlaceOrder, exits: ExitTerms): RejectReason | undefined;
  attach(order: PlaceOrder, exits: ExitTerms): void;
}

/** Places, cancels and amends orders: every check first, then every change. */
export class OrderProcessor {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  readonly #orders: OpenOrders;
  readonly clientOrderIds: ClientOrderIds;
  readonly #exitPlans: ExitPlans;
  readonly #limits: () => OrderLimits;
  readonly matcher: Matcher;
  readonly cancels: BulkCancels;
  /** Set once, right after both exist: exits are orders themselves. */
  exits!: AttachesExits;
  /** Of the arriving order, as `Placing` has them. */
  #isAnySize = false;
  #spared: ReadonlySet<number> | undefined;
  #worst = 0;
  lastOrderId = 0;
  /** The version under which commands are applied. */
  rules: number = NEWEST_RULES;

  constructor(
    pool: OrderPool,
    accounts: AccountTable,
    log: EventLog,
    orders: OpenOrders,
    clientOrderIds: ClientOrderIds,
    exitPlans: ExitPlans,
    limits: () => OrderLimits,
  ) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#log = log;
    this.#orders = orders;
    this.clientOrderIds = clientOrderIds;
    this.#exitPlans = exitPlans;
    this.#limits = limits;
    this.matcher = new Matcher(pool, accounts, log, orders);
    this.cancels = new BulkCancels(pool, accounts, this.matcher);
  }

  /** An id that was refused is not used up: nothing has changed then. */
  isFreeId(orderId: number): boolean {
    return Number.isSafeInteger(orderId) && orderId > this.lastOrderId;
  }

  /** Places an order; `market` is undefined when the order names one that does not exist. */
  place(market: MarketBook | undefined, order: PlaceOrder): Outcome {
    if (!this.isFreeId(order.orderId)) return refused('DUPLICATE_ID');
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const { exits } = order;
    let problem = this.clientOrderIds.problem(order);
    if (exits !== undefined) problem ??= this.exits.problem(market, order, exits);
    if (problem !== undefined) return refused(problem);
    const { arriving } = this.matcher;
    arriving.isNew = true;
    arriving.createdAt = this.#log.time;
    const outcome = this.#arrive(market, order);
    if (!outcome.ok) return outcome;
    this.lastOrderId = order.orderId;
    if (exits !== undefined) this.exits.attach(order, exits);
    return outcome;
  }

  /** Places an order under an id that the core knows to be free, or to be its own. */
  placeAs(market: MarketBook, order: PlaceOrder, placing: Placing): Outcome {
    const { arriving } = this.matcher;
    arriving.isNew = placing.isNew;
    arriving.createdAt = placing.createdAt;
    this.#isAnySize = placing.isAnySize;
    this.#spared = placing.spared;
    this.#worst = placing.worst;
    const outcome = this.#arrive(market, order);
    this.#isAnySize = false;
    this.#spared = undefined;
    this.#worst = 0;
    return outcome;
  }

  /** Whether all of the order that was placed last is filled, given up to an order of its owner's, or rests. */
  isTakenWhole(orderId: number): boolean {
    return this.matcher.remaining === 0 || this.#orders.find(orderId) !== 0;
  }

  #isExcused(problem: RejectReason): boolean {
    return this.#isAnySize && (problem === 'BELOW_MINIMUM_SIZE' || problem === 'BELOW_MINIMUM_NOTIONAL');
  }

  #arrive(market: MarketBook, order: PlaceOrder): Outcome {
    const problem = entryProblem(market, order);
    if (problem !== undefined) return refused(problem);
    const owner = this.#accounts.owner(order.owner);
    if (
      market.perpetual !== undefined ||
      order.reduceOnly ||
      order.positionSide !== undefined ||
      order.term !== undefined
    )
      return this.#arriveAtPosition(market, order, owner);
    return order.type === 'limit' ? this.#placeLimit(market, order, owner) : this.#placeMarket(market, order, owner);
  }

  #arriveAtPosition(market: MarketBook, order: PlaceOrder, owner: number): Outcome {
    const isFirst = this.#worst === 0;
    const problem =
      positionSideProblem(market, order, owner) ??
      (isFirst ? termProblem(market, order, owner, this.#log.time) : undefined);
    if (problem !== undefined) return refused(problem);
    if (reduces(order)) return this.#placeReducing(market, { ...order, reduceOnly: true }, owner);
    return order.type === 'limit' ? this.#placeLimit(market, order, owner) : this.#placeMarket(market, order, owner);
  }

  /** No more than is open and not about to be closed already; however little that is, it may be closed. */
  #placeReducing(market: MarketBook, order: PlaceOrder, owner: number): Outcome {
    if (order.quoteTotal !== 0n) return refused('INVALID_QUANTITY');
    const leg = namedLeg(order.positionSide);
    if (this.#spared !== undefined && this.rules < CLOSES_IN_PARTS) {
      const lots = Math.min(order.quantity, market.perpetual?.openLotsOf(owner, order.side, leg) ?? 0);
      this.cancels.makeRoom(market, order.side, owner, leg, lots);
      this.#spared = undefined;
    }
    let closable = market.perpetual?.closable(owner, order.side, leg) ?? 0;
    // A stop comes before what its owner has resting to close the same.
    if (this.#spared !== undefined) closable += this.cancels.reducingLots(market, order.side, owner, leg, this.#spared);
    if (closable <= 0) return refused('NOTHING_TO_CLOSE');
    const smaller = { ...order, quantity: Math.min(order.quantity, closable) };
    this.#isAnySize = true;
    const place = order.type === 'limit' ? this.#placeLimit : this.#placeMarket;
    const outcome = place.call(this, market, smaller, owner);
    this.#isAnySize = false;
    return outcome;
  }

  /** Closes lots of a position at no worse than a price, by an order of its owner that the core makes. @returns how many, and their value */
  liquidate(
    market: MarketBook,
    side: Side,
    { owner, leg }: Pick<Holding, 'owner' | 'leg'>,
    lots: number,
    price: number,
  ): { readonly lots: number; readonly value: bigint } {
    this.lastOrderId += 1;
    const { arriving } = this.matcher;
    arriving.isNew = true;
    arriving.createdAt = this.#log.time;
    const number = this.#accounts.ownerNumber(owner);
    const placed = liquidationOrder(
      { orderId: this.lastOrderId, owner: number, market: market.spec.id, side, price },
      leg,
      lots,
    );
    this.#accept(market, placed, owner, market.settlement.payingAccount(owner, side), termsOf(placed));
    this.matcher.start(lots, lots);
    const stop = this.matcher.run(market, side, price, placed.selfTrade);
    this.#end(endingOf(stop, CANCELLED_UNFILLED));
    return { lots: this.matcher.traded, value: arriving.figures[0]! };
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
   * Amends an open order. Less quantity at the same price keeps its position in the queue; anything else leaves the queue
   * and comes back as a new arrival, which a post-only order may not trade as.
   */
  amend(markets: readonly MarketBook[], command: AmendOrder): Outcome {
    const pool = this.#pool;
    const slot = this.#ownOrder(command.orderId, command.owner);
    if (slot === 0) return refused('ORDER_NOT_FOUND');
    const bookSide = pool.bookSide(slot);
    const market = markets[bookSide >> 1]!;
    const side = (bookSide & 1) as Side;
    if (market.halted) return refused('MARKET_HALTED');
    if (market.isPaused) return refused('MARKET_PAUSED');
    const before = pool.quantity(slot);
    const price = command.price ?? pool.price(slot);
    const quantity = command.quantity ?? before;
    const samePrice = price === pool.price(slot);
    if (samePrice && quantity === before) return refused('NOTHING_TO_AMEND');
    const problem = market.limitProblem(price, quantity);
    if (problem !== undefined) return refused(problem);
    if (quantity <= before - this.#remaining(slot)) return refused('INVALID_QUANTITY');
    const exits = samePrice || this.#exitPlans.size === 0 ? undefined : this.#exitPlans.find(command.orderId);
    const beyond = exits && exitSideProblem(side, price, exits);
    if (beyond !== undefined) return refused(beyond);
    if (samePrice && quantity < before) return this.#shrink(market, side, slot, quantity);
    const unfit = moreProblem(market, command.owner, pool.owner(slot), side, pool.terms(slot), this.#log.time);
    if (unfit !== undefined) return refused(unfit);
    if (isReducing(pool.terms(slot)) && quantity - before > this.#closable(market, side, slot))
      return refused('NOTHING_TO_CLOSE');
    const visible = pool.visible(slot);
    if (visible > 0 && !isVisible(market, price, quantity, visible)) return refused('INVALID_VISIBLE_QUANTITY');
    return this.#replace(market, side, slot, command, price, quantity);
  }

  /** Of an order that is placed now; its first event follows. */
  giveClientOrderId({ orderId, owner }: { readonly orderId: number; readonly owner: number }, text: string): void {
    const one = { orderId, owner, clientOrderId: text };
    this.clientOrderIds.add(one);
    this.#log.object({ kind: 'client-order-id-given', ...one });
  }

  #placeLimit(market: MarketBook, order: PlaceOrder, owner: number): Outcome {
    const { side, price, quantity, timeInForce, visible } = order;
    const isPatient = timeInForce === 'GTC' || timeInForce === 'POST_ONLY';
    const rests = isPatient && market.mayRest(side, price, this.rules);
    let problem = market.limitProblem(price, quantity);
    if (problem !== undefined && this.#isExcused(problem)) problem = undefined;
    if (problem === undefined && visible !== undefined) problem = icebergProblem(market, order, visible);
    problem ??= this.#limitRefusal(market, order, owner, isPatient);
    if (problem !== undefined) return refused(problem);
    const { settlement } = market;
    const paying = settlement.payingAccount(owner, side);
    const terms = termsOf(order);
    settlement.measure(side, price, quantity, owner, terms);
    const shortage = settlement.problem(paying);
    if (shortage !== undefined) return refused(shortage);
    if (rests && !market.book.crosses(side, price)) {
      this.#placeAtRest(market, order, owner, paying, terms);
      return OK;
    }
    if (timeInForce === 'FOK') {
      const survey = this.matcher.survey(market, side, price, quantity, NO_TOTAL, owner, order.selfTrade);
      if (survey.stop !== Stop.FILLED || survey.decremented) return refused('NOT_FILLABLE');
    }
    const unfit = surveyedProblem(this.matcher, market, order, owner, this.rules);
    if (unfit !== undefined) return refused(unfit);

    this.#accept(market, order, owner, paying, terms);
    this.#makeRoom(market, order, owner, terms, quantity);
    this.matcher.start(quantity, quantity);
    const stop = runWithTerm(this.matcher, market, order, price, this.#log.time);
    if (rests && (stop === PRICE || stop === NO_ORDERS)) this.#rest(market, side, price);
    else this.#end(endingOf(stop, isPatient ? CANCELLED_PRICE_BAND : CANCELLED_UNFILLED));
    if (stop !== Stop.FILLED) pauseWhereStopped(this.#log, this.matcher, market, [side, price, stop]);
    return OK;
  }

  /** Puts an order that meets nothing into the book, with what was just measured held for it. */
  #placeAtRest(market: MarketBook, order: PlaceOrder, owner: number, paying: number, terms: number): void {
    const { orderId, side, price, quantity, visible = 0 } = order;
    const shown = visible === 0 ? quantity : visible;
    const { settlement } = market;
    if (order.clientOrderId) this.giveClientOrderId(order, order.clientOrderId);
    const isOther = this.#makeRoom(market, order, owner, terms, quantity);
    if (isOther) settlement.measure(side, price, quantity, owner, terms);
    this.#orders.lastPriority += 1;
    settlement.reserve(paying);
    const slot = this.#orders.add(
      market,
      side,
      orderId,
      owner,
      paying,
      price,
      quantity,
      shown,
      this.#orders.lastPriority,
      terms,
    );
    const { arriving } = this.matcher;
    this.#pool.setFigures(slot, arriving.createdAt, NO_FIGURES);
    if (visible > 0) this.#orders.hide(slot, visible, quantity - shown);
    this.#log.rested(slot, arriving.isNew, settlement.amounts);
  }

  /** Why a limit order can't be taken as the market stands now, funds apart. */
  #limitRefusal(market: MarketBook, order: PlaceOrder, owner: number, rests: boolean): RejectReason | undefined {
    const { side, price } = order;
    if (order.quoteTotal !== 0n) return 'INVALID_QUANTITY';
    if (order.worstPrice !== undefined) return 'INVALID_PRICE';
    if (price < market.lowestPrice() || price > market.highestPrice()) return 'PRICE_OUTSIDE_BAND';
    if (!rests) return undefined;
    if (order.timeInForce === 'POST_ONLY' && market.book.crosses(side, price)) return 'WOULD_TAKE';
    if (!market.book.crosses(side, price) && !market.mayRest(side, price, this.rules)) return 'PRICE_OUTSIDE_BAND';
    const ended = this.#givingWay(market, order, owner);
    const open = this.#accounts.openOrders(owner) - ended;
    const full = open >= this.#limits().maximumOpenOrdersPerOwner || this.#pool.count - ended >= MAXIMUM_OPEN_ORDERS;
    return full ? 'ACCOUNT_LIMIT' : undefined;
  }

  /** How many orders give way to a triggered one that only reduces. */
  #givingWay(market: MarketBook, { side, quantity, reduceOnly, positionSide }: PlaceOrder, owner: number): number {
    if (!reduceOnly || this.#spared === undefined) return 0;
    return this.cancels.givingWay(market, side, owner, namedLeg(positionSide), quantity, this.#spared).length;
  }

  /** For an order that is placed now. @returns whether something else was measured meanwhile */
  #makeRoom(market: MarketBook, { side, reduceOnly }: PlaceOrder, owner: number, terms: number, lots: number): boolean {
    if (market.perpetual === undefined || (reduceOnly && this.#spared === undefined)) return false;
    return this.cancels.makeRoom(market, side, owner, legOf(side, terms), lots, this.#spared);
  }

  #placeMarket(market: MarketBook, order: PlaceOrder, owner: number): Outcome {
    const { side } = order;
    const problem = order.visible === undefined ? marketProblem(market, order) : 'INVALID_VISIBLE_QUANTITY';
    if (problem !== undefined && !this.#isExcused(problem)) return refused(problem);
    const byTotal = order.quoteTotal > 0n;
    const total = byTotal ? order.quoteTotal : NO_TOTAL;
    const quantity = byTotal ? market.spec.maximumLots : order.quantity;
    const furthest = this.#worst === 0 ? market.worstPrice(side) : this.#worst;
    const { worstPrice = furthest } = order;
    const limit = side === BUY ? Math.min(furthest, worstPrice) : Math.max(furthest, worstPrice);
    const survey = this.matcher.survey(market, side, limit, quantity, total, owner, order.selfTrade);
    if (limit !== furthest && survey.stop === PRICE) return refused('PRICE_MOVED');
    if (survey.lots === 0) return refused(nothingTraded(survey, this.rules));
    if (byTotal && survey.stop === Stop.FILLED) return refused('ABOVE_MAXIMUM_SIZE');
    if (order.timeInForce === 'FOK') {
      const complete = survey.stop === (byTotal ? Stop.TOTAL_SPENT : Stop.FILLED);
      if (!complete || survey.decremented) return refused('NOT_FILLABLE');
    }
    const { settlement } = market;
    const paying = settlement.payingAccount(owner, side);
    const terms = termsOf(order);
    settlement.measureValue(side, this.matcher.surveyedCost[0]!, survey.lots, owner, terms);
    const shortage =
      settlement.problem(paying) ??
      (order.term && market.perpetual?.termProblem(order.term, survey.lots, this.matcher.surveyedCost[0]!)) ??
      market.perpetual?.openingProblem(survey.lots, this.matcher.surveyedCost[0]!, survey.worst);
    if (shortage !== undefined) return refused(shortage);

    this.#accept(market, order, owner, paying, terms);
    this.#makeRoom(market, order, owner, terms, survey.lots);
    this.matcher.start(quantity, quantity);
    if (byTotal) this.matcher.limitTotal(total);
    const stop = runWithTerm(this.matcher, market, order, limit, this.#log.time);
    if (byTotal) {
      // Its size in lots is only known now: what was traded is all of it.
      this.matcher.quantity = this.matcher.traded;
      this.matcher.remaining = 0;
    }
    this.#end(endingOf(stop, CANCELLED_PRICE_BAND));
    if (stop !== Stop.FILLED) pauseWhereStopped(this.#log, this.matcher, market, [side, limit, stop]);
    return OK;
  }

  #accept(market: MarketBook, order: PlaceOrder, owner: number, paying: number, terms: number): void {
    if (order.clientOrderId) this.giveClientOrderId(order, order.clientOrderId);
    arrive(this.matcher, this.#accounts, market, order, owner, paying, terms);
  }

  /** Puts what remains of the arriving order into the book and holds what it can cost. */
  #rest(market: MarketBook, side: Side, price: number): void {
    const { taker, arriving, quantity, remaining } = this.matcher;
    const { settlement } = market;
    const { visible } = arriving;
    const shown = visible === 0 ? remaining : Math.min(visible, remaining);
    settlement.measure(side, price, remaining, taker.owner, arriving.terms);
    settlement.reserve(taker.paying);
    this.#orders.lastPriority += 1;
    const slot = this.#orders.add(
      market,
      side,
      taker.orderId,
      taker.owner,
      taker.paying,
      price,
      quantity,
      shown,
      this.#orders.lastPriority,
      arriving.terms,
    );
    this.#pool.setFigures(slot, arriving.createdAt, arriving.figures);
    if (visible > 0) this.#orders.hide(slot, visible, remaining - shown);
    this.#log.rested(slot, arriving.isNew, settlement.amounts);
  }

  /** Logs how the arriving order ended without resting. */
  #end(ending: Ending): void {
    const { arriving, quantity, remaining } = this.matcher;
    this.#log.ended(arriving, quantity, remaining, ending);
  }

  /** The slot of an open order if it belongs to the owner; else 0. */
  #ownOrder(orderId: number, owner: number): number {
    const slot = this.#orders.find(orderId);
    return slot !== 0 && this.#accounts.ownerNumber(this.#pool.owner(slot)) === owner ? slot : 0;
  }

  /** Lots that an open order may have more and still only reduce. */
  #closable({ perpetual }: MarketBook, side: Side, slot: number): number {
    const pool = this.#pool;
    return perpetual?.closable(pool.owner(slot), side, legOf(side, pool.terms(slot))) ?? 0;
  }

  /** Lots that are not filled, hidden ones included. */
  #remaining(slot: number): number {
    return this.#pool.remaining(slot) + this.#pool.hidden(slot);
  }

  /** Hidden lots go first, so that those in the book keep their place. */
  #shrink(market: MarketBook, side: Side, slot: number, quantity: number): Outcome {
    const pool = this.#pool;
    const lots = pool.quantity(slot) - quantity;
    const [shown, hidden] = [pool.remaining(slot), pool.hidden(slot)];
    const fromHidden = Math.min(hidden, lots);
    this.matcher.release(market, side, slot, lots);
    pool.setQuantity(slot, quantity);
    if (fromHidden > 0) pool.setHidden(slot, hidden - fromHidden);
    if (lots > fromHidden) market.book.reduce(slot, lots - fromHidden);
    this.#log.shrunk(slot, OPEN, shown, hidden, market.settlement.amounts);
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
    const { settlement } = market;
    const remaining = quantity - (pool.quantity(slot) - this.#remaining(slot));
    if (price < market.lowestPrice() || price > market.highestPrice()) return refused('PRICE_OUTSIDE_BAND');
    const timeInForce = command.timeInForce ?? timeInForceOf(pool.terms(slot));
    const [crosses, rests] = [market.book.crosses(side, price), market.mayRest(side, price, this.rules)];
    if (timeInForce !== 'GTC' && crosses) return refused('WOULD_TAKE');
    if (!crosses && !rests) return refused('PRICE_OUTSIDE_BAND');
    const [paying, owner, terms] = [pool.paying(slot), pool.owner(slot), pool.terms(slot)];
    settlement.measure(side, pool.price(slot), this.#remaining(slot), owner, terms);
    const released = settlement.amounts[0]!;
    settlement.measure(side, price, remaining, owner, terms);
    settlement.amounts[0] = BigInt.asIntN(64, settlement.amounts[0]! - released);
    const selfTrade = command.selfTrade ?? selfTradeOf(terms);
    const shortage =
      settlement.problem(paying, { ticks: pool.price(slot), lots: this.#remaining(slot) }) ??
      surveyedOpeningProblem(this.matcher, market, { side, quantity: remaining, selfTrade }, price, owner);
    if (shortage !== undefined) return refused(shortage);

    arriveAgain(this.matcher, this.#pool, this.#accounts, slot, price);
    const filled = pool.filledValue(slot);
    this.matcher.release(market, side, slot, this.#remaining(slot));
    this.#log.released(slot, settlement.amounts);
    this.#orders.remove(market, side, slot);
    if (market.perpetual !== undefined && !isReducing(terms))
      this.cancels.makeRoom(market, side, owner, legOf(side, terms), remaining);
    this.matcher.start(quantity, remaining);
    const stop = this.matcher.run(market, side, price, selfTrade);
    if (rests && (stop === PRICE || stop === NO_ORDERS)) this.#rest(market, side, price);
    else this.#end(endingOf(stop, CANCELLED_PRICE_BAND));
    pauseWhereStopped(this.#log, this.matcher, market, [side, price, stop], filled);
    return OK;
  }
}
