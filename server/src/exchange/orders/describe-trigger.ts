/** What triggers or triggered an order, in the documented shape. */
import type { ConditionalKind, OrderExits, OrderTrigger } from '@cambist/contract/conditional-orders.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import { type Leg, trailingTrigger } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { ExitPlan } from '@cambist/core/orders/exits/exit-plan.ts';
import type { TriggerView } from '@cambist/core/orders/order-view.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';

/** Parts per million as a percentage with four decimals. */
const RATE_SCALE = 4;
const legNames = { 'take-profit': 'take_profit', stop: 'stop', trailing: 'trailing' } as const;

function kindOf({ takeProfit, stop, trailing }: TriggerView): ConditionalKind {
  if (trailing !== undefined) return 'trailing_stop';
  if (takeProfit !== undefined && stop !== undefined) return 'oco';
  if (stop !== undefined) return stop.price > 0 ? 'stop_limit' : 'stop_market';
  return takeProfit !== undefined && takeProfit.price > 0 ? 'take_profit_limit' : 'take_profit_market';
}

export function describeExits(market: MarketSpec, { source, takeProfit, stop, exitId }: ExitPlan): OrderExits {
  const price = (ticks: number | undefined) => (ticks ? formatTicks(ticks, market) : '');
  return {
    trigger_by: source,
    take_profit_price: price(takeProfit?.trigger),
    take_profit_limit_price: price(takeProfit?.price),
    stop_price: price(stop?.trigger),
    stop_limit_price: price(stop?.price),
    order_id: exitId === 0 ? '' : String(exitId),
  };
}

export function describeTrigger(market: MarketSpec, side: Side, order: TriggerView): OrderTrigger {
  const { trailing, best, status, triggered } = order;
  const price = (ticks: number | undefined) => (ticks ? formatTicks(ticks, market) : '');
  const legPrices = (leg: Leg | undefined) => [price(leg?.trigger), price(leg?.price)] as const;
  const [stopPrice, stopLimit] = legPrices(order.stop);
  const [profitPrice, profitLimit] = legPrices(order.takeProfit);
  const rate = trailing?.callbackPpm ?? 0;
  const comesBackTo = trailing !== undefined && best > 0 ? Math.max(0, trailingTrigger(side, best, trailing)) : 0;
  return {
    kind: kindOf(order),
    trigger_by: order.source,
    status,
    stop_price: stopPrice,
    stop_limit_price: stopLimit,
    take_profit_price: profitPrice,
    take_profit_limit_price: profitLimit,
    callback_rate: rate === 0 ? '' : formatAmount(BigInt(rate), RATE_SCALE),
    callback_distance: price(trailing?.callbackTicks),
    activation_price: price(trailing?.activation),
    best_price: price(best),
    trailing_price: price(comesBackTo),
    triggered_leg: triggered === undefined ? '' : legNames[triggered.leg],
    triggered_price: price(triggered?.price),
    triggered_at: triggered?.time ?? null,
    ...(order.entryId !== undefined && { entry_id: String(order.entryId) }),
  };
}
