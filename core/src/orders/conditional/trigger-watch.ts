import { SortedList } from '../../collections/sorted-list.ts';
import { BUY, SELL, type Side } from '../../terms/order-terms.ts';
import type { TriggeredLeg, TriggerSource } from './conditional-order.ts';
import { TrailingGroup } from './trailing-group.ts';
import {
  comesFirst,
  type Direction,
  FALLING,
  isReached,
  type OrderGroup,
  RISING,
  type Trigger,
  type Untriggered,
} from './untriggered.ts';

/** An order that the price has triggered, and that price. It is queued to be placed. */
export interface Triggered {
  readonly order: Untriggered;
  readonly leg: TriggeredLeg;
  readonly price: number;
}

/** What the watch calls with what it finds. */
export interface WatchListener {
  onTriggered(triggered: Triggered): void;
  onActivated(order: Untriggered): void;
  onMoved(side: Side, source: TriggerSource, best: number): void;
}

/** An order that one price has reached, and its trigger. */
interface Reached {
  readonly trigger: number;
  readonly order: Untriggered;
  readonly purpose: Trigger['purpose'];
}

/**
 * The untriggered orders of one market that watch one kind of price. A price that reaches nothing costs four comparisons;
 * one that does finds what it has reached in order, without looking at the others.
 */
export class TriggerWatch {
  readonly #source: TriggerSource;
  readonly #listener: WatchListener;
  /** By direction. */
  readonly #triggers = [new SortedList(comesFirst(FALLING)), new SortedList(comesFirst(RISING))] as const;
  /** By side; the group whose best price is the first to be beaten comes last. */
  readonly #groups = [
    new SortedList<TrailingGroup>((left, right) => left.best - right.best),
    new SortedList<TrailingGroup>((left, right) => right.best - left.best),
  ] as const;
  #lastNumber = 0;
  size = 0;

  constructor(source: TriggerSource, listener: WatchListener) {
    this.#source = source;
    this.#listener = listener;
  }

  /** Adds an order, which goes on following if it trailed before. */
  add(order: Untriggered): void {
    this.size += 1;
    if (order.trailing !== undefined && order.best > 0) this.#follow(order, order.best);
    else this.#await(order);
  }

  remove(order: Untriggered): void {
    this.size -= 1;
    const { group } = order;
    if (group !== undefined) {
      group.remove(order);
      this.#updateGroup(group);
    }
    for (const trigger of order.triggers) this.#triggers[trigger.direction].remove(trigger);
    order.triggers = [];
  }

  /**
   * A new price, in ticks. Only the watch changes here: what it triggers is placed later, in the order reported.
   * @param falling how far it has come down for what waits below; `rising` for what waits above. Mostly they are the same price.
   */
  observe(falling: number, rising: number): void {
    if (this.#reaches(FALLING, falling)) this.#reach(FALLING, falling);
    if (this.#reaches(RISING, rising)) this.#reach(RISING, rising);
    if (this.#beats(BUY, falling)) this.#move(BUY, falling);
    if (this.#beats(SELL, rising)) this.#move(SELL, rising);
  }

  /** Whether a price would trigger or move something in a direction. */
  waits(direction: Direction, price: number): boolean {
    return this.#reaches(direction, price) || this.#beats(direction === FALLING ? BUY : SELL, price);
  }

  #reaches(direction: Direction, price: number): boolean {
    const next = this.#triggers[direction].last;
    return next !== undefined && isReached(direction, next.price, price);
  }

  #beats(side: Side, price: number): boolean {
    const next = this.#groups[side].last;
    return next !== undefined && isBetter(side, price, next.best);
  }

  /** Everything that a price has reached, in the order in which it crossed their triggers, the older first. */
  #reach(direction: Direction, price: number): void {
    const reached: Reached[] = [];
    const triggers = this.#triggers[direction];
    for (
      let next = triggers.last;
      next !== undefined && isReached(direction, next.price, price);
      next = triggers.last
    ) {
      reached.push(this.#take(next));
    }
    const nearer = direction === FALLING ? -1 : 1;
    reached.sort((left, right) => nearer * (left.trigger - right.trigger) || left.order.orderId - right.order.orderId);
    for (const { order, purpose } of reached) {
      if (purpose === 'activation') {
        this.#follow(order, price);
        this.#listener.onActivated(order);
      } else {
        this.size -= 1;
        this.#listener.onTriggered({ order, leg: purpose, price });
      }
    }
  }

  /** Takes one order out of the watch by a trigger that was reached. */
  #take({ target, price, purpose }: Trigger): Reached {
    if (!('direction' in target)) {
      for (const trigger of target.triggers) this.#triggers[trigger.direction].remove(trigger);
      target.triggers = [];
      return { trigger: price, order: target, purpose };
    }
    const order = target.first()!;
    target.remove(order);
    this.#updateGroup(target);
    return { trigger: price, order, purpose };
  }

  #await(order: Untriggered): void {
    const sells = order.side === SELL;
    const triggers: Trigger[] = [];
    const wait = (direction: Direction, price: number, purpose: Trigger['purpose']) =>
      triggers.push({ direction, price, number: order.orderId, purpose, target: order });
    if (order.trailing !== undefined) wait(sells ? RISING : FALLING, order.trailing.activation, 'activation');
    if (order.takeProfit !== undefined) wait(sells ? RISING : FALLING, order.takeProfit.trigger, 'take-profit');
    if (order.stop !== undefined) wait(sells ? FALLING : RISING, order.stop.trigger, 'stop');
    for (const trigger of triggers) this.#triggers[trigger.direction].add(trigger);
    order.triggers = triggers;
  }

  /** Puts an order among those that follow from the same best price. */
  #follow(order: Untriggered, best: number): void {
    const groups = this.#groups[order.side];
    const fresh = new TrailingGroup(order.side, best);
    const group = groups.find(fresh) ?? fresh;
    if (group === fresh) groups.add(group);
    group.add(order);
    this.#updateGroup(group);
  }

  /** A new best price: the groups that it beats become one. The smaller join the largest, so none is moved often. */
  #move(side: Side, price: number): void {
    const groups = this.#groups[side];
    const beaten: TrailingGroup[] = [];
    for (let next = groups.last; next !== undefined && !isBetter(side, next.best, price); next = groups.last) {
      beaten.push(groups.pop()!);
    }
    beaten.sort((left, right) => left.size - right.size);
    const largest = beaten.pop()!;
    for (const group of beaten) {
      for (const order of group.orders()) largest.add(order);
      this.#unwatch(group);
    }
    largest.best = price;
    groups.add(largest);
    this.#updateGroup(largest);
    this.#listener.onMoved(side, this.#source, price);
  }

  /** Brings a group's trigger up to date; an empty group is forgotten. */
  #updateGroup(group: OrderGroup): void {
    const first = group.first();
    if (first === undefined) {
      this.#groups[group.side].remove(group as TrailingGroup);
      this.#unwatch(group);
      return;
    }
    const price = group.triggerOf(first);
    if (group.trigger?.price === price) return;
    this.#unwatch(group);
    this.#lastNumber += 1;
    // Below every order id, which are above zero.
    const number = -this.#lastNumber;
    group.trigger = { direction: group.direction, price, number, purpose: 'trailing', target: group };
    this.#triggers[group.direction].add(group.trigger);
  }

  #unwatch(group: OrderGroup): void {
    if (group.trigger !== undefined) this.#triggers[group.direction].remove(group.trigger);
    group.trigger = undefined;
  }
}

/** Whether a price is better to trail from: higher for a sell, lower for a buy. */
function isBetter(side: Side, price: number, best: number): boolean {
  return side === SELL ? price > best : price < best;
}
