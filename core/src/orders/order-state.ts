import type { OrderType, PositionSide, SelfTradeMode, Side, TimeInForce } from '../terms/order-terms.ts';

export type OrderStatus = 'open' | 'filled' | 'cancelled';

/** Why an order ended, or became smaller. */
export type CancelReason =
  | 'NONE'
  | 'BY_OWNER'
  | 'UNFILLED_REMAINDER'
  | 'SELF_TRADE'
  | 'PRICE_BAND'
  | 'INSUFFICIENT_FUNDS'
  | 'MARKET_CLEARED'
  | 'TIME_UP'
  | 'NOTHING_TO_CLOSE'
  | 'LIQUIDATED'
  | 'BY_OPERATOR';

/** An order that rests in the book, or between its slices. Prices in ticks, quantities in lots, money in smallest units, times in ms. */
export interface OpenOrder {
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradeMode;
  readonly price: number;
  /** Total, filled included. */
  readonly quantity: number;
  readonly remaining: number;
  /** Orders the queue of a price, ascending; over all orders what recovery sorts by. */
  readonly priority: number;
  /** Quote units that its trades were worth. */
  readonly filledValue: bigint;
  /** Units of the received asset that it paid. */
  readonly fee: bigint;
  /** Quote units of fee credit that it used. */
  readonly credit: bigint;
  readonly createdAt: number;
  /** Lots that an iceberg shows at a time; 0 for an order that shows all of it. */
  readonly visible: number;
  /** Lots of what remains that are not in the book. */
  readonly hidden: number;
  /** Of a perpetual: it opens nothing. Absent for all others. */
  readonly reduceOnly?: true;
  /** In hedge mode. */
  readonly positionSide?: PositionSide;
}

/** An order after a change, ended orders included. */
export interface OrderState extends OpenOrder {
  /** Quote units to spend or to raise; 0n unless a market order by quote total. */
  readonly quoteTotal: bigint;
  readonly status: OrderStatus;
  readonly reason: CancelReason;
}
