/** What an order says, read: its codes, what is wrong with it in itself, and how it ends. */
import { Ending, positionSideOf, termsCode } from '../events/event-record.ts';
import { isClient, isHouse } from '../ledger/account.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import { BUY, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { OWN_ORDERS_ARE_NAMED } from '../terms/rules.ts';
import type { PlaceOrder } from './commands.ts';
import { isVisible } from './iceberg.ts';
import type { MarketBook } from './market-book.ts';
import { Stop, type Survey } from './matcher.ts';

/** An order's terms as codes of event records. */
export function termsOf(order: PlaceOrder): number {
  const { type, timeInForce, selfTrade, positionSide } = order;
  return termsCode(type, timeInForce, selfTrade, reduces(order), positionSide !== undefined);
}

/** Whether an order opens nothing: because it says so, or because in hedge mode it is of the other side than its position. */
export function reduces({ side, reduceOnly, positionSide }: Pick<PlaceOrder, 'side' | 'reduceOnly' | 'positionSide'>) {
  return positionSide === undefined ? reduceOnly === true : (side === BUY) === (positionSide === 'short');
}

/** Why nothing of an owner's may be placed in a market. */
export function accessProblem(market: MarketBook, owner: number): RejectReason | undefined {
  if (market.delisted) return 'MARKET_DELISTED';
  if (market.halted) return 'MARKET_HALTED';
  if (market.isPaused) return 'MARKET_PAUSED';
  return isClient(owner) ? undefined : 'ACCOUNT_LIMIT';
}

/**
 * Why an order may not be placed in a market that is about to end. The market maker goes on quoting, so that clients can close.
 * @param isReducing of an order of a perpetual
 */
export function closeOnlyProblem(
  market: MarketBook,
  owner: number,
  side: Side,
  isReducing: boolean,
): RejectReason | undefined {
  if (!market.isCloseOnly || isHouse(owner)) return undefined;
  const isLeaving = market.perpetual === undefined ? side === SELL : isReducing;
  return isLeaving ? undefined : 'MARKET_CLOSE_ONLY';
}

/** Why nothing of an owner's may be placed in a market, or not this order. */
export const entryProblem = (
  market: MarketBook,
  order: Pick<PlaceOrder, 'owner' | 'side' | 'reduceOnly' | 'positionSide'>,
): RejectReason | undefined =>
  accessProblem(market, order.owner) ?? closeOnlyProblem(market, order.owner, order.side, reduces(order));

/** Why an order does not fit an owner's position mode in a market, or its leg. */
export function positionSideProblem(
  { perpetual }: MarketBook,
  order: Pick<PlaceOrder, 'side' | 'reduceOnly' | 'positionSide'>,
  owner: number,
): RejectReason | undefined {
  const isHedged = perpetual?.isHedged(owner) ?? false;
  if (isHedged !== (order.positionSide !== undefined)) return 'POSITION_SIDE_MISMATCH';
  return order.reduceOnly && !reduces(order) ? 'NOTHING_TO_CLOSE' : undefined;
}

/** An order that the core makes for an owner whose position is liquidated. */
export function liquidationOrder(
  facts: Pick<PlaceOrder, 'orderId' | 'owner' | 'market' | 'side' | 'price'>,
  leg: PositionLeg,
  quantity: number,
): PlaceOrder {
  const terms = { type: 'limit', timeInForce: 'IOC', selfTrade: 'CANCEL_OLDEST', reduceOnly: true } as const;
  return { kind: 'place-order', ...facts, ...terms, positionSide: positionSideOf(leg), quantity, quoteTotal: 0n };
}

/** An iceberg rests, with a part that is an order in itself. */
export function icebergProblem(market: MarketBook, order: PlaceOrder, visible: number): RejectReason | undefined {
  const rests = order.timeInForce === 'GTC' || order.timeInForce === 'POST_ONLY';
  return rests && isVisible(market, order.price, order.quantity, visible) ? undefined : 'INVALID_VISIBLE_QUANTITY';
}

/** What is wrong with a market order in itself or against the best price. Its minimum value is measured there. */
export function marketProblem(market: MarketBook, order: PlaceOrder): RejectReason | undefined {
  if (order.price !== 0 || hasBadBound(market, order)) return 'INVALID_PRICE';
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

function hasBadBound({ maximumTicks }: MarketBook, { worstPrice }: PlaceOrder): boolean {
  if (worstPrice === undefined) return false;
  return !Number.isInteger(worstPrice) || worstPrice < 1 || worstPrice > maximumTicks;
}

/** Why an order that must trade at once would trade nothing. */
export function nothingTraded({ stop, metOwn, decremented }: Survey, rules: number): RejectReason {
  const isTotalTooSmall = stop === Stop.TOTAL_SPENT && !decremented;
  if (rules >= OWN_ORDERS_ARE_NAMED && metOwn && !isTotalTooSmall) return 'ONLY_OWN_ORDERS';
  return stop === Stop.TOTAL_SPENT ? 'BELOW_MINIMUM_SIZE' : 'NO_LIQUIDITY';
}

/** How an arriving order that does not rest ends; `beyondLimit` when prices beyond its limit were left. */
export function endingOf(stop: Stop, beyondLimit: Ending): Ending {
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
