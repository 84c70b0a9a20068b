/** What a run of committed batches changes about orders that wait. */
import type { TriggeredLeg, UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { ConditionalEvent, TrailingMoved } from '@cambist/core/orders/conditional/event.ts';
import { SELL } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeEvent } from '@cambist/core/events/event.ts';

export type UntriggeredEvent = Exclude<ConditionalEvent, { kind: 'trailing-moved' | 'mark-price-set' }>;

export function isUntriggeredEvent(event: ExchangeEvent): event is UntriggeredEvent {
  switch (event.kind) {
    case 'order-untriggered':
    case 'order-triggered':
    case 'untriggered-ended':
    case 'trailing-activated':
      return true;
    default:
      return false;
  }
}

/** A waiting order as it stands after the run. */
export interface ConditionalChange {
  order: UntriggeredOrder;
  state: 'waiting' | 'fired' | 'ended';
  /** Ms; of the last event. */
  time: number;
  fired: { readonly leg: TriggeredLeg; readonly price: number; readonly time: number } | undefined;
}

export interface ConditionalRun {
  readonly changes: Map<number, ConditionalChange>;
  /** The best price that trailing orders met in the run, by market, side and source. */
  readonly moves: Map<string, TrailingMoved>;
}

const isBetter = (side: number, price: number, than: number) => (side === SELL ? price > than : price < than);

/** Orders of earlier runs get the best price by statement; those of this run have it in their row already. */
export function addMove({ changes, moves }: ConditionalRun, event: TrailingMoved): void {
  const { market, side, source, best } = event;
  const key = `${market}/${side}/${source}`;
  const known = moves.get(key);
  if (known === undefined || isBetter(side, best, known.best)) moves.set(key, event);
  for (const change of changes.values()) {
    const { order } = change;
    const follows = change.state === 'waiting' && order.best > 0 && order.market === market;
    if (!follows || order.side !== side || order.source !== source || !isBetter(side, best, order.best)) continue;
    change.order = { ...order, best };
  }
}

export function addUntriggered({ changes }: ConditionalRun, event: UntriggeredEvent): ConditionalChange {
  const { order, time } = event;
  const known = changes.get(order.orderId);
  const change: ConditionalChange = known ?? { order, state: 'waiting', time, fired: undefined };
  changes.set(order.orderId, change);
  change.order = order;
  change.time = time;
  if (event.kind === 'order-triggered') {
    change.state = 'fired';
    change.fired = { leg: event.leg, price: event.price, time };
  } else if (event.kind === 'untriggered-ended') {
    change.state = 'ended';
  }
  return change;
}

/** How a waiting order stands in the list of orders: as its stop would be placed, or else its take-profit. */
export function primaryTerms(order: UntriggeredOrder) {
  const { takeProfit, stop, timeInForce, quantity, quoteTotal } = order;
  const price = (stop ?? takeProfit)?.price ?? 0;
  const type = price > 0 ? ('limit' as const) : ('market' as const);
  return { type, price, timeInForce, quantity, quoteTotal };
}
