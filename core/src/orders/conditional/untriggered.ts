/** Untriggered orders as the processor keeps them, and the triggers in the watch that lead to them. */
import type { Side } from '../../terms/order-terms.ts';
import type { Leg, UntriggeredOrder } from './conditional-order.ts';

/** Which way the price comes to a trigger. */
export const FALLING = 0;
export const RISING = 1;
export type Direction = typeof FALLING | typeof RISING;

/** A price in the watch, for one order or for the first of a group of trailing orders. */
export interface Trigger {
  readonly direction: Direction;
  /** Ticks. */
  readonly price: number;
  /** Tells triggers of the same price apart. */
  readonly number: number;
  readonly purpose: 'take-profit' | 'stop' | 'activation' | 'trailing';
  readonly target: Untriggered | OrderGroup;
}

/** The trigger that the price reaches first comes last. */
export function comesFirst(direction: Direction): (left: Trigger, right: Trigger) => number {
  return direction === FALLING
    ? (left, right) => left.price - right.price || left.number - right.number
    : (left, right) => right.price - left.price || left.number - right.number;
}

/** Whether a price has reached a trigger. */
export function isReached(direction: Direction, trigger: number, price: number): boolean {
  return direction === FALLING ? price <= trigger : price >= trigger;
}

/** Trailing orders that follow from the same best price. */
export interface OrderGroup {
  readonly side: Side;
  /** Ticks. */
  readonly best: number;
  readonly direction: Direction;
  /** The first of them to be reached, in the watch. */
  trigger: Trigger | undefined;
  remove(order: Untriggered): void;
  /** The order that is triggered first, or one of several at the same price. */
  first(): Untriggered | undefined;
  triggerOf(order: Untriggered): number;
}

/** An untriggered order as the processor keeps it: the mutable half of `UntriggeredOrder`, with its triggers. */
export interface Untriggered
  extends Omit<UntriggeredOrder, 'takeProfit' | 'stop' | 'best' | 'quantity' | 'quoteTotal'> {
  takeProfit: Leg | undefined;
  stop: Leg | undefined;
  /** An exit order grows with the fills of its entry. */
  quantity: number;
  quoteTotal: bigint;
  /** While it trails, its group knows the best price. */
  best: number;
  group: OrderGroup | undefined;
  /** What triggers it apart from trailing: at most one trigger for each direction. */
  triggers: readonly Trigger[];
}

/** Whether a price may still trigger an order; of those that are triggered and not placed yet none. */
export function isWatched({ group, triggers }: Untriggered): boolean {
  return group !== undefined || triggers.length > 0;
}

/** An untriggered order as a plain record. */
export function describeUntriggered(untriggered: Untriggered): UntriggeredOrder {
  const { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade, createdAt } = untriggered;
  const { takeProfit, stop, trailing, entryId, reduceOnly, positionSide } = untriggered;
  const facts = { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade, createdAt };
  const best = untriggered.group?.best ?? untriggered.best;
  const position = { ...(reduceOnly && { reduceOnly }), ...(positionSide && { positionSide }) };
  return { ...facts, takeProfit, stop, trailing, best, entryId, ...position };
}
