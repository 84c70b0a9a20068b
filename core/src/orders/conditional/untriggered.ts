import type { Leg, UntriggeredOrder } from './conditional-order.ts';
import type { TrailingGroup } from './trailing-group.ts';
import type { Trigger } from './trigger.ts';

/** An untriggered order as the processor keeps it: the mutable half of `UntriggeredOrder`, with its triggers. */
export interface Untriggered extends Omit<UntriggeredOrder, 'takeProfit' | 'stop' | 'best'> {
  takeProfit: Leg | undefined;
  stop: Leg | undefined;
  /** While it trails, its group knows the best price. */
  best: number;
  group: TrailingGroup | undefined;
  /** What triggers it apart from trailing: at most one trigger for each direction. */
  triggers: readonly Trigger[];
}

/** An untriggered order as a plain record. */
export function describeUntriggered(untriggered: Untriggered): UntriggeredOrder {
  const { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade, createdAt } = untriggered;
  const { takeProfit, stop, trailing } = untriggered;
  const facts = { orderId, owner, market, side, source, timeInForce, quantity, quoteTotal, selfTrade, createdAt };
  return { ...facts, takeProfit, stop, trailing, best: untriggered.group?.best ?? untriggered.best };
}
