/** What may be wrong with the terms of a conditional order: in themselves, and beside the price that it watches. */

import { MAXIMUM_AMOUNT } from '../../money/amount.ts';
import { SELL } from '../../terms/order-terms.ts';
import type { RejectReason } from '../../terms/outcome.ts';
import type { MarketBook } from '../market-book.ts';
import {
  buysAtMarket,
  type ConditionalTerms,
  type Leg,
  MAXIMUM_CALLBACK_PPM,
  MINIMUM_CALLBACK_PPM,
} from './conditional-order.ts';

type Problem = RejectReason | undefined;

/** The price that an order watches, in ticks; 0 while there is none, and for the index of a spot market. */
export function watchedPrice(market: MarketBook, { source }: Pick<ConditionalTerms, 'source'>): number {
  switch (source) {
    case 'last':
      return market.lastPrice;
    case 'mark':
      return market.markPrice;
    case 'index':
      return market.perpetual?.state.index ?? 0;
  }
}

/**
 * The highest price at which an order of a perpetual may be placed, in ticks. A leg trades about where it is triggered, or rests at
 * its limit. @param watched the price that is watched now, for what trails: where it will be triggered is not known yet
 */
export function dearestPrice({ takeProfit, stop }: Pick<ConditionalTerms, 'takeProfit' | 'stop'>, watched: number) {
  if (takeProfit === undefined && stop === undefined) return watched;
  return Math.max(...[takeProfit, stop].map((leg) => Math.max(leg?.trigger ?? 0, leg?.price ?? 0)));
}

/** Everything but the limits of the account and its funds. @param isAnyQuantity whether the quantity is not asked again */
export function termsProblem(market: MarketBook, order: ConditionalTerms, isAnyQuantity = false): Problem {
  const { takeProfit, stop, trailing } = order;
  const legs = [takeProfit, stop].filter((leg) => leg !== undefined);
  if ((trailing === undefined) === (legs.length === 0)) return 'INVALID_TRIGGER';
  const price = watchedPrice(market, order);
  if (price === 0) return 'NO_PRICE';
  const shape = trailing === undefined ? legsProblem(market, legs) : trailingProblem(market, order);
  const size = market.perpetual === undefined ? sizeProblem : perpetualSizeProblem;
  return shape ?? size(market, order, legs, price, isAnyQuantity) ?? sideProblem(order, price);
}

function legsProblem(market: MarketBook, legs: readonly Leg[]): Problem {
  for (const { trigger, price } of legs) {
    if (!isWithin(trigger, 1, market.maximumTicks)) return 'INVALID_TRIGGER';
    if (!isWithin(price, 0, market.maximumTicks)) return 'INVALID_PRICE';
  }
  return undefined;
}

function trailingProblem(market: MarketBook, { trailing }: ConditionalTerms): Problem {
  const { callbackPpm, callbackTicks, activation } = trailing!;
  const byRate = callbackTicks === 0 && isWithin(callbackPpm, MINIMUM_CALLBACK_PPM, MAXIMUM_CALLBACK_PPM);
  const byDistance = callbackPpm === 0 && isWithin(callbackTicks, 1, market.maximumTicks);
  const activates = isWithin(activation, 0, market.maximumTicks);
  return (byRate || byDistance) && activates ? undefined : 'INVALID_TRIGGER';
}

/** Lots for what sells or has a limit, a total for what buys at market, and neither where it says nothing. */
function sizeProblem(
  market: MarketBook,
  order: ConditionalTerms,
  legs: readonly Leg[],
  price: number,
  isAnyQuantity: boolean,
): Problem {
  const { quantity, quoteTotal } = order;
  if (buysAtMarket(order)) {
    if (quoteTotal <= 0n || quoteTotal > MAXIMUM_AMOUNT) return 'INVALID_QUANTITY';
    if (quoteTotal < market.spec.minimumNotional) return 'BELOW_MINIMUM_NOTIONAL';
  } else if (quoteTotal !== 0n) {
    return 'INVALID_QUANTITY';
  }
  const limits = legs.filter((leg) => leg.price > 0);
  if (order.side !== SELL && limits.length === 0) return quantity === 0 ? undefined : 'INVALID_QUANTITY';
  const problem = isAnyQuantity ? undefined : market.quantityProblem(quantity);
  if (problem !== undefined) return problem;
  if (order.trailing !== undefined) return market.notionalProblem(price, quantity);
  const worths = order.side === SELL ? legs.map((leg) => leg.price || leg.trigger) : limits.map((leg) => leg.price);
  return worths.map((worth) => market.notionalProblem(worth, quantity)).find((found) => found !== undefined);
}

/** Lots; what only reduces may be as small as what is open, and none are all of it. */
function perpetualSizeProblem(
  market: MarketBook,
  order: ConditionalTerms,
  legs: readonly Leg[],
  price: number,
  isAnyQuantity: boolean,
): Problem {
  const { quantity, quoteTotal, reduceOnly } = order;
  if (quoteTotal !== 0n) return 'INVALID_QUANTITY';
  if (isAnyQuantity && reduceOnly) return undefined;
  if (reduceOnly) return isWithin(quantity, 0, market.spec.maximumLots) ? undefined : 'INVALID_QUANTITY';
  const worths = order.trailing === undefined ? legs.map((leg) => leg.price || leg.trigger) : [price];
  const problems = worths.map((worth) => market.notionalProblem(worth, quantity));
  return (
    (isAnyQuantity ? undefined : market.quantityProblem(quantity)) ?? problems.find((found) => found !== undefined)
  );
}

/** A trigger that the price has reached already would trigger at once: a mistake, so it is refused. */
function sideProblem({ side, takeProfit, stop }: ConditionalTerms, price: number): Problem {
  const [below, above] = side === SELL ? [stop, takeProfit] : [takeProfit, stop];
  if (below !== undefined && below.trigger >= price) return 'WOULD_TRIGGER';
  if (above !== undefined && above.trigger <= price) return 'WOULD_TRIGGER';
  return undefined;
}

function isWithin(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}
