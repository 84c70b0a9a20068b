import type { UntriggeredOrder } from './conditional-order.ts';
import { describeUntriggered, type Untriggered } from './untriggered.ts';

const NONE: ReadonlySet<Untriggered> = new Set();

export const byAge = (left: Untriggered, right: Untriggered): number => left.orderId - right.orderId;

/** Every untriggered order: found by id, listed under its owner and market, and counted in its market. */
export class UntriggeredOrders {
  readonly #byId = new Map<number, Untriggered>();
  /** By owner, and by market. */
  readonly #byOwner = new Map<number, Map<number, Set<Untriggered>>>();
  readonly #byMarket = new Map<number, number>();

  get size(): number {
    return this.#byId.size;
  }

  find(orderId: number): Untriggered | undefined {
    return this.#byId.get(orderId);
  }

  /** Ascending by order id, of one market or of all. */
  of(owner: number, market?: number): Untriggered[] {
    const own = this.#byOwner.get(owner);
    if (own === undefined) return [];
    return (
      market === undefined ? [...own.values()].flatMap((some) => [...some]) : [...(own.get(market) ?? NONE)]
    ).sort(byAge);
  }

  /** In no order; every trade of a perpetual asks for those of its two owners. */
  inMarketOf(owner: number, market: number): ReadonlySet<Untriggered> {
    return this.#byOwner.get(owner)?.get(market) ?? NONE;
  }

  /** Of one market, ascending by order id. */
  in(market: number): Untriggered[] {
    const all = [...this.#byId.values()].filter((order) => order.market === market);
    return all.sort(byAge);
  }

  countIn(market: number): number {
    return this.#byMarket.get(market) ?? 0;
  }

  add(order: Untriggered): void {
    this.#byId.set(order.orderId, order);
    const own = this.#byOwner.get(order.owner) ?? new Map<number, Set<Untriggered>>();
    this.#byOwner.set(order.owner, own.set(order.market, (own.get(order.market) ?? new Set()).add(order)));
    this.#byMarket.set(order.market, this.countIn(order.market) + 1);
  }

  remove(order: Untriggered): void {
    this.#byId.delete(order.orderId);
    const own = this.#byOwner.get(order.owner)!;
    const inMarket = own.get(order.market)!;
    inMarket.delete(order);
    if (inMarket.size === 0) own.delete(order.market);
    if (own.size === 0) this.#byOwner.delete(order.owner);
    this.#byMarket.set(order.market, this.countIn(order.market) - 1);
  }

  /** All of them, ascending by order id. */
  all(): UntriggeredOrder[] {
    return [...this.#byId.values()].sort(byAge).map(describeUntriggered);
  }
}
