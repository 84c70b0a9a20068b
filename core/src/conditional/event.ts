/** What happens to waiting orders before they are orders in the book. */
import type { RejectReason, Side } from '../exchange/command.ts';
import type { FiredLeg, TriggerSource, WaitingOrder } from './conditional-order.ts';

/** An order began to wait, or waits on new terms. */
export interface OrderWaiting {
  readonly kind: 'order-waiting';
  readonly time: number;
  readonly order: WaitingOrder;
}

/** The price reached a leg. The order's acceptance follows, or its end when it was refused. */
export interface OrderTriggered {
  readonly kind: 'order-triggered';
  readonly time: number;
  readonly order: WaitingOrder;
  readonly leg: FiredLeg;
  /** Ticks: the price that reached it. */
  readonly price: number;
}

/** An order ended without ever being placed: cancelled, or refused when it fired. */
export interface WaitingEnded {
  readonly kind: 'waiting-ended';
  readonly time: number;
  readonly order: WaitingOrder;
  readonly reason: 'BY_OWNER' | RejectReason;
}

/** A trailing order began to follow the price. */
export interface TrailingActivated {
  readonly kind: 'trailing-activated';
  readonly time: number;
  readonly order: WaitingOrder;
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
  | OrderWaiting
  | OrderTriggered
  | WaitingEnded
  | TrailingActivated
  | TrailingMoved
  | MarkPriceSet;
