/** The hash of the reference exchange's state: the same facts in the same order as the fast one's. */
import { StateHasher } from '../collections/state-hash.ts';
import { termsCode } from '../events/event-record.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { hashClientOrderIds, hashInstruments, hashPerpetuals, hashTransfers } from '../exchange/hash.ts';
import { columnsOf, hashHoldings } from '../margin/holding-columns.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import { hashUntriggeredOrder } from '../orders/conditional/hash.ts';
import { hashExitPlans } from '../orders/exits/exit-plans.ts';
import { hashTwaps } from '../orders/twap/twaps.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { shownOf } from './reference-matching.ts';
import type { ReferenceState } from './reference-state.ts';

export function hashOf(exchange: Exchange, state: ReferenceState, untriggered: readonly UntriggeredOrder[]): string {
  const hasher = new StateHasher();
  const add = (...values: number[]) => {
    for (const value of values) hasher.number(value);
  };
  add(state.lastOrderId, state.lastTradeId, state.lastPriority, state.lastTransferId);
  hashInstruments(hasher, exchange);
  for (const { spec } of state.markets) {
    for (const side of [BUY, SELL] as const) {
      add(side);
      for (const order of state.queue(spec.id, side)) {
        const { orderId, owner, price, quantity, priority, createdAt, type, reduceOnly, positionSide } = order;
        const isHedged = positionSide !== undefined;
        const terms = termsCode(type, order.timeInForce, order.selfTrade, reduceOnly, isHedged);
        add(orderId, owner, price, quantity, shownOf(order), priority, terms, createdAt);
        for (const amount of [order.filledValue, order.fee, order.credit]) hasher.amount(amount);
        if (order.visible > 0) add(order.visible, order.hidden);
      }
    }
  }
  hashTransfers(hasher, exchange);
  hashClientOrderIds(hasher, exchange);
  hashExitPlans(hasher, exchange.exitPlans());
  hashTwaps(hasher, exchange.twaps());
  hashPerpetuals(hasher, exchange);
  hashHoldings(hasher, columnsOf(exchange.holdings()));
  for (const order of untriggered) hashUntriggeredOrder(hasher, order);
  for (const [key, amount] of [...state.balances].sort(([a], [b]) => a - b)) {
    if (amount === 0n) continue;
    add(key);
    hasher.amount(amount);
  }
  add(0);
  for (const [owner, { makerPpm, takerPpm }] of [...state.fees].sort(([a], [b]) => a - b)) {
    add(owner, makerPpm, takerPpm);
  }
  return hasher.digest();
}
