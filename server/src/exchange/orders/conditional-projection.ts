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
  /** Changed orders that trailed when they changed, by the same: a move looks at no others, however many there are. */
  readonly followers: Map<string, Set<ConditionalChange>>;
}

const isBetter = (side: number, price: number, than: number) => (side === SELL ? price > than : price < than);
const keyOf = ({ market, side, source }: Pick<UntriggeredOrder, 'market' | 'side' | 'source'>) =>
  `${market}/${side}/${source}`;

export function emptyRun(): ConditionalRun {
  return { changes: new Map(), moves: new Map(), followers: new Map() };
}

/** Orders of earlier runs get the best price by statement; those of this run have it in their row already. */
export function addMove({ moves, followers }: ConditionalRun, event: TrailingMoved): void {
  const { side, best } = event;
  const key = keyOf(event);
  const known = moves.get(key);
  if (known === undefined || isBetter(side, best, known.best)) moves.set(key, event);
  const following = followers.get(key);
  if (following === undefined) return;
  for (const change of following) {
    if (change.state !== 'untriggered') following.delete(change);
    else if (isBetter(side, best, change.order.best)) change.order = { ...change.order, best };
  }
}

export function addUntriggered({ changes, followers }: ConditionalRun, event: OneConditionalEvent): ConditionalChange {
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
  } else if (order.best > 0) {
    const key = keyOf(order);
    followers.set(key, (followers.get(key) ?? new Set()).add(change));
  }
  return change;
}
