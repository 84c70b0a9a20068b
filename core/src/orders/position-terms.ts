/** Orders that open a position with a term, and those that would reduce one that has it; see `margin/term.ts`. */
import { namedLeg } from '../events/event-record.ts';
import { hasOrders } from '../margin/holdings.ts';
import { termFrom } from '../margin/term.ts';
import type { RejectReason } from '../terms/outcome.ts';
import type { PlaceOrder } from './commands.ts';
import type { MarketBook } from './market-book.ts';
import type { Matcher, Stop } from './matcher.ts';
import { nothingTraded, reduces } from './order-terms.ts';

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

/** Why the term of a limit order that was just measured does not fit what it would trade at once. */
export function surveyedTermProblem(
  matcher: Matcher,
  market: MarketBook,
  { side, price, quantity, selfTrade, term }: PlaceOrder,
  owner: number,
  rules: number,
): RejectReason | undefined {
  const survey = matcher.survey(market, side, price, quantity, NO_TOTAL, owner, selfTrade);
  if (survey.lots === 0) return nothingTraded(survey, rules);
  return term && market.perpetual?.termProblem(term, survey.lots, matcher.surveyedCost[0]!);
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
