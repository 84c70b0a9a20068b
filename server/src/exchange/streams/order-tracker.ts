/**
 * What became of the open orders of clients so far, so that each push carries the order's newest whole state. Orders
 * from before this process began are read when their owner first listens; until then their fills are only noted.
 */
import type { OrderTrigger } from '@cambist/contract/conditional-orders.ts';
import type { StreamOrder } from '@cambist/contract/stream.ts';
import type { UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import { BUY, type OrderType, type Side, type TimeInForce } from '@cambist/core/terms/order-terms.ts';
import type { OrderAccepted, OrderChanged, TradeExecuted, TradeSide } from '@cambist/core/events/event.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';

/** An order with its fills added up. Ticks, lots, smallest units. */
export interface TrackedOrder {
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quoteTotal: bigint;
  createdAt: number;
  /** Of a conditional order: what it waits or waited for. */
  trigger: OrderTrigger | undefined;
  filled: number;
  /** Sum of price × quantity. */
  filledTicksLots: bigint;
  fee: bigint;
}

/** Decimals of an average price. */
const AVERAGE_SCALE = 8;

function orderType({ type, timeInForce }: TrackedOrder): StreamOrder['ordType'] {
  if (type === 'market') return 'market';
  const names = { GTC: 'limit', IOC: 'ioc', FOK: 'fok', POST_ONLY: 'post_only' } as const;
  return names[timeInForce];
}

function averagePrice(order: TrackedOrder, spec: MarketSpec): string {
  if (order.filled === 0) return '';
  const scaled = (order.filledTicksLots * 10n ** BigInt(AVERAGE_SCALE - spec.tickScale)) / BigInt(order.filled);
  return formatAmount(scaled, AVERAGE_SCALE).replace(/\.?0+$/, '');
}

/** How an order stands after a change; one that waits is open, at the price at which it would be placed. */
export type Standing = Pick<OrderChanged, 'price' | 'quantity' | 'status' | 'time'> & { readonly reason: string };

function stateOf(order: TrackedOrder, change: Standing): StreamOrder['state'] {
  if (change.status === 'filled') return 'filled';
  if (change.status === 'cancelled') return 'canceled';
  return order.filled > 0 ? 'partially_filled' : 'live';
}

export function describeStreamOrder(order: TrackedOrder, change: Standing, spec: MarketSpec): StreamOrder {
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
    px: order.type === 'market' ? '' : formatTicks(change.price, spec),
    sz: byTotal ? formatAmount(order.quoteTotal, spec.quote.scale) : formatLots(change.quantity, spec),
    accFillSz: formatLots(order.filled, spec),
    avgPx: averagePrice(order, spec),
    state: stateOf(order, change),
    fee: formatAmount(-order.fee, received.scale),
    feeCcy: received.code,
    tgtCcy: order.type === 'market' ? targetCoin : '',
    cancelSource: change.status === 'cancelled' ? change.reason : '',
    cTime: String(order.createdAt),
    uTime: String(change.time),
    ...(order.trigger && { trigger: order.trigger }),
  };
}

/** A fill of an order that is not known yet. */
interface NotedFill {
  readonly tradeId: number;
  readonly quantity: number;
  readonly ticksLots: bigint;
  readonly fee: bigint;
}

function addFill(order: TrackedOrder, fill: NotedFill): void {
  order.filled += fill.quantity;
  order.filledTicksLots += fill.ticksLots;
  order.fee += fill.fee;
}

export function createOrderTracker(isClient: (owner: number) => boolean) {
  const orders = new Map<number, TrackedOrder>();
  const noted = new Map<number, NotedFill[]>();

  return {
    /**
     * Orders as the tables have them, with the fills that came after `lastTrade`. One known already stays, but for its
     * beginning, which an order that waited before this process began has from here.
     */
    restore(restored: Iterable<TrackedOrder>, lastTrade: number): void {
      for (const order of restored) {
        const known = orders.get(order.orderId);
        if (known !== undefined) {
          known.createdAt = Math.min(known.createdAt, order.createdAt);
          continue;
        }
        for (const fill of noted.get(order.orderId) ?? []) if (fill.tradeId > lastTrade) addFill(order, fill);
        noted.delete(order.orderId);
        orders.set(order.orderId, order);
      }
    },

    accept(event: OrderAccepted): void {
      if (!isClient(event.owner)) return;
      const { orderId, owner, market, side, type, timeInForce, quoteTotal, time } = event;
      const waited = orders.get(orderId);
      const order = { orderId, owner, market, side, type, timeInForce, quoteTotal, trigger: waited?.trigger };
      orders.set(orderId, { ...order, createdAt: waited?.createdAt ?? time, filled: 0, filledTicksLots: 0n, fee: 0n });
    },

    /** An order waits, fires or ends without being placed; `terms` are those that it would be placed on. */
    wait(
      { order: { orderId, owner, market, side }, time }: { order: UntriggeredOrder; time: number },
      terms: Pick<TrackedOrder, 'type' | 'timeInForce' | 'quoteTotal'>,
      trigger: OrderTrigger,
    ): TrackedOrder | undefined {
      if (!isClient(owner)) return undefined;
      const { type, timeInForce, quoteTotal } = terms;
      const createdAt = orders.get(orderId)?.createdAt ?? time;
      const order = { orderId, owner, market, side, type, timeInForce, quoteTotal, createdAt, trigger };
      const tracked = { ...order, filled: 0, filledTicksLots: 0n, fee: 0n };
      orders.set(orderId, tracked);
      return tracked;
    },

    fill(side: TradeSide, trade: TradeExecuted): void {
      if (!isClient(side.owner)) return;
      const { tradeId, quantity, price } = trade;
      const fill = { tradeId, quantity, ticksLots: BigInt(price) * BigInt(quantity), fee: side.fee };
      const order = orders.get(side.orderId);
      if (order !== undefined) addFill(order, fill);
      else noted.set(side.orderId, [...(noted.get(side.orderId) ?? []), fill]);
    },

    get: (orderId: number): TrackedOrder | undefined => orders.get(orderId),
    forget(orderId: number): void {
      orders.delete(orderId);
      noted.delete(orderId);
    },
    size: (): number => orders.size,
  };
}
