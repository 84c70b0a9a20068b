/** What became of every open order of clients so far, so that each push carries the order's newest whole state. */
import type { StreamOrder } from '@cambist/contract/stream.ts';
import { BUY, type OrderType, type Side, type TimeInForce } from '@cambist/core/exchange/command.ts';
import type { OrderAccepted, OrderChanged, TradeExecuted, TradeSide } from '@cambist/core/exchange/event.ts';
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
  readonly createdAt: number;
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

function stateOf(order: TrackedOrder, change: OrderChanged): StreamOrder['state'] {
  if (change.status === 'filled') return 'filled';
  if (change.status === 'cancelled') return 'canceled';
  return order.filled > 0 ? 'partially_filled' : 'live';
}

export function describeStreamOrder(order: TrackedOrder, change: OrderChanged, spec: MarketSpec): StreamOrder {
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
  };
}

export function createOrderTracker(isClient: (owner: number) => boolean) {
  const orders = new Map<number, TrackedOrder>();

  return {
    /** Orders that were open when the process began. */
    restore(restored: Iterable<TrackedOrder>): void {
      for (const order of restored) orders.set(order.orderId, order);
    },

    accept(event: OrderAccepted): void {
      if (!isClient(event.owner)) return;
      const { orderId, owner, market, side, type, timeInForce, quoteTotal, time } = event;
      const order = { orderId, owner, market, side, type, timeInForce, quoteTotal, createdAt: time };
      orders.set(orderId, { ...order, filled: 0, filledTicksLots: 0n, fee: 0n });
    },

    fill(side: TradeSide, trade: TradeExecuted): TrackedOrder | undefined {
      const order = orders.get(side.orderId);
      if (order === undefined) return undefined;
      order.filled += trade.quantity;
      order.filledTicksLots += BigInt(trade.price) * BigInt(trade.quantity);
      order.fee += side.fee;
      return order;
    },

    get: (orderId: number): TrackedOrder | undefined => orders.get(orderId),
    forget: (orderId: number): void => void orders.delete(orderId),
    size: (): number => orders.size,
  };
}
