/** A client's fills and balances as the private streams carry them. */
import type { StreamBalance, StreamFill } from '@cambist/contract/stream.ts';
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';

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
