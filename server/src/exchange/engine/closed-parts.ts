/** What the orders of one command that closed a position have come to. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { ClosedInParts } from '@cambist/core/margin/event.ts';
import type { ClosedParts } from './feed.ts';

/** From the records between two places; undefined where one order was enough. */
export function closedParts(events: EventBatch, start: number, end: number): ClosedParts | undefined {
  let closed: ClosedInParts | undefined;
  for (const event of events.objectsBetween(start, end)) if (event.kind === 'closed-in-parts') closed = event;
  if (closed === undefined) return undefined;
  const { orderId, lastOrderId, lots } = closed;
  /** By order, where its last record is. */
  const places = new Map<number, number>();
  const order = (records: EventBatch, at: number) => {
    const id = records.orderId(at);
    if (id >= orderId && id <= lastOrderId) places.set(id, at);
  };
  events.readBetween(start, end, [{ order }]);
  let [filled, open] = [0, 0];
  for (const at of places.values()) {
    filled += events.quantity(at) - events.remaining(at);
    if (events.status(at) === 'open') open += events.remaining(at);
  }
  const last = events.orderState(places.get(lastOrderId)!);
  const cancelled = last.status === 'cancelled' ? last.reason : 'NONE';
  return { firstOrderId: orderId, lastOrderId, lots, filled, open, reason: closed.reason ?? cancelled };
}
