import { SortedList } from '../../collections/sorted-list.ts';
import { SELL, type Side } from '../../terms/order-terms.ts';
import { trailingTrigger } from './conditional-order.ts';
import { type Direction, FALLING, type OrderGroup, RISING, type Trigger, type Untriggered } from './untriggered.ts';

/**
 * Trailing orders of one side with the same best price. What follows the price is the group, so a new best price costs
 * nothing for each order; which order triggers first follows from the callbacks alone and is known without looking.
 */
export class TrailingGroup implements OrderGroup {
  readonly side: Side;
  /** Ticks. */
  best: number;
  /** The smallest callback last; an order triggers before all others of its kind of callback. */
  readonly #byTicks = new SortedList<Untriggered>(
    (left, right) => callbackOf(right) - callbackOf(left) || byId(left, right),
  );
  readonly #byRate = new SortedList<Untriggered>(
    (left, right) => callbackOf(right) - callbackOf(left) || byId(left, right),
  );
  /** Where the group stands in the watch: the trigger that is reached first. */
  trigger: Trigger | undefined;

  constructor(side: Side, best: number) {
    this.side = side;
    this.best = best;
  }

  get size(): number {
    return this.#byTicks.size + this.#byRate.size;
  }

  get direction(): Direction {
    return this.side === SELL ? FALLING : RISING;
  }

  add(order: Untriggered): void {
    order.group = this;
    this.#listOf(order).add(order);
  }

  remove(order: Untriggered): void {
    this.#listOf(order).remove(order);
    order.best = this.best;
    order.group = undefined;
  }

  /** The order that triggers first, or one of several that trigger at the same price. */
  first(): Untriggered | undefined {
    const [left, right] = [this.#byTicks.last, this.#byRate.last];
    if (left === undefined || right === undefined) return left ?? right;
    const nearer = this.triggerOf(left) - this.triggerOf(right);
    return (this.side === SELL ? nearer >= 0 : nearer <= 0) ? left : right;
  }

  triggerOf(order: Untriggered): number {
    return trailingTrigger(this.side, this.best, order.trailing!);
  }

  *orders(): Iterable<Untriggered> {
    yield* this.#byTicks.values();
    yield* this.#byRate.values();
  }

  #listOf(order: Untriggered): SortedList<Untriggered> {
    return order.trailing!.callbackTicks > 0 ? this.#byTicks : this.#byRate;
  }
}

const callbackOf = ({ trailing }: Untriggered): number => trailing!.callbackTicks + trailing!.callbackPpm;
const byId = (left: Untriggered, right: Untriggered): number => left.orderId - right.orderId;
