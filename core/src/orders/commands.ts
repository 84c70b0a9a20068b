/** Commands of orders. A command carries all that the core may not know by itself: ids, and (beside it) the time. */

import type { TermChoice } from '../margin/term.ts';
import type { OrderType, PositionSide, SelfTradeMode, Side, TimeInForce } from '../terms/order-terms.ts';
import type { ExitTerms } from './exits/exit-plan.ts';

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
  /** What the client calls it, see `ClientOrderId`; absent or empty for nothing. */
  readonly clientOrderId?: string | undefined;
  /** Lots that an iceberg shows at a time, see `iceberg.ts`; absent for an order that shows all of it. */
  readonly visible?: number | undefined;
  /** Take-profit and stop-loss of what it fills, see `ExitPlan`; absent for none. */
  readonly exits?: ExitTerms | undefined;
  /**
   * Of a perpetual: it closes what is open of the other direction and opens nothing. It is made smaller where less is open than
   * it has lots, and gives way to later orders that close the same.
   */
  readonly reduceOnly?: boolean | undefined;
  /**
   * Of a perpetual, in hedge mode alone and always there. A buy of the long one and a sell of the short one open; the others only
   * reduce, whether they say so or not.
   */
  readonly positionSide?: PositionSide | undefined;
  /**
   * Of a perpetual: what it opens has a term, see `margin/term.ts`, from the command's own time until the position ends, and pays
   * the maker's fee. Only where the order trades at once or not at all (at market, IOC or FOK), opens, and no position and no order
   * is open on its leg. Of what it would trade at once: the target is at least 5 % of the initial margin and above what that is
   * worth at the mark already; the floor is at most 80 % of the initial margin and below that margin with what that is worth.
   */
  readonly term?: TermChoice | undefined;
  /**
   * Ticks; on a market order alone: the worst price at which it trades. Where the rest of it could trade only at a worse one, it is
   * refused with PRICE_MOVED and nothing is done.
   */
  readonly worstPrice?: number | undefined;
}

/**
 * Closes an owner's position, or a part of it, or turns all of it round. Where that is more than the market's largest order, it is as
 * many orders as are needed: the first under this id, the others under ids that follow. Lots are counted when the command is
 * applied; orders that close the same already are left, and what they close is not closed again.
 */
export interface ClosePosition {
  readonly kind: 'close-position';
  /** As in `PlaceOrder`. */
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  /** Of the closing orders. A position that is closed by the other side is not the one that was meant. */
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Ticks; 0 at market. */
  readonly price: number;
  readonly selfTrade: SelfTradeMode;
  /** As in `PlaceOrder`. */
  readonly positionSide?: PositionSide | undefined;
  /** Lots, as many as any position may have; absent for a share of what is open. */
  readonly quantity?: number | undefined;
  /** 1 to 100, where there is no quantity. */
  readonly sharePercent: number;
  /**
   * Whether the opposite of the position is opened as well, not in hedge mode. It is refused where its owner could not pay for all
   * of it at the prices of the book.
   */
  readonly reverses: boolean;
}

/** Cancels an open or an untriggered order. */
export interface CancelOrder {
  readonly kind: 'cancel-order';
  readonly orderId: number;
  readonly owner: number;
}

/** Cancels all orders of an owner, open and untriggered, oldest first. Never refused for want of orders. */
export interface CancelAllOrders {
  readonly kind: 'cancel-all-orders';
  readonly owner: number;
  /** Only those of one market, or of all. */
  readonly market: number | undefined;
  /** Only those that buy or sell; both where absent. */
  readonly side?: Side | undefined;
}

/**
 * Cancels, by the exchange, what an owner has open and untriggered, oldest first. What only reduces a position stays, such as its
 * stop: its owner could not place another one. Never refused for want of orders.
 */
export interface StopOrders {
  readonly kind: 'stop-orders';
  readonly owner: number;
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
