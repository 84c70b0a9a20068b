import type { TrailingGroup } from './trailing-group.ts';
import type { Untriggered } from './untriggered.ts';

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
  readonly target: Untriggered | TrailingGroup;
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
