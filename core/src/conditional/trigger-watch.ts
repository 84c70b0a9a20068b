import { SortedList } from '../collections/sorted-list.ts';
import { BUY, SELL, type Side } from '../exchange/order-terms.ts';
import type { FiredLeg, TriggerSource } from './conditional-order.ts';
import { TrailingGroup } from './trailing-group.ts';
import { comesFirst, type Direction, FALLING, isReached, RISING, type Trigger } from './trigger.ts';
import type { Waiting } from './waiting.ts';

/** An order that the price has reached, and the price that did. It waits in line to be placed. */
export interface Fired {
  readonly order: Waiting;
  readonly leg: FiredLeg;
  readonly price: number;
}

/** Who hears what the watch finds. */
export interface WatchListener {
  onFired(fired: Fired): void;
  onActivated(order: Waiting): void;
  onMoved(side: Side, source: TriggerSource, best: number): void;
}

/** An order that one price has reached, and where it stood. */
interface Reached {
  readonly trigger: number;
  readonly order: Waiting;
  readonly purpose: Trigger['purpose'];
}

/**
 * The waiting orders of one market that watch one kind of price. A price that reaches nothing costs four comparisons;
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

  /** Watches for an order that waits, or goes on following for one that trailed before. */
  add(order: Waiting): void {
    this.size += 1;
    if (order.trailing !== undefined && order.best > 0) this.#follow(order, order.best);
    else this.#await(order);
  }

  remove(order: Waiting): void {
    this.size -= 1;
    const { group } = order;
    if (group !== undefined) {
      group.remove(order);
      this.#settleGroup(group);
    }
    for (const trigger of order.triggers) this.#triggers[trigger.direction].remove(trigger);
    order.triggers = [];
  }

  /** A new price, in ticks. Only the watch changes here: those that fire are placed later, in the order told. */
  observe(price: number): void {
    for (const direction of [FALLING, RISING] as const) {
      const next = this.#triggers[direction].last;
      if (next !== undefined && isReached(direction, next.price, price)) this.#reach(direction, price);
    }
    for (const side of [BUY, SELL] as const) {
      const next = this.#groups[side].last;
      if (next !== undefined && isBetter(side, price, next.best)) this.#move(side, price);
    }
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
        this.#listener.onFired({ order, leg: purpose, price });
      }
    }
  }

  /** Takes one order out of the watch by a trigger that was reached. */
  #take({ target, price, purpose }: Trigger): Reached {
    if (!(target instanceof TrailingGroup)) {
      for (const trigger of target.triggers) this.#triggers[trigger.direction].remove(trigger);
      target.triggers = [];
      return { trigger: price, order: target, purpose };
    }
    const order = target.first()!;
    target.remove(order);
    this.#settleGroup(target);
    return { trigger: price, order, purpose };
  }

  #await(order: Waiting): void {
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
  #follow(order: Waiting, best: number): void {
    const groups = this.#groups[order.side];
    const fresh = new TrailingGroup(order.side, best);
    const group = groups.find(fresh) ?? fresh;
    if (group === fresh) groups.add(group);
    group.add(order);
    this.#settleGroup(group);
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
    this.#settleGroup(largest);
    this.#listener.onMoved(side, this.#source, price);
  }

  /** Brings a group's trigger up to date; an empty group is forgotten. */
  #settleGroup(group: TrailingGroup): void {
    const first = group.first();
    if (first === undefined) {
      this.#groups[group.side].remove(group);
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

  #unwatch(group: TrailingGroup): void {
    if (group.trigger !== undefined) this.#triggers[group.direction].remove(group.trigger);
    group.trigger = undefined;
  }
}

/** Whether a price is better to trail from: higher for a sell, lower for a buy. */
function isBetter(side: Side, price: number, best: number): boolean {
  return side === SELL ? price > best : price < best;
}
