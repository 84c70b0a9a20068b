/**
 * One order as answers, lists and streams show it. The order's own events say all of it but what triggered a
 * conditional order and its client order id, which are remembered here from their own events until the order ends.
 */
import type { ObjectEvent } from '../events/event.ts';
import type { EventBatch } from '../events/event-batch.ts';
import type { RejectReason } from '../terms/outcome.ts';
import type { ClientOrderId } from './client-order-ids.ts';
import type { TriggeredLeg, UntriggeredOrder } from './conditional/conditional-order.ts';
import type { ConditionalEvent } from './conditional/event.ts';
import type { ExitPlan } from './exits/exit-plan.ts';
import type { OrderState } from './order-state.ts';
import type { TwapSchedule } from './twap/twap.ts';

/** What triggers or triggered a conditional order. */
export interface TriggerView
  extends Pick<UntriggeredOrder, 'source' | 'takeProfit' | 'stop' | 'trailing' | 'best' | 'entryId'> {
  readonly status: 'untriggered' | 'triggered' | 'ended';
  readonly triggered: { readonly leg: TriggeredLeg; readonly price: number; readonly time: number } | undefined;
}

export interface OrderView extends Omit<OrderState, 'status' | 'reason'> {
  readonly status: OrderState['status'] | 'untriggered';
  readonly reason: OrderState['reason'] | RejectReason;
  readonly trigger: TriggerView | undefined;
  readonly clientOrderId: string | undefined;
  /** Of an entry, as they were when it ended or as they are. */
  readonly exits: ExitPlan | undefined;
  /** Of a TWAP, as it was when it ended or as it is. */
  readonly twap: TwapSchedule | undefined;
  readonly updatedAt: number;
}

export type OneConditionalEvent = Exclude<ConditionalEvent, { kind: 'trailing-moved' | 'mark-price-set' }>;

/** Whether an event is about one conditional order. */
export function isOneConditional(event: ObjectEvent): event is OneConditionalEvent {
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

/** An untriggered order on the terms that it would be placed on: those of its stop, or else its take-profit. */
export function untriggeredView(order: UntriggeredOrder, trigger: TriggerView, updatedAt: number): OrderView {
  const { orderId, owner, market, side, timeInForce, selfTrade, quantity, quoteTotal, createdAt } = order;
  const price = (order.stop ?? order.takeProfit)?.price ?? 0;
  const type = price > 0 ? ('limit' as const) : ('market' as const);
  const terms = { orderId, owner, market, side, type, timeInForce, selfTrade, price, quantity, quoteTotal };
  const figures = {
    remaining: quantity,
    priority: 0,
    filledValue: 0n,
    fee: 0n,
    credit: 0n,
    createdAt,
    visible: 0,
    hidden: 0,
  };
  const status = trigger.status === 'untriggered' ? ('untriggered' as const) : ('cancelled' as const);
  return {
    ...terms,
    ...figures,
    status,
    reason: 'NONE',
    trigger,
    clientOrderId: undefined,
    exits: undefined,
    twap: undefined,
    ...(order.reduceOnly && { reduceOnly: true }),
    ...(order.positionSide && { positionSide: order.positionSide }),
    updatedAt,
  };
}

/** Remembers what triggered orders, and their client order ids, until they end. Every batch is added once, in order. */
export class OrderViews {
  readonly #triggered = new Map<number, TriggerView>();
  readonly #clientOrderIds = new Map<number, string>();
  readonly #exitPlans = new Map<number, ExitPlan>();
  readonly #twaps = new Map<number, TwapSchedule>();

  /** Puts back what triggered an order that is open. */
  restore(orderId: number, trigger: TriggerView): void {
    this.#triggered.set(orderId, trigger);
  }

  restoreClientOrderId({ orderId, clientOrderId }: ClientOrderId): void {
    this.#clientOrderIds.set(orderId, clientOrderId);
  }

  restoreExitPlan(plan: ExitPlan): void {
    this.#exitPlans.set(plan.orderId, plan);
  }

  restoreTwap(orderId: number, { intervalMs, slices, done, nextAt, endsAt }: TwapSchedule): void {
    this.#twaps.set(orderId, { intervalMs, slices, done, nextAt, endsAt });
  }

  /** Of an order that is not forgotten yet. */
  clientOrderIdOf(orderId: number): string | undefined {
    return this.#clientOrderIds.get(orderId);
  }

  /** The order of a record. */
  ofRecord(batch: EventBatch, at: number): OrderView {
    return this.ofState(batch.orderState(at), batch.time(at));
  }

  /** An order as it was at a time. */
  ofState(order: OrderState, updatedAt: number): OrderView {
    const { orderId } = order;
    const clientOrderId = this.#clientOrderIds.get(orderId);
    const [trigger, exits] = [this.#triggered.get(orderId), this.#exitPlans.get(orderId)];
    const beside = { trigger, clientOrderId, exits, twap: this.#twaps.get(orderId) };
    return { ...order, ...beside, updatedAt };
  }

  /** The order of a conditional event; undefined where an order event follows, or for events of many orders. */
  ofObject(event: ObjectEvent): OrderView | undefined {
    if (!isOneConditional(event) || event.kind === 'order-triggered') return undefined;
    const { order, time } = event;
    const isEnded = event.kind === 'untriggered-ended';
    const trigger: TriggerView = {
      ...triggersOf(order),
      status: isEnded ? 'ended' : 'untriggered',
      triggered: this.#triggered.get(order.orderId)?.triggered,
    };
    const clientOrderId = this.#clientOrderIds.get(order.orderId);
    const view = { ...untriggeredView(order, trigger, time), clientOrderId };
    return isEnded ? { ...view, reason: event.reason } : view;
  }

  /** Reads along with a batch: call it for every event before the event's view is asked for. */
  note(event: ObjectEvent): void {
    if (event.kind === 'client-order-id-given') this.restoreClientOrderId(event);
    if (event.kind === 'exit-plan-changed') this.#noteExits(event.plan);
    if (event.kind === 'twap-changed') this.restoreTwap(event.orderId, event);
    if (event.kind !== 'order-triggered') return;
    const triggered = { leg: event.leg, price: event.price, time: event.time };
    this.#triggered.set(event.order.orderId, { ...triggersOf(event.order), status: 'triggered', triggered });
  }

  #noteExits(plan: ExitPlan): void {
    if (plan.takeProfit === undefined && plan.stop === undefined) this.#exitPlans.delete(plan.orderId);
    else this.#exitPlans.set(plan.orderId, plan);
  }

  /** Forgets the orders that ended in a batch; call it when all have read the batch. */
  forgetEnded(batch: EventBatch): void {
    const beside = [this.#triggered, this.#clientOrderIds, this.#exitPlans, this.#twaps];
    if (beside.every(({ size }) => size === 0)) return;
    batch.read({
      order: (records, at) => {
        if (records.status(at) !== 'open') this.#forget(records.orderId(at));
      },
      object: (event) => {
        if (event.kind === 'untriggered-ended') this.#forget(event.order.orderId);
      },
    });
  }

  #forget(orderId: number): void {
    this.#triggered.delete(orderId);
    this.#clientOrderIds.delete(orderId);
    this.#exitPlans.delete(orderId);
    this.#twaps.delete(orderId);
  }
}

function triggersOf({ source, takeProfit, stop, trailing, best, entryId }: UntriggeredOrder) {
  return { source, takeProfit, stop, trailing, best, entryId };
}
