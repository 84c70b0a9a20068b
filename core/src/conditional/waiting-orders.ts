import type { WaitingOrder } from './conditional-order.ts';
import { describeWaiting, type Waiting } from './waiting.ts';

/** Every waiting order: found by id, listed under its owner and counted in its market. */
export class WaitingOrders {
  readonly #byId = new Map<number, Waiting>();
  readonly #byOwner = new Map<number, Set<Waiting>>();
  readonly #byMarket = new Map<number, number>();

  get size(): number {
    return this.#byId.size;
  }

  find(orderId: number): Waiting | undefined {
    return this.#byId.get(orderId);
  }

  /** Ascending by order id, of one market or of all. */
  of(owner: number, market?: number): Waiting[] {
    const own = [...(this.#byOwner.get(owner) ?? [])];
    const wanted = market === undefined ? own : own.filter((order) => order.market === market);
    return wanted.sort((left, right) => left.orderId - right.orderId);
  }

  countIn(market: number): number {
    return this.#byMarket.get(market) ?? 0;
  }

  add(order: Waiting): void {
    this.#byId.set(order.orderId, order);
    const own = this.#byOwner.get(order.owner) ?? new Set();
    this.#byOwner.set(order.owner, own.add(order));
    this.#byMarket.set(order.market, this.countIn(order.market) + 1);
  }

  remove(order: Waiting): void {
    this.#byId.delete(order.orderId);
    const own = this.#byOwner.get(order.owner)!;
    own.delete(order);
    if (own.size === 0) this.#byOwner.delete(order.owner);
    this.#byMarket.set(order.market, this.countIn(order.market) - 1);
  }

  /** All of them, ascending by order id. */
  all(): WaitingOrder[] {
    return [...this.#byId.values()].sort((left, right) => left.orderId - right.orderId).map(describeWaiting);
  }
}
