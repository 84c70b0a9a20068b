/** A client's orders, fills and balances as the private streams carry them. */
import type { StreamBalance, StreamFill, StreamOrder } from '@cambist/contract/stream.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import type { OrderView } from '@cambist/core/orders/order-view.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import { describeTrigger } from '../orders/describe-trigger.ts';

/** Decimals of an average price. */
const AVERAGE_SCALE = 8;

function orderType({ type, timeInForce }: OrderView): StreamOrder['ordType'] {
  if (type === 'market') return 'market';
  const names = { GTC: 'limit', IOC: 'ioc', FOK: 'fok', POST_ONLY: 'post_only' } as const;
  return names[timeInForce];
}

function averagePrice({ filledValue }: OrderView, filled: number, spec: MarketSpec): string {
  if (filled === 0) return '';
  const ticksLots = filledValue / quoteUnitsPerTickLot(spec);
  const scaled = (ticksLots * 10n ** BigInt(AVERAGE_SCALE - spec.tickScale)) / BigInt(filled);
  return formatAmount(scaled, AVERAGE_SCALE).replace(/\.?0+$/, '');
}

function stateOf({ status }: OrderView, filled: number): StreamOrder['state'] {
  if (status === 'filled') return 'filled';
  if (status === 'cancelled') return 'canceled';
  return filled > 0 ? 'partially_filled' : 'live';
}

export function describeStreamOrder(order: OrderView, spec: MarketSpec): StreamOrder {
  const filled = order.quantity - order.remaining;
  const received = order.side === BUY ? spec.base : spec.quote;
  const byTotal = order.quoteTotal > 0n;
  const targetCoin = byTotal ? 'quote_ccy' : 'base_ccy';
  return {
    instId: spec.symbol,
    instType: 'SPOT',
    ordId: String(order.orderId),
    clOrdId: '',
    side: order.side === BUY ? 'buy' : 'sell',
    ordType: orderType(order),
    px: order.type === 'market' ? '' : formatTicks(order.price, spec),
    sz: byTotal ? formatAmount(order.quoteTotal, spec.quote.scale) : formatLots(order.quantity, spec),
    accFillSz: formatLots(filled, spec),
    avgPx: averagePrice(order, filled, spec),
    state: stateOf(order, filled),
    fee: formatAmount(-order.fee, received.scale),
    feeCcy: received.code,
    tgtCcy: order.type === 'market' ? targetCoin : '',
    cancelSource: order.status === 'cancelled' ? order.reason : '',
    cTime: String(order.createdAt),
    uTime: String(order.updatedAt),
    ...(order.trigger && { trigger: describeTrigger(spec, order.side, order.trigger) }),
  };
}

/** One side of the trade of a record. */
export function describeStreamFill(events: EventBatch, at: number, isMaker: boolean, spec: MarketSpec): StreamFill {
  const isBuyer = (events.takerSide(at) === BUY) !== isMaker;
  const received = isBuyer ? spec.base : spec.quote;
  const fee = isMaker ? events.makerFee(at) : events.takerFee(at);
  return {
    instId: spec.symbol,
    tradeId: String(events.tradeId(at)),
    ordId: String(isMaker ? events.orderId(at) : events.takerOrderId(at)),
    side: isBuyer ? 'buy' : 'sell',
    fillPx: formatTicks(events.price(at), spec),
    fillSz: formatLots(events.lots(at), spec),
    fee: formatAmount(-fee, received.scale),
    feeCcy: received.code,
    execType: isMaker ? 'M' : 'T',
    ts: String(events.time(at)),
  };
}

/** @param frozen what orders hold and pending transfers reserve */
export function describeStreamBalance(asset: Asset, available: bigint, frozen: bigint, time: number): StreamBalance {
  const text = (units: bigint) => formatAmount(units, asset.scale);
  return {
    ccy: asset.code,
    eq: text(available + frozen),
    availBal: text(available),
    frozenBal: text(frozen),
    uTime: String(time),
  };
}
