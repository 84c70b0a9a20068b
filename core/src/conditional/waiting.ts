import type { Leg, WaitingOrder } from './conditional-order.ts';
import type { TrailingGroup } from './trailing-group.ts';
import type { Trigger } from './trigger.ts';

/** A waiting order as the desk keeps it: the mutable half of `WaitingOrder`, with where it stands in the watch. */
export interface Waiting extends Omit<WaitingOrder, 'takeProfit' | 'stop' | 'best'> {
  takeProfit: Leg | undefined;
  stop: Leg | undefined;
  /** While it trails, its group knows the best price. */
  best: number;
  group: TrailingGroup | undefined;
  /** What it waits for apart from trailing: at most one trigger for each direction. */
  triggers: readonly Trigger[];
}

/** A waiting order as a plain record. */
export function describeWaiting(waiting: Waiting): WaitingOrder {
  const { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade } = waiting;
  const { takeProfit, stop, trailing } = waiting;
  const facts = { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade };
  return { ...facts, takeProfit, stop, trailing, best: waiting.group?.best ?? waiting.best };
}
