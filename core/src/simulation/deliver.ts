import type { ExchangeEvent } from '../exchange/event.ts';
import type { EventSink } from '../exchange/event-sink.ts';

/** Reads event objects to a sink, as an exchange without objects would. */
export function deliver(events: readonly ExchangeEvent[], sink: EventSink): void {
  for (const event of events) deliverOne(event, sink);
}

function deliverOne(event: ExchangeEvent, sink: EventSink): void {
  switch (event.kind) {
    case 'order-accepted': {
      const { time, orderId, owner, market, side, type, timeInForce, price, quantity, quoteTotal } = event;
      sink.orderAccepted(time, orderId, owner, market, side, type, timeInForce, price, quantity, quoteTotal);
      break;
    }
    case 'trade': {
      const { time, tradeId, market, price, quantity, takerSide, maker, taker } = event;
      const fees = BigInt64Array.of(maker.fee, maker.credit, taker.fee, taker.credit);
      const parties = [maker.orderId, maker.owner, taker.orderId, taker.owner] as const;
      sink.trade(time, tradeId, market, price, quantity, takerSide, ...parties, fees);
      break;
    }
    case 'order-changed': {
      const { time, orderId, owner, market, side, price, quantity, remaining, priority, status, reason } = event;
      const terms = [price, quantity, remaining, priority] as const;
      sink.orderChanged(time, orderId, owner, market, side, ...terms, status, reason);
      break;
    }
    case 'ledger': {
      const { time, reason, reference, accounts, amounts } = event;
      const keys = Float64Array.from(accounts);
      sink.ledger(time, reason, reference, accounts.length, keys, BigInt64Array.from(amounts));
      break;
    }
    case 'market-halted':
      sink.marketHalted(event.market, event.halted);
      break;
    case 'fees-set':
      sink.feesSet(event.owner, event.makerPpm, event.takerPpm);
      break;
    case 'reference-price-set':
      sink.referencePriceSet(event.market, event.price);
      break;
    default:
      sink.conditional(event);
  }
}
