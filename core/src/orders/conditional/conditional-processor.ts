import type { EventLog } from '../../events/event-log.ts';
import { namedLeg } from '../../events/event-record.ts';
import type { OrderLimits } from '../../instruments/commands.ts';
import { InvariantError } from '../../invariant.ts';
import type { AccountTable } from '../../ledger/account-table.ts';
import type { Holding } from '../../margin/holding.ts';
import { closableLots } from '../../margin/holdings.ts';
import type { EndedPosition } from '../../margin/margins.ts';
import { BUY, SELL, type Side } from '../../terms/order-terms.ts';
import { OK, type Outcome, type RejectReason, refused } from '../../terms/outcome.ts';
import {
  CLOSES_IN_PARTS,
  REDUCING_ENDS_WITH_POSITION,
  TRIGGERS_ANY_SIZE,
  UNTRIGGERED_NEED_FUNDS,
} from '../../terms/rules.ts';
import type { CancelOrder, PlaceOrder } from '../commands.ts';
import type { ExitSize } from '../exits/exit-plan.ts';
import type { ExitPlans } from '../exits/exit-plans.ts';
import type { MarketBook } from '../market-book.ts';
import type { OrderProcessor } from '../order-processor.ts';
import { accessProblem, closeOnlyProblem, positionSideProblem, reduces } from '../order-terms.ts';
import type { OrderParts } from '../parts.ts';
import type { Twaps } from '../twap/twaps.ts';
import {
  type AmendConditionalOrder,
  type ConditionalTerms,
  type Leg,
  type LegChange,
  type PlaceConditionalOrder,
  placedTerms,
  type SetMarkPrice,
  type TriggerSource,
  type UntriggeredOrder,
  untriggeredHold,
} from './conditional-order.ts';
import type { UntriggeredEnd } from './event.ts';
import { LastWatch } from './last-watch.ts';
import { dearestPrice, termsProblem, watchedPrice } from './terms.ts';
import { type Triggered, TriggerWatch, type WatchListener } from './trigger-watch.ts';
import { describeUntriggered, isWatched, type Untriggered } from './untriggered.ts';
import { byAge, UntriggeredOrders } from './untriggered-orders.ts';

/** A market by its id; undefined for one that does not exist. */
export type MarketById = (id: number) => MarketBook | undefined;

/** Where a market has the watch of a price. */
const WATCHES = { last: 'lastWatch', mark: 'markWatch', index: 'indexWatch' } as const satisfies Readonly<
  Record<TriggerSource, keyof MarketBook>
>;

/**
 * Takes, amends and cancels conditional orders, and places those that are triggered. A price only queues what it
 * triggers; the queue is placed in order once the command that moved the price is done, and what that trades may append
 * to the queue. A placed order is never untriggered again, so this ends.
 */
export class ConditionalProcessor {
  readonly #marketById: MarketById;
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  readonly #processor: OrderProcessor;
  readonly #parts: OrderParts;
  readonly #limits: () => OrderLimits;
  readonly #twaps: Twaps;
  readonly #plans: ExitPlans;
  readonly orders = new UntriggeredOrders();
  /** In the order in which the price reached them. */
  #triggered: Triggered[] = [];

  constructor(
    marketById: MarketById,
    accounts: AccountTable,
    log: EventLog,
    processor: OrderProcessor,
    parts: OrderParts,
    limits: () => OrderLimits,
    twaps: Twaps,
    plans: ExitPlans,
  ) {
    this.#marketById = marketById;
    this.#accounts = accounts;
    this.#log = log;
    this.#processor = processor;
    this.#parts = parts;
    this.#limits = limits;
    this.#twaps = twaps;
    this.#plans = plans;
  }

  /** The version under which commands are applied. */
  get rules(): number {
    return this.#processor.rules;
  }

  /** Whether orders were triggered that `processTriggered` must place before the next command. */
  get isPending(): boolean {
    return this.#triggered.length > 0;
  }

  place(command: PlaceConditionalOrder): Outcome {
    const { orderId, owner } = command;
    const market = this.#marketById(command.market);
    if (!this.#processor.isFreeId(orderId)) return refused('DUPLICATE_ID');
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const taken = this.#processor.clientOrderIds.problem(command);
    const problem = taken ?? accessProblem(market, owner) ?? this.#problem(market, command);
    if (problem !== undefined) return refused(problem);
    if (this.isFull(owner, command.market)) return refused('UNTRIGGERED_LIMIT');
    const best = bestAtFirst(command, watchedPrice(market, command));
    const { kind: _kind, clientOrderId, ...terms } = command;
    const facts = { ...terms, reduceOnly: reduces(command), createdAt: this.#log.time };
    const order: Untriggered = { ...facts, best, group: undefined, triggers: [] };
    const paying = this.#payingAccount(market, order);
    const hold = untriggeredHold(market.spec, order);
    if (this.#accounts.balances[paying]! < hold || !this.#isAffordable(market, order))
      return refused('INSUFFICIENT_FUNDS');

    this.#processor.lastOrderId = orderId;
    if (clientOrderId) this.#processor.giveClientOrderId(command, clientOrderId);
    this.orders.add(order);
    this.#watchOf(market, order.source).add(order);
    this.#hold(market, paying, hold);
    this.#log.object({ kind: 'order-untriggered', order: describeUntriggered(order), held: hold });
    return OK;
  }

  /**
   * Whether an owner or a market has as many untriggered orders as they may have. TWAPs count as such, and entries that may bring one.
   * @param byEntry whether it is an entry that asks: older rules counted entries for other entries alone
   */
  isFull(owner: number, market: number, byEntry = false): boolean {
    const { maximumUntriggeredOrdersPerOwner, maximumUntriggeredOrdersPerMarket } = this.#limits();
    const plans = byEntry || this.#processor.rules >= TRIGGERS_ANY_SIZE ? this.#plans : undefined;
    const twaps = this.#twaps;
    const own = this.orders.inMarketOf(owner, market).size + twaps.countOf(owner, market);
    const all = this.orders.countIn(market) + twaps.countIn(market);
    return (
      own + (plans?.countOf(owner, market) ?? 0) >= maximumUntriggeredOrdersPerOwner ||
      all + (plans?.countIn(market) ?? 0) >= maximumUntriggeredOrdersPerMarket
    );
  }

  /** Everything but the limits of the account and its funds. */
  #problem(market: MarketBook, command: ConditionalTerms): RejectReason | undefined {
    const mismatch =
      closeOnlyProblem(market, command.owner, command.side, reduces(command)) ??
      positionSideProblem(market, command, this.#accounts.findOwner(command.owner));
    if (mismatch !== undefined) return mismatch;
    const reduceOnly = reduces(command);
    const problem = termsProblem(market, { ...command, reduceOnly });
    if (problem !== undefined) return problem;
    return reduceOnly && !this.#mayReduce(market, command) ? 'NOTHING_TO_CLOSE' : undefined;
  }

  /** What is to close all of a position needs one; what is to close some of it may come before it, but not before its entry. */
  #mayReduce({ perpetual, spec }: MarketBook, { owner, side, quantity, positionSide }: ConditionalTerms): boolean {
    if (perpetual === undefined) return false;
    const holding = perpetual.find(this.#accounts.findOwner(owner), namedLeg(positionSide));
    if (holding !== undefined && closableLots(holding, side) > 0) return true;
    if (quantity === 0) return false;
    if (this.rules < UNTRIGGERED_NEED_FUNDS) return true;
    const entrySide = side === BUY ? SELL : BUY;
    if (holding !== undefined && holding.orderLots(entrySide) > 0) return true;
    for (const entry of this.orders.inMarketOf(owner, spec.id))
      if (!entry.reduceOnly && entry.side === entrySide && entry.positionSide === positionSide) return true;
    return false;
  }

  /**
   * Whether the owner of an order of a perpetual could pay for it now, as far as it opens something: it holds nothing, and is asked
   * again when it is triggered. Orders are asked one by one, since which of them will be triggered is not known.
   */
  #isAffordable(market: MarketBook, order: Untriggered): boolean {
    const { perpetual } = market;
    if (perpetual === undefined || order.reduceOnly || this.rules < UNTRIGGERED_NEED_FUNDS) return true;
    const leg = namedLeg(order.positionSide);
    const price = dearestPrice(order, watchedPrice(market, order));
    return perpetual.couldPay(this.#accounts.findOwner(order.owner), leg, price, order.quantity);
  }

  /**
   * Ends reduce-only orders of positions that are closed or have turned around. An order that is triggered already finds nothing.
   * @param changed as often as they were; each is looked at once, for a command may trade thousands of times for one owner
   */
  followPositions(
    changed: Iterable<Holding>,
    ended: readonly EndedPosition[],
    marketOf: (index: number) => number,
  ): void {
    const known = this.rules >= REDUCING_ENDS_WITH_POSITION ? ended : [];
    const endedOf = Map.groupBy(known, ({ holding }) => holding);
    for (const holding of new Set(changed)) {
      const own = this.orders.inMarketOf(this.#accounts.ownerNumber(holding.owner), marketOf(holding.market));
      if (own.size === 0) continue;
      const orphaned = [...own].filter((order) => isEndedWith(holding, order, endedOf.get(holding)));
      for (const order of orphaned.sort(byAge)) this.#cancel(order, 'NOTHING_TO_CLOSE');
    }
  }

  amend(command: AmendConditionalOrder): Outcome {
    const order = this.#ownOrder(command.orderId, command.owner);
    if (order === undefined) return refused('ORDER_NOT_FOUND');
    const market = this.#marketById(order.market)!;
    if (market.halted) return refused('MARKET_HALTED');
    if (market.isPaused) return refused('MARKET_PAUSED');
    const takeProfit = changedLeg(order.takeProfit, command.takeProfit);
    const stop = changedLeg(order.stop, command.stop);
    if (!isSameKind(order.takeProfit, takeProfit) || !isSameKind(order.stop, stop)) return refused('INVALID_TRIGGER');
    if (isSameLeg(order.takeProfit, takeProfit) && isSameLeg(order.stop, stop)) return refused('NOTHING_TO_AMEND');
    const amended: Untriggered = { ...order, takeProfit, stop };
    // Its quantity was right when it was taken, and is not what changes.
    const problem = termsProblem(market, amended, this.rules >= TRIGGERS_ANY_SIZE);
    if (problem !== undefined) return refused(problem);
    const paying = this.#payingAccount(market, order);
    const [before, after] = [untriggeredHold(market.spec, order), untriggeredHold(market.spec, amended)];
    if (this.#accounts.balances[paying]! + before < after) return refused('INSUFFICIENT_FUNDS');
    // What costs no more than it did is not asked again.
    const isDearer = dearestPrice(amended, 0) > dearestPrice(order, 0);
    if (isDearer && !this.#isAffordable(market, amended)) return refused('INSUFFICIENT_FUNDS');

    const watch = this.#watchOf(market, order.source);
    watch.remove(order);
    order.takeProfit = takeProfit;
    order.stop = stop;
    watch.add(order);
    this.#release(market, paying, before);
    this.#hold(market, paying, after);
    this.#log.object({ kind: 'order-untriggered', order: describeUntriggered(order), held: after - before });
    return OK;
  }

  cancel({ orderId, owner }: CancelOrder): Outcome {
    const order = this.#ownOrder(orderId, owner);
    if (order === undefined) return refused('ORDER_NOT_FOUND');
    this.#cancel(order, 'BY_OWNER');
    return OK;
  }

  /** Cancels an owner's untriggered orders, oldest first, in one market or in all, of one side or of both. */
  cancelAll(owner: number, market: number | undefined, side: Side | undefined): void {
    for (const order of this.orders.of(owner, market))
      if (side === undefined || order.side === side) this.#cancel(order, 'BY_OWNER');
  }

  /** Cancels those of an owner that do more than reduce a position, oldest first, by the exchange. */
  stop(owner: number): void {
    for (const order of this.orders.of(owner)) if (!order.reduceOnly) this.#cancel(order, 'BY_OPERATOR');
  }

  /** Cancels the oldest of a market, at most so many. */
  clear(market: number, maximum: number): void {
    for (const order of this.orders.in(market).slice(0, maximum)) this.#cancel(order, 'MARKET_CLEARED');
  }

  setMarkPrice({ market: id, price, waitsWhileHalted }: SetMarkPrice): Outcome {
    const market = this.#marketById(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.perpetual !== undefined) return refused('INVALID_MARKET');
    if (!Number.isInteger(price) || price < 1 || price > market.maximumTicks) return refused('INVALID_PRICE');
    market.markPrice = price;
    this.#log.object({ kind: 'mark-price-set', market: id, price });
    if (!(waitsWhileHalted && market.halted) && !market.isPaused) market.markWatch?.observe(price, price);
    return OK;
  }

  /** Looks at the prices of a market whose pause is over: what they have passed has waited. */
  resume(market: MarketBook): void {
    if (market.halted) return;
    market.lastWatch?.restart();
    const { markPrice } = market;
    if (markPrice > 0) market.markWatch?.observe(markPrice, markPrice);
  }

  /** Places what was triggered, in order, and what that triggers; `after` is called with where the events of each begin. */
  processTriggered(after: (from: number) => void): void {
    // The queue grows while it is processed.
    for (let index = 0; index < this.#triggered.length; index += 1) {
      const from = this.#log.batch.end;
      this.#placeTriggered(this.#triggered[index]!);
      after(from);
    }
    this.#triggered = [];
  }

  /** The id of an exit order that is placed next. Exit orders are the only ones that a command does not number. */
  nextExitId(): number {
    this.#processor.lastOrderId += 1;
    return this.#processor.lastOrderId;
  }

  /**
   * Adds an exit order whose funds are available. A price that has passed its trigger already triggers it: the fill of
   * its entry may be one of many that a large order swept.
   */
  placeExit(market: MarketBook, orderId: number, terms: ConditionalTerms & { readonly entryId: number }): void {
    const facts = { ...terms, orderId, createdAt: this.#log.time };
    const order: Untriggered = { ...facts, best: 0, group: undefined, triggers: [] };
    const hold = untriggeredHold(market.spec, order);
    const watch = this.#watchOf(market, order.source);
    this.orders.add(order);
    watch.add(order);
    this.#hold(market, this.#payingAccount(market, order), hold);
    this.#log.object({ kind: 'order-untriggered', order: describeUntriggered(order), held: hold });
    const price = watchedPrice(market, order);
    if (price > 0 && !market.isPaused) watch.observe(price, price);
  }

  /** Makes an exit order larger; one that would become smaller anywhere stays as it is. */
  growExit(market: MarketBook, order: Untriggered, { quantity, quoteTotal }: ExitSize): void {
    if (quantity < order.quantity || quoteTotal < order.quoteTotal) return;
    if (quantity === order.quantity && quoteTotal === order.quoteTotal) return;
    const before = untriggeredHold(market.spec, order);
    order.quantity = quantity;
    order.quoteTotal = quoteTotal;
    const held = untriggeredHold(market.spec, order) - before;
    this.#hold(market, this.#payingAccount(market, order), held);
    this.#log.object({ kind: 'order-untriggered', order: describeUntriggered(order), held });
  }

  restore(terms: UntriggeredOrder): void {
    const market = this.#marketById(terms.market);
    if (market === undefined || this.orders.find(terms.orderId) !== undefined) {
      throw new InvariantError('a restored order is untriggered', { orderId: terms.orderId, market: terms.market });
    }
    const order: Untriggered = { ...terms, group: undefined, triggers: [] };
    this.orders.add(order);
    this.#watchOf(market, order.source).add(order);
  }

  #ownOrder(orderId: number, owner: number): Untriggered | undefined {
    const order = this.orders.find(orderId);
    return order?.owner === owner ? order : undefined;
  }

  #cancel(order: Untriggered, reason: UntriggeredEnd): void {
    const market = this.#marketById(order.market)!;
    this.#watchOf(market, order.source).remove(order);
    this.#dropIdleWatch(market, order.source);
    this.orders.remove(order);
    const hold = untriggeredHold(market.spec, order);
    this.#release(market, this.#payingAccount(market, order), hold);
    this.#log.object({ kind: 'untriggered-ended', order: describeUntriggered(order), reason, held: -hold });
  }

  /** The hold is released first, so that the order finds its funds. In a market that has paused since, it waits again. */
  #placeTriggered({ order, leg, price }: Triggered): void {
    const market = this.#marketById(order.market)!;
    if (market.isPaused) {
      this.#watchOf(market, order.source).add(order);
      return;
    }
    this.#dropIdleWatch(market, order.source);
    this.orders.remove(order);
    const facts = describeUntriggered(order);
    const hold = untriggeredHold(market.spec, order);
    this.#release(market, this.#payingAccount(market, order), hold);
    this.#log.object({ kind: 'order-triggered', order: facts, leg, price, held: -hold });
    const { orderId, owner, side, selfTrade } = order;
    const placed = { kind: 'place-order' as const, orderId, owner, market: order.market, side, selfTrade };
    const outcome = this.#placeParts(market, { ...placed, ...placedTerms(market.spec, order, leg) }, order);
    if (outcome.ok) return;
    const reason: RejectReason = outcome.reason;
    this.#log.object({ kind: 'untriggered-ended', order: facts, reason, held: 0n });
  }

  /** Places a triggered order, as so many as the market's largest needs. */
  #placeParts(market: MarketBook, placed: PlaceOrder, { createdAt, entryId, quantity }: Untriggered): Outcome {
    const isAnySize = this.rules >= TRIGGERS_ANY_SIZE;
    const first = { createdAt, isNew: false, isAnySize: isAnySize || entryId !== undefined, comesFirst: true };
    if (isAnySize && placed.quoteTotal > 0n) return this.#parts.placeTotal(market, placed, first).outcome;
    const lots = this.#lotsOf(market, placed, quantity);
    if (lots !== undefined) return this.#parts.place(market, placed, lots, first).outcome;
    return this.#processor.placeAs(market, placed, { ...first, spared: new Set(), worst: 0 });
  }

  /**
   * How many lots a triggered order is about. One that only reduces closes no more than is open, and all of it where it has no quantity.
   * Undefined for one that is placed as it is.
   */
  #lotsOf({ perpetual }: MarketBook, placed: PlaceOrder, quantity: number): number | undefined {
    if (perpetual === undefined || !reduces(placed))
      return this.rules < TRIGGERS_ANY_SIZE ? undefined : placed.quantity;
    if (this.rules < CLOSES_IN_PARTS) return undefined;
    const owner = this.#accounts.findOwner(placed.owner);
    const open = perpetual.openLotsOf(owner, placed.side, namedLeg(placed.positionSide));
    return quantity === 0 ? open : Math.min(quantity, open);
  }

  #payingAccount(market: MarketBook, order: Untriggered): number {
    return market.settlement.payingAccount(this.#accounts.owner(order.owner), order.side);
  }

  #hold({ settlement }: MarketBook, paying: number, amount: bigint): void {
    if (amount === 0n) return;
    settlement.amounts[0] = amount;
    settlement.reserve(paying);
  }

  #release({ settlement }: MarketBook, paying: number, amount: bigint): void {
    if (amount === 0n) return;
    settlement.amounts[0] = amount;
    settlement.release(paying);
  }

  /** The watch of a market and source, new if need be. */
  #watchOf(market: MarketBook, source: TriggerSource): TriggerWatch | LastWatch {
    if (source === 'last') {
      market.lastWatch ??= new LastWatch(this.#newWatch(market, source), market, this.#log);
      return market.lastWatch;
    }
    const name = WATCHES[source];
    market[name] ??= this.#newWatch(market, source);
    return market[name];
  }

  /** A market without conditional orders pays nothing for them. */
  #dropIdleWatch(market: MarketBook, source: TriggerSource): void {
    const name = WATCHES[source];
    if (market[name]?.size !== 0) return;
    if (source === 'last') market.lastWatch?.forget();
    market[name] = undefined;
  }

  #newWatch(market: MarketBook, source: TriggerSource): TriggerWatch {
    const listener: WatchListener = {
      onTriggered: (triggered) => this.#triggered.push(triggered),
      onActivated: (order) => this.#log.object({ kind: 'trailing-activated', order: describeUntriggered(order) }),
      onMoved: (side, from, best) =>
        this.#log.object({ kind: 'trailing-moved', market: market.spec.id, side, source: from, best }),
    };
    return new TriggerWatch(source, listener);
  }
}

/** Where trailing begins at once: at the price of now, unless the order has an activation price that is not reached. */
function bestAtFirst({ side, trailing }: PlaceConditionalOrder, price: number): number {
  if (trailing === undefined) return 0;
  const { activation } = trailing;
  const isActive = activation === 0 || isPast(side, price, activation);
  return isActive ? price : 0;
}

/**
 * Whether an order was to reduce what a holding had, of which nothing is left. One that is triggered waits to be placed, and finds that
 * out then. An order of some lots may be placed before its position, so it ends only with a position that it could have reduced.
 */
function isEndedWith(holding: Holding, order: Untriggered, ended: readonly EndedPosition[] = []): boolean {
  if (order.reduceOnly !== true || namedLeg(order.positionSide) !== holding.leg) return false;
  if (closableLots(holding, order.side) > 0 || !isWatched(order)) return false;
  if (order.quantity === 0 || order.entryId !== undefined) return true;
  return ended.some(({ side }) => side === order.side);
}

function isPast(side: Side, price: number, activation: number): boolean {
  return (side === SELL && price >= activation) || (side === BUY && price <= activation);
}

/** A change of a leg that the order does not have makes one, which the check of kinds then refuses. */
function changedLeg(before: Leg | undefined, change: LegChange | undefined): Leg | undefined {
  if (change === undefined || (change.trigger === undefined && change.price === undefined)) return before;
  return { trigger: change.trigger ?? before?.trigger ?? 0, price: change.price ?? before?.price ?? 0 };
}

function isSameKind(before: Leg | undefined, after: Leg | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (before.price === 0) === (after.price === 0);
}

function isSameLeg(before: Leg | undefined, after: Leg | undefined): boolean {
  return before?.trigger === after?.trigger && before?.price === after?.price;
}
