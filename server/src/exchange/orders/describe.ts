/** Orders and fills in the documented shape: decimal strings, from rows or from the events of one command. */
import type { OrderTrigger } from '@cambist/contract/conditional-orders.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeEvent, OrderAccepted } from '@cambist/core/events/event.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { notional, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { ORDER_TYPES, TIME_IN_FORCE } from '../engine/codec.ts';
import type { ConditionalColumns } from './conditional-store.ts';
import type { FillRow, OrderRow } from './order-store.ts';

type OrderFigures = Omit<OrderRow, 'owner' | 'market' | keyof ConditionalColumns>;

/** `BTC-USDT` and `BTCUSDT`. */
function pairNames(market: MarketSpec): { pair_name: string; coin_pair_name: string } {
  return { pair_name: market.symbol, coin_pair_name: market.symbol.replace('-', '') };
}

/** What was paid for what was filled, in ticks with the fraction cut; 0 when nothing was. */
function averagePrice(market: MarketSpec, filled: number, filledQuote: bigint): string {
  if (filled === 0) return '0';
  return formatTicks(Number(filledQuote / (BigInt(filled) * quoteUnitsPerTickLot(market))), market);
}

const states = ['PENDING', 'APPROVED', 'DISSAPROVED'] as const;

export function describeOrder(market: MarketSpec, row: OrderFigures, trigger?: OrderTrigger): Order {
  const average = averagePrice(market, row.filled, row.filled_quote);
  const isLimit = ORDER_TYPES[row.type] === 'limit';
  const received = row.side === BUY ? market.base : market.quote;
  const total = isLimit ? notional(market, row.price, row.quantity) : row.filled_quote;
  return {
    id: String(row.id),
    delegate_type: row.side === BUY ? 'BUY' : 'SELL',
    number_of_order: formatLots(row.quantity === 0 ? row.filled : row.quantity, market),
    final_price: isLimit ? formatTicks(row.price, market) : average,
    state: states[row.state] ?? 'PENDING',
    coin_pair: pairNames(market),
    type: isLimit ? 'limit' : 'market',
    total: formatAmount(total, market.quote.scale),
    filled: formatLots(row.filled, market),
    remaining: formatLots(row.remaining, market),
    average_price: average,
    fee: formatAmount(row.fee, received.scale),
    fee_coin: received.code,
    time_in_force: TIME_IN_FORCE[row.time_in_force] ?? 'GTC',
    reason: row.reason,
    ...(trigger && { trigger }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function describeFill(market: MarketSpec, row: FillRow): Fill {
  const isBuyer = row.taker ? row.taker_side === BUY : row.taker_side !== BUY;
  const received = isBuyer ? market.base : market.quote;
  return {
    id: String(row.id),
    order_id: String(row.taker ? row.taker_order : row.maker_order),
    delegate_type: isBuyer ? 'BUY' : 'SELL',
    coin_pair: pairNames(market),
    price: formatTicks(row.price, market),
    quantity: formatLots(row.quantity, market),
    total: formatAmount(notional(market, row.price, row.quantity), market.quote.scale),
    fee: formatAmount(row.taker ? row.taker_fee : row.maker_fee, received.scale),
    fee_coin: received.code,
    role: row.taker ? 'taker' : 'maker',
    created_at: row.time,
  };
}

const stateNumbers = { open: 0, filled: 1, cancelled: 2 } as const;

function startOf(accepted: OrderAccepted) {
  return {
    id: accepted.orderId,
    side: accepted.side,
    type: ORDER_TYPES.indexOf(accepted.type),
    time_in_force: TIME_IN_FORCE.indexOf(accepted.timeInForce),
    price: accepted.price,
    quantity: accepted.quantity,
    quote_total: accepted.quoteTotal,
    remaining: accepted.quantity,
    filled: 0,
    filled_quote: 0n,
    fee: 0n,
    state: 0,
    reason: '',
    created_at: accepted.time,
    updated_at: accepted.time,
  };
}

/** A new order as it stands after its own command; undefined when the events are not those of a placement. */
export function figuresFromEvents(
  market: MarketSpec,
  orderId: number,
  events: readonly ExchangeEvent[],
): OrderFigures | undefined {
  let figures: ReturnType<typeof startOf> | undefined;
  for (const event of events) {
    if (event.kind === 'order-accepted' && event.orderId === orderId) figures = startOf(event);
    if (figures === undefined) continue;
    if (event.kind === 'trade') {
      // What the order fires may trade with it while it already rests.
      const side = [event.taker, event.maker].find((one) => one.orderId === orderId);
      if (side === undefined) continue;
      figures.filled += event.quantity;
      figures.filled_quote += notional(market, event.price, event.quantity);
      figures.fee += side.fee;
    }
    if (event.kind === 'order-changed' && event.orderId === orderId) {
      figures.quantity = event.quantity;
      figures.remaining = event.remaining;
      figures.state = stateNumbers[event.status];
      figures.reason = event.reason === 'NONE' ? '' : event.reason;
    }
  }
  return figures;
}
