import type { UntriggeredOrder } from './conditional-order.ts';
import { describeUntriggered, type Untriggered } from './untriggered.ts';

/** Every untriggered order: found by id, listed under its owner and counted in its market. */
export class UntriggeredOrders {
  readonly #byId = new Map<number, Untriggered>();
  readonly #byOwner = new Map<number, Set<Untriggered>>();
  readonly #byMarket = new Map<number, number>();

  get size(): number {
    return this.#byId.size;
  }

  find(orderId: number): Untriggered | undefined {
    return this.#byId.get(orderId);
  }

  /** Ascending by order id, of one market or of all. */
  of(owner: number, market?: number): Untriggered[] {
    const own = [...(this.#byOwner.get(owner) ?? [])];
    const wanted = market === undefined ? own : own.filter((order) => order.market === market);
    return wanted.sort((left, right) => left.orderId - right.orderId);
  }

  /** Of one market, ascending by order id. */
  in(market: number): Untriggered[] {
    const all = [...this.#byId.values()].filter((order) => order.market === market);
    return all.sort((left, right) => left.orderId - right.orderId);
  }

  countIn(market: number): number {
    return this.#byMarket.get(market) ?? 0;
  }

  add(order: Untriggered): void {
    this.#byId.set(order.orderId, order);
    const own = this.#byOwner.get(order.owner) ?? new Set();
    this.#byOwner.set(order.owner, own.add(order));
    this.#byMarket.set(order.market, this.countIn(order.market) + 1);
  }

  remove(order: Untriggered): void {
    this.#byId.delete(order.orderId);
    const own = this.#byOwner.get(order.owner)!;
    own.delete(order);
    if (own.size === 0) this.#byOwner.delete(order.owner);
    this.#byMarket.set(order.market, this.countIn(order.market) - 1);
  }

  /** All of them, ascending by order id. */
  all(): UntriggeredOrder[] {
    return [...this.#byId.values()].sort((left, right) => left.orderId - right.orderId).map(describeUntriggered);
  }
}
