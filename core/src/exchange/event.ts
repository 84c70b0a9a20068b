/** What happened, in the order in which it happened. Events are facts: nothing downstream recomputes them. */
import type { ConditionalEvent } from '../conditional/event.ts';
import type { LedgerEvent } from '../ledger/event.ts';
import type { OrderType, Side, TimeInForce } from './command.ts';

export interface OrderAccepted {
  readonly kind: 'order-accepted';
  readonly time: number;
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: number;
  readonly quantity: number;
  readonly quoteTotal: bigint;
}

/** One side of a trade. The fee is in the asset that this side receives: base for the buyer, quote for the seller. */
export interface TradeSide {
  readonly orderId: number;
  readonly owner: number;
  /** Units of the received asset, already reduced by the credit. */
  readonly fee: bigint;
  /** Quote units of fee credit that were used first. */
  readonly credit: bigint;
}

export interface TradeExecuted {
  readonly kind: 'trade';
  readonly time: number;
  readonly tradeId: number;
  readonly market: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerSide: Side;
  readonly maker: TradeSide;
  readonly taker: TradeSide;
}

export type OrderStatus = 'open' | 'filled' | 'cancelled';

export type CancelReason =
  | 'NONE'
  | 'BY_OWNER'
  | 'UNFILLED_REMAINDER'
  | 'SELF_TRADE'
  | 'PRICE_BAND'
  | 'INSUFFICIENT_FUNDS';

/**
 * The order as it stands after a change: rested, partly filled, amended or ended. At most the last one of a command
 * counts for an order; `priority` orders the queue (ascending) and is what recovery sorts by.
 */
export interface OrderChanged {
  readonly kind: 'order-changed';
  readonly time: number;
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  /** Total lots, filled included. */
  readonly quantity: number;
  readonly remaining: number;
  readonly priority: number;
  readonly status: OrderStatus;
  readonly reason: CancelReason;
}

export interface MarketHalted {
  readonly kind: 'market-halted';
  readonly market: number;
  readonly halted: boolean;
}

export interface FeesSet {
  readonly kind: 'fees-set';
  readonly owner: number;
  readonly makerPpm: number;
  readonly takerPpm: number;
}

export interface ReferencePriceSet {
  readonly kind: 'reference-price-set';
  readonly market: number;
  readonly price: number;
}

export type ExchangeEvent =
  | OrderAccepted
  | TradeExecuted
  | OrderChanged
  | MarketHalted
  | FeesSet
  | ReferencePriceSet
  | ConditionalEvent
  | LedgerEvent;
