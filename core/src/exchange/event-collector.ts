import type { ConditionalEvent } from '../conditional/event.ts';
import type { LedgerReason } from '../ledger/event.ts';
import type { OrderType, Side, TimeInForce } from './command.ts';
import type { CancelReason, ExchangeEvent, OrderStatus } from './event.ts';
import type { EventSink } from './event-sink.ts';

/** A sink that makes a plain object of each event. */
export class EventCollector implements EventSink {
  readonly events: ExchangeEvent[] = [];

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
  ): void {
    this.events.push({
      kind: 'order-accepted',
      time,
      orderId,
      owner,
      market,
      side,
      type,
      timeInForce,
      price,
      quantity,
      quoteTotal,
    });
  }

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
  ): void {
    this.events.push({
      kind: 'trade',
      time,
      tradeId,
      market,
      price,
      quantity,
      takerSide,
      maker: { orderId: makerOrderId, owner: makerOwner, fee: fees[0]!, credit: fees[1]! },
      taker: { orderId: takerOrderId, owner: takerOwner, fee: fees[2]!, credit: fees[3]! },
    });
  }

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
  ): void {
    this.events.push({
      kind: 'order-changed',
      time,
      orderId,
      owner,
      market,
      side,
      price,
      quantity,
      remaining,
      priority,
      status,
      reason,
    });
  }

  ledger(
    time: number,
    reason: LedgerReason,
    reference: number,
    count: number,
    accounts: Float64Array,
    amounts: BigInt64Array,
  ): void {
    const keys: number[] = [];
    const values: bigint[] = [];
    for (let place = 0; place < count; place += 1) {
      keys.push(accounts[place]!);
      values.push(amounts[place]!);
    }
    this.events.push({ kind: 'ledger', time, reason, reference, accounts: keys, amounts: values });
  }

  marketHalted(market: number, halted: boolean): void {
    this.events.push({ kind: 'market-halted', market, halted });
  }

  feesSet(owner: number, makerPpm: number, takerPpm: number): void {
    this.events.push({ kind: 'fees-set', owner, makerPpm, takerPpm });
  }

  referencePriceSet(market: number, price: number): void {
    this.events.push({ kind: 'reference-price-set', market, price });
  }

  conditional(event: ConditionalEvent): void {
    this.events.push(event);
  }
}
