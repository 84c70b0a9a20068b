/**
 * Everything that can change the exchange. A command is immutable and carries all that the core may not know by
 * itself: ids, and (beside it, in `apply`) the time.
 */
import type { AmendConditionalOrder, PlaceConditionalOrder, SetMarkPrice } from '../conditional/conditional-order.ts';
import type { FundsCommand } from '../ledger/funds.ts';
import type { OrderType, SelfTradeMode, Side, TimeInForce } from './order-terms.ts';

export * from './order-terms.ts';

export interface PlaceOrder {
  readonly kind: 'place-order';
  /** Must be above every order id seen before; a repeated id is refused before anything trades. */
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Ticks; 0 on a market order. */
  readonly price: number;
  /** Lots; 0 on a market order by quote total. */
  readonly quantity: number;
  /** Quote units to spend (buy) or to raise (sell), before fees; 0n unless a market order by quote total. */
  readonly quoteTotal: bigint;
  readonly selfTrade: SelfTradeMode;
}

/** Cancels an open or a waiting order. */
export interface CancelOrder {
  readonly kind: 'cancel-order';
  readonly orderId: number;
  readonly owner: number;
}

/** Cancels all that an owner has open or waiting, oldest first. Never refused for want of orders. */
export interface CancelAllOrders {
  readonly kind: 'cancel-all-orders';
  readonly owner: number;
  /** Only those of one market, or of all. */
  readonly market: number | undefined;
}

/**
 * Less quantity at the same price keeps the place in the queue; anything else loses it. A field that is absent keeps the
 * value that the order has when the command is applied, so of two amends at once neither undoes the other.
 */
export interface AmendOrder {
  readonly kind: 'amend-order';
  readonly orderId: number;
  readonly owner: number;
  /** Ticks. */
  readonly price?: number | undefined;
  /** New total quantity in lots, what is filled included. */
  readonly quantity?: number | undefined;
  /**
   * Whether the amended order may trade when it comes back to the queue. The book does not remember how an order was
   * placed, so the command says it; without it the amended order only rests, and is refused if it would trade.
   */
  readonly timeInForce?: 'GTC' | 'POST_ONLY';
  /** As in `PlaceOrder`; the arriving order gives way unless told otherwise. */
  readonly selfTrade?: SelfTradeMode;
}

export interface HaltMarket {
  readonly kind: 'halt-market';
  readonly market: number;
  readonly halted: boolean;
}

export interface SetFees {
  readonly kind: 'set-fees';
  readonly owner: number;
  /** Parts per million of what the owner receives. */
  readonly makerPpm: number;
  readonly takerPpm: number;
}

/** The reference price of a market that has not traded yet; the band is measured from it. Refused once it has. */
export interface SetReferencePrice {
  readonly kind: 'set-reference-price';
  readonly market: number;
  readonly price: number;
}

export type Command =
  | PlaceOrder
  | CancelOrder
  | CancelAllOrders
  | AmendOrder
  | PlaceConditionalOrder
  | AmendConditionalOrder
  | SetMarkPrice
  | HaltMarket
  | SetFees
  | SetReferencePrice
  | FundsCommand;

/** Why a command was refused; nothing has changed when it was. */
export type RejectReason =
  | 'DUPLICATE_ID'
  | 'UNKNOWN_MARKET'
  | 'MARKET_HALTED'
  | 'INVALID_PRICE'
  | 'INVALID_QUANTITY'
  | 'BELOW_MINIMUM_SIZE'
  | 'ABOVE_MAXIMUM_SIZE'
  | 'BELOW_MINIMUM_NOTIONAL'
  | 'PRICE_OUTSIDE_BAND'
  | 'INSUFFICIENT_FUNDS'
  | 'WOULD_TAKE'
  | 'NOT_FILLABLE'
  | 'NO_LIQUIDITY'
  | 'ORDER_NOT_FOUND'
  | 'NOTHING_TO_AMEND'
  | 'INVALID_AMOUNT'
  | 'INVALID_FEE'
  | 'ALREADY_TRADED'
  | 'ACCOUNT_LIMIT'
  | 'INVALID_TRIGGER'
  | 'WOULD_TRIGGER'
  | 'NO_PRICE'
  | 'WAITING_LIMIT';

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: RejectReason };
