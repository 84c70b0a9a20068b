import type { EventLog } from '../../events/event-log.ts';
import { Ending, isReducing, legOf, positionTermsOf, termsCode } from '../../events/event-record.ts';
import { PAUSE_MS } from '../../instruments/market-state.ts';
import { InvariantError } from '../../invariant.ts';
import type { AccountTable } from '../../ledger/account-table.ts';
import type { EndedPosition } from '../../margin/margins.ts';
import { BUY, type PositionLeg, type Side } from '../../terms/order-terms.ts';
import { OK, type Outcome, type RejectReason, refused } from '../../terms/outcome.ts';
import { REDUCING_ENDS_WITH_POSITION } from '../../terms/rules.ts';
import type { CancelOrder } from '../commands.ts';
import type { ConditionalProcessor, MarketById } from '../conditional/conditional-processor.ts';
import type { MarketBook } from '../market-book.ts';
import { Stop } from '../matcher.ts';
import type { OrderProcessor } from '../order-processor.ts';
import { closeOnlyProblem, entryProblem, positionSideProblem, reduces } from '../order-terms.ts';
import { surveyedOpeningProblem } from '../position-terms.ts';
import type { Party } from '../settlement.ts';
import { pauseWhereStopped } from '../volatility-pause.ts';
import {
  dueSlice,
  type PlaceTwap,
  type RunTwaps,
  scheduleBehind,
  scheduleOf,
  sliceLots,
  type TwapOrder,
} from './twap.ts';
import type { Twaps } from './twaps.ts';

const {
  OPEN,
  FILLED,
  CANCELLED_BY_OWNER,
  CANCELLED_SELF_TRADE,
  CANCELLED_MARKET_CLEARED,
  CANCELLED_TIME_UP,
  CANCELLED_BY_OPERATOR,
} = Ending;
const { CANCELLED_LIQUIDATED, CANCELLED_NOTHING_TO_CLOSE } = Ending;

/** Takes and cancels TWAPs, and places their slices when a command says that it is time. */
export class TwapProcessor {
  readonly #marketById: MarketById;
  readonly #accounts: AccountTable;
  readonly #log: EventLog;
  readonly #twaps: Twaps;
  readonly #processor: OrderProcessor;
  readonly #conditionals: ConditionalProcessor;

  constructor(
    marketById: MarketById,
    accounts: AccountTable,
    log: EventLog,
    twaps: Twaps,
    processor: OrderProcessor,
    conditionals: ConditionalProcessor,
  ) {
    this.#marketById = marketById;
    this.#accounts = accounts;
    this.#log = log;
    this.#twaps = twaps;
    this.#processor = processor;
    this.#conditionals = conditionals;
  }

  /** Takes an order whose first slice is due at once, with the next `run-twaps`. */
  place(command: PlaceTwap): Outcome {
    const { orderId, owner, side, price, quantity, clientOrderId } = command;
    if (!this.#processor.isFreeId(orderId)) return refused('DUPLICATE_ID');
    const market = this.#marketById(command.market);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const problem = this.#processor.clientOrderIds.problem(command) ?? this.#problem(market, command);
    if (problem !== undefined) return refused(problem);
    const { settlement } = market;
    const payer = this.#accounts.owner(owner);
    const paying = settlement.payingAccount(payer, side);
    const codes = termsOf(command);
    settlement.measure(side, price, quantity, payer, codes);
    const shortage = settlement.problem(paying);
    if (shortage !== undefined) return refused(shortage);

    this.#processor.lastOrderId = orderId;
    if (clientOrderId) this.#processor.giveClientOrderId(command, clientOrderId);
    if (market.perpetual !== undefined && !isReducing(codes)) {
      this.#processor.cancels.makeRoom(market, side, payer, legOf(side, codes), quantity);
      settlement.measure(side, price, quantity, payer, codes);
    }
    const held = reserve(market, paying, codes);
    const { time } = this.#log;
    const terms = { orderId, owner, market: command.market, side, price, quantity, selfTrade: command.selfTrade };
    const figures = { remaining: quantity, priority: 0, filledValue: 0n, fee: 0n, credit: 0n, createdAt: time };
    const order: TwapOrder = {
      ...terms,
      ...figures,
      ...{ type: 'limit', timeInForce: 'GTC', visible: 0, hidden: quantity },
      ...positionTermsOf(side, codes),
      ...scheduleOf(time, command)!,
    };
    this.#twaps.put(order);
    this.#logSchedule(order);
    this.#logChange(market, order, { ...order, hidden: 0 }, OPEN, held, true);
    return OK;
  }

  /** Places the slices that are due. An order has at most one in a command, however many it has missed. */
  run({ maximum }: RunTwaps): Outcome {
    // No pause moves a slice further than that.
    for (const order of this.#twaps.ahead(this.#log.time + PAUSE_MS)) this.#bringBack(order);
    for (const { orderId } of this.#twaps.due(this.#log.time, maximum)) {
      const order = this.#twaps.find(orderId)!;
      this.#runSlice(this.#marketById(order.market)!, order);
    }
    return OK;
  }

  cancel({ orderId, owner }: CancelOrder): Outcome {
    const order = this.#twaps.find(orderId);
    if (order?.owner !== owner) return refused('ORDER_NOT_FOUND');
    this.#end(order, CANCELLED_BY_OWNER);
    return OK;
  }

  /** Cancels an owner's TWAPs, oldest first, in one market or in all, of one side or of both. */
  cancelAll(owner: number, market: number | undefined, side: Side | undefined): void {
    for (const order of this.#twaps.of(owner, market))
      if (side === undefined || order.side === side) this.#end(order, CANCELLED_BY_OWNER);
  }

  /** Cancels those of an owner that do more than reduce a position, oldest first, by the exchange. */
  stop(owner: number): void {
    for (const order of this.#twaps.of(owner)) if (!order.reduceOnly) this.#end(order, CANCELLED_BY_OPERATOR);
  }

  /** Ends those of an owner whose position is liquidated or who owes, oldest first. */
  liquidate(owner: number, isOf: (market: MarketBook, leg: PositionLeg) => boolean): void {
    for (const order of this.#twaps.of(owner)) {
      const market = this.#marketById(order.market)!;
      if (isOf(market, legOf(order.side, termsOf(order)))) this.#end(order, CANCELLED_LIQUIDATED);
    }
  }

  /** Cancels the oldest of a market, at most so many. */
  clear(market: number, maximum: number): void {
    const all = this.#twaps.all().filter((order) => order.market === market);
    for (const order of all.slice(0, maximum)) this.#end(order, CANCELLED_MARKET_CLEARED);
  }

  /** Those of an owner's leg that may open something, oldest first. */
  openingOf(owner: number, market: MarketBook, leg: PositionLeg): TwapOrder[] {
    return this.#twaps.of(owner, market.spec.id).filter((order) => {
      const codes = termsOf(order);
      return !isReducing(codes) && legOf(order.side, codes) === leg;
    });
  }

  /** Says that so much more is held for an order, which goes on as it was; below zero less. */
  reserved(market: MarketBook, order: TwapOrder, held: bigint): void {
    this.#logChange(market, order, order, OPEN, held, false);
  }

  restore(order: TwapOrder): void {
    const { orderId, market: id, remaining, quantity, hidden } = order;
    const market = this.#marketById(id);
    const isKnown = market !== undefined && this.#twaps.find(orderId) === undefined;
    if (!isKnown || remaining <= 0 || remaining > quantity || hidden !== remaining) {
      throw new InvariantError('a restored TWAP is open', { orderId, market: id, remaining, quantity });
    }
    this.#twaps.put(order);
    const codes = termsOf(order);
    if (market.perpetual === undefined || isReducing(codes)) return;
    market.settlement.measure(order.side, order.price, remaining, this.#accounts.owner(order.owner), codes);
    market.settlement.restored();
  }

  /** Everything but the funds. */
  #problem(market: MarketBook, command: PlaceTwap): RejectReason | undefined {
    const { owner, price, quantity } = command;
    const problem =
      entryProblem(market, command) ?? this.#positionProblem(market, command) ?? market.limitProblem(price, quantity);
    if (problem !== undefined) return problem;
    if (price < market.lowestPrice() || price > market.highestPrice()) return 'PRICE_OUTSIDE_BAND';
    const schedule = scheduleOf(this.#log.time, command);
    if (schedule === undefined) return 'INVALID_SCHEDULE';
    const isSmall = market.limitProblem(price, Math.floor(quantity / schedule.slices)) !== undefined;
    if (isSmall) return 'SLICE_BELOW_MINIMUM';
    return this.#conditionals.isFull(owner, command.market) ? 'UNTRIGGERED_LIMIT' : undefined;
  }

  /** Of one that only reduces: there must be something to close, of which others may close a part until a slice is due. */
  #positionProblem(market: MarketBook, command: PlaceTwap): RejectReason | undefined {
    const { perpetual } = market;
    const owner = this.#accounts.owner(command.owner);
    const problem = positionSideProblem(market, command, owner);
    if (problem !== undefined) return problem;
    const leg = legOf(command.side, termsOf(command));
    if (perpetual?.isBound(owner, command.side, leg, this.#log.time)) return 'TERM_RUNNING';
    if (!reduces(command)) return undefined;
    return (perpetual?.openLotsOf(owner, command.side, leg) ?? 0) > 0 ? undefined : 'NOTHING_TO_CLOSE';
  }

  /** After a clock that was ahead: the schedule goes on an interval from now. */
  #bringBack(order: TwapOrder): void {
    const nextAt = this.#log.time + order.intervalMs;
    const after = { ...order, nextAt, endsAt: order.endsAt + nextAt - order.nextAt };
    this.#twaps.put(after);
    this.#logSchedule(after);
    this.#logChange(this.#marketById(order.market)!, after, order, OPEN, 0n, false);
  }

  /** Ends reduce-only orders of positions that are closed or have turned around. */
  followPositions(ended: readonly EndedPosition[], marketOf: (index: number) => number): void {
    if (this.#processor.rules < REDUCING_ENDS_WITH_POSITION) return;
    for (const { holding, side } of ended) {
      for (const order of this.#twaps.of(this.#accounts.ownerNumber(holding.owner), marketOf(holding.market))) {
        if (order.side !== side || !isOfPosition(order) || legOf(side, termsOf(order)) !== holding.leg) continue;
        this.#logSchedule(order);
        this.#end(order, CANCELLED_NOTHING_TO_CLOSE);
      }
    }
  }

  /** In a halted market, in one that is about to end, and while a term keeps the position from being reduced, a slice gets nothing, and what it would have been is left to the later ones. */
  #runSlice(market: MarketBook, order: TwapOrder): void {
    const { time } = this.#log;
    if (market.isPaused && market.pause !== undefined) {
      this.#postpone(market, order, market.pause.until);
      return;
    }
    const { left, schedule } = dueSlice(order, time, this.#processor.rules);
    const lots = sliceLots(market.spec, order.price, order.remaining, left);
    const next: TwapOrder = { ...order, ...schedule };
    const isOver = isOfPosition(order) && this.#openLots(market, order) === 0;
    const isCloseOnly = closeOnlyProblem(market, order.owner, order.side, isOfPosition(order)) !== undefined;
    const { after, held, stop } =
      market.halted || isOver || isCloseOnly || this.#isBound(market, order)
        ? { after: next, held: 0n, stop: Stop.NO_ORDERS }
        : this.#trade(market, next, lots);
    this.#logSchedule(after);
    if (isOver) {
      this.#finish(market, after, order, CANCELLED_NOTHING_TO_CLOSE, 0n);
    } else if (after.remaining === 0) {
      this.#finish(market, after, order, stop === Stop.FILLED ? FILLED : CANCELLED_SELF_TRADE, held);
    } else if (time >= after.endsAt) {
      this.#finish(market, after, order, CANCELLED_TIME_UP, held - this.#release(market, after));
    } else {
      this.#twaps.put(after);
      this.#logChange(market, after, order, OPEN, held, false);
    }
  }

  /** A slice that is due while the market pauses, and all behind it, come after the pause. */
  #postpone(market: MarketBook, order: TwapOrder, until: number): void {
    const after = { ...order, ...scheduleBehind(order, until) };
    this.#logSchedule(after);
    this.#twaps.put(after);
    this.#logChange(market, after, order, OPEN, 0n, false);
  }

  #openLots({ perpetual }: MarketBook, { owner, side, ...order }: TwapOrder): number {
    const leg = legOf(side, termsOf({ ...order, side }));
    return perpetual?.openLotsOf(this.#accounts.owner(owner), side, leg) ?? 0;
  }

  #isBound({ perpetual }: MarketBook, { owner, side, ...order }: TwapOrder): boolean {
    const leg = legOf(side, termsOf({ ...order, side }));
    return perpetual?.isBound(this.#accounts.owner(owner), side, leg, this.#log.time) ?? false;
  }

  /** Trades lots of an order at its limit, or at the band's end where that is nearer. What is not traded is held again. */
  #trade(market: MarketBook, order: TwapOrder, wanted: number) {
    const { matcher } = this.#processor;
    const { taker, arriving } = matcher;
    const { settlement } = market;
    const { side, price } = order;
    taker.owner = this.#accounts.owner(order.owner);
    taker.orderId = order.orderId;
    taker.paying = settlement.payingAccount(taker.owner, side);
    taker.feePpm = this.#accounts.takerPpm(taker.owner);
    this.#arrive(market, order);
    taker.terms = arriving.terms;
    const lots = closableOf(market, taker, side, wanted);
    if (lots === 0) return { after: order, held: 0n, stop: Stop.NO_ORDERS };
    settlement.measure(side, price, lots, taker.owner, taker.terms);
    const released = release(market, taker.paying, taker.terms);
    const worst = market.worstPrice(side);
    const limit = side === BUY ? Math.min(price, worst) : Math.max(price, worst);
    if (market.perpetual !== undefined && this.#sliceProblem(market, { ...order, quantity: lots }, limit)) {
      reserve(market, taker.paying, taker.terms);
      return { after: order, held: 0n, stop: Stop.NO_ORDERS };
    }
    matcher.start(order.quantity, lots);
    const stop = matcher.run(market, side, limit, order.selfTrade);
    if (stop !== Stop.FILLED) pauseWhereStopped(this.#log, matcher, market, [side, limit, stop], order.filledValue);
    settlement.measure(side, price, matcher.remaining, taker.owner, taker.terms);
    const held = reserve(market, taker.paying, taker.terms) - released;
    const remaining = order.remaining - (lots - matcher.remaining);
    const [filledValue = 0n, fee = 0n, credit = 0n] = arriving.figures;
    const { quantity } = matcher;
    return { after: { ...order, quantity, remaining, hidden: remaining, filledValue, fee, credit }, held, stop };
  }

  /** Why a slice that was just measured gets nothing. */
  #sliceProblem(market: MarketBook, slice: TwapOrder, limit: number): RejectReason | undefined {
    const { matcher } = this.#processor;
    const { owner, paying } = matcher.taker;
    return market.settlement.problem(paying) ?? surveyedOpeningProblem(matcher, market, slice, limit, owner);
  }

  /** Makes an order the arriving one, with its age, terms and figures. */
  #arrive(market: MarketBook, order: TwapOrder): void {
    const { arriving } = this.#processor.matcher;
    arriving.orderId = order.orderId;
    arriving.ownerNumber = order.owner;
    arriving.bookSide = (market.index << 1) | order.side;
    arriving.price = order.price;
    arriving.terms = termsOf(order);
    arriving.createdAt = order.createdAt;
    arriving.quoteTotal = 0n;
    arriving.visible = 0;
    arriving.figures[0] = order.filledValue;
    arriving.figures[1] = order.fee;
    arriving.figures[2] = order.credit;
  }

  /** Releases what remains of an order. @returns how much that is */
  #release(market: MarketBook, order: TwapOrder): bigint {
    const { side, price, remaining } = order;
    const owner = this.#accounts.owner(order.owner);
    const codes = termsOf(order);
    market.settlement.measure(side, price, remaining, owner, codes);
    return release(market, market.settlement.payingAccount(owner, side), codes);
  }

  /** Ends an order that is not traded in this command. */
  #end(order: TwapOrder, ending: Ending): void {
    const market = this.#marketById(order.market)!;
    this.#finish(market, order, order, ending, -this.#release(market, order));
  }

  #finish(market: MarketBook, order: TwapOrder, before: TwapOrder, ending: Ending, held: bigint): void {
    this.#twaps.remove(order.orderId);
    this.#logChange(market, order, before, ending, held, false);
  }

  #logSchedule({ orderId, intervalMs, slices, done, nextAt, endsAt }: TwapOrder): void {
    this.#log.object({ kind: 'twap-changed', orderId, intervalMs, slices, done, nextAt, endsAt });
  }

  #logChange(
    market: MarketBook,
    order: TwapOrder,
    before: TwapOrder,
    ending: Ending,
    held: bigint,
    isNew: boolean,
  ): void {
    this.#arrive(market, order);
    const { arriving } = this.#processor.matcher;
    arriving.isNew = isNew;
    this.#log.scheduled(arriving, order.quantity, order.remaining, ending, held, before.hidden);
  }
}

/** A TWAP's terms as codes of event records: those of a limit order that waits. */
function termsOf(order: Pick<PlaceTwap, 'side' | 'selfTrade' | 'reduceOnly' | 'positionSide'>): number {
  return termsCode('limit', 'GTC', order.selfTrade, reduces(order), order.positionSide !== undefined);
}

/** Whether it ends with a position. */
const isOfPosition = (order: TwapOrder): boolean => isReducing(termsOf(order));

/** One that only reduces holds nothing, and keeps no other from closing: its slices take what is left. @returns what is held */
function reserve({ settlement }: MarketBook, paying: number, codes: number): bigint {
  if (isReducing(codes)) return 0n;
  settlement.reserve(paying);
  return settlement.amounts[0]!;
}

/** Of what was measured last. @returns how much that is */
function release({ settlement }: MarketBook, paying: number, codes: number): bigint {
  if (isReducing(codes)) return 0n;
  settlement.release(paying);
  return settlement.amounts[0]!;
}

/** Lots that a slice of a party may have: of one that only reduces, no more than is open and that no order closes yet. */
function closableOf({ perpetual }: MarketBook, { owner, terms }: Party, side: Side, lots: number): number {
  if (perpetual === undefined || !isReducing(terms)) return lots;
  return Math.max(0, Math.min(lots, perpetual.closable(owner, side, legOf(side, terms))));
}
