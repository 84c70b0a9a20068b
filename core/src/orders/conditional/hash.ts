import type { StateHasher } from '../../collections/state-hash.ts';
import { TRIGGER_SOURCES, type UntriggeredOrder } from './conditional-order.ts';

const TIMES = ['GTC', 'IOC', 'FOK', 'POST_ONLY'];
const SELF_TRADES = ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'];

/** Folds an untriggered order into the hash of a state. */
export function hashUntriggeredOrder(hasher: StateHasher, order: UntriggeredOrder): void {
  const { takeProfit, stop, trailing } = order;
  const codes = [
    TRIGGER_SOURCES.indexOf(order.source),
    TIMES.indexOf(order.timeInForce),
    SELF_TRADES.indexOf(order.selfTrade),
  ];
  const legs = [takeProfit, stop].flatMap((leg) => [leg?.trigger ?? 0, leg?.price ?? 0]);
  const following = [trailing?.callbackPpm ?? 0, trailing?.callbackTicks ?? 0, trailing?.activation ?? 0, order.best];
  const facts = [order.orderId, order.owner, order.market, order.side, order.quantity, order.createdAt];
  for (const value of [...facts, ...codes, ...legs, ...following]) hasher.number(value);
  hasher.amount(order.quoteTotal);
  if (order.entryId !== undefined) hasher.number(order.entryId);
  if (order.reduceOnly) hasher.number(1);
  if (order.positionSide !== undefined) hasher.number(order.positionSide === 'long' ? 2 : 3);
}
