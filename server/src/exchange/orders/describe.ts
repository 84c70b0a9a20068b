/** Orders and fills in the documented shape: decimal strings. One shape of an order for answers, lists and streams. */
import type { ClosedInParts } from '@cambist/contract/futures.ts';
import type { Fill, Order, OrderTwap } from '@cambist/contract/trading.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { notional, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { divNearest } from '@cambist/core/money/rounding.ts';
import type { OrderView } from '@cambist/core/orders/order-view.ts';
import type { TwapSchedule } from '@cambist/core/orders/twap/twap.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { ClosedParts } from '../engine/feed.ts';
import { coinPairName } from '../instruments/service.ts';
import { isConversion } from './conversions.ts';
import { describeExits, describeTrigger } from './describe-trigger.ts';
import type { FillRow } from './fill-store.ts';

/** What a fee is charged in: the asset that a side receives; of a perpetual, which moves no coins, what it settles in. */
const feeAssetOf = (market: MarketSpec, isBuy: boolean) =>
  isBuy && market.perpetual === undefined ? market.base : market.quote;

/** `BTC-USDT` and `BTCUSDT`, `BTC-USDT-SWAP` and `BTCUSDTSWAP`. */
export function pairNames(market: MarketSpec): { pair_name: string; coin_pair_name: string } {
  return { pair_name: market.symbol, coin_pair_name: coinPairName(market) };
}

/** The average price of what was filled, rounded to the nearest tick; 0 before. */
function averagePrice(market: MarketSpec, filled: number, filledValue: bigint): string {
  if (filled === 0) return '0';
  return formatTicks(Number(divNearest(filledValue, BigInt(filled) * quoteUnitsPerTickLot(market))), market);
}

function describeTwap(twap: TwapSchedule, isOpen: boolean): OrderTwap {
  return {
    interval_seconds: Math.round(twap.intervalMs / 1_000),
    slices: twap.slices,
    slices_done: twap.done,
    next_slice_at: isOpen ? twap.nextAt : null,
    ends_at: twap.endsAt,
  };
}

const states = { open: 'PENDING', untriggered: 'PENDING', filled: 'APPROVED', cancelled: 'DISSAPROVED' } as const;

export function describeOrder(market: MarketSpec, order: OrderView): Order {
  const filled = order.quantity - order.remaining;
  const average = averagePrice(market, filled, order.filledValue);
  const isConverted = isConversion(order.clientOrderId);
  // A conversion at the market is all or nothing; its limit is only what its quote was held at.
  const isLimit = order.type === 'limit' && !(isConverted && order.timeInForce === 'FOK');
  const feeAsset = feeAssetOf(market, order.side === BUY);
  const atMarket = order.status === 'untriggered' ? order.quoteTotal : order.filledValue;
  const total = isLimit ? notional(market, order.price, order.quantity) : atMarket;
  return {
    id: String(order.orderId),
    ...(order.clientOrderId !== undefined && !isConverted && { client_order_id: order.clientOrderId }),
    delegate_type: order.side === BUY ? 'BUY' : 'SELL',
    number_of_order: formatLots(order.quantity === 0 ? filled : order.quantity, market),
    final_price: isLimit ? formatTicks(order.price, market) : average,
    state: states[order.status],
    coin_pair: pairNames(market),
    type: isConverted ? 'convert' : order.type,
    total: formatAmount(total, market.quote.scale),
    filled: formatLots(filled, market),
    remaining: formatLots(order.remaining, market),
    average_price: average,
    fee: formatAmount(order.fee, feeAsset.scale),
    fee_coin: feeAsset.code,
    time_in_force: order.timeInForce,
    reason: order.reason === 'NONE' ? '' : order.reason,
    ...(order.trigger && { trigger: describeTrigger(market, order.side, order.trigger) }),
    ...(order.reduceOnly && { reduce_only: true as const }),
    ...(order.positionSide && { position_side: order.positionSide }),
    ...(order.visible > 0 && { visible_quantity: formatLots(order.visible, market) }),
    ...(order.exits && { exits: describeExits(market, order.exits) }),
    ...(order.twap && { twap: describeTwap(order.twap, order.status === 'open') }),
    created_at: order.createdAt,
    updated_at: order.updatedAt,
  };
}

/** What several orders have come to that closed a position. */
export function describeParts(market: MarketSpec, parts: ClosedParts): ClosedInParts {
  const { firstOrderId, lastOrderId, lots, filled, open, reason } = parts;
  return {
    order_ids: Array.from({ length: lastOrderId - firstOrderId + 1 }, (_, index) => String(firstOrderId + index)),
    quantity: formatLots(lots, market),
    filled: formatLots(filled, market),
    open: formatLots(open, market),
    reason: reason === 'NONE' ? '' : reason,
  };
}

export function describeFill(market: MarketSpec, row: Omit<FillRow, 'market' | 'maker_owner'>): Fill {
  const isBuyer = row.taker ? row.taker_side === BUY : row.taker_side !== BUY;
  const feeAsset = feeAssetOf(market, isBuyer);
  return {
    id: String(row.id),
    order_id: String(row.taker ? row.taker_order : row.maker_order),
    ...(row.converted && { type: 'convert' as const }),
    delegate_type: isBuyer ? 'BUY' : 'SELL',
    coin_pair: pairNames(market),
    price: formatTicks(row.price, market),
    quantity: formatLots(row.quantity, market),
    total: formatAmount(notional(market, row.price, row.quantity), market.quote.scale),
    fee: formatAmount(row.taker ? row.taker_fee : row.maker_fee, feeAsset.scale),
    fee_coin: feeAsset.code,
    role: row.taker ? 'taker' : 'maker',
    created_at: row.time,
  };
}
