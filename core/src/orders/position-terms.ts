/**
 * Orders that open a position: above its maintenance, and perhaps with a term; and orders that would reduce one with a term. See
 * `margin/opened-account.ts` and `margin/term.ts`.
 */
import { isReducing, legOf, namedLeg } from '../events/event-record.ts';
import { hasOrders } from '../margin/holdings.ts';
import { termFrom } from '../margin/term.ts';
import type { Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import type { PlaceOrder } from './commands.ts';
import type { MarketBook } from './market-book.ts';
import type { Matcher, Stop } from './matcher.ts';
import { closeOnlyProblem, nothingTraded, reduces } from './order-terms.ts';

const NO_TOTAL = -1n;

/** Why an order can't have the term that it asks for, or would reduce a position that has one; what it trades at is not asked yet. */
export function termProblem(
  { perpetual }: MarketBook,
  order: PlaceOrder,
  owner: number,
  time: number,
): RejectReason | undefined {
  const leg = namedLeg(order.positionSide);
  if (order.term === undefined) return perpetual?.isBound(owner, order.side, leg, time) ? 'TERM_RUNNING' : undefined;
  const isImmediate = order.type === 'market' || order.timeInForce === 'IOC' || order.timeInForce === 'FOK';
  if (perpetual === undefined || reduces(order) || !isImmediate) return 'INVALID_TERM';
  const holding = perpetual.find(owner, leg);
  if (holding === undefined) return undefined;
  if (holding.position !== undefined) return 'POSITION_OPEN';
  return hasOrders(holding) ? 'ORDERS_OPEN' : undefined;
}

/** Why an open order may not become larger or move. @param number of its owner, whose index is `owner` */
export function moreProblem(
  market: MarketBook,
  number: number,
  owner: number,
  side: Side,
  terms: number,
  time: number,
): RejectReason | undefined {
  const isBound = () => market.perpetual?.isBound(owner, side, legOf(side, terms), time);
  return closeOnlyProblem(market, number, side, isReducing(terms)) ?? (isBound() ? 'TERM_RUNNING' : undefined);
}

/** Why a limit order that was just measured may not open what it would trade at once. */
export function surveyedProblem(
  matcher: Matcher,
  market: MarketBook,
  order: PlaceOrder,
  owner: number,
  rules: number,
): RejectReason | undefined {
  const { side, price, quantity, selfTrade, term } = order;
  if (term === undefined) return surveyedOpeningProblem(matcher, market, order, price, owner);
  const survey = matcher.survey(market, side, price, quantity, NO_TOTAL, owner, selfTrade);
  if (survey.lots === 0) return nothingTraded(survey, rules);
  const [value = 0n] = matcher.surveyedCost;
  return (
    market.perpetual?.termProblem(term, survey.lots, value) ??
    market.perpetual?.openingProblem(survey.lots, value, survey.worst)
  );
}

/** The same of any order without a term. @param limit ticks */
export function surveyedOpeningProblem(
  matcher: Matcher,
  market: MarketBook,
  { side, quantity, selfTrade }: Pick<PlaceOrder, 'side' | 'quantity' | 'selfTrade'>,
  limit: number,
  owner: number,
): RejectReason | undefined {
  const { perpetual } = market;
  if (perpetual?.mayOpenBelowMaintenance !== true) return undefined;
  const { lots, worst } = matcher.survey(market, side, limit, quantity, NO_TOTAL, owner, selfTrade);
  return perpetual.openingProblem(lots, matcher.surveyedCost[0]!, worst);
}

/** Trades the order that was accepted; what it opens has its term. */
export function runWithTerm(
  matcher: Matcher,
  market: MarketBook,
  { side, selfTrade, term }: PlaceOrder,
  limit: number,
  time: number,
): Stop {
  const { perpetual } = market;
  if (perpetual === undefined || term === undefined) return matcher.run(market, side, limit, selfTrade);
  perpetual.opening = termFrom(term, time);
  const stop = matcher.run(market, side, limit, selfTrade);
  perpetual.opening = undefined;
  return stop;
}
