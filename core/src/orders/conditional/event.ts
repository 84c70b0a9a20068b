/** What happens to conditional orders before they are orders in the book. */
import type { Side } from '../../terms/order-terms.ts';
import type { RejectReason } from '../../terms/outcome.ts';
import type { TriggeredLeg, TriggerSource, UntriggeredOrder } from './conditional-order.ts';

/** An order was taken, or has new terms. */
export interface OrderUntriggered {
  readonly kind: 'order-untriggered';
  readonly time: number;
  readonly order: UntriggeredOrder;
  /** Smallest units that moved to held, below zero back to available. */
  readonly held: bigint;
}

/** The price reached a leg. The order's first order event follows, or its end when it was refused. */
export interface OrderTriggered {
  readonly kind: 'order-triggered';
  readonly time: number;
  readonly order: UntriggeredOrder;
  readonly leg: TriggeredLeg;
  /** Ticks: the price that reached it. */
  readonly price: number;
  readonly held: bigint;
}

/** Why an untriggered order is cancelled. */
export type UntriggeredEnd = 'BY_OWNER' | 'BY_OPERATOR' | 'MARKET_CLEARED' | 'NOTHING_TO_CLOSE';

/** An order ended without ever being placed: cancelled, or refused when it was triggered. */
export interface UntriggeredEnded {
  readonly kind: 'untriggered-ended';
  readonly time: number;
  readonly order: UntriggeredOrder;
  readonly reason: UntriggeredEnd | RejectReason;
  readonly held: bigint;
}

/** A trailing order began to follow the price. */
export interface TrailingActivated {
  readonly kind: 'trailing-activated';
  readonly time: number;
  readonly order: UntriggeredOrder;
}

/**
 * A new best price: every active trailing order of the market, side and source whose best price was worse has this one
 * now. One event for all of them.
 */
export interface TrailingMoved {
  readonly kind: 'trailing-moved';
  readonly time: number;
  readonly market: number;
  readonly side: Side;
  readonly source: TriggerSource;
  /** Ticks. */
  readonly best: number;
}

export interface MarkPriceSet {
  readonly kind: 'mark-price-set';
  readonly time: number;
  readonly market: number;
  readonly price: number;
}

export type ConditionalEvent =
  | OrderUntriggered
  | OrderTriggered
  | UntriggeredEnded
  | TrailingActivated
  | TrailingMoved
  | MarkPriceSet;
