import type { ConditionalEvent } from '../conditional/event.ts';
import type { LedgerReason } from '../ledger/event.ts';
import type { OrderType, Side, TimeInForce } from './command.ts';
import type { CancelReason, OrderStatus } from './event.ts';

/**
 * Reads events without an object for each: `Exchange.drainEvents` calls one method per event, in order. The meaning of
 * every value is that of the field with the same name in event.ts.
 */
export interface EventSink {
  orderAccepted(
    time: number,
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    type: OrderType,
    timeInForce: TimeInForce,
    price: number,
    quantity: number,
    quoteTotal: bigint,
  ): void;
  /** `fees` holds maker fee, maker credit, taker fee, taker credit; it is reused, so copy what must last. */
  trade(
    time: number,
    tradeId: number,
    market: number,
    price: number,
    quantity: number,
    takerSide: Side,
    makerOrderId: number,
    makerOwner: number,
    takerOrderId: number,
    takerOwner: number,
    fees: BigInt64Array,
  ): void;
  orderChanged(
    time: number,
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    price: number,
    quantity: number,
    remaining: number,
    priority: number,
    status: OrderStatus,
    reason: CancelReason,
  ): void;
  /** The first `count` places of the two arrays are the postings; the arrays are reused, so copy what must last. */
  ledger(
    time: number,
    reason: LedgerReason,
    reference: number,
    count: number,
    accounts: Float64Array,
    amounts: BigInt64Array,
  ): void;
  marketHalted(market: number, halted: boolean): void;
  feesSet(owner: number, makerPpm: number, takerPpm: number): void;
  referencePriceSet(market: number, price: number): void;
  /** Rare beside the others, and so told as an object. */
  conditional(event: ConditionalEvent): void;
}
