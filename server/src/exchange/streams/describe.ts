/** A client's fills and balances as the private streams carry them. */
import type { StreamBalance } from '@cambist/contract/stream.ts';
import type { Fill } from '@cambist/contract/trading.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import { isConversion } from '../orders/conversions.ts';
import { describeFill } from '../orders/describe.ts';

/** One side of the trade of a record, as the lists show it. */
export function describeRecordedFill(
  events: EventBatch,
  at: number,
  isMaker: boolean,
  spec: MarketSpec,
  views: Pick<OrderViews, 'clientOrderIdOf'>,
): Fill {
  return describeFill(spec, {
    id: events.tradeId(at),
    price: events.price(at),
    quantity: events.lots(at),
    taker_side: events.takerSide(at),
    maker_order: events.orderId(at),
    taker_order: events.takerOrderId(at),
    maker_fee: events.makerFee(at),
    taker_fee: events.takerFee(at),
    taker: !isMaker,
    converted: isConversion(views.clientOrderIdOf(isMaker ? events.orderId(at) : events.takerOrderId(at))),
    time: events.time(at),
  });
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
