/**
 * Conditional orders: placed when a price triggers them. An untriggered order holds what it can cost, is found by its
 * owner like any other, and keeps its id when it is placed.
 */

import type { MarketSpec } from '../../money/market.ts';
import { baseUnits, notional } from '../../money/notional.ts';
import {
  BUY,
  type OrderType,
  type PositionSide,
  SELL,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
} from '../../terms/order-terms.ts';

/**
 * The price that is watched: the market's last trade, its mark price, or the index of a perpetual, which no trade in this market
 * moves. The order of these is their number in the tables and in hashes.
 */
export const TRIGGER_SOURCES = ['last', 'mark', 'index'] as const;
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

/** One of the prices that trigger an order, and what it places there. */
export interface Leg {
  /** Ticks. A sell's stop and a buy's take-profit trigger at or below it; a sell's take-profit and a buy's stop at or above. */
  readonly trigger: number;
  /** Ticks of the limit order that is placed; 0 for a market order. */
  readonly price: number;
}

/** A stop that follows the best price by a callback and places a market order when the price comes back that far. */
export interface Trailing {
  /** Parts per million of the best price, or 0. */
  readonly callbackPpm: number;
  /** Ticks, or 0. One of the two callbacks is above zero. */
  readonly callbackTicks: number;
  /** Ticks: following begins when the price gets there (a sell: at or above it); 0 begins at once. */
  readonly activation: number;
}

export interface ConditionalTerms {
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly source: TriggerSource;
  /** Of a limit order that is placed; a market order fills or kills with FOK and takes what it gets otherwise. */
  readonly timeInForce: TimeInForce;
  /** Lots; 0 on a buy of a spot market that can only be placed at market, and for all that is open of a position. */
  readonly quantity: number;
  /** Quote units that a buy at market may spend; 0n when it has no such leg. */
  readonly quoteTotal: bigint;
  readonly selfTrade: SelfTradeMode;
  /** With both legs, the one that is triggered ends the other. */
  readonly takeProfit: Leg | undefined;
  readonly stop: Leg | undefined;
  /** An order that trails has no legs. */
  readonly trailing: Trailing | undefined;
  /**
   * Of a perpetual: it closes what is open of the other direction and opens nothing. Without a quantity it closes all that is open
   * when it is triggered, needs something to close when it is placed, and ends with the position.
   */
  readonly reduceOnly?: boolean | undefined;
  /** As in `PlaceOrder`. */
  readonly positionSide?: PositionSide | undefined;
}

export interface PlaceConditionalOrder extends ConditionalTerms {
  readonly kind: 'place-conditional-order';
  /** As in `PlaceOrder`. */
  readonly orderId: number;
  /** As in `PlaceOrder`; the order keeps it when it is triggered. */
  readonly clientOrderId?: string | undefined;
}

/** What changes of a leg; what is absent keeps the value that the leg has when the command is applied. */
export interface LegChange {
  /** Ticks. */
  readonly trigger?: number | undefined;
  /** Ticks. */
  readonly price?: number | undefined;
}

/** New prices of an untriggered order. A leg stays what it is, limit or market, and none comes or goes. */
export interface AmendConditionalOrder {
  readonly kind: 'amend-conditional-order';
  readonly orderId: number;
  readonly owner: number;
  readonly takeProfit: LegChange | undefined;
  readonly stop: LegChange | undefined;
}

/** The price that triggers everything on `mark`: it comes from outside, because no trade here makes it. */
export interface SetMarkPrice {
  readonly kind: 'set-mark-price';
  readonly market: number;
  /** Ticks. */
  readonly price: number;
  /**
   * Whether a halted market triggers nothing: what was triggered there could not be placed and ended with that. Without it the command
   * triggers all the same, as those of older journals did, and replay must end the same orders.
   */
  readonly waitsWhileHalted?: boolean | undefined;
}

export interface UntriggeredOrder extends ConditionalTerms {
  readonly orderId: number;
  /** Ms. */
  readonly createdAt: number;
  /** Best price in ticks since trailing began: a sell's highest, a buy's lowest; 0 before and for other orders. */
  readonly best: number;
  /** Of an exit order, the entry whose fills it exits; absent for an order that was placed for itself. */
  readonly entryId?: number | undefined;
}

/** What of an order was triggered. */
export type TriggeredLeg = 'take-profit' | 'stop' | 'trailing';

export const MINIMUM_CALLBACK_PPM = 100;
export const MAXIMUM_CALLBACK_PPM = 500_000;
const MILLION = 1_000_000;

/**
 * Where a trailing order triggers: best × (1 − callback) rounded down for a sell, best × (1 + callback) rounded up for a
 * buy, so always at least one tick from the best price. Safe integers: prices stay below 2^31 and rates below 2^20.
 */
export function trailingTrigger(side: Side, best: number, trailing: Trailing): number {
  const { callbackPpm, callbackTicks } = trailing;
  if (callbackTicks > 0) return side === SELL ? best - callbackTicks : best + callbackTicks;
  return side === SELL
    ? Math.floor((best * (MILLION - callbackPpm)) / MILLION)
    : Math.ceil((best * (MILLION + callbackPpm)) / MILLION);
}

/**
 * What an untriggered order holds: the lots of a sell in base units, the dearest leg of a buy in quote units. In a perpetual nothing:
 * margin is asked for when it is triggered.
 */
export function untriggeredHold(market: MarketSpec, order: ConditionalTerms): bigint {
  if (market.perpetual !== undefined) return 0n;
  if (order.side === SELL) return baseUnits(market, order.quantity);
  let most = order.trailing === undefined ? 0n : order.quoteTotal;
  for (const leg of [order.takeProfit, order.stop]) {
    if (leg === undefined) continue;
    const cost = leg.price === 0 ? order.quoteTotal : notional(market, leg.price, order.quantity);
    if (cost > most) most = cost;
  }
  return most;
}

/** Whether an order of a spot market, or one of its legs, buys at market and so is sized by what it may spend. */
export function buysAtMarket({ side, takeProfit, stop, trailing }: ConditionalTerms): boolean {
  return side === BUY && (trailing !== undefined || takeProfit?.price === 0 || stop?.price === 0);
}

/** The order that is placed when a leg is triggered: price in ticks, lots, and quote units. */
export function placedTerms({ perpetual, maximumLots }: MarketSpec, order: ConditionalTerms, leg: TriggeredLeg) {
  const terms = leg === 'take-profit' ? order.takeProfit : leg === 'stop' ? order.stop : undefined;
  const price = terms?.price ?? 0;
  const byTotal = perpetual === undefined && price === 0 && order.side === BUY;
  const type: OrderType = price === 0 ? 'market' : 'limit';
  const marketTime: TimeInForce = order.timeInForce === 'FOK' ? 'FOK' : 'IOC';
  return {
    type,
    timeInForce: type === 'limit' ? order.timeInForce : marketTime,
    price,
    quantity: byTotal ? 0 : order.quantity || maximumLots,
    quoteTotal: byTotal ? order.quoteTotal : 0n,
    ...(order.reduceOnly && { reduceOnly: true }),
    ...(order.positionSide && { positionSide: order.positionSide }),
  };
}
