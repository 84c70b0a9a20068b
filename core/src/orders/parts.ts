/**
 * An order of more lots than the market's largest order has: so many orders in one command, one after another, up to the first that
 * finds too little. Only orders that were right when they were taken and what closes a position are placed like this.
 */
import type { EventLog } from '../events/event-log.ts';
import { namedLeg } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { BUY } from '../terms/order-terms.ts';
import { OK, type Outcome, type RejectReason, refused } from '../terms/outcome.ts';
import { TRIGGERS_ANY_SIZE } from '../terms/rules.ts';
import type { Placing } from './arrival.ts';
import type { PlaceOrder } from './commands.ts';
import type { MarketBook } from './market-book.ts';
import { Stop } from './matcher.ts';
import type { OrderProcessor } from './order-processor.ts';
import { nothingTraded, termsOf } from './order-terms.ts';

/** Parts of one order, at most: none holds the exchange up. */
export const MAXIMUM_PARTS = 1_000;
/** A value up to which all that is measured of an order is within int64. */
const MAXIMUM_MEASURED = 2n ** 61n;
const NO_TOTAL = -1n;

/** How the first part is placed. */
export interface FirstPart extends Pick<Placing, 'createdAt' | 'isNew' | 'isAnySize'> {
  /** Whether what rests to close the same gives way to the parts, and not they to it. */
  readonly comesFirst: boolean;
  /** Whether the owner must be able to pay for all of it: a part of it alone is not what was asked for. */
  readonly isOneWish?: boolean;
}

export interface PlacedParts {
  /** Of the first one; nothing was placed where it was refused. */
  readonly outcome: Outcome;
  readonly lastOrderId: number;
  /** Why the part behind the last one was refused; undefined where none was. */
  readonly reason: RejectReason | undefined;
}

/** The parts that were placed so far. */
interface Progress {
  readonly first: FirstPart;
  readonly worst: number;
  readonly ids: Set<number>;
  lastOrderId: number;
}

export class OrderParts {
  readonly #processor: OrderProcessor;
  readonly #accounts: AccountTable;
  readonly #log: EventLog;

  constructor(processor: OrderProcessor, accounts: AccountTable, log: EventLog) {
    this.#processor = processor;
    this.#accounts = accounts;
    this.#log = log;
  }

  /** @param lots of all parts; those of the order count for nothing */
  place(market: MarketBook, order: PlaceOrder, lots: number, first: FirstPart): PlacedParts {
    const { maximumLots } = market.spec;
    const problem = lots > maximumLots ? this.#wholeProblem(market, order, lots, first) : undefined;
    if (problem !== undefined) return { outcome: refused(problem), lastOrderId: 0, reason: undefined };
    const progress = this.#start(market, order, first);
    for (let left = lots; ; left -= maximumLots) {
      const reason = this.#add(market, { ...order, quantity: Math.min(left, maximumLots) }, progress);
      if (reason !== undefined) return stopped(progress, reason);
      if (left <= maximumLots || !this.#goesOn(progress)) return stopped(progress, undefined);
    }
  }

  /** A buy at market by what it may spend: orders of the largest size as long as one costs no more than is left, then the rest. */
  placeTotal(market: MarketBook, order: PlaceOrder, first: FirstPart): PlacedParts {
    const { maximumLots } = market.spec;
    if (this.#isUnfillableTotal(market, order))
      return { outcome: refused('NOT_FILLABLE'), lastOrderId: 0, reason: undefined };
    const { matcher } = this.#processor;
    const progress = this.#start(market, order, first);
    for (let left = order.quoteTotal; ; ) {
      const isLarger = this.#surveyTotal(market, order, maximumLots, left, progress.worst).stop === Stop.FILLED;
      const size = isLarger ? { quantity: maximumLots, quoteTotal: 0n } : { quantity: 0, quoteTotal: left };
      const reason = this.#add(market, { ...order, ...size }, progress);
      if (reason !== undefined) return stopped(progress, reason);
      left -= matcher.arriving.figures[0]!;
      if (!isLarger || left <= 0n || !this.#goesOn(progress)) return stopped(progress, undefined);
    }
  }

  #start(market: MarketBook, { orderId, side }: PlaceOrder, first: FirstPart): Progress {
    // Trades of earlier parts move the band of a spot market: together they go no further than one order would.
    const worst = this.#processor.rules < TRIGGERS_ANY_SIZE ? 0 : market.worstPrice(side);
    return { first, worst, ids: new Set(), lastOrderId: orderId };
  }

  /** Places the next part. @returns why it was refused */
  #add(market: MarketBook, order: PlaceOrder, progress: Progress): RejectReason | undefined {
    const processor = this.#processor;
    const { first, worst, ids } = progress;
    const spared = first.comesFirst ? ids : undefined;
    if (ids.size === 0) {
      const outcome = processor.placeAs(market, order, { ...first, spared, worst: 0 });
      if (!outcome.ok) return outcome.reason;
      if (first.isNew) processor.lastOrderId = order.orderId;
      ids.add(order.orderId);
      return undefined;
    }
    const orderId = processor.lastOrderId + 1;
    const isAnySize = first.isAnySize || worst > 0;
    const facts = { createdAt: this.#log.time, isNew: true, isAnySize, spared, worst };
    const outcome = processor.placeAs(market, { ...order, orderId }, facts);
    if (!outcome.ok) return outcome.reason;
    processor.lastOrderId = orderId;
    progress.lastOrderId = orderId;
    ids.add(orderId);
    return undefined;
  }

  #goesOn({ ids, lastOrderId }: Progress): boolean {
    return ids.size < MAXIMUM_PARTS && this.#processor.isTakenWhole(lastOrderId);
  }

  /** Why not all lots can be had, where a part of them alone is not what was asked for. */
  #wholeProblem(
    market: MarketBook,
    order: PlaceOrder,
    lots: number,
    { isOneWish }: FirstPart,
  ): RejectReason | undefined {
    const isAllOrNothing = order.timeInForce === 'FOK';
    if (this.#processor.rules < TRIGGERS_ANY_SIZE || !(isAllOrNothing || isOneWish)) return undefined;
    const { side, selfTrade } = order;
    const owner = this.#accounts.owner(order.owner);
    const isBound = market.perpetual?.isBound(owner, side, namedLeg(order.positionSide), this.#log.time);
    // The first part is refused for that.
    if (market.halted || market.delisted || market.isPaused || isBound) return undefined;
    const limit = order.type === 'market' ? market.worstPrice(side) : order.price;
    const dearest = BigInt(Math.max(limit, market.markPrice, market.book.bestBid));
    if (lots > MAXIMUM_INT32 || dearest * BigInt(lots) * market.quoteUnits[0]! > MAXIMUM_MEASURED)
      return 'ABOVE_MAXIMUM_SIZE';
    const { matcher } = this.#processor;
    const survey = matcher.survey(market, side, limit, lots, NO_TOTAL, owner, selfTrade);
    if (isAllOrNothing && (survey.stop !== Stop.FILLED || survey.decremented)) return 'NOT_FILLABLE';
    if (survey.lots === 0) return nothingTraded(survey, this.#processor.rules);
    const { settlement } = market;
    settlement.measureValue(side, matcher.surveyedCost[0]!, survey.lots, owner, termsOf(order));
    return (
      settlement.problem(settlement.payingAccount(owner, side)) ??
      market.perpetual?.openingProblem(survey.lots, matcher.surveyedCost[0]!, survey.worst)
    );
  }

  /** Whether all or nothing is to be spent, and not all can be. */
  #isUnfillableTotal(market: MarketBook, order: PlaceOrder): boolean {
    if (order.timeInForce !== 'FOK' || market.halted || market.delisted) return false;
    const worst = market.worstPrice(BUY);
    const { stop, decremented } = this.#surveyTotal(market, order, Number.MAX_SAFE_INTEGER, order.quoteTotal, worst);
    return stop !== Stop.TOTAL_SPENT || decremented;
  }

  #surveyTotal(market: MarketBook, order: PlaceOrder, lots: number, total: bigint, worst: number) {
    const owner = this.#accounts.owner(order.owner);
    return this.#processor.matcher.survey(market, order.side, worst, lots, total, owner, order.selfTrade);
  }
}

/** @param reason why the part behind the last one was refused */
function stopped({ ids, lastOrderId }: Progress, reason: RejectReason | undefined): PlacedParts {
  const isRefused = ids.size === 0 && reason !== undefined;
  return { outcome: isRefused ? refused(reason) : OK, lastOrderId, reason };
}
