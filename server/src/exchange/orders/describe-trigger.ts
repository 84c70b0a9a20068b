/** What an order waits or waited for, in the documented shape. */
import type { ConditionalKind, OrderTrigger } from '@cambist/contract/conditional-orders.ts';
import {
  type TriggeredLeg,
  type Leg,
  trailingTrigger,
  type UntriggeredOrder,
} from '@cambist/core/orders/conditional/conditional-order.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import { type ConditionalColumns, STANDINGS, triggersOf } from './conditional-store.ts';

export type Triggers = Pick<UntriggeredOrder, 'side' | 'source' | 'takeProfit' | 'stop' | 'trailing' | 'best'>;

/** How far an order has come: still waiting, placed by a leg, or ended without being placed. */
export interface TriggerStanding {
  readonly status: OrderTrigger['status'];
  readonly fired?: { readonly leg: TriggeredLeg; readonly price: number; readonly time: number } | undefined;
}

/** Parts per million as a percentage with four decimals. */
const RATE_SCALE = 4;
const legNames = { 'take-profit': 'take_profit', stop: 'stop', trailing: 'trailing' } as const;

function kindOf({ takeProfit, stop, trailing }: Triggers): ConditionalKind {
  if (trailing !== undefined) return 'trailing_stop';
  if (takeProfit !== undefined && stop !== undefined) return 'oco';
  if (stop !== undefined) return stop.price > 0 ? 'stop_limit' : 'stop_market';
  return takeProfit !== undefined && takeProfit.price > 0 ? 'take_profit_limit' : 'take_profit_market';
}

export function describeTrigger(market: MarketSpec, order: Triggers, { status, fired }: TriggerStanding): OrderTrigger {
  const { side, trailing, best } = order;
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
    fired_leg: fired === undefined ? '' : legNames[fired.leg],
    fired_price: price(fired?.price),
    fired_at: fired?.time ?? null,
  };
}

/** The same from a row of the tables; undefined for an order that never waited. */
export function describeRowTrigger(
  market: MarketSpec,
  row: ConditionalColumns & { readonly side: number },
): OrderTrigger | undefined {
  const triggers = triggersOf(row);
  if (triggers === undefined) return undefined;
  const fired =
    row.fired_leg === '' ? undefined : { leg: row.fired_leg as TriggeredLeg, price: row.fired_price, time: row.fired_at };
  const status = STANDINGS[row.standing] ?? 'ended';
  return describeTrigger(market, { side: row.side as Side, ...triggers }, { status, fired });
}
