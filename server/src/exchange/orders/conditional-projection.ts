/** What a run of committed batches changes about conditional orders. */
import type { TriggeredLeg, UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { TrailingMoved } from '@cambist/core/orders/conditional/event.ts';
import type { OneConditionalEvent } from '@cambist/core/orders/order-view.ts';
import { SELL } from '@cambist/core/terms/order-terms.ts';

/** A conditional order as it is after the run. */
export interface ConditionalChange {
  order: UntriggeredOrder;
  state: 'untriggered' | 'triggered' | 'ended';
  /** Ms; of the last event. */
  time: number;
  triggered: { readonly leg: TriggeredLeg; readonly price: number; readonly time: number } | undefined;
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
    const follows = change.state === 'untriggered' && order.best > 0 && order.market === market;
    if (!follows || order.side !== side || order.source !== source || !isBetter(side, best, order.best)) continue;
    change.order = { ...order, best };
  }
}

export function addUntriggered({ changes }: ConditionalRun, event: OneConditionalEvent): ConditionalChange {
  const { order, time } = event;
  const known = changes.get(order.orderId);
  const change: ConditionalChange = known ?? { order, state: 'untriggered', time, triggered: undefined };
  changes.set(order.orderId, change);
  change.order = order;
  change.time = time;
  if (event.kind === 'order-triggered') {
    change.state = 'triggered';
    change.triggered = { leg: event.leg, price: event.price, time };
  } else if (event.kind === 'untriggered-ended') {
    change.state = 'ended';
  }
  return change;
}
